"""The sheets below the steps, as far as they need no browser: rows, code, and the SVG pen."""

import csv
import io
import re
from dataclasses import replace
from functools import cache
from xml.etree import ElementTree

import numpy as np
import pytest
from claims import for_all
from in_node import ASSETS, evaluate
from shown_traces import TRACES, many_patches
from shown_traces import sentence as of_words

from core import Trace, Weights, multi_head_attention, rules
from core.options import AttentionOptions
from core.sources import text
from views.figures.palette import PALETTES
from views.figures.plane import drawn_roles
from views.scene.arrays import group_of, groups
from views.scene.scene import scene
from views.text import LANGUAGES, numbers

SVG = "{http://www.w3.org/2000/svg}"
LINK = "{http://www.w3.org/1999/xlink}href"  # Inkscape 1.2 knows no other
DRAWING = ("draw", "cells", "labels", "hatch", "hidden_tokens")  # all that a step is drawn with
BITMAP = {"createImageData", "putImageData"}  # of the canvas that a large plane is made on
MODULES = [
    "microscope/engine/blob.js", "microscope/engine/trace.js", "microscope/sheets/picture.js",
    "microscope/sheets/svg_pen.js",
]  # fmt: skip
# Letters half as wide as they are high; the baseline of a text lies 4 below its middle.
DRAWN = """
  globalThis.document = {
    fonts: { status: "loaded" },
    createElement: () => ({
      getContext: () => ({
        createImageData: (width, height) => ({ data: new Uint8ClampedArray(4 * width * height) }),
        putImageData: () => {},
      }),
    }),
  };
  const ruler = {
    measureText(text) {
      const size = Number(/([\\d.]+)px/.exec(this.font)[1]);
      const alphabeticBaseline = this.textBaseline === "middle" ? -4 : 0;
      return { width: 0.5 * size * text.length, alphabeticBaseline };
    },
  };
  const loaded = new trace.Trace(blob.unpacked(given.blob));
  return given.shown.map((shown) => {
    const made = picture.pictureOf(loaded, shown, loaded.palettes[given.theme]);
    const { width, height } = made;
    const pen = new svg_pen.SvgPen({ width, height, face: "Sans", ruler, hrefOf: () => "data:," });
    picture.paint(pen, made);
    return pen.toString();
  });
"""


def sent(trace, key="weights", head=0):
    packed = scene(trace, key, 0, head, (key,), LANGUAGES["en"])
    return packed


def drawn(trace, keys, theme="light", **shown):
    """The pictures of some steps, as written and as read."""
    at = dict.fromkeys({role for stage in trace.values() for role in stage.roles}, 0)
    asked = {
        "at": at,
        "rest": {"row": 0, "column": 0},
        "locked": False,
        "resultHidden": False,
    } | shown
    given = {"blob": sent(trace, keys[0]), "theme": theme}
    written = evaluate(MODULES, DRAWN, given | {"shown": [asked | {"stage": key} for key in keys]})
    return [(text, ElementTree.fromstring(text)) for text in written]


def weights(theme="light", **shown):
    ((written, tree),) = drawn(small(), ["weights"], theme, **shown)
    return written, tree


@cache
def small():
    """Three tokens whose names would be markup, and a control character that no XML may hold."""
    names = ("<b>&", '"x"', "\x01me")
    embedded = text.embed((names,), 4, seed=1)
    words = Trace(replace(stage, axes=_named(stage.axes, names)) for stage in embedded.values())
    return multi_head_attention(words, Weights.seeded(4, 2, 5), AttentionOptions(causal=True))


def _named(axes, names):
    return tuple(replace(one, labels=(names,)) if one.role == "token" else one for one in axes)


def texts(tree):
    return [element.text for element in tree.iter(f"{SVG}text")]


def test_the_pen_knows_all_that_a_step_is_drawn_with():
    written = "".join(
        (ASSETS / f"microscope/figure/{name}.js").read_text("utf-8") for name in DRAWING
    )
    used = set(re.findall(r"\bpen\.(\w+)", written)) - BITMAP
    assert {"fillText", "roundRect", "clip", "drawImage"} <= used
    body = "return given.filter((name) => !(name in new svg_pen.SvgPen({ face: '' })));"
    assert evaluate(["microscope/sheets/svg_pen.js"], body, sorted(used)) == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_picture_has_the_ground_of_its_theme_and_every_printed_number(theme):
    written, tree = weights(theme)
    ground = tree.find(f"{SVG}path")
    size = f"h{tree.get('width')}v{tree.get('height')}"
    assert ground.get("fill") == PALETTES[theme].card
    assert size in ground.get("d")
    written = texts(tree)
    values = small()["weights"].tensor[0, 0]
    forbidden = np.triu(np.ones((3, 3), dtype=bool), 1)
    printed = ["0" if out else numbers.plain(value, 2)
               for value, out in zip(values.flat, forbidden.flat, strict=True)]  # fmt: skip
    starts = [start for start in range(len(written)) if written[start : start + 9] == printed]
    assert len(starts) == 1
    assert "rgb(" not in written


