"""The operands of the pointed cell have bold numbers, and no cell changes its colour."""

from microscope import FIGURE, click_cell, hover_cell, inside, leave_figure, open_step, until
from playwright.sync_api import Page

# The colour of every cell near an edge, where no digit stands, and all pixels of its inside.
CELLS = """(canvas) => {
  const pen = canvas.getContext("2d"), found = {};
  globalThis.attentionMicroscope.layout.boxes.forEach((box, plane) => {
    for (let row = box.top; row < box.bottom; row++) {
      for (let column = box.first; column < box.last; column++) {
        const x = box.x + (column - box.first) * box.cellWidth + box.cellWidth / 2;
        const y = box.y + (row - box.top + 1) * box.cellHeight - 6;
        const colour = String(pen.getImageData(x, y, 1, 1).data);
        const wide = box.cellWidth - 12, high = box.cellHeight - 12;
        const inside = pen.getImageData(x - wide / 2, y - high, wide, high);
        found[[plane, row, column]] = [colour, String(inside.data)];
      }
    }
  });
  return found;
}"""
Q, K, SCORES = 0, 1, 2
ROWS, COLUMNS, D_K = 3, 3, 4


def row_of_q(row: int) -> set[str]:
    return {f"{Q},{row},{i}" for i in range(D_K)}


def column_of_k(column: int) -> set[str]:
    return {f"{K},{i},{column}" for i in range(D_K)}


LIT = (
    (SCORES, (2, 0), row_of_q(2) | column_of_k(0) | {"2,2,0"}),
    (SCORES, (0, 1), row_of_q(0) | column_of_k(1) | {"2,0,1"}),
    # A number of the query is multiplied with one of each key, and every score of its row reads
    # it; a number of the key likewise.
    (Q, (1, 3), {"0,1,3"} | {f"1,3,{j}" for j in range(3)} | {f"2,1,{j}" for j in range(3)}),
    (K, (2, 0), {"1,2,0"} | {f"0,{i},2" for i in range(3)} | {f"2,{i},0" for i in range(3)}),
)


def test_the_row_and_the_column_that_meet_in_a_cell_are_bold_and_no_colour_changes(
    server: str, page: Page
) -> None:
    open_step(page, server, "&stage=scores")
    leave_figure(page)
    until(page, "s.layout")
    page.evaluate("() => document.fonts.ready")
    still = page.locator(FIGURE).evaluate(CELLS)
    assert len(still) == 2 * ROWS * D_K + ROWS * COLUMNS
    wrong = {}
    for plane, spot, lit in LIT:
        assert inside(page, spot, plane)
        hover_cell(page, *spot, plane)
        page.evaluate(
            "() => new Promise((f) => requestAnimationFrame(() => requestAnimationFrame(f)))"
        )
        pointed = page.locator(FIGURE).evaluate(CELLS)
        assert [colour for colour, _ in pointed.values()] == [
            colour for colour, _ in still.values()
        ]
        found = {cell for cell, (_, inside) in pointed.items() if inside != still[cell][1]}
        if found != lit:
            wrong[plane, spot] = found ^ lit
    assert wrong == {}


def test_every_cell_keeps_its_colour_while_one_is_locked(server: str, page: Page) -> None:
    text = "The cat sat on the mat because it was warm in here"
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        open_step(page, server, f"&stage=weights&heads=1&text={text}")
        leave_figure(page)
        until(page, "s.layout && !s.locked")
        before = page.locator(FIGURE).evaluate(CELLS)
        click_cell(page, 5, 10)
        leave_figure(page)
        until(page, "s.locked && !s.hover")
        page.evaluate("() => new Promise((f) => requestAnimationFrame(f))")
        after = page.locator(FIGURE).evaluate(CELLS)
        assert len(after) == 2 * 12 * 12
        changed = {cell for cell in after if after[cell][0] != before[cell][0]}
        assert changed == set(), scheme
