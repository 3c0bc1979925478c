"""The tiny model of the story, recomputed with plain loops."""

import math
import random

import pytest

from core.models.story import CLUES, FILLERS, PROPERTIES, WORD, TinyModel, steps

SENTENCES = 2000


def read(model: TinyModel, numbers: list[int]) -> list[float]:
    """The first two numbers of the word's new vector, of a sentence that begins with it."""
    x = [model.words[number].tolist() for number in numbers]
    result = x[0][:2]
    for W_Q, W_K, W_V in zip(
        model.W_Q.tolist(), model.W_K.tolist(), model.W_V.tolist(), strict=True
    ):
        q, *_ = (times(row, W_Q) for row in x)
        scores = [sum(a * b for a, b in zip(q, times(row, W_K), strict=True)) for row in x]
        powers = [math.exp(score) for score in scores]
        for power, row in zip(powers, x, strict=True):
            value = times(row, W_V)
            result = [
                old + power / sum(powers) * new for old, new in zip(result, value, strict=True)
            ]
    return result


def times(row: list[float], matrix: list[list[float]]) -> list[float]:
    return [sum(a * line[d] for a, line in zip(row, matrix, strict=True)) for d in range(2)]


@pytest.mark.parametrize("step", range(3))
def test_the_recorded_accuracy_is_that_of_random_sentences(step: int) -> None:
    model, dice = steps()[step], random.Random(7)
    right = 0
    for _ in range(SENTENCES):
        meaning, of = dice.randrange(2), dice.randrange(2)
        others = [dice.choice(FILLERS) for _ in range(dice.randint(1, 3))]
        made = read(model, [WORD, dice.choice(CLUES[1 - meaning]), PROPERTIES[of], *others])
        right += (made[0] > 0) == bool(meaning) and (made[1] > 0) == bool(of)
    assert right / SENTENCES == pytest.approx(model.accuracy, abs=0.04)


def test_a_trace_has_what_the_loops_compute() -> None:
    model = steps()[-1]
    numbers = [WORD, 1, 10, 11, 12]
    trace = model.trace(numbers, [str(number) for number in numbers])
    new = trace["X"].tensor[0, 0, :2] + trace["output"].tensor[0, 0, :2]
    assert new.tolist() == pytest.approx(read(model, numbers), abs=1e-12)


def test_the_trained_numbers_are_multiples_of_a_half() -> None:
    model = steps()[-1]
    for array in (model.words, model.W_Q, model.W_K, model.W_V):
        assert (array * 2 == (array * 2).round()).all()