def test_masked_cells_are_hatched_within_their_border():
    _, tree = weights()
    clips = list(tree.iter(f"{SVG}clipPath"))
    assert len(clips) == 6  # three forbidden cells, in masked and in weights
    names = {clip.get("id") for clip in clips}
    used = [g.get("clip-path") for g in tree.iter(f"{SVG}g") if g.get("clip-path")]
    assert {f"url(#{name})" for name in names} == set(used)


def test_names_are_data_whatever_they_are():
    _, tree = weights()
    written = texts(tree)
    assert "<b>&" in written
    assert '"x"' in written
    assert "\ufffdme" in written
    assert not list(tree.iter(f"{SVG}b"))


def test_a_number_stands_on_the_baseline_that_its_middle_has():
    _, tree = weights()
    number = next(e for e in tree.iter(f"{SVG}text") if e.text == "1.00")
    cells = [e.get("d") for e in tree.iter(f"{SVG}path") if "a4 4" in e.get("d")]
    x, y = float(number.get("x")), float(number.get("y"))
    middles = []
    for path in cells:
        left, top, across, down = (
            float(n)
            for n in re.match(r"M(\S+) (\S+)h([\d.]+)a4 4 0 0 1 4 4v([\d.]+)", path).groups()
        )
        middles.append((left + across / 2, top + 4 + down / 2))
    # 0.5 below the middle of the cell, as on the canvas; the baseline 4 below that.
    assert any(abs(x - u) < 0.02 and abs(y - v - 4.5) < 0.02 for u, v in middles)
    assert number.get("text-anchor") == "middle"


def test_a_space_before_a_text_keeps_its_width():
    """In SVG no space stands at the beginning of a text, so the sign itself must be moved."""
    _, tree = weights()
    written = list(tree.iter(f"{SVG}text"))
    index = next(i for i, element in enumerate(written) if element.text == " × ")
    before, sign, after = written[index - 1 : index + 2]
    assert (before.text, after.text) == ("query 3", "key 3")
    # Letters 6 wide: seven of them before the space, two from the sign on.
    x = float(before.get("x"))
    assert float(sign.get("x")) == pytest.approx(x + 8 * 6)
    assert float(after.get("x")) == pytest.approx(x + 10 * 6)


def test_a_locked_cell_makes_numbers_bold_and_leaves_every_colour_as_it_is():
    rest = {"row": 1, "column": 0}
    (free, tree), (locked, other) = (weights(rest=rest, locked=at) for at in (False, True))
    fills = [re.findall(r'a4 4[^/]*fill="(#\w+)"', written) for written in (free, locked)]
    assert fills[0] == fills[1]
    assert fills[0]
    written = [[e.text for e in one.iter(f"{SVG}text") if e.get("font-weight") == "700"]
            for one in (tree, other)]  # fmt: skip
    assert set(written[0]) == {'"x"', "<b>&"}  # the names of the chosen cell
    assert "1.00" not in written[0]
    numbers_of_row = {numbers.plain(value, 2) for value in small()["masked"].tensor[0, 0, 1, :2]}
    assert numbers_of_row < set(written[1])


def test_the_chosen_row_and_column_are_named_where_names_are_thinned():
    """Of 196 patches every tenth or so has a name; the chosen ones always have theirs, in bold."""
    chosen = {"row": 41, "column": 137}
    ((_, tree),) = drawn(many_patches(), ["weights"], rest=chosen)
    names = [e for e in tree.iter(f"{SVG}text") if (e.text or "").isdecimal()]
    assert len(names) < 100
    written = [e.text for e in names if e.get("font-weight") == "700"]
    # of the row in both planes, of the column in the result: softmax reads the whole row
    assert sorted(written) == ["138", "42", "42"]


def test_a_hidden_result_is_not_in_the_picture_either():
    shown, hidden = (texts(weights(resultHidden=is_)[1]) for is_ in (False, True))
    assert "?" in hidden
    assert len(shown) - len(hidden) == 9 + 2 - 1  # numbers and ends of the scale go, a sign comes


def test_a_plane_of_many_cells_is_one_small_picture_stretched():
    ((_, tree),) = drawn(many_patches(), ["weights"])
    pictures = {e.get("id"): (e.get("width"), e.get("height")) for e in tree.iter(f"{SVG}image")}
    assert list(pictures.values()) == [("196", "196")] * 2  # scaled, weights
    uses = list(tree.iter(f"{SVG}use"))
    assert {use.get(LINK) for use in uses} == {f"#{name}" for name in pictures}
    assert all(use.get("style") == "image-rendering:pixelated" for use in uses)
    boxes = [e.get("viewBox") for e in tree.iter(f"{SVG}svg")][1:]
    assert boxes == ["0 0 196 196"] * 2


