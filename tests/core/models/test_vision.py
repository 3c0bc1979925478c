"""What the vision transformer says of a picture, and how much it has to go by."""

import numpy as np
import pytest
from claims import for_all
from refuses import refuses

from core import Axis, Stage, Trace, nested
from core.models.vision import load, rollout
from core.rules import Given
from core.sources import picture


def some_pixels(seed):
    return np.random.default_rng(seed).integers(0, 256, (32, 32, 3), dtype=np.uint8)


def test_the_label_is_the_class_with_the_largest_probability():
    model = load()
    found = model.classify(some_pixels(5))
    index = model.classes.index(found.label)
    assert all(found.probabilities[index] >= other for other in found.probabilities)
    assert found.confidence == found.probabilities[index]


def test_each_picture_of_a_batch_is_classified_as_if_it_were_alone():
    model, several = load(), np.stack([some_pixels(seed) for seed in (7, 11, 13)])
    trace = model.trace(picture.values(several))
    for sample, pixels in enumerate(several):
        together, alone = model.classification(trace, sample), model.classify(pixels)
        assert together.label == alone.label
        assert together.confidence == pytest.approx(alone.confidence, rel=1e-4)


def test_the_parts_are_those_of_the_trace_in_their_order():
    model = load()
    assert model.parts == nested.parts(model.classify(some_pixels(3)).trace)
    assert model.parts[0] == "input"
    assert len(model.parts) == 2 + 2 * model.layers


def test_the_classes_may_be_called_in_any_language():
    model = load()
    names = tuple(f"第 {index} 类" for index in range(len(model.classes)))
    trace = model.trace(picture.values(some_pixels(3)[None]), names)
    assert trace["prediction/logits"].axis("class").names() == names
    assert trace["prediction/probabilities"].axis("class").names() == names


@for_all("shape", [(31, 32, 3), (32, 32), (32, 32, 1)])
def test_a_picture_of_another_size_is_refused(shape):
    with refuses("shape_mismatch"):
        load().classify(np.zeros(shape, np.uint8))


def test_rollout_equals_the_product_of_half_the_mean_plus_half_the_identity_by_plain_loops():
    random = np.random.default_rng(17)
    layers = random.dirichlet(np.ones(5), (2, 1, 3, 5))  # (layer, batch, head, query, key)
    axes = (Axis("batch", "B"), Axis("head", "h"), Axis("query", "n"), Axis("key", "n"))
    stages = [
        Stage(f"encoder/{i}/self/weights", "A", weights, axes, Given("input"))
        for i, weights in enumerate(layers, start=1)
    ]
    mixed = [
        [[(sum(heads[0, h, q, k] for h in range(3)) / 3 + (q == k)) / 2 for k in range(5)]
         for q in range(5)]
        for heads in layers
    ]  # fmt: skip
    expected = [
        [sum(mixed[1][q][m] * mixed[0][m][k] for m in range(5)) for k in range(5)] for q in range(5)
    ]
    found = rollout(Trace(stages), 2)
    np.testing.assert_allclose(found[0], expected, rtol=1e-12)
    np.testing.assert_allclose(found.sum(axis=-1), 1, rtol=1e-12)
