"""All heads of all layers of a checkpoint, against the weights of each layer's own run."""

import tracemalloc

import numpy as np
import pytest
from checkpoint_folders import LAYERS, PICTURED, SOUNDS, attending, copied, given, opened
from claims import for_all
from refuses import refuses

from core.experiments.head_patterns import PatternSums, head_patterns, of_heads
from core.models import forward
from core.nested import subtrace


def special_of(kind, model):
    if kind in SOUNDS:
        return ()
    if kind in PICTURED:
        return tuple(range(len(PICTURED[kind])))
    return model.encode(given(kind)).special


def ids_of(kind, model):
    return model.encode(given(kind)).ids if isinstance(given(kind), str) else ()


def measures(heads):
    return np.array([[*vars(head).values()] for head in heads])


@for_all("kind", LAYERS)
def test_a_survey_has_the_patterns_of_the_weights_of_every_layer(kind):
    model = opened(kind)
    found = model.survey(given(kind))
    assert [len(heads) for heads in found] == [model.heads] * model.layers
    for layer, heads in enumerate(found, start=1):
        trace = subtrace(model.run(given(kind), layer), f"encoder/{layer}/self")
        logits = trace["masked" if "masked" in trace else "scaled"].tensor[0]
        expected = of_heads(
            trace["weights"].tensor[0],
            np.isfinite(logits).sum(axis=2),
            special=special_of(kind, model),
            ids=ids_of(kind, model),
        )
        np.testing.assert_allclose(measures(heads), measures(expected), atol=2e-6)
        reported = head_patterns(trace, 0)
        cls = trace["weights"].tensor[0, ..., 0].mean(axis=1)  # in a trace a token by its name
        for one, other, first in zip(heads, reported, cls, strict=True):
            named = {"duplicate": 0.0, "induction": 0.0}  # no ids in a trace
            named |= {"special": one.special - first} if kind in PICTURED else {}
            assert vars(one) | named == pytest.approx(vars(other), abs=2e-6)


@pytest.mark.parametrize("kind", LAYERS)
def test_two_queries_at_a_time_are_the_same_heads_in_the_same_order(kind, monkeypatch):
    model = opened(kind)
    at_once = model.survey(given(kind))
    monkeypatch.setattr(forward, "BLOCK", 1)
    monkeypatch.setattr(forward, "LEAST", 2)
    for heads, others in zip(model.survey(given(kind)), at_once, strict=True):
        np.testing.assert_allclose(measures(heads), measures(others), atol=5e-6)


@pytest.mark.parametrize("kind", LAYERS)
def test_a_survey_and_a_run_share_the_cached_streams(kind, monkeypatch):
    model, fresh = opened(kind), opened(kind)
    expected, streams = fresh.survey(given(kind)), {}
    model.run(given(kind), 2, streams=streams)
    passed = []
    through = forward.layer_forward
    monkeypatch.setattr(
        forward,
        "layer_forward",
        lambda x, *rest, **how: passed.append(1) or through(x, *rest, **how),
    )
    for heads, others in zip(model.survey(given(kind), streams=streams), expected, strict=True):
        np.testing.assert_allclose(measures(heads), measures(others), atol=5e-6)
    assert len(passed) == model.layers - 1  # behind the first layer the stream was known
    assert set(streams) == set(range(1, model.layers + 1))
    passed.clear()
    shared = model.run(given(kind), model.layers, streams=streams)
    assert not passed
    alone = fresh.run(given(kind), model.layers)
    assert all((shared[key].tensor == alone[key].tensor).all() for key in alone)


@for_all("kind", LAYERS)
def test_progress_is_reported_after_every_layer(kind):
    model, reported = opened(kind), []
    model.survey(given(kind), lambda done, of: reported.append((done, of)))
    assert reported == [(done, model.layers) for done in range(1, model.layers + 1)]


def test_one_token_of_gpt2_has_no_pattern():
    assert opened("gpt2").survey("l") == ((None,) * 5,) * 2


def test_a_layer_that_does_not_stay_finite_is_named(tmp_path):
    def huge(tensors):
        at = "encoder.layer.1.attention.attention."
        names = (f"{at}query.weight", f"{at}key.weight")
        return tensors | {name: tensors[name] * np.float32(1e30) for name in names}

    with refuses("not_finite", name="layer 2"):
        opened("vit", copied("vit", tmp_path, huge)).survey(given("vit"))


def test_the_weights_of_no_head_are_in_memory_as_a_whole(monkeypatch):
    heads, n, d_model = 3, 401, 6
    random = np.random.default_rng(3)
    X = random.standard_normal((n, d_model), np.float32)
    layer = attending(heads, d_model)
    monkeypatch.setattr(forward, "LEAST", 7)
    monkeypatch.setattr(forward, "BLOCK", 1)
    found, seen = [], np.full((1, n), n)
    sums = [PatternSums((1, n, n), np.dtype(np.float32), seen) for _ in range(heads)]

    def observe(weights, queries):
        if sums[0].add(weights, queries):
            found.extend(sums.pop(0).patterns())

    tracemalloc.start()
    forward.attention(X, layer, causal=False, observe=observe)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(found) == heads
    assert most < 4 * n**2
