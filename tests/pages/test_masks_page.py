import numpy as np
import pytest
from page_reader import Open, component_data, grids, texts
from streamlit.testing.v1 import AppTest

from pages.understand.masks.controls import rows_of_cells, toggled, written_rows


def cells(grid: dict) -> list[str]:
    return ["".join(row) for row in grid["printed"]]


def compared(at: AppTest) -> dict[str, list[str]]:
    table = at.table[0].value
    rows = [[str(cell).replace("\\", "") for cell in row] for row in table.to_numpy()]
    return {row[0].strip("*"): row[1:] for row in rows}


def test_a_first_look_shows_two_masks_and_their_conjunction(open_page: Open) -> None:
    at = open_page("masks", lang="en", text="我爱北京")
    assert not at.exception
    assert "who may look at whom" in at.title[0].value
    causal, padding, allowed, scaled, masked, weights = grids(at)
    assert cells(causal) == ["10000", "11000", "11100", "11110", "11111"]
    assert cells(padding) == ["11100"] * 5
    assert cells(allowed) == ["10000", "11000", "11100", "11100", "11100"]
    assert [causal["sign"], padding["sign"], allowed["sign"]] == ["∧", "=", ""]
    assert allowed["title"] == "allowed (query 5, key 5)"
    assert scaled["columns"] == ["我", "爱", "北京", "[PAD]", "[PAD]"]
    forbidden = np.array(masked["printed"]) == "−∞"
    assert np.array_equal(forbidden, np.array(allowed["printed"]) == "0")
    assert set(np.array(weights["printed"])[forbidden]) == {"0.00"}
    assert weights["after"] == ["Σ 1.00"] * 5
    assert "0.97" in texts(at)  # what 我 would have given to the other four


def test_five_ways_of_masking_are_compared(open_page: Open) -> None:
    at = open_page("masks", lang="zh")
    infinity, zero, billion, after, shared = compared(at).values()
    assert infinity == ["0.00", "1.00", "0.00"]
    assert billion == infinity
    assert zero[:2] == ["0.94", "1.00"]
    assert after[0] == "0.00"
    assert after[1].startswith("0.029 ")
    assert shared[:2] == ["0.00", "1.00"]
    assert shared[2] == "0.00" or "10⁻¹⁶" in shared[2]


def test_masks_are_switched_on_one_by_one_and_stay_in_the_link(open_page: Open) -> None:
    at = open_page("masks", lang="en")
    at.button_group(key="on").set_value(["window"]).run()
    window, allowed, *_ = grids(at)
    assert cells(window) == cells(allowed) == ["11000", "11100", "01110", "00111", "00011"]
    assert at.query_params["on"] == "window"
    at.slider(key="near").set_value(0).run()
    assert cells(grids(at)[0]) == ["10000", "01000", "00100", "00010", "00001"]
    at.button_group(key="on").set_value([]).run()
    assert at.query_params["on"] == "none"
    assert cells(grids(at)[0]) == ["11111"] * 5
    assert "Nothing is forbidden" in texts(at)
    assert set(open_page("masks", lang="en", on="none").button_group(key="on").value) == set()


def test_a_button_masks_a_row_and_another_clears_it(open_page: Open) -> None:
    at = open_page("masks", lang="en")
    at.button(key="mask_row").click().run()
    assert at.query_params["drawn"] == "0.1f"
    assert cells(grids(at)[2])[1] == "00000"
    assert "would be 0 ÷ 0" in texts(at)
    at.button(key="clear").click().run()
    assert "drawn" not in at.query_params
    assert "would be 0 ÷ 0" not in texts(at)
    unused = open_page("masks", lang="en", on="causal", drawn="1")  # nothing of it is to be cleared
    assert "clear" not in [button.key for button in unused.button]


def test_only_the_drawn_mask_can_be_clicked(open_page: Open) -> None:
    at = open_page("masks", lang="en", on="causal,drawn")
    data, chain = component_data(at, "grids")
    assert data["clicks"]
    assert [grid["fixed"] for grid in data["grids"]] == [True, False, True]
    assert not chain["clicks"]


