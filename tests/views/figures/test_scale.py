import math

import numpy as np
import pytest
from claims import for_all
from hypothesis import given
from hypothesis import strategies as st
from shown_traces import ATTENDING, STAGES, TRACES

from core import Axis, Stage, Trace
from core.around import residual
from core.rules import Given
from views.figures.palette import PALETTES
from views.figures.scale import Scale, round_up, scale_of, signed_scale


def alone(tensor, key="Z"):
    tensor = np.asarray(tensor)
    axes = tuple(Axis(f"side {i}", "n") for i in range(tensor.ndim))
    return Trace([Stage(key, key, tensor, axes, Given("input"))])


COMPARED = {
    *("scores", "scaled", "masked"),
    *("X", "stream", "patched_stream", "output", "layer_scaled", "post_normed", "residual"),
}


def largest(trace, *keys):
    """The largest finite size of a number in those of the stages that there are."""
    return max(
        abs(value)
        for key in keys
        if key in trace
        for value in trace[key].tensor.astype(float).ravel().tolist()
        if math.isfinite(value)
    )


def next_end(value):
    ends = [float(f"{step}e{power}") for power in range(-13, 14) for step in (1, 2, 5)]
    return min(end for end in ends if end >= value * (1 - 1e-11))


@given(st.floats(1e-12, 1e12))
def test_no_smaller_1_2_or_5_times_a_power_of_ten_would_do(value):
    assert round_up(value) == pytest.approx(next_end(value), rel=1e-9)


@for_all("name", ATTENDING)
def test_weights_run_from_0_to_the_largest_weight_of_the_whole_trace_rounded_up(name):
    trace = TRACES[name]()
    keys = [key for key in ("weights", "dropped") if key in trace]
    most = largest(trace, *keys)
    for key in keys:
        scale, key_count = scale_of(trace, key), trace[key].tensor.shape[-1]
        faint = next_end(most) * key_count >= 10
        assert scale == Scale("share", 0, pytest.approx(next_end(most)), root=faint)


@for_all(("name", "key"), STAGES)
def test_every_scale_but_that_of_shares_is_centred_at_0_and_holds_all_it_does_not_clip(name, key):
    trace = TRACES[name]()
    scale = scale_of(trace, key)
    tensor = trace[key].tensor
    if tensor.dtype == bool:
        assert scale == Scale("flag", 0, 1)
    elif key in ("tokens", "position_ids", "distance", "bucket", "mirror_before", "mirror_behind"):
        assert scale == Scale("number", 0, 1)
        return
    elif key == "probabilities":
        assert scale == Scale("share", 0, pytest.approx(next_end(largest(trace, key))))
    elif key not in ("weights", "dropped"):
        assert scale.kind == "signed"
        assert scale.low == -scale.high
        if key not in COMPARED and not scale.clipped:
            assert scale.high == (largest(trace, key) or 1)
    finite = tensor[np.isfinite(tensor)]
    beyond = (finite < scale.low) | (finite > scale.high)
    assert beyond.mean() <= (0.01 if scale.clipped else 0)


@pytest.mark.parametrize("tensor", [[0.0, 0.0], [-np.inf, -np.inf]])
def test_a_stage_of_nothing_but_zeros_or_masks_still_has_a_scale(tensor):
    trace = alone(tensor)
    assert scale_of(trace, "Z") == Scale("signed", -1, 1)
    assert scale_of(trace, "Z").positions(trace["Z"].tensor).tolist() in ([128, 128], [0, 0])


def test_values_have_their_positions_on_the_scale():
    assert Scale("share", 0, 0.5).positions(np.array([0, 0.1, 0.25, 0.5])).tolist() == [
        0,
        51,
        128,
        255,
    ]
    signed = Scale("signed", -4, 4).positions(np.array([-4, -2, 0, 1, 4, 5, -9, -np.inf, np.nan]))
    assert signed.tolist() == [0, 64, 128, 159, 255, 255, 0, 0, 0]
    assert Scale("flag", 0, 1).positions(np.array([True, False])).tolist() == [255, 0]
    assert signed.dtype == np.uint8


