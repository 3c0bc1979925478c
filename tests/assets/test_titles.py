"""The titles and names of planes do not overlap another plane."""

from typing import Any

import pytest
from in_node import evaluate

WRITTEN = """
  globalThis.document = { fonts: { status: "loaded" } };
  const SIZE = /(\\d[\\d.]*)px/;
  const rule = { rule: "given" };
  const stage = () => ({ name: [["span", "Q"]], scale: { kind: "number" }, rule });
  const trace = { stage, names: [], widths: new Map(), sized: (role, size) => `${role} ${size}` };
  const side = (role, size) => ({ role, size, names: null });
  const rows = side("query", 3);
  return given.map(([next, below, width = 600]) => {
    const texts = [];
    const measureText = (text) => ({ width: 0.4 * text.length * SIZE.exec(pen.font)[1] });
    const fillText = (text, x) => texts.push([text, x, x + measureText(text).width]);
    const pen = { face: "serif", font: "", measureText, fillText };
    const made = (columns, x, y, width) => ({ plane: { rows, columns }, x, y, width, height: 90,
      first: 0, last: columns.size, cellWidth: 40 });
    const boxes = [made(side("d_k", 1), 100, 200, 60), made(side("key", 3), next, below, 120)];
    const layout = { scale: 1, textScale: 1, width, boxes };
    const palette = { roles: {}, soft: "grey", ink: "black" };
    labels.drawTitle(pen, { trace, layout, palette }, boxes[0], null, false);
    return texts;
  });
"""


def titles(*planes: tuple[int, ...]) -> list[list[tuple[str, float, float]]]:
    """The texts drawn above a plane of one column, each with its left and right end.

    planes: x and y of the plane beside it, and the width of the figure.
    """
    return evaluate(["microscope/figure/labels.js"], WRITTEN, planes)


def test_a_title_ends_before_the_plane_beside_it():
    near, far, below = titles((170, 200), (300, 200), (170, 400))
    assert [text for text, _, _ in near] == ["Q"]
    assert all(end <= 170 for _, _, end in near)
    assert "".join(text for text, _, _ in far) == "Qquery 3 × dk 1"
    assert max(end for _, _, end in far) > 170
    assert below == far


def test_a_symbol_at_the_edge_begins_before_its_plane():
    ((symbol, *_),) = titles((300, 400, 105))
    assert symbol[0] == "Q" and symbol[1] < 100 and symbol[2] <= 105


STACKED = """
  globalThis.document = { fonts: { status: "loaded" } };
  const SIZE = /(\\d[\\d.]*)px/;
  const columns = { role: "key", size: 3, names: 0 }, rows = { role: "query", size: 5, names: 1 };
  const stage = () => ({ name: [["span", "Q"], ["sup", "⊤"]], rule: { rule: "given" } });
  const names = [["a", "b", given.name], Array(5).fill("love→Bei")];
  const sized = (role, size) => `${role} ${size}`;
  const trace = { stage, names, kinds: [], widths: new Map(), sized };
  const line = (i) => i * (200 + given.head) + given.head;
  const boxes = [0, 1, 2].flatMap((i) => [60, 254].map((x) => [x, line(i), 100, 190]));
  const wide = { width: 700, height: line(3) - given.head - 10, boxes };
  const plane = { rows, columns };
  const drawing = { layout: "beside", wide, narrow: wide, planes: boxes.map(() => plane) };
  return given.heights.map((tallest) => {
    const scales = { smallest: 0.4, largest: 2.5, textScale: given.text };
    const made = layout.layoutOf(drawing, [drawing], given.width, tallest, {}, scales);
    const measureText = (text) => ({ width: 0.5 * text.length * SIZE.exec(pen.font)[1] });
    let down = 0, leans = 0, tops = [], lefts = [];
    const pen = {
      face: "serif", font: "", measureText,
      save() {}, translate: (x, y) => (down = y), rotate: (angle) => (leans = angle),
      restore: () => ([down, leans] = [0, 0]),
      fillText(text, x, y) {
        const { width } = measureText(text);
        if (pen.textAlign === "right") lefts.push(x - width);
        else tops.push(down + y - 0.8 * SIZE.exec(pen.font)[1] + Math.sin(leans) * width);
      },
    };
    const palette = { roles: {}, soft: "grey", ink: "black" };
    const step = { trace, layout: made, palette, means: null };
    const room = made.boxes.map((box, i) => {
      const above = i > 1 ? made.boxes[i - 2] : { y: 0, height: 0 };
      const before = i % 2 ? made.boxes[i - 1] : { x: 0, width: 0 };
      [tops, lefts] = [[], []];
      labels.drawTitle(pen, step, box, null, false);
      if (!box.unnamed.columns) labels.drawColumnNames(pen, step, box, []);
      if (!box.unnamed.rows) labels.drawRowNames(pen, step, box, []);
      return [
        Math.min(...tops) - above.y - above.height,
        Math.min(box.x, ...lefts) - before.x - before.width,
      ];
    });
    const last = made.boxes.at(-1);
    const named = (side) => made.boxes.flatMap((box, i) => (box.unnamed[side] ? [] : [i]));
    const below = tallest - last.y - last.height;
    return { scale: made.scale, room, below, rows: named("rows"), columns: named("columns") };
  });
"""


