import numpy as np
import pytest
from shown_figures import between, colours_drawn
from shown_traces import numbers

from views.figures import heatmap
from views.figures.palette import PALETTES
from views.figures.plane import Plane, Side
from views.figures.scale import Scale

SIGNED = Scale("signed", -4, 4)
ROOT = Scale("share", 0, 4, root=True)
ROOMY, NARROW = (60.0, 30.0), (20.0, 30.0)
BARE = Side("", ("",), False)


def plane(values, rows=BARE, columns=BARE):
    return Plane("Z", np.asarray(values), rows, columns)


def traces(values, scale=SIGNED, theme="light", cell=ROOMY, exact=True, **options):
    return heatmap.traces(plane(values), scale, theme, ("x3", "y3"), cell, exact=exact, **options)


def ratio(one, other):
    def light(colour):
        part = np.asarray(colour) / 255
        linear = np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)
        return linear @ [0.2126, 0.7152, 0.0722] + 0.05

    return np.maximum(light(one), light(other)) / np.minimum(light(one), light(other))


def test_a_heatmap_holds_its_values_one_whole_number_apart_on_its_own_axes():
    (trace,) = traces(values := numbers(3, 5, seed=1), cell=NARROW)
    np.testing.assert_array_equal(trace["z"], values.astype(np.float32))
    assert trace["z"].dtype == np.float32
    assert [trace[name] for name in ("x0", "dx", "y0", "dy")] == [1, 1, 1, 1]
    assert (trace["xaxis"], trace["yaxis"]) == ("x3", "y3")
    assert (trace["zmin"], trace["zmax"]) == (-4, 4)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_colours_run_evenly_from_stop_to_stop(theme):
    (trace,) = traces([[0.0]], cell=NARROW, theme=theme)
    assert [place for place, _ in trace["colorscale"]] == [0, 0.25, 0.5, 0.75, 1]
    assert tuple(colour for _, colour in trace["colorscale"]) == PALETTES[theme].signed


@pytest.mark.parametrize("cell", [ROOMY, NARROW])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_masked_cell_is_grey_and_its_number_is_in_no_scale(theme, cell):
    values = np.array([[1.0, -np.inf], [-np.inf, -2.0]])
    *drawn, struck = traces(values, theme=theme, cell=cell)
    for trace in drawn:
        assert np.isnan(trace["z"][[0, 1], [1, 0]]).all()
    assert np.isnan(struck["z"]).tolist() == [[True, False], [False, True]]
    assert {colour for _, colour in struck["colorscale"]} == {PALETTES[theme].masked}
    assert PALETTES[theme].masked not in dict(map(reversed, drawn[0]["colorscale"]))
    if cell is ROOMY:
        assert struck["text"] == [["", "−∞"], ["−∞", ""]]


@pytest.mark.parametrize("scale", [SIGNED, Scale("share", 0, 2), ROOT])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_number_is_printed_once_in_digits_that_can_be_read(theme, scale):
    values = np.linspace(scale.low, scale.high, 7 * 11).reshape(7, 11)
    texts = np.full(values.shape, "", dtype=object)
    for trace in traces(values, scale, theme):
        here = ~np.isnan(trace["z"])
        printed = np.array(trace["text"], dtype=object)
        assert (texts[here] == "").all()
        assert (printed[~here] == "").all()
        texts[here] = printed[here]
        ink = {"#000000": (0, 0, 0), "#ffffff": (255, 255, 255)}[trace["textfont"]["color"]]
        assert ratio(colours_drawn(trace)[here], ink).min() > 4.5
    assert texts.tolist() == [[f"{v:.2f}".replace("-", "−") for v in row] for row in values]


def test_numbers_wait_for_room():
    for cell, printed in (((36, 17), True), ((35, 17), False), ((36, 16), False)):
        assert any("text" in trace for trace in traces([[1.0]], cell=cell)) is printed
    # six signs of half a digit's width each do not go into 0.86 · 36 − 4 = 27 pixels
    assert not any("text" in trace for trace in traces([[-10.25]], cell=(36, 30)))
    assert any("text" in trace for trace in traces([[-10.25]], cell=(44, 30)))


@pytest.mark.parametrize("cell", [(36, 30), (44, 17), (60, 30), (200, 80)])
def test_all_digits_of_a_plane_have_one_size_that_fits_its_cells(cell):
    values = np.array([[1.0, -3.25], [-np.inf, 0.5]])
    shown = [trace for trace in traces(values, cell=cell) if "text" in trace]
    (size,) = {trace["textfont"]["size"] for trace in shown}
    assert len(shown) == 3
    assert 9 <= size <= 14
    assert len("−3.25") * 0.5 * size < 0.86 * cell[0] - 3
    assert size < cell[1]


def test_switches_are_ticks_and_crosses_and_whole_numbers_have_no_point():
    flags = traces([[True, False]], Scale("flag", 0, 1))
    assert sorted("".join(trace["text"][0]) for trace in flags) in (["×✓"], ["×", "✓"], ["✓×"])
    (ids,) = traces(np.array([[0, 3]]), Scale("number", 0, 1))
    assert ids["text"] == [["0", "3"]]


