import pytest
from claims import for_all

from views import parse

MASKS = parse.one_of(["none", "causal"])
SIZES = parse.one_of((64, 112, 224))
INTEGER = parse.number(2, 13)
FLOAT = parse.number(0.1, 5.0, float)
INVALID = {
    MASKS: ["", "Causal", " causal", "causal,none", "1"],
    INTEGER: ["1", "14", "-3", "", "7.0", "1e1", "seven", "nan", "inf", "0x7"],
    FLOAT: ["0.09", "5.01", "nan", "inf", "-inf", "1,7", ""],
    parse.flag: ["", "2", "true", "True", "01", " 1"],
    parse.some_of(range(5)): ["", "5", "1,", "1, 2"],
}


@for_all(
    ("read", "text", "value"),
    [
        (MASKS, "causal", "causal"), (SIZES, "64", 64), (SIZES, "224", 224), (INTEGER, "2", 2),
        (INTEGER, "13", 13), (FLOAT, "0.1", 0.1), (FLOAT, "1.7", 1.7), (FLOAT, "5", 5.0),
    ],
)  # fmt: skip
def test_a_valid_text_is_parsed_with_the_type_of_its_value(read, text, value):
    assert read(text) == value
    assert type(read(text)) is type(value)


@for_all(("read", "text"), [(read, text) for read, texts in INVALID.items() for text in texts])
def test_an_invalid_text_raises_value_error_with_the_text(read, text):
    with pytest.raises(ValueError) as refused:
        read(text)
    assert text in str(refused.value)


@for_all(
    ("value", "text", "read"),
    [
        (True, "1", parse.flag),
        (False, "0", parse.flag),
        (7, "7", parse.number(0, 9)),
        (5.0, "5", parse.number(0, 9, float)),
        (0.123456789, "0.123456789", parse.number(0, 9, float)),
        ([2, 3], "2,3", parse.some_of(range(5))),
        ([], "none", parse.some_of(range(5))),
        ("5.0", "5.0", str),
    ],
)
def test_a_value_that_was_written_reads_back_as_itself(value, text, read):
    assert parse.written(value) == text
    assert read(text) == value
    assert type(read(text)) is type(value)
