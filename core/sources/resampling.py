"""Resampling of sounds."""

from collections.abc import Iterable, Iterator
from math import ceil

import numpy as np
import soxr


def resampled(samples: np.ndarray, rate: int, to: int) -> np.ndarray:
    """⌈n · to / rate⌉ samples for n, low-pass filtered at half the lower rate.

    samples: (n,), n ≥ 1. Returns float32 or float64 as given, any other numbers as float64.
    """
    single = samples.dtype == np.float32
    given = np.asarray(samples, dtype=np.float32 if single else np.float64)
    return np.concatenate(list(in_blocks([given], rate, to)))


def in_blocks(blocks: Iterable[np.ndarray], rate: int, to: int) -> Iterator[np.ndarray]:
    """Like ``resampled``, in blocks, to limit memory.

    blocks: one after the other, all (any number,) in the same precision.
    """
    if rate == to:
        yield from blocks
        return
    taken = given = 0
    stream = None
    for block in blocks:
        stream = stream or soxr.ResampleStream(rate, to, 1, dtype=block.dtype)
        taken += len(block)
        made = stream.resample_chunk(block)
        given += len(made)
        yield made
    if stream is None:
        return
    # The filter rounds down: with a little silence behind the sound its last sample counts too.
    rest = ceil(taken * to / rate) - given
    silence = np.zeros(ceil(rate / to) + 1, block.dtype)
    yield stream.resample_chunk(silence, last=True)[:rest]