@for_all("name", TRACES)
def test_every_step_is_drawn_as_well_formed_svg(name):
    trace = TRACES[name]()
    keys = group_of(trace, list(trace)[-1])
    for key, (_, tree) in zip(keys, drawn(trace, keys), strict=True):
        assert texts(tree), key
        assert not any("NaN" in value for e in tree.iter() for value in e.attrib.values()), key


ROWS = """
  const loaded = new trace.Trace(blob.unpacked(given));
  const sheet = Object.keys(loaded.stages).map((key) => [key, code.codeOf(loaded, key)]);
  return { rows: shapes.rowsOf(loaded), code: Object.fromEntries(sheet) };
"""
TABLES = [*MODULES[:2], "microscope/sheets/shapes.js", "microscope/sheets/code.js"]


def test_a_row_of_the_table_is_one_step_with_its_formula_axes_and_costs():
    trace = of_words()
    sheet = evaluate(TABLES, ROWS, sent(trace))["rows"]
    rows = {row["key"]: row for row in sheet}
    assert list(rows) == list(trace)
    for key, row in rows.items():
        assert (row["formula"] is None) == isinstance(trace[key].rule, rules.Given)
    assert rows["Q"]["axes"] == [
        ["batch", "batch 2"], ["head", "head 3"], ["query", "query 7"], ["d_k", "d_k 5"],
    ]  # fmt: skip
    # 2 · 3 · 7 · 5 numbers, each of 17 products, in float64
    assert rows["Q"]["counts"] == ["210", "3\u202f570", "1.7 kB"]


def test_a_step_names_its_function_or_states_that_it_has_none():
    sheet = evaluate(TABLES, ROWS, sent(of_words()))["code"]
    viewer = LANGUAGES["en"].viewer
    assert sheet["W_Q"] == {"notes": [viewer.no_code], "text": ""}
    assert sheet["weights"]["notes"] == [viewer.code_is.format(file="core/ops.py")]
    assert sheet["weights"]["text"].startswith("def softmax(")


MATRIX = """
  const loaded = new trace.Trace(blob.unpacked(given.blob));
  return given.shown.map((shown) => [matrix.csvOf(loaded, shown), matrix.latexOf(loaded, shown)]);
"""


def matrices(trace, shown, head=0):
    """The table and the LaTeX of some steps: key, index of the cell."""
    asked = []
    for key, index in shown:
        roles = trace[key].roles
        rows, columns = drawn_roles(trace[key])
        at = dict(zip(roles, index, strict=True))
        asked.append({"stage": key, "at": at, "rows": rows, "columns": columns})
    given = {"blob": sent(trace, shown[0][0], head), "shown": asked}
    return evaluate([*MODULES[:2], "microscope/sheets/matrix.js"], MATRIX, given)


def test_a_table_has_the_matrix_that_is_shown_with_its_names_and_latex_the_cells_sum():
    stage = of_words()["weights"]
    ((table, tex),) = matrices(of_words(), [("weights", (0, 1, 5, 0))])
    assert table[0] == "\ufeff"  # else Excel does not read UTF-8
    (first, *names), *rows = csv.reader(io.StringIO(table[1:], newline=""))
    assert first == ""
    assert tuple(names) == stage.axis("key").names()
    assert tuple(row[0] for row in rows) == stage.axis("query").names()
    np.testing.assert_array_equal(np.array(rows)[:, 1:].astype(float), stage.tensor[0, 1])
    assert r"\text{weights} = \operatorname{softmax}(\text{masked}) = \left[\begin{array}" in tex
    assert r"{\text{weights}}_{1, 2, 6, 1} = \frac{e^{4.1871}}{e^{4.1871} + e^{-\infty} + " in tex
    assert tex.count(r" \\") == 6
    assert "= 0.6590" in tex
    ((table, _),) = matrices(of_words(), [("masked", (0, 1, 5, 0))])
    masked = np.array([*csv.reader(io.StringIO(table[1:], newline=""))][1:])[:, 1:]
    np.testing.assert_array_equal(masked.astype(float), of_words()["masked"].tensor[0, 1])


@for_all("name", TRACES)
def test_latex_of_any_step_is_balanced(name):
    trace = TRACES[name]()
    for keys in filter(None, groups(trace)):
        shown = [(key, tuple(size // 2 for size in trace[key].tensor.shape)) for key in keys]
        shown = [(key, (0, *index[1:]) if "batch" in trace[key].roles else index)
                 for key, index in shown]  # fmt: skip
        head = max(stage.size("head") for stage in trace.values()) // 2
        for (key, _), (_, tex) in zip(shown, matrices(trace, shown, head), strict=True):
            assert tex.isascii(), key
            assert tex.count("{") == tex.count("}"), key
            assert len(re.findall(r"\\left\b", tex)) == len(re.findall(r"\\right\b", tex)), key
