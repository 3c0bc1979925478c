import re

import numpy as np
import pytest
from shown_figures import DESIGNED, array, axes, drawn, on_axes, values_of
from shown_traces import D_V, LINES, STAGES, TOKENS, TRACES, many_patches, middle, sentence

from views.figures.figure import step_figure
from views.figures.palette import PALETTES
from views.figures.plane import drawn_roles
from views.figures.scale import scale_of
from views.figures.step import step_of

PATCHES = 196


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(("name", "key"), STAGES)
def test_every_step_has_a_figure_of_its_planes_in_order_with_row_0_at_the_top(name, key, theme):
    trace = TRACES[name]()
    at = middle(trace, key)
    step = step_of(trace, key, at)
    figure = drawn(trace, key, at, theme)
    planes = (*step.operands, step.result)
    assert [on_axes(figure, n)[0]["name"] for n in range(1, len(planes) + 1)] == [
        plane.stage for plane in planes
    ]
    for plane, across, down in zip(planes, axes(figure, "x"), axes(figure, "y"), strict=True):
        rows, columns = plane.values.shape
        assert across["range"] == [0.5, columns + 0.5]
        assert down["range"] == [rows + 0.5, 0.5]
        assert across["tickvals"][0] == down["tickvals"][0] == 1


@pytest.mark.parametrize(
    ("name", "key"), [(name, key) for name, key in STAGES if key not in ("cosine", "sine")]
)
def test_the_result_holds_the_numbers_of_the_stage(name, key):
    """But for the waves of 400 × 201, which are drawn as colours alone."""
    trace = TRACES[name]()
    stage, at = trace[key], middle(trace, key)
    step, figure = step_of(trace, key, at), drawn(trace, key, at)
    shown = values_of(figure, len(step.operands) + 1)
    row_role, column_role = drawn_roles(stage)
    for i, j in np.ndindex(shown.shape):
        cell = at | {row_role: i, column_role: j}
        expected = np.float32(stage.tensor[tuple(cell[role] for role in stage.roles)])
        assert shown[i, j] == expected


def test_the_operands_hold_their_own_numbers():
    trace = sentence()
    at = {"batch": 1, "head": 2, "query": 3, "key": 1}
    figure = drawn(trace, "scores", at)
    for number, expected in (
        (1, trace["Q"].tensor[1, 2]),
        (2, [[trace["K"].tensor[1, 2, j, k] for j in range(TOKENS)] for k in range(5)]),
        (3, trace["scores"].tensor[1, 2]),
    ):
        np.testing.assert_array_equal(values_of(figure, number), np.float32(expected))


@pytest.mark.parametrize(("name", "key"), STAGES)
def test_planes_stand_apart_inside_the_figure(name, key):
    trace = TRACES[name]()
    figure = drawn(trace, key, middle(trace, key))
    domains = [
        (*across["domain"], *down["domain"])
        for across, down in zip(axes(figure, "x"), axes(figure, "y"), strict=True)
    ]
    for i, (left, right, low, high) in enumerate(domains):
        assert 0 <= left < right <= 1
        assert 0 <= low < high <= 1
        for other_left, other_right, other_low, other_high in domains[:i]:
            assert (
                right <= other_left or other_right <= left or high <= other_low or other_high <= low
            )


@pytest.mark.parametrize("key", ["Q", "scores", "head_output", "output"])
def test_the_left_factor_shares_its_rows_and_the_right_one_its_columns_with_the_result(key):
    trace = sentence()
    figure = drawn(trace, key, middle(trace, key))
    across, down = axes(figure, "x"), axes(figure, "y")
    assert down[0]["domain"] == down[2]["domain"]
    assert across[1]["domain"] == across[2]["domain"]
    assert across[0]["domain"][1] <= across[2]["domain"][0]
    between = down[1]["domain"][0] - down[2]["domain"][1]
    assert between * figure["layout"]["height"] > 40  # a title and a line of names


def test_tokens_stand_on_the_axes_as_they_are_written():
    figure = drawn(sentence(), "scores", middle(sentence(), "scores") | {"batch": 0})
    escaped = [token.replace("<", "&lt;").replace(">", "&gt;") for token in LINES[0]]
    assert axes(figure, "x")[2]["ticktext"] == axes(figure, "y")[2]["ticktext"] == escaped


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_chosen_row_column_and_cell_are_framed(theme):
    at = {"batch": 0, "head": 1, "query": 3, "key": 5}
    shapes = drawn(sentence(), "scores", at, theme)["layout"]["shapes"]
    boxes = [tuple(s[name] for name in ("xref", "x0", "x1", "yref", "y0", "y1")) for s in shapes]
    assert boxes == [
        ("x", 0.5, 5.5, "y", 3.5, 4.5),  # query 4 of Q, all of d_k
        ("x2", 5.5, 6.5, "y2", 0.5, 5.5),  # key 6 of K⊤, all of d_k
        ("x3", 5.5, 6.5, "y3", 3.5, 4.5),  # their cell
    ]
    assert {shape["line"]["color"] for shape in shapes} == {PALETTES[theme].accent}


