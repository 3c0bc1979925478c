"""Patches or chips of the input and cells of the matrix highlight each other."""

import re

import numpy as np
from drawn_light import follows, light_by_patch
from microscope import (
    chosen_in_link,
    hover_cell,
    leave_figure,
    open_step,
    state,
    title_of_sum,
    until,
)
from playwright.sync_api import Locator, Page, expect

from pages.see.image.controls import first_pictures, image_trace
from views.widgets.sentence_input import FIRST, sentence_trace

SIDE = 14
THINNEST = 0.6  # pixels: a line of a small weight is still visible
_LISTEN_TO_PICTURES = """() => {
  globalThis.shown = new Set();
  const { drawImage } = CanvasRenderingContext2D.prototype;
  CanvasRenderingContext2D.prototype.drawImage = function (image, ...areas) {
    if (image instanceof HTMLImageElement && areas.length === 8) {
      const { naturalWidth: width, naturalHeight: height } = image, [x, y, wide, high] = areas;
      const parts = [x / width, y / height, wide / width, high / height];
      globalThis.shown.add(parts.map((part) => part.toFixed(3)).join(" "));
    }
    return drawImage.call(this, image, ...areas);
  };
}"""
OUTLINED = "(e) => e.hidden ? null : [e.style.left, e.style.top].map(parseFloat)"


def photo(page: Page, key: str = "photo") -> Locator:
    return page.locator(f".st-key-{key} .photo")


def patch_in(page: Page, name: str, key: str = "photo") -> int | None:
    """The patch that this outline of the photo is around, from 0."""
    outline = photo(page, key).locator(f"i.{name}").evaluate(OUTLINED)
    return outline and round(outline[1] * SIDE / 100) * SIDE + round(outline[0] * SIDE / 100)


def middle_of(picture: Locator, patch: int) -> dict[str, float]:
    box = picture.bounding_box()
    assert box is not None
    row, column = divmod(patch, SIDE)
    return {"x": (column + 0.5) * box["width"] / SIDE, "y": (row + 0.5) * box["height"] / SIDE}


def click_patch(page: Page, patch: int) -> None:
    photo(page).click(position=middle_of(photo(page), patch))


def test_photo_and_matrix_light_each_other(server: str, page: Page) -> None:
    open_step(page, server, "&stage=weights&row=42&column=141", "image")
    expect(photo(page)).to_be_visible()
    the_axes_show_the_patches_beside_their_numbers(page)
    a_pointed_weight_outlines_its_query_and_its_key_on_the_photo(page)
    beneath_the_lit_photo_stands_the_weight_of_the_pointed_cell(page)
    a_clicked_patch_chooses_its_row_and_lights_the_photo_by_it(page)
    cls_lights_the_photo_from_the_whole(page)


def readout(page: Page) -> str:
    """The readout: query patch, key patch, its row and column, and the weight."""
    return " ".join(page.locator(".st-key-relit .spot > *").all_text_contents())


def a_pointed_weight_outlines_its_query_and_its_key_on_the_photo(page: Page) -> None:
    for query, key in ((1, 196), (60, 17)):  # token 0 is [CLS]
        hover_cell(page, query, key)
        for picture in ("photo", "relit"):
            assert patch_in(page, "chosen", picture) == query - 1
            assert patch_in(page, "attended", picture) == key - 1
    hover_cell(page, 0, 5)
    expect(photo(page, "relit")).to_have_class(re.compile("whole"))
    assert (patch_in(page, "chosen"), patch_in(page, "attended")) == (None, 4)
    leave_figure(page)
    expect(photo(page, "relit")).not_to_have_class(re.compile("whole"))


def beneath_the_lit_photo_stands_the_weight_of_the_pointed_cell(page: Page) -> None:
    weights = image_trace(first_pictures("seeded"))["weights"].tensor[0, 0]
    rest = f"41 → 140 (10, 14) {weights[41, 140]:.4f}"
    assert readout(page) == rest
    for query, key, pair in (
        (1, 196, "1 → 196 (14, 14)"), (60, 17, "60 → 17 (2, 3)"), (0, 5, "[CLS] → 5 (1, 5)"),
        (60, 0, "60 → [CLS] "),
    ):  # fmt: skip
        hover_cell(page, query, key)
        assert readout(page) == f"{pair} {weights[query, key]:.4f}"
        mark = page.locator(".st-key-relit .bar i").evaluate("(i) => parseFloat(i.style.left)")
        largest = weights[query, 1:].max()
        expected = min(100, 100 * weights[query, key] / largest)
        np.testing.assert_allclose(mark, expected, rtol=1e-3)
        assert page.locator(".st-key-relit .bar small").nth(1).inner_text() == f"{largest:.4f}"
    leave_figure(page)
    assert readout(page) == rest
    photo(page, "relit").hover(position=middle_of(photo(page, "relit"), 40))
    assert readout(page) == f"41 → 41 (3, 13) {weights[41, 41]:.4f}"


