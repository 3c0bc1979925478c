"""Hidden special tokens: covered in query-by-key matrices, and unchanged elsewhere."""

import re
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from microscope import (
    FIGURE,
    RESULT,
    address_has,
    button,
    go_to,
    hover_cell,
    leave_figure,
    open_step,
    quiet,
    read_sum,
    state,
    title_of_sum,
    until,
)
from playwright.sync_api import Page, expect
from printed import digits_of, printed

from core import Trace
from core.models import checkpoint
from core.nested import subtrace
from views.figures.palette import PALETTES, rgb

FOLDERS = Path(__file__).parents[1] / "core" / "models" / "data" / "checkpoints"
TEXT = {"bert": "the sun", "gpt2": "爱 the Playing sun!"}
CLS, SEP = 0, 3
SWITCH = ".st-key-special"
FRAMES = 12  # looked at, at most
CARD, UNDRAWN = tuple(rgb(PALETTES["light"].card).astype(int).tolist()), (0, 0, 0)

# The colour that most pixels of a cell have, some pixels inside its edges.
_COLOUR = """(canvas, [plane, row, column, inset]) => {
  const box = globalThis.attentionMicroscope.layout.boxes.at(plane), ratio = devicePixelRatio;
  const wide = Math.floor(box.cellWidth - 2 * inset), high = Math.floor(box.cellHeight - 2 * inset);
  const x = box.x + (column - box.first) * box.cellWidth + inset;
  const y = box.y + (row - box.top) * box.cellHeight + inset;
  const { data } = canvas.getContext("2d").getImageData(x * ratio, y * ratio, wide, high);
  const found = new Map();
  for (let i = 0; i < data.length; i += 4) {
    const colour = [...data.slice(i, i + 3)].join();
    found.set(colour, (found.get(colour) ?? 0) + 1);
  }
  return [...found].sort((a, b) => b[1] - a[1])[0][0].split(",").map(Number);
}"""
_PIXELS = """(canvas) => {
  const { width, height } = canvas;
  return [...canvas.getContext("2d").getImageData(0, 0, width, height).data];
}"""
# How many dark numbers of colours a cell holds: the ink of digits.
_INK = """(canvas, [row, column]) => {
  const { x, y, cellWidth, cellHeight } = globalThis.attentionMicroscope.layout.boxes.at(-1);
  const { data } = canvas.getContext("2d").getImageData(
    x + column * cellWidth + 6, y + row * cellHeight + 6, cellWidth - 12, cellHeight - 12);
  return data.filter((value, i) => i % 4 < 3 && value < 90 && data[i - (i % 4) + 3] > 0).length;
}"""


@cache
def bert() -> Trace:
    return subtrace(checkpoint.open(FOLDERS / "bert").run(TEXT["bert"], 2), "encoder/2/self")


def opened(page: Page, server: str, model: str, stage: str, more: str) -> None:
    """A step of the second layer's first head, on a light ground."""
    page.emulate_media(color_scheme="light")
    part = f"&layer=2&part=encoder/2/self&stage={stage}&head=1"
    query = f"&model={model}&text={TEXT[model]}{part}{more}"
    open_step(page, server, query, "checkpoint")
    leave_figure(page)


def colours_of(page: Page, *cells: tuple[int, int]) -> list[tuple[int, ...]]:
    """The colours of these cells of the result, all of the same frame."""
    every = f"(canvas, cells) => cells.map((cell) => ({_COLOUR})(canvas, cell))"
    asked = [[RESULT, *cell, 4] for cell in cells]
    return [tuple(found) for found in page.locator(FIGURE).evaluate(every, asked)]


def small_picture(page: Page, head: int) -> np.ndarray:
    """The pixels of the small picture of a head, from 1: (row, column, 3)."""
    picture = page.locator(".st-key-microscope .heads button canvas").nth(head - 1)
    rows, columns = picture.evaluate("(canvas) => [canvas.height, canvas.width]")
    return np.array(picture.evaluate(_PIXELS)).reshape(rows, columns, 4)[..., :3]


def ink_comes(page: Page, row: int, column: int, is_there: bool = True) -> None:
    page.wait_for_function(
        f"([canvas, spot, is]) => (({_INK})(canvas, spot) > 0) === is",
        arg=[page.locator(FIGURE).element_handle(), [row, column], is_there],
    )


def test_hidden_tokens_are_veiled_wherever_tokens_meet_and_nothing_else_changes(
    server: str, page: Page
) -> None:
    opened(page, server, "bert", "weights", "&row=2")
    assert CARD not in colours_of(page, (CLS, 2))
    page.locator(SWITCH).get_by_text("Show special tokens").click()
    until(page, "s.trace.hidden.length === 2 && s.layout")
    address_has(page, "special=0")
    leave_figure(page)
    no_line_leads_to_a_hidden_token_and_its_chip_is_faint(page)
    wrong = {}
    for key in ("scores", "scaled", "weights"):
        go_to(page, key)
        if cells := wrongly_veiled(page):
            wrong[key] = cells
    assert wrong == {}, "veiled though it should not be, or the other way round"
    small_pictures_of_all_heads_are_veiled_alike(page)
    the_bar_has_the_range_of_what_is_shown(page)
    a_veiled_cell_that_is_pointed_at_shows_its_number_and_opens_a_whole_row(page)
    where_queries_do_not_meet_keys_nothing_is_veiled(page)

    page.locator(SWITCH).get_by_text("Show special tokens").click()
    expect(page.locator(".st-key-microscope .chips .hidden-token")).to_have_count(0)
    go_to(page, "weights")
    expect(page.locator(".st-key-microscope .chips path")).to_have_count(SEP + 1)


