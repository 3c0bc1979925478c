"""Matrices as text are written and read back; what is no matrix is refused by row and column."""

import numpy as np
import pytest
from claims import for_all
from hypothesis import given
from hypothesis import strategies as st
from refuses import refuses

from core.errors import InputError
from core.limits import LARGEST_NUMBER
from core.models.worked import D4_H2, PADDED, PRESETS
from core.sources import matrix
from core.sources.matrix import grouped

FEW = st.integers(1, 7)
NUMBERS = st.floats(-1e12, 1e12, allow_subnormal=False).map(lambda x: float(matrix.written(x)))


@st.composite
def matrices(draw, axes=2):
    shape = [draw(FEW) for _ in range(axes)]
    size = int(np.prod(shape))
    return np.array(draw(st.lists(NUMBERS, min_size=size, max_size=size))).reshape(shape)


@given(matrices())
def test_a_written_matrix_is_read_back(values):
    np.testing.assert_array_equal(matrix.read_text(matrix.write_matrix(values), "Q"), values)


@given(matrices(), st.sampled_from(["\t", ",", ";", " ", "，", ", ", "；"]))
def test_tabs_commas_semicolons_and_spaces_separate_numbers(values, mark):
    text = "\n".join(mark.join(row) for row in matrix.cells_of(values))
    np.testing.assert_array_equal(matrix.read_text(text + "\n\n", "Q"), values)


@given(matrices())
def test_rows_in_brackets_are_read_as_python_numpy_and_matlab_write_them(values):
    rows = [" ".join(row) for row in matrix.cells_of(values)]
    with np.printoptions(precision=17, floatmode="unique", threshold=10_000):
        printed = (str(values), repr(values), f"tensor({values.tolist()}, device='cpu')")
    for text in (str(values.tolist()), *printed, f"[{'; '.join(rows)}]"):
        np.testing.assert_array_equal(matrix.read_pasted(text, "Q"), values)


@for_all("text", ["[[1, 2], [3, 4]", "[[[1, 2]], [[3, 4]]]", "[[1, 2], [3, 4]] x", "[]", "array()"])
def test_what_only_looks_like_rows_in_brackets_is_refused(text):
    with pytest.raises(InputError):
        matrix.read_pasted(text, "Q")


@given(matrices(axes=3), matrices())
def test_a_matrix_of_every_head_and_one_without_heads_survive_the_link(by_head, alone):
    for name, values in (("W_Q", by_head), ("X", alone)):
        np.testing.assert_array_equal(matrix.from_link(name, matrix.to_link(values)), values)


def test_nothing_in_a_link_has_to_be_escaped():
    text = matrix.to_link(np.array([[[-1.5, 1e-20], [3e11, 0.1]], [[0.25, 2.0], [-0.0, 7.0]]]))
    assert text == "-1.5_1e-20~300000000000_0.1~~0.25_2~0_7"


@for_all("name", PRESETS)
def test_a_written_sheet_is_read_back(name):
    sheet = PRESETS[name]
    tokens, found = matrix.read_sheet(matrix.write_sheet(sheet.tokens, sheet.matrices))
    assert tokens == sheet.tokens
    assert found.keys() == sheet.matrices.keys()
    for key, values in sheet.matrices.items():
        np.testing.assert_array_equal(found[key], values)


def test_a_sheet_of_two_heads_without_x_names_its_tokens_once():
    given = {name: np.arange(12.0).reshape(2, 3, 2) + len(name) for name in "QKV"}
    tokens, found = matrix.read_sheet(matrix.write_sheet(("a", "b", "c"), given))
    assert tokens == ("a", "b", "c")
    np.testing.assert_array_equal(found["K"], given["K"])


def test_the_format_of_a_sheet():
    sheet = D4_H2.with_tokens((",", "a b"))
    lines = matrix.write_sheet(sheet.tokens, sheet.matrices).splitlines()
    assert lines[:5] == [
        "matrix,head,row,1,2,3,4",
        'X,,",",1,0.5,-1,2',
        "X,,a b,-0.5,1,0.3,-2",
        "W_Q,1,1,0.1,0.4",
        "W_Q,1,2,-0.2,0.3",
    ]
    assert matrix.read_sheet("\n".join(lines))[0] == (",", "a b")