def a_clicked_patch_chooses_its_row_and_lights_the_photo_by_it(page: Page) -> None:
    weights = image_trace(first_pictures("seeded"))["weights"].tensor[0, 0]
    before = photo(page, "relit").locator("canvas").evaluate("(c) => c.toDataURL()")
    for patch in (20, 131):
        click_patch(page, patch)
        until(page, f"s.positions.query === {patch + 1}")
        expect(title_of_sum(page)).to_contain_text(f"weights[head 1, {patch + 1}, ")
        chosen_in_link(page, row=patch + 2)
        assert patch_in(page, "chosen") == patch
        brightest = int(np.argmax(weights[patch + 1, 1:]))
        photo(page, "relit").hover(position=middle_of(photo(page, "relit"), brightest))
        weight = page.locator(".st-key-relit .spot em")
        expect(weight).to_have_text(f"{weights[patch + 1, 1 + brightest]:.4f}")
        now = photo(page, "relit").locator("canvas").evaluate("(c) => c.toDataURL()")
        assert now != before
        before = now
        light = light_by_patch(photo(page, "relit").locator("canvas"), SIDE)
        assert follows(light, weights[patch + 1, 1:])


def cls_lights_the_photo_from_the_whole(page: Page) -> None:
    page.locator(".st-key-from_cls button").click()
    until(page, "s.positions.query === 0")
    expect(photo(page, "relit")).to_have_class(re.compile("whole"))
    expect(photo(page, "relit").locator("i.chosen")).to_be_hidden()
    expect(title_of_sum(page)).to_contain_text("weights[head 1, [CLS], ")
    chosen_in_link(page, row=1)


def chip(page: Page, index: int) -> Locator:
    return page.locator(".st-key-microscope .chips button").nth(index)


def lines(page: Page) -> list[float]:
    """How thick the lines over the chips are."""
    thick: list[float] = page.locator(".st-key-microscope .chips path").evaluate_all(
        "(paths) => paths.map((path) => Number(path.getAttribute('stroke-width')))"
    )
    return thick


def test_chips_and_matrix_light_each_other_and_a_clicked_chip_chooses_its_row(
    server: str, page: Page
) -> None:
    open_step(page, server, "&stage=weights&head=2")
    a_pointed_chip_lights_its_row_and_draws_lines_as_thick_as_its_weights(page)
    a_pointed_cell_marks_its_query_and_its_key_among_the_chips(page)
    chip(page, 2).click()
    expect(chip(page, 2)).to_have_attribute("aria-pressed", "true")
    chosen_in_link(page, row=3)
    leave_figure(page)
    expect(title_of_sum(page)).to_contain_text("weights[head 2, 北京, 北京]")
    assert state(page, "s.positions.query") == 2


def a_pointed_chip_lights_its_row_and_draws_lines_as_thick_as_its_weights(page: Page) -> None:
    weights = sentence_trace(FIRST)["weights"].tensor[0, 1]
    for row in (0, 2):
        chip(page, row).hover()
        until(page, f"s.hover?.row === {row} && s.hover.column === null")
        expect(chip(page, row)).to_have_class("looks")
        drawn = np.array(lines(page))
        assert drawn.shape == (3,)
        wide = drawn > THINNEST
        shares = weights[row][wide]
        np.testing.assert_allclose(drawn[wide] / drawn[wide].sum(), shares / shares.sum())
        assert wide.any() and (weights[row][~wide] < shares.min()).all()
    page.mouse.move(2, 2)
    until(page, "s.hover === null")
    expect(chip(page, 1)).to_have_class("looks")


def a_pointed_cell_marks_its_query_and_its_key_among_the_chips(page: Page) -> None:
    hover_cell(page, 2, 0)
    expect(chip(page, 2)).to_have_class("looks")
    expect(chip(page, 0)).to_have_class("attended")
    expect(chip(page, 1)).to_have_class("")
    hover_cell(page, 1, 1)
    expect(chip(page, 1)).to_have_class("looks attended")


def test_a_long_word_is_cut_on_its_chip_and_the_chip_that_looks_comes_in_sight(
    server: str, page: Page
) -> None:
    word, others = "a" * 250, " ".join(f"word{i}" for i in range(39))
    open_step(page, server, f"&stage=weights&mode=custom&text={word} {others}&row=1&column=1")
    cut = "a" * 11 + "…"
    expect(chip(page, 0)).to_have_text(cut)
    expect(chip(page, 0)).to_have_attribute("title", word)
    expect(title_of_sum(page)).to_contain_text(f"weights[head 1, {cut}, {cut}]")
    expect(page.locator(".st-key-microscope aside")).to_contain_text(f"“{cut}”")
    expect(page.locator(".st-key-microscope aside")).not_to_contain_text("a" * 12)
    expect(chip(page, 39)).not_to_be_in_viewport()
    hover_cell(page, 39, 0)
    expect(chip(page, 39)).to_be_in_viewport(ratio=1)
    expect(chip(page, 0)).not_to_be_in_viewport()


def the_axes_show_the_patches_beside_their_numbers(page: Page) -> None:
    until(page, "s.trace.photo")
    page.evaluate(_LISTEN_TO_PICTURES)
    hover_cell(page, 87, 140)  # behind [CLS]: patches 86 and 139, counted from 0
    for patch in (86, 139):
        row, column = divmod(patch, SIDE)
        source = f"{column / SIDE:.3f} {row / SIDE:.3f} {1 / SIDE:.3f} {1 / SIDE:.3f}"
        page.wait_for_function("(source) => globalThis.shown.has(source)", arg=source)
