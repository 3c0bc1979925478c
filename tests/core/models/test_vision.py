"""Predictions of the vision transformer, and its threshold for unknown pictures."""

import numpy as np
import pytest
from claims import for_all
from refuses import refuses

from core import nested
from core.models.vision import load
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
