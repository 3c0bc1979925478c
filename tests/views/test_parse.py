import pytest
from claims import for_all

from views import parse


def test_only_offered_options_are_parsed():
    read = parse.one_of(["none", "causal"])
    assert read("causal") == "causal"
    for nonsense in ("", "Causal", " causal", "causal,none", "1"):
        with pytest.raises(ValueError, match=f"^{nonsense}$"):
            read(nonsense)


def test_an_option_keeps_its_type_in_a_link():
    sizes = (64, 112, 224)
    assert [parse.one_of(sizes)(str(size)) for size in sizes] == list(sizes)
    assert type(parse.one_of(sizes)("64")) is int


@for_all(("text", "value"), [("2", 2), ("13", 13), ("7", 7)])
def test_an_integer_between_the_limits_is_parsed(text, value):
    assert parse.number(2, 13)(text) == value


@for_all("text", ["1", "14", "-3", "", "7.0", "1e1", "seven", "nan", "inf", "0x7"])
def test_any_other_text_is_no_valid_integer(text):
    with pytest.raises(ValueError):
        parse.number(2, 13)(text)


def test_a_float_between_the_limits_is_parsed():
    read = parse.number(0.1, 5.0, float)
    assert read("0.1") == 0.1
    assert read("1.7") == 1.7
    assert read("5") == 5.0


@for_all("text", ["0.09", "5.01", "nan", "inf", "-inf", "1,7", ""])
def test_a_float_out_of_range_or_not_a_number_is_invalid(text):
    with pytest.raises(ValueError):
        parse.number(0.1, 5.0, float)(text)


@pytest.mark.parametrize(
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


@for_all("text", ["", "2", "true", "True", "01", " 1"])
def test_a_flag_is_1_or_0_and_nothing_else(text):
    with pytest.raises(ValueError, match=f"^{text}$"):
        parse.flag(text)
