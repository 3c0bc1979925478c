"""Where the titles of planes end: before the next plane."""

from in_node import evaluate

WRITTEN = """
  globalThis.document = { fonts: { status: "loaded" } };
  const SIZE = /(\\d[\\d.]*)px/;
  const stage = () => ({ name: [["span", "Q"]], scale: { kind: "number" } });
  const trace = { stage, names: [], widths: new Map() };
  const side = (role, size) => ({ role, size, names: null });
  const rows = side("query", 3);
  return given.map(([next, below]) => {
    const texts = [];
    const measureText = (text) => ({ width: 0.4 * text.length * SIZE.exec(pen.font)[1] });
    const fillText = (text, x) => texts.push([text, x, x + measureText(text).width]);
    const pen = { face: "serif", font: "", measureText, fillText };
    const made = (columns, x, y, width) => ({ plane: { rows, columns }, x, y, width, height: 90,
      first: 0, last: columns.size, cellWidth: 40 });
    const boxes = [made(side("d_k", 1), 100, 200, 60), made(side("key", 3), next, below, 120)];
    const layout = { scale: 1, width: 600, boxes };
    const palette = { roles: {}, soft: "grey", ink: "black" };
    labels.drawTitle(pen, { trace, layout, palette }, boxes[0], null, false);
    return texts;
  });
"""


def titles(*planes: tuple[int, int]) -> list[list[tuple[str, float, float]]]:
    """What is written over a plane of one column, each text with where it begins and ends.

    planes: x and y of the plane beside it.
    """
    return evaluate(["microscope/labels.js"], WRITTEN, planes)


def test_a_title_ends_before_the_plane_beside_it():
    near, far, below = titles((170, 200), (300, 200), (170, 400))
    assert [text for text, _, _ in near] == ["Q"]
    assert all(end <= 170 for _, _, end in near)
    assert "".join(text for text, _, _ in far) == "Qquery 3 × dk 1"
    assert max(end for _, _, end in far) > 170
    assert below == far
