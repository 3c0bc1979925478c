"""The figures of the model's card, on fewer pictures, recomputed with the app's own arithmetic."""

import numpy as np
import pytest

from core.models.vision import load, rollout
from core.sources import picture
from training.pictures import CLASSES, HELD_OUT, empty, pictures

MANY = 211
FEWER = 0.03  # what so few pictures may leave short of the card's figures


@pytest.fixture(scope="module")
def unseen():
    return pictures(HELD_OUT[-MANY:])


@pytest.fixture(scope="module")
def seen_by_the_model(unseen):
    return load().trace(picture.values(unseen[0]))


def evidence(logits):
    """log Σ e^logit of each row: (picture, class) -> (picture,)."""
    return np.log(np.exp(logits.astype(np.float64)).sum(-1))


def peaks_on_object(rows, masks):
    """How often the largest of [CLS]'s weights on patches, (picture, token), is on the object."""
    side, patch = load().side // load().patch, load().patch
    tiles = masks.reshape(-1, side, patch, side, patch).any((2, 4)).reshape(len(masks), -1)
    return tiles[np.arange(len(masks)), rows[:, 1:].argmax(-1)].mean()


def test_the_models_classes_are_those_that_are_painted():
    assert load().classes == CLASSES


def test_unseen_pictures_are_named_as_often_as_the_card_says(unseen, seen_by_the_model):
    named = seen_by_the_model["prediction/logits"].tensor[:, 0].argmax(-1)
    assert (named == unseen[2]).mean() > load().stored.training["accuracy"] - FEWER


def test_cls_looks_at_the_object_in_the_best_head_and_by_rollout(unseen, seen_by_the_model):
    model, masks = load(), unseen[1]
    best = model.stored.training["best_head"]
    layer = seen_by_the_model[f"encoder/{best['layer']}/self/weights"].tensor
    in_head = layer[:, best["head"] - 1, 0]
    assert peaks_on_object(in_head, masks) > best["peak_on_object"] - FEWER
    followed = rollout(seen_by_the_model, model.layers)[:, 0]
    expected = model.stored.training["rollout_peak_on_object"] - FEWER
    assert peaks_on_object(followed, masks) > expected


def test_the_threshold_lets_objects_pass_and_turns_empty_pictures_away(seen_by_the_model):
    novelty = load().stored.training["novelty"]
    found = evidence(seen_by_the_model["prediction/logits"].tensor[:, 0])
    assert (found >= novelty["unknown_below"]).mean() > novelty["held_out_passed"] - FEWER
    without = np.stack([empty(seed) for seed in HELD_OUT[-MANY:]])
    found = evidence(load().trace(picture.values(without))["prediction/logits"].tensor[:, 0])
    assert (found < novelty["unknown_below"]).mean() > novelty["rejected"]["no object"] - FEWER
