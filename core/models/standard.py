"""The standard sizes of a text, an image and a sound, and their computation."""

from dataclasses import dataclass, replace
from math import isqrt
from timeit import default_timer

import numpy as np

from core.attention import multi_head_attention
from core.notation import axes, given
from core.shapes import CHANNELS, PATCH, Shape, Sizes, of_trace, shared_out
from core.sources import image, text
from core.trace import Trace
from core.weights import Weights

SEED = 7


@dataclass(frozen=True)
class Standard:
    """A standard size. modality: ``text``, ``image`` or ``sound``."""

    modality: str
    sizes: Sizes


STANDARD = {
    "text": Standard("text", shared_out(32, 10, 512, 8)),
    "image": Standard("image", shared_out(8, 196, 768, 12)),
    "sound": Standard("sound", shared_out(4, 1000, 512, 8)),
    "question": Standard("text", shared_out(1, 100, 512, 8)),
}


def computed(modality: str, sizes: Sizes, seed: int = SEED) -> tuple[list[Shape], float]:
    """Compute every stage in float32, and return only the shapes and the seconds taken.

    Words, pixels and weights are random. A sound, and an image whose n is not a square number,
    start at X. Raises core.errors.InputError.
    """
    started = default_timer()
    weights = Weights.seeded(sizes.d_model, sizes.heads, seed, sizes.d_k, sizes.d_k)
    trace = multi_head_attention(_source(modality, sizes, seed), weights)
    return of_trace(trace), default_timer() - started


def _source(modality: str, sizes: Sizes, seed: int) -> Trace:
    across = isqrt(sizes.n)
    if modality == "text":
        return _words(sizes, seed)
    if modality == "image" and across * across == sizes.n:
        return _pictures(sizes, across, seed)
    return _vectors(sizes, seed)


def _words(sizes: Sizes, seed: int) -> Trace:
    numbered = [[str(i * sizes.n + j) for j in range(sizes.n)] for i in range(sizes.batch)]
    return _in_single(text.embed(numbered, sizes.d_model, seed))


def _pictures(sizes: Sizes, across: int, seed: int) -> Trace:
    side = across * PATCH
    random = np.random.default_rng(seed)
    pixels = random.uniform(-1, 1, (sizes.batch, side, side, CHANNELS)).astype(np.float32)
    return _in_single(image.embed(pixels, PATCH, sizes.d_model, seed, cls=False))


def _vectors(sizes: Sizes, seed: int) -> Trace:
    X = np.random.default_rng(seed).standard_normal(
        (sizes.batch, sizes.n, sizes.d_model), np.float32
    )
    return Trace([given("X", X, axes("batch", "token", "d_model"))])


def _in_single(source: Trace) -> Trace:
    return Trace(
        replace(stage, tensor=stage.tensor.astype(np.float32))
        if stage.tensor.dtype == np.float64
        else stage
        for stage in source.values()
    )