def test_softmax_reads_a_whole_row_and_makes_one_cell():
    at = {"batch": 0, "head": 1, "query": 3, "key": 5}
    row, cell = drawn(sentence(), "weights", at)["layout"]["shapes"]
    assert (row["x0"], row["x1"], row["y0"], row["y1"]) == (0.5, TOKENS + 0.5, 3.5, 4.5)
    assert (cell["x0"], cell["x1"], cell["y0"], cell["y1"]) == (5.5, 6.5, 3.5, 4.5)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(("key", "planes"), [("weights", (1, 2)), ("scores", (3,)), ("V", ())])
def test_hidden_tokens_are_covered_where_queries_meet_keys_and_nowhere_else(key, planes, theme):
    hidden, at = (0, 6), middle(sentence(), key) | {"batch": 0}
    figure = step_figure(sentence(), key, at, theme, hidden=hidden).to_plotly_json()
    covers = [s for s in figure["layout"]["shapes"] if "fillcolor" in s]
    assert {s["fillcolor"] for s in covers} <= {PALETTES[theme].card}
    assert {s.get("opacity", 1) for s in covers} <= {1}
    whole, expected = (0.5, TOKENS + 0.5), set()
    for plane in planes:
        name = "" if plane == 1 else str(plane)
        for i in hidden:
            expected |= {(f"y{name}", *whole, i + 0.5, i + 1.5)}
            expected |= {(f"y{name}", i + 0.5, i + 1.5, *whole)}
    assert {(s["yref"], s["x0"], s["x1"], s["y0"], s["y1"]) for s in covers} == expected


def test_what_is_covered_can_still_be_read_off_and_the_rest_has_its_own_range():
    at = middle(sentence(), "weights") | {"batch": 0}
    figure = step_figure(sentence(), "weights", at, "light", hidden=(0, 6)).to_plotly_json()
    shown, covered = drawn(sentence(), "weights", at), scale_of(sentence(), "weights", (0, 6))
    np.testing.assert_array_equal(values_of(figure, 2), values_of(shown, 2))
    assert on_axes(figure, 2)[0]["zmax"] == covered.high


def test_rows_of_mere_filling_are_veiled_and_without_numbers():
    at = {"batch": 1, "head": 1, "query": 0, "d_v": 3}
    figure = drawn(sentence(), "head_output", at)
    veils = [s for s in figure["layout"]["shapes"] if "fillcolor" in s]
    assert {(s["yref"], s["y0"], s["y1"]) for s in veils} == {
        (axis, row + 0.5, row + 1.5) for axis in ("y", "y3") for row in (4, 5, 6)
    }
    assert {(s["x0"], s["x1"]) for s in veils if s["yref"] == "y3"} == {(0.5, D_V + 0.5)}
    for trace in on_axes(figure, 1):
        assert {text for row in trace.get("text", [])[4:] for text in row} <= {""}
    full = drawn(sentence(), "head_output", at | {"batch": 0})
    assert not [s for s in full["layout"]["shapes"] if "fillcolor" in s]


@pytest.mark.parametrize("key", ["Q", "scores", "masked", "weights", "dropped", "head_output"])
def test_colours_are_the_same_for_every_sample_head_and_row(key):
    trace = sentence()
    ends = set()
    for batch, head, query in np.ndindex(2, 3, TOKENS):
        at = middle(trace, key) | {"batch": batch, "head": head, "query": query}
        result = on_axes(drawn(trace, key, at), len(step_of(trace, key, at).operands) + 1)
        ends |= {(t["zmin"], t["zmax"]) for t in result if t["name"] == key}
    ((low, high),) = ends
    finite = trace[key].tensor[np.isfinite(trace[key].tensor)]
    assert low <= finite.min()
    assert finite.max() <= high


def test_the_bar_beside_the_result_prints_the_ends_of_its_scale():
    trace = sentence()
    bars = {}
    for key in ("scores", "weights"):
        traces = drawn(trace, key, middle(trace, key))["data"]
        (shown,) = (t for t in traces if t["showscale"])
        assert shown["name"] == key
        bars[key] = (shown["colorbar"]["tickvals"], shown["colorbar"]["ticktext"])
        assert bars[key][0][0] == shown["zmin"]
        assert bars[key][0][-1] == shown["zmax"]
    most = max(abs(trace["scores"].tensor).max(), abs(trace["scaled"].tensor).max())
    assert bars["scores"] == ([-most, 0, most], [f"−{most:.2f}", "0", f"{most:.2f}"])
    # dropout makes a weight of 1 / 0.7; seven keys times 2 are more than ten, so colours run along
    # the root, and half-way up the bar stands a quarter of its end
    assert bars["weights"] == ([0, 0.5, 2], ["0", "0.5", "2"])
    assert not any(t["showscale"] for t in drawn(trace, "causal", {"query": 0, "key": 0})["data"])


