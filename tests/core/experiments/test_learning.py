"""Gradient descent on one sentence, and the check of its gradients."""

import math
from itertools import islice

import numpy as np
import pytest

from core.experiments.learning import LEARNT, MISTAKES, Learner

WORDS = ("a", "b", "c")


def test_the_loss_is_the_mean_surprise_at_the_word_that_follows():
    learner = Learner.seeded(WORDS, 3)
    p = learner.trace["probabilities"].tensor[0]
    following = [p[0, 1], p[1, 2], p[2, 2], p[3, 1], p[4, 0]]  # of a b c c b a
    assert learner.loss == pytest.approx(-sum(map(math.log, following)) / 5, rel=1e-12)
    expected = (p - learner.trace["target"].tensor[0]) / 5
    found = learner.gradients["grad/logits"].tensor[0]
    np.testing.assert_allclose(found, expected, atol=1e-14)


def test_every_gradient_is_a_central_difference_until_it_is_broken():
    learner = Learner.seeded(WORDS, 0)
    for key in LEARNT:
        for index in np.ndindex(learner.learnt[key].shape):
            slope = learner.slope(key, index, 1e-5)
            assert learner.gradient(key, index) == pytest.approx(slope, rel=1e-6, abs=1e-10)
            for mistake in MISTAKES[1:]:
                broken = learner.gradient(key, index, mistake)
                is_near = broken == pytest.approx(slope, rel=1e-3)
                assert is_near != (key in ("W_Q", "W_K")), (key, index, mistake)


def test_small_steps_lead_below_what_one_word_alone_can_tell_and_large_ones_end_it():
    steps = [*islice(Learner.seeded(WORDS, 2).steps(0.3), 61)]
    assert len(steps) == 61
    assert steps[0].loss > 1 > 4 / 5 * math.log(2) > 3 * steps[-1].loss
    assert len([*islice(Learner.seeded(WORDS, 3).steps(3.0), 61)]) < 61
