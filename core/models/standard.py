"""The standard sizes of a text, an image and a sound, their shapes and their computation."""

from dataclasses import dataclass, replace
from functools import cache
from math import isqrt
from timeit import default_timer

import numpy as np

from core.attention import multi_head_attention
from core.notation import axes, given
from core.shapes import SMALL, AttentionShape, Shape, attention, of_trace, shared_out, total
from core.sources import image, text
from core.sources.spectrum import HOP, MELS
from core.trace import Trace
from core.weights import Weights

SEED = 7
PATCH, CHANNELS = 16, 3


@dataclass(frozen=True)
class Standard:
    """A standard size. modality: ``text``, ``image`` or ``sound``."""

    modality: str
    sizes: AttentionShape


STANDARD = {
    "text": Standard("text", shared_out(32, 10, 512, 8)),
    "image": Standard("image", shared_out(8, 196, 768, 12)),
    "sound": Standard("sound", shared_out(4, 1000, 512, 8)),
    "question": Standard("text", shared_out(1, 100, 512, 8)),
}


def computed(modality: str, sizes: AttentionShape, seed: int = SEED) -> tuple[list[Shape], float]:
    """Compute every stage in float32, and return only the shapes and the seconds taken.

    Words, pixels and weights are random. A sound, and an image whose n is not a square number,
    start at X. Raises core.errors.InputError.
    """
    started = default_timer()
    weights = Weights.seeded(sizes.d_model, sizes.heads, seed, sizes.d_k, sizes.d_k)
    trace = multi_head_attention(_source(modality, sizes, seed), weights)
    return of_trace(trace), default_timer() - started


def from_input(modality: str, sizes: AttentionShape) -> list[Shape]:
    """Every stage from the input to output. modality: ``text``, ``image`` or ``sound``.

    An image whose n is not a square number starts at X. Each word is counted with a row of E, as if
    none occurred twice.
    """
    X, *after = attention(sizes)
    if modality == "sound":
        return [*_sound_shapes(sizes), *after]
    across = isqrt(sizes.n)
    if modality == "image" and across * across != sizes.n:
        return [X, *after]
    small, side, pixels = _SMALL[modality], PATCH * across, PATCH * PATCH * CHANNELS
    real = {
        small.batch: sizes.batch, small.n: sizes.n, small.d_model: sizes.d_model,
        small.batch * small.n: sizes.batch * sizes.n, isqrt(small.n) * PATCH: side,
        PATCH: PATCH, CHANNELS: CHANNELS, pixels: pixels,
    }  # fmt: skip
    return [*of_trace(_small_source(modality), real.__getitem__), *after]


# Each number stands for one size only, as in core.shapes; an image has a square number of patches.
_SMALL = {"text": replace(SMALL, n=5), "image": replace(SMALL, n=4)}


@cache
def _small_source(modality: str) -> Trace:
    return _source(modality, _SMALL[modality], SEED)


def _source(modality: str, sizes: AttentionShape, seed: int) -> Trace:
    across = isqrt(sizes.n)
    if modality == "text":
        return _words(sizes, seed)
    if modality == "image" and across * across == sizes.n:
        return _pictures(sizes, across, seed)
    return _vectors(sizes, seed)


def _words(sizes: AttentionShape, seed: int) -> Trace:
    numbered = [[str(i * sizes.n + j) for j in range(sizes.n)] for i in range(sizes.batch)]
    return _in_single(text.embed(numbered, sizes.d_model, seed))


def _pictures(sizes: AttentionShape, across: int, seed: int) -> Trace:
    side = across * PATCH
    random = np.random.default_rng(seed)
    pixels = random.uniform(-1, 1, (sizes.batch, side, side, CHANNELS)).astype(np.float32)
    return _in_single(image.embed(pixels, PATCH, sizes.d_model, seed, cls=False))


def _vectors(sizes: AttentionShape, seed: int) -> Trace:
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


def _sound_shapes(sizes: AttentionShape) -> list[Shape]:
    """The stages from a sound to X: frames of 80 mel values every 10 ms, projected.

    The cost of the spectrogram is not counted.
    """
    batch, n, d_model = sizes.batch, sizes.n, sizes.d_model
    return [
        Shape("waveform", ("batch", "sample"), (batch, n * HOP)),
        Shape("mel", ("batch", "frame", "mel"), (batch, n, MELS), formula="mel = log-mel"),
        Shape("W_E", ("mel", "d_model"), (MELS, d_model), learnt=True),
        Shape(
            "embedding", ("batch", "frame", "d_model"), (batch, n, d_model), MELS,
            formula=r"\text{embedding} = \text{mel} \cdot W^E",
        ),
        Shape("position", ("token", "d_model"), (n, d_model)),
        Shape(
            "X", ("batch", "token", "d_model"), (batch, n, d_model),
            formula=r"X = \text{embedding} + \text{position}",
        ),
    ]  # fmt: skip


def part_that_fits(
    modality: str, sizes: AttentionShape, most_bytes: int, most_work: int
) -> AttentionShape | None:
    """The largest part of an input within the limits: samples, else one head of one, else None.

    most_bytes: of all stages, plus two float64 copies of the parameters, which drawing them takes.
    most_work: multiply-adds.
    """

    def fits(part: AttentionShape) -> bool:
        needed = total(from_input(modality, part))
        return (
            needed.bytes + 16 * needed.parameters <= most_bytes
            and needed.multiply_adds <= most_work
        )

    few, many = 0, sizes.batch  # the most that fit is at least few and at most many
    while few < many:
        middle = (few + many + 1) // 2
        if fits(replace(sizes, batch=middle)):
            few = middle
        else:
            many = middle - 1
    if few:
        return replace(sizes, batch=few)
    one_head = replace(sizes, batch=1, heads=1)
    return one_head if fits(one_head) else None
