"""The cells of the table, as the browser reports what was written into them."""

from pages.understand.by_hand.table import NAMES, edited

BEGUN = [["1", "2"], ["3", "4"]]


def test_cells_that_were_written_take_their_places_and_no_other():
    assert edited(BEGUN, {"1": {"2": "x"}, 0: {"1": "-5"}}) == [["-5", "2"], ["3", "x"]]
    assert BEGUN == [["1", "2"], ["3", "4"]]


def test_a_cleared_cell_is_empty_and_a_name_is_no_number():
    assert edited(BEGUN, {0: {"1": None, NAMES: "9"}}) == [["", "2"], ["3", "4"]]