def test_rows_that_do_not_count_have_colours_but_no_numbers():
    values = np.array([[1.0, -np.inf], [3.0, -np.inf]])
    printed = [trace["text"] for trace in traces(values, quiet=np.array([False, True]))]
    assert {text for rows in printed for text in rows[0]} == {"1.00", "−∞", ""}
    assert {text for rows in printed for text in rows[1]} == {""}


def test_a_finite_cell_that_is_struck_is_drawn_as_masked():
    values = np.array([[0.0, 0.0], [0.25, 0.75]])
    struck = np.array([[False, True], [False, False]])
    *halves, masked = traces(values, Scale("share", 0, 1), struck=struck)
    for trace in halves:
        assert np.isnan(trace["z"][0, 1])
        assert trace["text"][0][1] == ""
    assert np.isnan(masked["z"]).tolist() == [[True, False], [True, True]]
    assert masked["text"] == [["", "0"], ["", ""]]
    assert {colour for _, colour in masked["colorscale"]} == {PALETTES["light"].masked}
    assert "= 0<" in masked["hovertemplate"]
    (flat,) = traces(np.zeros((130, 130)), Scale("share", 0, 1), struck=np.eye(130, dtype=bool))
    np.testing.assert_array_equal(flat["z"], 1 - np.eye(130))


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_colours_along_the_root_are_those_of_the_places_along_the_root(theme):
    values = np.linspace(0, 4, 301).reshape(1, -1)
    (trace,) = traces(values, ROOT, theme, cell=NARROW)
    places = [place for place, _ in trace["colorscale"]]
    assert (places[0], places[-1]) == (0, 1)
    assert places == sorted(set(places))
    expected = [between(PALETTES[theme].share, (value / 4) ** 0.5) for value in values[0]]
    np.testing.assert_allclose(colours_drawn(trace)[0], expected, atol=9)


@pytest.mark.parametrize("scale", [SIGNED, Scale("share", 0, 4), ROOT])
def test_a_bar_has_a_mark_where_its_colour_is_that_of_its_value(scale):
    bar = {"ticktext": ["a"] * len(scale.ticks)}
    (exact,) = traces([list(scale.ticks)], scale, cell=NARROW, bar=bar)
    assert tuple(exact["colorbar"]["tickvals"]) == scale.ticks
    (bytes_,) = traces(np.zeros((130, 130)), scale, cell=(2, 2), bar=bar)
    marks = bytes_["colorbar"]["tickvals"]
    assert (marks[0], marks[-1]) == (1, 255)
    at_marks = colours_drawn(bytes_ | {"z": np.array([marks])})
    np.testing.assert_allclose(at_marks, colours_drawn(exact), atol=9 if scale.root else 3)


@pytest.mark.parametrize(("exact", "most"), [(True, 128), (False, 64)])
def test_a_large_plane_is_sent_as_a_byte_a_cell(exact, most):
    for side_length, dtype in ((most, np.float32), (most + 1, np.uint8)):
        (trace,) = traces(numbers(side_length, side_length, seed=2), cell=(2, 2), exact=exact)
        assert trace["z"].dtype == dtype


@pytest.mark.parametrize("scale", [SIGNED, Scale("share", 0, 4), ROOT])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_byte_has_the_colour_of_its_value_and_0_is_masked(theme, scale):
    values = np.linspace(scale.low, scale.high, 130 * 130).reshape(130, 130)
    (exact,) = traces(values[:100], scale, theme, cell=(2, 2))
    struck = values.copy()
    struck[::2, ::3] = -np.inf
    (trace,) = traces(struck, scale, theme, cell=(2, 2))
    assert trace["z"].dtype == np.uint8
    np.testing.assert_array_equal(trace["z"] == 0, np.isinf(struck))
    shown = colours_drawn(trace)
    seen = trace["z"][:100] > 0
    off = 9 if scale.root else 4  # the root itself is drawn by straight pieces
    np.testing.assert_allclose(shown[:100][seen], colours_drawn(exact)[seen], atol=off)
    masked = PALETTES[theme].masked
    assert trace["colorscale"][:2] == [[0, masked], [trace["colorscale"][1][0], masked]]
    assert 0 < trace["colorscale"][1][0] < 1 / 255


def test_only_one_half_of_a_heatmap_carries_the_colour_bar():
    bar = {"thickness": 8}
    shown = traces([[-4.0, 0.0, -np.inf]], bar=bar)
    assert len(shown) == 3
    assert [trace["showscale"] for trace in shown] == [True, False, False]
    assert not any(trace["showscale"] for trace in traces([[-4.0, 0.0]]))


def test_only_roomy_cells_stand_apart():
    assert [heatmap.gap(cell) for cell in (60, 24, 23, 8, 7, 1)] == [3, 3, 1, 1, 0, 0]
