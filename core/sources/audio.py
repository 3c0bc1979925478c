"""A sound as a sequence: the log-mel spectrum of each frame, projected to d_model."""

from collections.abc import Iterable, Iterator
from math import ceil, log

import numpy as np
import soxr

from core import finite, notation
from core.errors import InputError, out_of_range, shape_mismatch
from core.limits import LIMITS, Limits
from core.rules import Constant, Operand, Product, Sum
from core.sources.position import input_stages
from core.sources.projection import projection_rng, random_projection
from core.sources.spectrum import COMPRESSION, HOP, MELS, RATE, frames_of, spectrogram
from core.trace import Stage, Trace

SILENT = 1e-4  # the largest sample of what counts as silent: three steps of 16-bit sound
SOUNDING = 0.1  # the level from which on a frame is more than background


def log_mel(samples: np.ndarray, sample_rate: int, *, mels: int = MELS) -> np.ndarray:
    """The log-mel spectrogram; 0 is silence.

    log_mel = ln(1 + c · mel), c = 10 000

    samples: (n,), n ≥ 1. sample_rate: in Hz; resampled to 16 000 Hz. mels: number of mel bands.
    Returns (frame, mel) float64, one frame for each started 10 ms.

    "Fundamentals of Music Processing" (Müller, 2015), section 3.1.2.1.
    Raises shape_mismatch, empty_sound, not_real, undefined_samples, out_of_range and not_finite.
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
    """The trace from a sound to X: frames, log-mel spectrum, projection, positions.

    samples, sample_rate, mels: as for ``log_mel``. d_model: width of X.
    seed: of W_E, which is ``xavier_uniform`` as in Weights.seeded.
    pool: number of frames of 10 ms that are averaged to a token; the last is padded with silence.
    position: whether to add sinusoidal positions.

    The stages are waveform, silence, padded, frames, window, windowed, cosine, sine, real,
    imaginary, power, filters, mel, log_mel, level, pooled (where pool > 1), W_E, embedding,
    position, X. The spectrum is computed in float64, since quiet bands beside loud ones are lost in
    float32; from level on, float32 samples are computed in float32, all others in float64.
    Raises shape_mismatch, empty_sound, not_real, undefined_samples, out_of_range and not_finite.
    """
    for name, value, least in (("d_model", d_model, 1), ("seed", seed, 0), ("pool", pool, 1)):
        if value < least:
            raise out_of_range(name, value, f"at least {least}")
    sound = _at_rate(samples, sample_rate)
    stages = spectrogram(sound, mels, pool)
    stages.append(scale_level(stages[-1], sound.dtype))
    if pool > 1:
        stages.append(pool_frames(stages[-1], pool))
    kinds = ("sound_matrix", "sound_projection")
    stages += random_projection(stages[-1], d_model, projection_rng(seed), kinds)
    return Trace([*stages, *input_stages(stages[-1], position, "sound_position")])


def token_count(samples: int, pool: int = 1, limits: Limits = LIMITS) -> int:
    """The number of tokens of a sound at 16 000 Hz: ⌈samples / (hop · pool)⌉.

    Raises too_many_frames.
    """
    count = ceil(samples / (HOP * pool))
    if count > limits.frames:
        raise InputError("too_many_frames", frames=count, limit=limits.frames)
    return count


def is_silent(samples: np.ndarray) -> bool:
    """Whether no sample is beyond ±0.0001."""
    return finite.largest(samples) <= SILENT


def sound_mask(trace: Trace) -> np.ndarray:
    """The key mask of tokens that are not silent: (batch, token), True if any level is above 0.1.

    trace: of ``embed``. Used as ``key_mask``, it hides silence from every query.
    """
    levels: np.ndarray = trace["pooled" if "pooled" in trace else "level"].tensor
    mask: np.ndarray = np.any(levels > SOUNDING, axis=2)
    return mask


def _at_rate(samples: np.ndarray, sample_rate: int) -> np.ndarray:
    """The samples, checked and resampled to 16 000 Hz: (n,) float32 or float64."""
    samples = finite.real("samples", samples)
    if samples.ndim != 1:
        raise shape_mismatch("samples", "(sample,)", samples.shape)
    if not samples.size:
        raise InputError("empty_sound")
    if sample_rate < 1:
        raise out_of_range("sample_rate", sample_rate, "at least 1")
    sound = samples if samples.dtype == np.float32 else samples.astype(np.float64)
    if not np.isfinite(sound).all():
        raise InputError("undefined_samples")
    if sample_rate != RATE:
        return resampled(sound, sample_rate, RATE)
    return np.array(sound)


def scale_level(log_mel: Stage, dtype: np.dtype) -> Stage:
    """The stage level: log_mel scaled to about 1, where mel = 1 becomes 1."""
    share = 1 / log(1 + COMPRESSION)
    rule = Product((Operand("log_mel", log_mel.roles), Constant(share, r"1/\ln(1+c)")))
    tensor = (log_mel.tensor * share).astype(dtype)
    formula = r"\text{level} = \frac{\text{log\_mel}}{\ln(1 + c)}"
    return Stage("level", formula, tensor, log_mel.axes, rule)


def pool_frames(level: Stage, pool: int) -> Stage:
    """The stage pooled: the mean of ``pool`` consecutive frames."""
    share = Constant(1 / pool, "1/k")
    at = (("join", "frame", pool, i) for i in range(pool))
    rule = Sum(tuple(Product((Operand("level", ("batch", frame, "mel")), share)) for frame in at))
    batch, count, mels = level.tensor.shape
    # (batch, frame, mel) -> (batch, frame / k, k, mel) -> (batch, frame / k, mel)
    tensor = level.tensor.reshape(batch, count // pool, pool, mels).mean(axis=2)
    named = notation.axes(
        "batch", "frame", "mel",
        labels={"frame": frames_of(count // pool, pool), "mel": level.axes[2]},
    )  # fmt: skip
    formula = r"\text{pooled}_i = \frac{\text{level}_{k i} + \dots + \text{level}_{k i + k - 1}}{k}"
    return Stage("pooled", formula, tensor, named, rule)


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
