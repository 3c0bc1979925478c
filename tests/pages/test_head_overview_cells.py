"""The kind and the strength of a cell of the head overview."""

from claims import for_all

from core.experiments.head_patterns import HeadPattern
from views.widgets.checkpoint.head_overview import _cell

MIXED = dict(evenness=0.2, peak=0.41, itself=0.1, previous=0.2, following=0.3, favourite=2,
             share=0.4, special=0.25)  # fmt: skip


@for_all(
    ("changed", "cell"),
    [
        ({}, ("mixed", "0.41", 0.0, "")),
        ({"peak": 0.9}, ("mixed", "0.90", 0.0, "")),
        ({"evenness": 0.95}, ("broadly", "0.95", 0.0, "")),
        ({"evenness": 0.975}, ("broadly", "0.98", 0.5, "")),
        ({"previous": 0.5}, ("previous", "0.50", 0.0, "")),
        ({"previous": 0.75}, ("previous", "0.75", 0.5, "")),
        ({"special": 1.0}, ("special", "1.00", 1.0, "")),
        ({"share": 0.75}, ("one", "0.75", 0.5, "c")),
        ({"share": 0.75, "favourite": 0}, ("first", "0.75", 0.5, "a")),
    ],
)
def test_a_cell_is_as_strong_as_its_measure_stands_above_the_least_of_its_kind(changed, cell):
    kind, value, strength, favourite = _cell(HeadPattern(**MIXED | changed), ("a", "b", "c"))
    assert (kind, value, strength, favourite) == cell
