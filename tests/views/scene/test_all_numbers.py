"""Every number of every stage is in the blob, or follows from numbers that are."""

from functools import cache

import numpy as np
from browser import Browser
from claims import for_all
from shown_traces import STAGES, TRACES, many_patches, wide_patches

from core import Weights, multi_head_attention
from core.options import AttentionOptions
from core.sources import image, text
from views.scene.arrays import group_of
from views.scene.scene import scene
from views.text import LANGUAGES

# The waves that a frame is compared with alone are 160 800 numbers.
LARGE = ("sound", "own sound")
WHOLE = [name for name in TRACES if name not in LARGE]
SAMPLES = [
    (name, sample)
    for name in WHOLE
    for sample in range(max(stage.size("batch") for stage in TRACES[name]().values()))
]
BY_SAMPLE = [(name, key, sample) for name, key in STAGES for of, sample in SAMPLES if of == name]


@cache
def received(trace, sample, head, key="scores"):
    return Browser(scene(trace(), key, sample, head, ("X", "scores"), LANGUAGES["en"]))


def part_of(trace, key, **at):
    """A stage, with these axes at a fixed index."""
    stage = trace[key]
    return stage.tensor[tuple(at.get(role, slice(None)) for role in stage.roles)]


def same_bits(found, expected):
    return found.shape == expected.shape and found.tobytes() == expected.tobytes()


@for_all(("name", "key", "sample"), BY_SAMPLE)
def test_every_stage_of_a_sample_can_be_had_bit_for_bit(name, key, sample):
    """But for the last bit of ``dropped``: 1 / (1 − p) is a factor here, 1 − p a divisor there."""
    expected = part_of(TRACES[name](), key, batch=sample)
    found = received(TRACES[name], sample, 0).stage(key, batch=sample).astype(expected.dtype)
    if key == "dropped":
        np.testing.assert_array_max_ulp(found, expected, maxulp=1)
    else:
        assert same_bits(found, expected)


@for_all(("name", "key"), [at for at in STAGES if at[0] in LARGE])
def test_every_number_of_a_sound_can_be_had_where_its_stage_is_looked_at(name, key):
    """To float32 where numbers are many."""
    trace = TRACES[name]()
    expected = part_of(trace, key, batch=0, head=0)
    found = received(TRACES[name], 0, 0, group_of(trace, key)[-1]).stage(key, batch=0, head=0)
    if expected.dtype == bool:
        np.testing.assert_array_equal(found.astype(bool), expected)
    else:
        np.testing.assert_allclose(found, expected, rtol=2e-6, atol=1e-9)


@for_all("name", WHOLE)
def test_derivable_stages_are_not_sent(name):
    trace, browser = TRACES[name](), received(TRACES[name], 0, 0)
    copied = {"tokens", "scaled", "masked", "dropped", "concat", "residual", "sequence"}
    copied |= {"patches", "flattened", "cls_vector", "summed", "outcomes"}
    copied |= {"placed", "layer_scaled", "X_scaled"} | (
        {"bias"} if "bias_table" in trace else set()
    )
    copied |= {"embedding"} if "E" in trace else set()
    copied |= {"X"} if "position" in trace and "summed" not in trace else set()
    of_x = ("own unplaced entrance", "own scaled vectors", "own unnormed self", "today",
            "half precision", "own entrance by distance", "own changed post-norm self")  # fmt: skip
    copied |= {"X"} if name in of_x else set()
    copied |= {"present_K", "present_V"}
    copied -= {"X"} if "placed" in trace else set()
    copied -= {"scaled", "masked", "residual"} if name == "half precision" else set()
    copied |= {"set_weights", "muted", "direction", "patched", "patched_stream"}
    copied |= {"last_vector"} | ({"hidden"} if "gate" in trace else set())
    made = {key for key in trace if key in copied and key != "tokens"}
    assert set(trace) - set(browser.header["stored"]) == made


@for_all("key", [k for k in many_patches() if k not in ("image", "patches")])
def test_of_a_large_trace_every_number_of_the_chosen_head_can_be_had(key, head=2):
    front = key in ("flattened", "embedding", "W_E", "position")
    browser = received(many_patches, 0, head, "X" if front else "output")
    expected = part_of(many_patches(), key, batch=0, head=head)
    found = browser.stage(key, batch=0, head=head)
    if key in ("scores", "scaled", "weights"):  # computed from Q and K, in another order of terms
        np.testing.assert_allclose(found, expected, rtol=1e-5, atol=2e-6)
    else:
        assert same_bits(found, expected)


@for_all("key", wide_patches())
def test_where_one_head_is_much_every_number_comes_with_the_step_that_shows_it(key):
    browser = received(wide_patches, 0, 5, key)
    expected = part_of(wide_patches(), key, batch=0, head=5)
    assert same_bits(browser.stage(key, batch=0, head=5).astype(expected.dtype), expected)


@for_all("key", ["head_output", "W_O", "concat"])
def test_stages_read_by_all_heads_are_sent_with_all_heads(key):
    browser = received(many_patches, 0, 2)
    assert same_bits(browser.stage(key, batch=0), part_of(many_patches(), key, batch=0))


@for_all("temperature", [0.3, 1.0, 2.7])
def test_float32_is_scaled_as_numpy_scales_it_whatever_the_temperature(temperature):
    """To one unit in the last place: 1/√d_k and 1/T may be joined in another order."""
    pixels = np.random.default_rng(2).uniform(-1, 1, (1, 6, 10, 3)).astype(np.float32)
    trace = multi_head_attention(
        image.embed(pixels, 2, 16, seed=3),
        Weights.seeded(16, 2, 1),
        AttentionOptions(temperature=temperature),
    )
    browser = Browser(scene(trace, "scaled", 0, 0, (), LANGUAGES["en"]))
    assert not browser.holds("scaled")
    found = browser.stage("scaled", batch=0)
    assert found.dtype == np.float32
    np.testing.assert_array_max_ulp(found, trace["scaled"].tensor[0], maxulp=1)


def test_where_planes_are_too_large_their_numbers_follow_from_the_factors():
    """300 words: no plane of 300 × 300 is sent as numbers."""
    words = tuple(f"w{i}" for i in range(300))
    trace = multi_head_attention(
        text.embed((words,), 8, seed=3), Weights.seeded(8, 2, 1), AttentionOptions(causal=True)
    )
    browser = Browser(scene(trace, "weights", 0, 1, (), LANGUAGES["en"]))
    for key in ("scores", "scaled", "masked", "weights"):
        assert not browser.holds(key)
        found = browser.stage(key, batch=0, head=1, query=200)
        np.testing.assert_allclose(found, trace[key].tensor[0, 1, 200], rtol=1e-5, atol=1e-6)
