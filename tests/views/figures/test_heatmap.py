import html

import numpy as np
import pytest
from shown_traces import LINES, MEMORY, numbers

from views.figures import heatmap
from views.figures.palette import PALETTES
from views.figures.plane import Plane, Side
from views.figures.scale import Scale

SIGNED = Scale("signed", -4, 4)
ROOMY, NARROW = (60.0, 30.0), (20.0, 30.0)
BARE = Side("", ("",), False)


def plane(values, rows=BARE, columns=BARE):
    return Plane("Z", np.asarray(values), rows, columns)


def traces(values, scale=SIGNED, theme="light", cell=ROOMY, exact=True, **options):
    return heatmap.traces(plane(values), scale, theme, ("x3", "y3"), cell, exact=exact, **options)


def side(*names):
    return Side("key", names, True)


def across(*names):
    return heatmap.axis(side(*names), (0.2, 0.7), "y3", "light", vertical=False)


def colours_drawn(trace):
    """The colour of each cell as Plotly works it out: RGB mixed between the stops."""
    stops = trace["colorscale"]
    part = (np.asarray(trace["z"], float) - trace["zmin"]) / (trace["zmax"] - trace["zmin"])
    rgb = [[int(colour[i : i + 2], 16) for i in (1, 3, 5)] for _, colour in stops]
    at = [place for place, _ in stops]
    return np.stack([np.interp(part, at, channel) for channel in np.transpose(rgb)], axis=-1)


def ratio(one, other):
    def light(colour):
        part = np.asarray(colour) / 255
        linear = np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)
        return linear @ [0.2126, 0.7152, 0.0722] + 0.05

    return np.maximum(light(one), light(other)) / np.minimum(light(one), light(other))


@pytest.mark.parametrize("names", [*LINES, MEMORY])
def test_every_token_keeps_a_place_of_its_own_however_it_is_written(names):
    axis = across(*names)
    assert axis["tickmode"] == "array"
    assert axis["tickvals"] == list(range(1, len(names) + 1))
    assert [html.unescape(text) for text in axis["ticktext"]] == list(names)


def test_no_token_is_read_as_markup():
    assert across("<b>x</b>", "&amp;", '"')["ticktext"] == [
        "&lt;b&gt;x&lt;/b&gt;", "&amp;amp;", "&quot;"
    ]  # fmt: skip


def test_a_long_name_is_cut_before_it_is_escaped():
    assert across("<" * 12)["ticktext"] == ["&lt;" * 12]
    assert across("<" * 13)["ticktext"] == ["&lt;" * 11 + "…"]


def test_row_0_is_at_the_top_and_column_0_at_the_left():
    down = heatmap.axis(side("a", "b", "c"), (0, 1), "x3", "light", vertical=True)
    assert down["range"] == [3.5, 0.5]
    assert across("a", "b", "c")["range"] == [0.5, 3.5]
    assert across("a")["side"] == "top"
    assert "side" not in down


@pytest.mark.parametrize("size", [1, 7, 24, 25, 48, 49, 196, 1000])
def test_at_most_24_places_are_named_evenly_and_each_with_its_own_name(size):
    axis = across(*(f"t{i}" for i in range(size)))
    places = axis["tickvals"]
    assert len(places) <= 24
    assert places[0] == 1
    assert len(places) == size or len(places) > 12
    assert len(set(np.diff(places))) <= 1
    assert axis["ticktext"] == [f"t{place - 1}" for place in places]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_names_have_the_colour_of_their_role(theme):
    axis = heatmap.axis(side("a"), (0, 1), "y", theme, vertical=False)
    assert axis["tickfont"]["color"] == PALETTES[theme].roles["key"]


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


@pytest.mark.parametrize("scale", [SIGNED, Scale("share", 0, 2)])
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
    for cell, printed in (((34, 17), True), ((33, 17), False), ((34, 16), False)):
        assert any("text" in trace for trace in traces([[1.0]], cell=cell)) is printed


def test_switches_are_ticks_and_crosses_and_whole_numbers_have_no_point():
    flags = traces([[True, False]], Scale("flag", 0, 1))
    assert sorted("".join(trace["text"][0]) for trace in flags) in (["×✓"], ["×", "✓"], ["✓×"])
    (ids,) = traces(np.array([[0, 3]]))
    assert ids["text"] == [["0", "3"]]


def test_rows_that_do_not_count_have_colours_but_no_numbers():
    values = np.array([[1.0, -np.inf], [3.0, -np.inf]])
    printed = [trace["text"] for trace in traces(values, quiet=np.array([False, True]))]
    assert {text for rows in printed for text in rows[0]} == {"1.00", "−∞", ""}
    assert {text for rows in printed for text in rows[1]} == {""}


@pytest.mark.parametrize(("exact", "most"), [(True, 128), (False, 64)])
def test_a_large_plane_is_sent_as_a_byte_a_cell(exact, most):
    for side_length, dtype in ((most, np.float32), (most + 1, np.uint8)):
        (trace,) = traces(numbers(side_length, side_length, seed=2), cell=(2, 2), exact=exact)
        assert trace["z"].dtype == dtype


@pytest.mark.parametrize("scale", [SIGNED, Scale("share", 0, 4)])
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
    np.testing.assert_allclose(shown[:100][seen], colours_drawn(exact)[seen], atol=4)
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