def test_on_a_root_scale_a_quarter_is_half_way_and_the_ends_stay():
    positions = Scale("share", 0, 4, root=True).positions(
        np.array([0, 0.04, 1, 2.25, 4, 9, -1, -np.inf])
    )
    assert positions.tolist() == [0, 26, 128, 191, 255, 255, 0, 0]  # 25.5 and 127.5 to the even one
    signed = Scale("signed", -4, 4, root=True)
    positions = signed.positions(np.array([-9, -4, -1, 0, 0.04, 1, 4, -np.inf]))
    assert positions.tolist() == [0, 0, 64, 128, 140, 191, 255, 0]
    assert signed.ticks == (-4, -1, 0, 1, 4)


def test_what_is_compared_has_one_scale_that_a_few_outliers_do_not_set():
    axes = (Axis("batch", "batch"), Axis("token", "n"), Axis("d_model", "d_model"))
    x, added = np.random.default_rng(0).normal(size=(2, 1, 5, 200))
    x[0, 0, 3] = 22_000
    stages = [Stage(key, key, one, axes, Given("input")) for key, one in (("x", x), ("add", added))]
    trace = Trace([*stages, residual(*stages)])
    scale = scale_of(trace, "add")
    assert scale == Scale("signed", -5, 5, clipped=True)
    assert {scale_of(trace, key) for key in ("x", "add", "residual")} == {scale}

    axes = (Axis("query", "n"), Axis("key", "n"))
    scores = np.array([[64.0, -32.0]])
    both = {"scores": scores, "scaled": scores / 8}
    trace = Trace([Stage(key, "S", one, axes, Given("input")) for key, one in both.items()])
    assert {scale_of(trace, key) for key in both} == {Scale("signed", -64, 64, root=True)}


def test_colours_of_signed_numbers_run_along_the_root_where_a_head_has_a_quarter_of_the_range():
    axes = (Axis("head", "h"), Axis("query", "n"), Axis("key", "n"))
    for most, root in ((1.0, True), (-1.0, True), (1.01, False)):
        scaled = np.array([[[4.0, -np.inf]], [[most, 0.5]]])
        trace = Trace([Stage("scaled", "S", scaled, axes, Given("input"))])
        assert scale_of(trace, "scaled") == Scale("signed", -4, 4, root=root), most


@for_all(
    ("largest_weight", "keys", "root"),
    [(0.9, 9, False), (0.9, 10, True), (0.19, 49, False), (0.19, 50, True), (0.02, 196, False),
     (0.021, 196, False), (0.021, 200, True)],
)  # fmt: skip
def test_colours_run_along_the_root_where_an_even_share_is_a_tenth_of_the_end(
    largest_weight, keys, root
):
    weights = np.full((1, keys), 0.001)
    weights[0, 0] = largest_weight
    axes = (Axis("query", "n"), Axis("key", "n"))
    trace = Trace([Stage("weights", "A", weights, axes, Given("input"))])
    assert scale_of(trace, "weights").root is root


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_each_kind_of_scale_has_its_own_colours(theme):
    palette = PALETTES[theme]
    assert Scale("share", 0, 1).stops(theme) == palette.share
    assert Scale("signed", -1, 1).stops(theme) == palette.signed
    assert Scale("flag", 0, 1).stops(theme) == (palette.masked, palette.ground)
    assert set(Scale("number", 0, 1).stops(theme)) == {palette.ground}


def test_one_signed_scale_holds_the_largest_absolute_value_of_all_arrays():
    small, large = np.array([[0.5, -0.25]]), np.array([-3.0, 2.0])
    assert signed_scale(small, large) == Scale("signed", -3, 3)
    assert signed_scale(large, rounded=True) == Scale("signed", -5, 5)
    assert signed_scale(np.zeros(2)) == Scale("signed", -1, 1)