def wrongly_veiled(page: Page) -> list[tuple[int, int]]:
    cells, wrong = [*product(range(SEP + 1), repeat=2)], []
    for _ in range(50):  # frames, in which the figure comes to rest
        wrong = [
            cell
            for cell, colour in zip(cells, colours_of(page, *cells), strict=True)
            if (colour == CARD) != bool({*cell} & {CLS, SEP})
        ]
        if not wrong:
            break
        page.evaluate("() => new Promise(requestAnimationFrame)")
    return wrong


def where_queries_do_not_meet_keys_nothing_is_veiled(page: Page) -> None:
    go_to(page, "head_output")
    assert state(page, "s.trace.hidden.length") == 2
    quiet(page)
    assert CARD not in colours_of(page, (CLS, 0), (2, 0), (SEP, 0))


def a_veiled_cell_that_is_pointed_at_shows_its_number_and_opens_a_whole_row(page: Page) -> None:
    weights = bert()["weights"].tensor[0, 0]
    ink_comes(page, 2, CLS, is_there=False)
    for row, column in ((2, CLS), (SEP, 2)):
        hover_cell(page, row, column)
        name = bert()["weights"].axes[-1].names() or ()
        expect(title_of_sum(page)).to_contain_text(f"{name[column]}] = ")
        found: dict[str, Any] = read_sum(page)
        expect(page.locator(FIGURE)).to_have_attribute(
            "aria-label", re.compile(re.escape(found["total"]))
        )
        assert found["total"] == printed(weights[row, column], digits_of(found["total"]))
        assert any("adds up to 1.00" in note for note in found["notes"])
        assert len(found["rows"]) == len(weights)
        ink_comes(page, row, column)
    leave_figure(page)


def small_pictures_of_all_heads_are_veiled_alike(page: Page) -> None:
    for head in (1, 2):
        veiled = (small_picture(page, head) == CARD).all(axis=-1)
        expected = np.zeros((SEP + 1, SEP + 1), bool)
        expected[[CLS, SEP]] = expected[:, [CLS, SEP]] = True
        np.testing.assert_array_equal(veiled, expected)


def no_line_leads_to_a_hidden_token_and_its_chip_is_faint(page: Page) -> None:
    chips = page.locator(".st-key-microscope .chips .row button")
    expect(chips).to_have_count(SEP + 1)
    faint = chips.evaluate_all("all => all.map((one) => one.classList.contains('hidden-token'))")
    assert [index for index, is_faint in enumerate(faint) if is_faint] == [CLS, SEP]
    weights = bert()["weights"].tensor[0, 0, 1]
    assert (weights > 0.004).all()
    expect(page.locator(".st-key-microscope .chips path")).to_have_count(len(weights) - 2)


def the_bar_has_the_range_of_what_is_shown(page: Page) -> None:
    shown = bert()["weights"].tensor[0, :, 1:SEP, 1:SEP].max()
    high = state(page, "s.trace.stage('weights').scale.high")
    assert shown <= high <= 2.5 * shown


def test_the_steps_of_a_causal_model_play_without_lifting_the_veil(
    server: str, page: Page, errors: list[str]
) -> None:
    opened(page, server, "gpt2", "masked", "&special=0")
    state(page, "s.speed = 4")
    button(page, "play").click()
    drawn = "s.stage === 'weights' && s.layout?.boxes.at(-1).plane.stage === 'weights'"
    until(page, drawn)
    page.wait_for_function(  # until the scores are drawn there
        f"([canvas, cell]) => ({_COLOUR})(canvas, cell).some(Boolean)",
        arg=[page.locator(FIGURE).element_handle(), [0, 5, 2, 4]],
    )
    frames = []
    while len(frames) < FRAMES:
        colours = {*colours_of(page, (0, 0), (3, 0))}
        if not state(page, drawn):  # what was read may be of the next step
            break
        frames.append(colours)
        page.evaluate("() => new Promise(requestAnimationFrame)")
    assert len(frames) > 2
    assert set.union(*frames) <= {CARD, UNDRAWN}
    assert not errors


def test_on_a_phone_nothing_is_wider_than_it_and_the_last_name_is_whole(
    server: str, phone: Page
) -> None:
    open_step(phone, server, "&model=bert&part=encoder/1/self&stage=weights", "checkpoint")
    assert (
        phone.evaluate(
            """() => {
          const { scrollWidth, clientWidth } = document.querySelector("[data-testid=stMain]");
          return scrollWidth - clientWidth;
        }"""
        )
        == 0
    )
    names = """(canvas) => {
      const { y } = globalThis.attentionMicroscope.layout.boxes.at(-1), ratio = devicePixelRatio;
      const pen = canvas.getContext("2d"), high = Math.round(y * ratio);
      const column = (x) => pen.getImageData(x, 0, 1, high).data;
      const filled = (x) => column(x).some((part, i) => i % 4 === 3 && part);
      return Array.from({ length: canvas.width }, (_, x) => x).filter(filled);
    }"""  # the columns of pixels in which something stands above the result
    until(phone, "document.fonts.status === 'loaded'")
    drawn = phone.locator(FIGURE).evaluate(names)
    wide = phone.locator(FIGURE).evaluate("(canvas) => canvas.width")
    assert drawn
    assert max(drawn) < wide - 1