def test_a_drawn_mask_is_written_to_the_link_and_parsed_from_it() -> None:
    rows = toggled(toggled(toggled((), 2, 4), 0, 1), 2, 0)
    assert rows == (2, 0, 17)
    assert written_rows(rows) == "2.0.11"
    assert rows_of_cells("2.0.11") == rows
    assert toggled(toggled(toggled(rows, 2, 4), 2, 0), 0, 1) == ()
    for bad in ("", "g", "1..2", "-1", "400", "1.1.1.1.1.1.1.1.1.1.1", " 1", "1+5"):
        with pytest.raises(ValueError):
            rows_of_cells(bad)


def test_a_photo_has_a_neighbourhood_of_patches(open_page: Open) -> None:
    at = open_page("masks", lang="zh", input="picture")
    assert not at.exception
    near, allowed, *_, weights = grids(at)
    assert [row.count("1") for row in cells(near)] == [4, 6, 4, 6, 9, 6, 4, 6, 4]
    assert cells(near) == cells(allowed)
    assert weights["after"] == ["Σ 1.00"] * 9
    may, lit = component_data(at, "picture")
    assert (may["grid"], may["chosen"]) == ([3, 3], 0)
    assert not may["live"] and not lit["live"]
    at = open_page("masks", lang="zh", input="picture", reach="0")
    assert cells(grids(at)[0]) == ["".join(row) for row in np.eye(9, dtype=int).astype(str)]


def test_the_row_of_the_selected_patch_is_described(open_page: Open) -> None:
    at = open_page("masks", lang="en", input="picture", patch="3")
    assert "Patch 3 would give" in texts(at).replace("Unmasked, ", "")
    at.button(key="mask_row").click().run()
    assert at.query_params["drawn"] == "0.0.1ff"
    assert "Patch 3 may look at nothing" in texts(at)


def test_sentence_and_photo_have_separate_masks(open_page: Open) -> None:
    at = open_page("masks", lang="en", on="window", near="2")
    at.button_group(key="input").set_value("picture").run()
    assert not at.exception
    at.button_group(key="input").set_value("sentence").run()
    assert at.button_group(key="on").value == ["window"]
    assert at.slider(key="near").value == 2


WRITTEN = {"allowed": ("1", "0", "∧"), "masked": ("0", "1", "∨"), "added": ("0", "−∞", "+")}
NAMED = {
    "allowed": ("scaled_dot_product_attention", "attention_mask"),
    "masked": ("nn.MultiheadAttention", "key_padding_mask"),
    "added": ("attn_mask",),
}


def test_the_masks_are_printed_in_every_convention_and_its_parameters_are_named(
    open_page: Open,
) -> None:
    at = open_page("masks", lang="zh")
    for convention, (open_cell, hidden, sign) in WRITTEN.items():
        at.button_group(key="convention").set_value(convention).run()
        assert not at.exception
        causal, padding, whole = grids(at)[:3]
        rows = [[open_cell] * i + [hidden] * (5 - i) for i in range(1, 6)]
        assert causal["printed"] == rows
        assert [causal["sign"], padding["sign"]] == [sign, "="]
        assert [row[3] for row in whole["printed"]] == [hidden] * 5
        assert causal["levels"] == grids(open_page("masks", lang="zh"))[0]["levels"]
        for name in (*NAMED[convention], "is_causal"):
            assert name in texts(at)


def test_an_empty_row_names_the_masks_that_emptied_it(open_page: Open) -> None:
    # Row 2 is drawn full; the first key of row 1 is drawn, and the other masks hide its other keys.
    at = open_page("masks", lang="zh", text="我爱北京", on="causal,padding,drawn", drawn="1.1f")
    for sentence in (
        "遮住“我”全部键的掩码：因果掩码、填充、自己画。",
        "遮住“爱”全部键的掩码：自己画。",
    ):
        assert sentence in texts(at)
