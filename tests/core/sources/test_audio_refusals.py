"""A sound that cannot be embedded is refused by name and with its numbers."""

import numpy as np
from claims import for_all
from refuses import refuses
from sounds import D_MODEL, HOP, RATE, SAMPLES, SEED, noise

from core.limits import LIMITS
from core.sources.audio import embed, log_mel, token_count


def test_more_tokens_than_the_limit_are_refused():
    most = LIMITS.frames * HOP
    assert token_count(most) == token_count(4 * most, 4) == LIMITS.frames
    with refuses("too_many_frames", frames=LIMITS.frames + 1, limit=LIMITS.frames):
        token_count(4 * most + 1, 4)


def spoilt(bad):
    samples = noise(SAMPLES)
    samples[3] = bad
    return samples


@for_all(
    ("samples", "code", "name"),
    [
        *((spoilt(bad), "undefined_samples", None) for bad in (np.nan, np.inf, -np.inf)),
        (np.full(SAMPLES, 1e200), "not_finite", "mel"),
        (np.zeros(0), "empty_sound", None),
        (np.zeros((SAMPLES, 2)), "shape_mismatch", "samples"),
    ],
)
def test_what_is_no_sound_is_refused_with_and_without_a_trace(samples, code, name):
    for compute in (lambda: log_mel(samples, RATE), lambda: embed(samples, RATE, 7, 1)):
        with refuses(code, name=name):
            compute()


@for_all(
    ("name", "change"),
    [
        ("mels", {"mels": 0}), ("mels", {"mels": 129}), ("pool", {"pool": 0}),
        ("d_model", {"d_model": 0}), ("seed", {"seed": -1}), ("sample_rate", {"sample_rate": 0}),
    ],
)  # fmt: skip
def test_sizes_out_of_their_range_are_refused(name, change):
    given = {"sample_rate": RATE, "d_model": D_MODEL, "seed": SEED} | change
    with refuses("out_of_range", name=name):
        embed(noise(SAMPLES), **given)
