"""Numbers in groups of three digits are asked about where they may also be several."""

from refuses import refuses

from core.errors import InputError
from core.sources import matrix
from core.sources.matrix import grouped

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