def test_a_sheet_may_be_filled_with_empty_cells_and_have_tabs_as_a_spreadsheet_writes_it():
    text = matrix.write_sheet(PADDED.tokens, PADDED.matrices).replace("\n", ",,\n")
    for found in (text, text.replace(",", "\t")):
        assert matrix.is_sheet(found)
        np.testing.assert_array_equal(matrix.read_sheet(found)[1]["V"], PADDED.matrices["V"])


@for_all(
    ("written", "value"),
    [("−3", -3), ("－２．５", -2.5), ("+.5", 0.5), ("1.", 1), ("1E3", 1000), (" 7 ", 7)],
)
def test_common_ways_to_write_numbers_are_read(written, value):
    assert matrix.read_cells([[written]], "Q") == [[value]]


def third_row(text):
    return matrix.read_cells([["1", "2"], ["3", "4"], ["5", text]], "W_K")


REFUSED = [
    *(("not_a_number", {"name": "W_K", "row": 3, "column": 2, "text": text}, third_row, text)
      for text in ("abc", "nan", "inf", "-Infinity", "1_0", "0x1", "1/2", "=A1", "٣")),
    *(("empty_cell", {"row": 2, "column": 2}, matrix.read_text, text)
      for text in ("1\t2\n3\t", "1,2\n3,", "1;2\n3; ")),
    *(("no_numbers", {"name": "Q"}, matrix.read_text, text) for text in ("", " \n\t\n", "\r\n")),
    ("ragged_rows", {"row": 3, "columns": 1, "expected": 2}, matrix.read_text, "1 2\n3 4\n5\n6 7"),
    ("text_too_long", {}, matrix.read_text, "1 " * 20_000),
    *(("matrix_too_large", {}, matrix.read_text, text) for text in ("1 " * 65, "1\n" * 65)),
    ("file_too_large", {}, matrix.read_bytes, b"1" * 1_000_001),
    *(("not_text", {}, matrix.read_bytes, data) for data in (b"\x00\x01\x02", bytes(range(256)))),
]  # fmt: skip


@for_all(("code", "fields", "read", "given"), REFUSED)
def test_a_text_that_is_no_matrix_is_refused_by_row_and_column_and_a_large_one_before_it_is_read(
    code, fields, read, given
):
    with refuses(code, **fields):
        read(given, "Q") if read is matrix.read_text else read(given)


def test_more_heads_than_a_link_may_have_are_refused():
    with refuses("matrix_too_large"):
        matrix.from_link("Q", "~~".join("1" * 9))


@for_all("text", ["1e308", "-1e309", "1e13", "9" * 400])
def test_a_number_beyond_the_limit_is_named_with_its_row_and_column(text):
    with refuses("number_too_large", row=1, column=2) as refused:
        matrix.read_cells([["1", text]], "Q")
    assert len(refused.value.fields["text"]) <= 24


def test_the_largest_numbers_there_may_be_are_far_from_overflowing():
    sheet = D4_H2
    for name, values in D4_H2.matrices.items():
        sheet = sheet.with_matrix(name, np.full(values.shape, LARGEST_NUMBER))
    assert np.isfinite(sheet.trace()["output"].tensor).all()


@for_all("encoding", ["utf-8", "utf-8-sig", "gb18030"])
def test_a_file_may_come_from_any_spreadsheet(encoding):
    assert matrix.read_bytes("我,1\r\n".encode(encoding)) == "我,1\r\n"


def test_joined_emoji_of_a_file_stay_what_they_are():
    assert matrix.read_bytes("👨\u200d👩\u200d👧,1".encode()) == "👨\u200d👩\u200d👧,1"


SMALL = "matrix,head,row,1\nQ,1,a,1\nK,1,a,2\nV,1,a,3\n"