@pytest.mark.parametrize(
    ("name", "head", "heights"),  # pixels of the design above a line; pixels of the figure
    [("c", 56, [900, 600, 400]), ("transformers", 125, [1100, 700, 570])],
    ids=["upright names", "leaning names"],
)
def test_titles_and_names_of_small_planes_lie_on_no_other_plane(
    name: str, head: int, heights: list[int]
) -> None:
    given = {"name": name, "head": head, "heights": heights, "width": 800}
    found = evaluate(["microscope/figure/labels.js", "microscope/figure/layout.js"], STACKED, given)
    assert found[0]["scale"] > 1 and found[-1]["scale"] < 0.6
    for one in found:
        assert_apart(one)
        assert one["rows"] == one["columns"] == [*range(6)]


def assert_apart(figure: dict[str, Any]) -> None:
    assert all(above > 0 and before > 0 for above, before in figure["room"]), figure
    assert figure["below"] > -1e-9, figure


def test_on_the_wall_text_is_large_and_names_that_small_planes_share_stand_once() -> None:
    given = {
        "name": "transformers",
        "head": 125,
        "heights": [2000, 700],
        "width": 1400,
        "text": 1.5,
    }
    modules = ["microscope/figure/labels.js", "microscope/figure/layout.js"]
    roomy, small = evaluate(modules, STACKED, given)
    assert roomy["scale"] > 1 > small["scale"]
    assert roomy["rows"] == roomy["columns"] == [*range(6)]
    assert small["rows"] == [0, 2, 4]
    assert small["columns"] == [0, 1]
    assert_apart(small)


LEANING = """
  globalThis.document = { fonts: { status: "loaded" } };
  const SIZE = /(\\d[\\d.]*)px/;
  const columns = { role: "key", size: 3, names: 0 }, rows = { role: "query", size: 3, names: null };
  const stage = () => ({ name: [["span", "Q"]] });
  const sized = (role, size) => `${role} ${size}`;
  const trace = { stage, names: [["transformers", "b", "c"]], kinds: [], widths: new Map(), sized };
  const box = { plane: { rows, columns }, x: 100, y: 200, width: 90, height: 90, first: 0, last: 3, cellWidth: 30 };
  return given.map((width) => {
    const layout = { scale: 1, textScale: 1, width, boxes: [box] };
    let angle = 0, bottom = 0, top = 0;
    const measureText = (text) => ({ width: (pen.font.startsWith("700") ? 0.6 : 0.5) * text.length * SIZE.exec(pen.font)[1] });
    const pen = {
      face: "serif", font: "", measureText, save() {}, restore() {}, translate() {},
      rotate: (by) => (angle = -by),
      fillText(text, x, y, most = Infinity) {
        if (text === "Q") bottom = y;
        if (text === "transformers") top = box.y - 6 - Math.sin(angle) * Math.min(most, measureText(text).width);
      },
    };
    const step = { trace, layout, palette: { roles: {}, soft: "grey", ink: "black" }, means: null };
    labels.drawTitle(pen, step, box, null, false);
    labels.drawColumnNames(pen, step, box, [0]);
    return { angle, below: top - bottom };
  });
"""  # noqa: E501


def test_a_name_lies_below_the_title_where_it_is_bold_or_steep_at_the_edge_of_the_figure() -> None:
    roomy, narrow = evaluate(["microscope/figure/labels.js"], LEANING, [400, 190])
    assert narrow["angle"] > roomy["angle"] + 0.3
    assert roomy["below"] > 0 and narrow["below"] > 0