def test_titles_are_set_as_mathematics():
    at = middle(sentence(), "scores")
    titles = [bare(t) for t in drawn(sentence(), "scores", at)["layout"]["annotations"]]
    assert titles == [
        "<i>Q</i>  query 7 × d_k 5", "<i>K<sup>⊤</sup></i>  d_k 5 × key 7",
        "<i>scores</i>  query 7 × key 7",
    ]  # fmt: skip
    (matrix,) = drawn(sentence(), "W_O", middle(sentence(), "W_O"))["layout"]["annotations"]
    assert bare(matrix) == "<i>W<sup>O</sup></i>  d_v 13 × d_model 17"


def bare(note):
    """A title without the elements that only colour it."""
    return re.sub("</?span.*?>", "", note["text"])


def test_no_step_of_a_picture_of_196_patches_weighs_more_than_150_kB():
    trace = many_patches()
    for key in trace:
        weight = len(step_figure(trace, key, middle(trace, key), "light").to_json())
        assert weight < 150_000, key
    figure = drawn(trace, "weights", middle(trace, "weights"))
    assert [array(trace["z"]).shape for trace in figure["data"]] == [(PATCHES, PATCHES)] * 2
    assert [array(trace["z"]).dtype for trace in figure["data"]] == [np.uint8] * 2


def test_a_bar_beside_bytes_stands_on_the_scale_of_its_bytes():
    """196 patches share so little each that weights run along the root: a quarter is half-way."""
    for key, ticks, marks in (("scores", 3, [1, 128, 255]), ("weights", 3, [1, 128, 255])):
        trace = many_patches()
        shown = drawn(trace, key, middle(trace, key))["data"][-1]
        assert array(shown["z"]).dtype == np.uint8
        assert (shown["zmin"], shown["zmax"], shown["showscale"]) == (0, 255, True)
        assert list(shown["colorbar"]["tickvals"]) == marks
        assert len(shown["colorbar"]["ticktext"]) == ticks
    most, end = max(array(shown["z"]).ravel()), float(shown["colorbar"]["ticktext"][-1])
    at = middle(trace, "weights")
    largest = trace["weights"].tensor[0, at["head"]].max()
    assert most == pytest.approx(255 * (largest / end) ** 0.5, abs=0.6)
    assert float(shown["colorbar"]["ticktext"][1]) == pytest.approx(end / 4, rel=0.05)


def test_whole_numbers_that_name_something_and_switches_have_no_bar():
    for key in ("tokens", "causal", "keep", "padding"):
        assert not any(t["showscale"] for t in drawn(sentence(), key, {})["data"])


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_whole_numbers_have_the_colour_of_the_ground(theme):
    (shown,) = drawn(sentence(), "tokens", {"batch": 0, "token": 2}, theme)["data"]
    assert {colour for _, colour in shown["colorscale"]} == {PALETTES[theme].ground}
    assert shown["text"] == [[str(number) for number in sentence()["tokens"].tensor[0]]]


def test_a_thin_cell_is_framed_around_and_with_a_thin_line():
    at = {"batch": 0, "head": 1, "query": 20, "key": 100}
    figure = drawn(many_patches(), "scores", at)
    *_, cell = figure["layout"]["shapes"]
    across, down = axes(figure, "x")[-1], axes(figure, "y")[-1]
    for letter, place, axis, length in (
        ("x", 100, across, DESIGNED), ("y", 20, down, figure["layout"]["height"]),
    ):  # fmt: skip
        pixels = (axis["domain"][1] - axis["domain"][0]) * length / PATCHES
        assert pixels < 8
        assert (place + 0.5 - cell[f"{letter}0"]) * pixels == pytest.approx(1.5, abs=0.01)
        assert (cell[f"{letter}1"] - place - 1.5) * pixels == pytest.approx(1.5, abs=0.01)
    assert {shape["line"]["width"] for shape in figure["layout"]["shapes"]} == {1}
    at = {"batch": 0, "head": 1, "query": 3, "key": 5}
    roomy = drawn(sentence(), "scores", at)["layout"]["shapes"]
    assert [shape["line"]["width"] for shape in roomy] == [2, 2, 3]


def test_a_finger_that_scrolls_the_page_does_not_drag_the_figure():
    for key in ("scores", "X", "E"):
        assert drawn(sentence(), key, middle(sentence(), key))["layout"]["dragmode"] is False
