"""A sound as a sequence: each frame's spectrum in bands of pitch, projected to a token's vector."""

from math import ceil, log

import numpy as np

from core import finite, notation
from core.errors import EmptySound, OutOfRange, ShapeMismatch, TooManyFrames, UndefinedSamples
from core.limits import LIMITS, Limits
from core.rules import Constant, Operand, Product, Sum
from core.shapes import HOP, MELS
from core.sources.position import input_stages
from core.sources.projection import projection_rng, random_projection
from core.sources.resampling import resampled
from core.sources.spectrum import COMPRESSION, RATE, frames_of, spectrogram
from core.trace import Stage, Trace

SILENT = 1e-4  # the largest sample of what counts as silent: three steps of 16-bit sound
SOUNDING = 0.1  # the level from which on a frame is more than background


def log_mel(samples: np.ndarray, sample_rate: int, *, mels: int = MELS) -> np.ndarray:
    """How strong each band of pitches is in each frame, on a logarithmic scale: 0 is silence.

    log_mel = ln(1 + c · mel), c = 10 000

    samples: (n,), n ≥ 1. sample_rate: how many a second; 16 000 of them are computed with.
    mels: how many bands. Returns (frame, mel) float64, one frame for each 10 ms begun.

    "Fundamentals of Music Processing" (Müller, 2015), section 3.1.2.1.
    Raises ShapeMismatch, EmptySound, NotReal, UndefinedSamples, OutOfRange and NotFinite.
    """
    return spectrogram(_at_rate(samples, sample_rate), mels)[-1].tensor[0]


def embed(
    samples: np.ndarray,
    sample_rate: int,
    d_model: int,
    seed: int,
    *,
    mels: int = MELS,
    pool: int = 1,
    position: bool = True,
) -> Trace:
    """Turn a sound into X: frames, their spectrum in bands of pitch, projected, told their place.

    samples, sample_rate, mels: as for ``log_mel``. d_model: the width of a token's vector.
    seed: of W_E, which is uniform in ±√(6 / (rows + columns)) as in Weights.seeded.
    pool: how many frames of 10 ms share a token, which holds their mean; silence fills the last.
    position: add the sinusoids of each place.

    The stages are waveform, silence, padded, frames, window, windowed, cosine, sine, real,
    imaginary, power, filters, mel, log_mel, level, pooled (where pool > 1), W_E, embedding,
    position, X. The spectrum is computed in float64, for a quiet pitch beside a loud one is lost in
    float32; from level on samples in float32 are computed in float32, all others in float64.
    Raises ShapeMismatch, EmptySound, NotReal, UndefinedSamples, OutOfRange and NotFinite.
    """
    for name, value, least in (("d_model", d_model, 1), ("seed", seed, 0), ("pool", pool, 1)):
        if value < least:
            raise OutOfRange(name, value, f"at least {least}")
    sound = _at_rate(samples, sample_rate)
    stages = spectrogram(sound, mels, pool)
    stages.append(scale_level(stages[-1], sound.dtype))
    if pool > 1:
        stages.append(pool_frames(stages[-1], pool))
    kinds = ("sound_matrix", "sound_projection")
    stages += random_projection(stages[-1], d_model, projection_rng(seed), kinds)
    return Trace([*stages, *input_stages(stages[-1], position, "sound_position")])


def token_count(samples: int, pool: int = 1, limits: Limits = LIMITS) -> int:
    """How many tokens so many samples, 16 000 of them a second, come to: ⌈samples / (hop · pool)⌉.

    Raises TooManyFrames.
    """
    count = ceil(samples / (HOP * pool))
    if count > limits.frames:
        raise TooManyFrames(count, limits.frames)
    return count


def is_silent(samples: np.ndarray) -> bool:
    """Whether there is nothing to hear: no sample beyond ±0.0001."""
    return finite.largest(samples) <= SILENT


def sound_mask(trace: Trace) -> np.ndarray:
    """Which tokens are more than silence: (batch, token), True where some level is above 0.1.

    trace: of ``embed``. Used as ``key_mask``, it hides silence from every query.
    """
    levels: np.ndarray = trace["pooled" if "pooled" in trace else "level"].tensor
    heard: np.ndarray = np.any(levels > SOUNDING, axis=2)
    return heard


def apply_weights(
    samples: np.ndarray, row: np.ndarray, hop: int = HOP, pool: int = 1
) -> np.ndarray:
    """The sound as loud as its tokens weigh: the one that weighs most keeps its loudness.

    samples: (n,) at 16 000 a second. row: the weight of each token, (token,), each ``pool`` hops
    of ``hop`` samples long. From the middle of a token to that of the next the loudness changes in
    a straight line, so that nothing clicks. A row of zeros is silence.

    Returns (n,) in the precision of the samples. Raises ShapeMismatch where the tokens do not cover
    the samples.
    """
    span = hop * pool
    if row.shape != (ceil(len(samples) / span),):
        raise ShapeMismatch("row", f"({ceil(len(samples) / span)},)", row.shape)
    largest = finite.largest(row)
    middles = span * (np.arange(len(row)) + 0.5) - 0.5
    gain = np.interp(np.arange(len(samples)), middles, row / (largest or 1))
    return samples * gain.astype(samples.dtype)


def _at_rate(samples: np.ndarray, sample_rate: int) -> np.ndarray:
    """The samples checked, 16 000 of them a second, (n,) float32 or float64."""
    samples = finite.real("samples", samples)
    if samples.ndim != 1:
        raise ShapeMismatch("samples", "(sample,)", samples.shape)
    if not samples.size:
        raise EmptySound
    if sample_rate < 1:
        raise OutOfRange("sample_rate", sample_rate, "at least 1")
    sound = samples if samples.dtype == np.float32 else samples.astype(np.float64)
    if not np.isfinite(sound).all():
        raise UndefinedSamples
    if sample_rate != RATE:
        return resampled(sound, sample_rate, RATE)
    return np.array(sound)


def scale_level(log_mel: Stage, dtype: np.dtype) -> Stage:
    """Brought to numbers of about 1: silence stays 0, and mel = 1 becomes 1."""
    share = 1 / log(1 + COMPRESSION)
    rule = Product((Operand("log_mel", log_mel.roles), Constant(share, r"1/\ln(1+c)")))
    tensor = (log_mel.tensor * share).astype(dtype)
    formula = r"\text{level} = \frac{\text{log\_mel}}{\ln(1 + c)}"
    return Stage("level", formula, tensor, log_mel.axes, rule)


def pool_frames(level: Stage, pool: int) -> Stage:
    """The mean of frames that follow one another."""
    share = Constant(1 / pool, "1/k")
    at = (("join", "frame", pool, i) for i in range(pool))
    rule = Sum(tuple(Product((Operand("level", ("batch", place, "mel")), share)) for place in at))
    batch, count, mels = level.tensor.shape
    # (batch, frame, mel) -> (batch, frame / k, k, mel) -> (batch, frame / k, mel)
    tensor = level.tensor.reshape(batch, count // pool, pool, mels).mean(axis=2)
    named = notation.axes(
        "batch", "frame", "mel",
        labels={"frame": frames_of(count // pool, pool), "mel": level.axes[2]},
    )  # fmt: skip
    formula = r"\text{pooled}_i = \frac{\text{level}_{k i} + \dots + \text{level}_{k i + k - 1}}{k}"
    return Stage("pooled", formula, tensor, named, rule)