@for_all(
    ("text", "kind"),
    [
        (SMALL.replace("K,1", "L,1"), "unknown_matrix"),
        (SMALL + ",,,", "unknown_matrix"),
        (SMALL + "Q,1\n", "unknown_matrix"),
        (SMALL.replace("V,1,a,3\n", ""), "missing_matrix"),
        (SMALL + "X,,a,1\n", "missing_matrix"),
        (SMALL + "Q,2,a,1,2\n", "heads_differ"),
        (matrix.write_sheet(D4_H2.tokens, D4_H2.matrices).replace("X,,2", "X,2,2"), "heads_differ"),
        (SMALL.replace("a,2", "a,two"), "not_a_number"),
        (SMALL.replace("a,2", "a,"), "empty_cell"),
        (SMALL + "Q,1,b,1,2\n", "ragged_rows"),
        ("matrix", "missing_matrix"),
        (SMALL + "V,1,b,1\n" * 300_000, "text_too_long"),
    ],
)
def test_an_invalid_sheet_is_refused_with_the_reason(text, kind):
    with refuses(kind):
        matrix.read_sheet(text)


@given(st.text(max_size=60))
def test_any_text_is_a_matrix_or_an_input_error(text):
    for read in (
        lambda: matrix.read_text(text, "Q"),
        lambda: matrix.read_sheet("matrix," + text),
        lambda: matrix.from_link("W_O", text),
        lambda: matrix.read_bytes(text.encode("utf-16", "surrogatepass")),
    ):
        try:
            read()
        except InputError as refused:
            assert str(refused)


ASKED = {
    "1.000,5": "1000.5", "1,000.5": "1000.5", "1,234.5": "1234.5", "1,000": "1000",
    "-1,000,000": "-1000000", "1,050": "1050", "1 000": "1000", "−1 000,5": "-1000.5",
    "10 005 2": "10005", "12\u202f345,5": "12345.5", "1\u00a0234": "1234", "1'234": "1234",
    "1’000.25": "1000.25", "1.234,56 2,5\n3,1 4": "1234.56", "0.5 1,000.5\n2 3": "1000.5",
    "1.000.000,25": "1000000.25", "0.5\t1,000.5": "1000.5", "1.000,5;2": "1000.5",
    "１．０００，５": "1000.5",
}  # fmt: skip
TAKEN = {
    "1.000": [[1]], "1.000\t2.500": [[1, 2.5]], "1,0\n0,1": [[1, 0], [0, 1]],
    "100,200\n300,400": [[100, 200], [300, 400]], "1,234": [[1, 234]],
    "100 200 300": [[100, 200, 300]], "0.125,0.250,1.000": [[0.125, 0.25, 1]],
    "1.000,0.250": [[1, 0.25]], "1.000,2,0.125": [[1, 2, 0.125]], "1.000, 5": [[1, 5]],
    "1,000;0.5".replace(",", "."): [[1, 0.5]], "0 000": [[0, 0]], "1 0 0": [[1, 0, 0]],
    "[1 000 5]": [[1, 0, 5]],
}  # fmt: skip


def test_an_ambiguous_number_with_separators_is_reported():
    wrong = []
    for text, plain in ASKED.items():
        try:
            wrong.append((text, matrix.read_pasted(text, "Q").tolist()))
        except InputError as asked:
            if (asked.code, asked.fields["plain"]) != ("grouped_digits", plain):
                wrong.append((text, str(asked)))
    assert not wrong


def test_an_unambiguous_table_is_read():
    wrong = {}
    for text, expected in TAKEN.items():
        try:
            found = matrix.read_pasted(text, "Q").tolist()
        except InputError as refusal:
            found = str(refusal)
        if found != expected:
            wrong[text] = found
    assert not wrong


def test_a_file_with_commas_between_numbers_is_unambiguous():
    assert matrix.read_text("1.125,5\n2.375,7", "Q").tolist() == [[1.125, 5], [2.375, 7]]
    with refuses("grouped_digits"):
        matrix.read_pasted("1.125,5\n2.375,7", "Q")


def test_a_long_text_is_searched_in_linear_time():
    assert grouped("1,000" * 4_000) is None
    assert grouped("1 " * 10_000) is None
