"""What is recorded of words with two meanings: what the story claims of it."""

import math

import pytest

from core.interventions import NONE, parse
from core.models import pretrained
from core.models.meanings import meanings

LANGUAGES = ("en", "zh")


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_meanings_are_one_point_before_the_first_layer_and_part_in_the_last(code: str) -> None:
    recorded = meanings()[code]
    groups = recorded["meanings"]
    assert all(abs(value) < 1e-3 for point in recorded["points"][0] for value in point)
    assert all(value == 1 for row in recorded["cosines"][0] for value in row)
    pairs = [(i, j) for i in range(len(groups)) for j in range(i)]
    cosine = recorded["cosines"][-1]
    within = [cosine[i][j] for i, j in pairs if groups[i] == groups[j]]
    across = [cosine[i][j] for i, j in pairs if groups[i] != groups[j]]
    assert min(within) > max(across)
    last = recorded["points"][-1]
    assert min(p[0] for p, g in zip(last, groups, strict=True) if not g) > 0
    assert max(p[0] for p, g in zip(last, groups, strict=True) if g) < 0


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_points_are_as_far_apart_as_the_cosines_say(code: str) -> None:
    # Of unit vectors, |a − b|² = 2 − 2 cos; a plane shows at most that.
    recorded = meanings()[code]
    for points, cosine in zip(recorded["points"], recorded["cosines"], strict=True):
        for i, one in enumerate(points):
            for j, other in enumerate(points):
                assert math.dist(one, other) ** 2 <= 2 - 2 * cosine[i][j] + 2e-3


@pytest.mark.skipif(not pretrained.packaged(pretrained.SMOLLM2), reason="its package is missing")
def test_smollm2_says_what_is_recorded() -> None:
    recorded = meanings()["en"]
    model = pretrained.open_checkpoint(pretrained.SMOLLM2)
    text = recorded["beginnings"][0]
    for change, listed in (
        (NONE, recorded["next"][0]),
        (parse("off=*"), recorded["next_without"]),
    ):
        streams = model.changed(change).streams(text)
        probabilities = model.next_probabilities(streams[-1, -1])
        named = {model.name_of(int(n)): p for n, p in enumerate(probabilities) if p > 0.005}
        for token, probability in listed:
            assert named[token] == pytest.approx(probability, abs=2e-3), token
