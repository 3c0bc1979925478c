r"""The log-mel spectrogram, with all intermediate stages.

"Robust Speech Recognition via Large-Scale Weak Supervision" (Radford et al., 2022), section 2.2:
windows of 25 ms every 10 ms, 80 mel filters, a logarithm. Here a sound is followed by 15 ms of
silence and no frame is centred, so that n samples have n / hop frames.
"""

from math import ceil

import numpy as np

from core import finite, notation
from core.activations import log as natural_log
from core.axis import Axis
from core.errors import out_of_range
from core.limits import MOST_MELS
from core.rules import Activation, Constant, Dot, Given, Operand, Product, Stack, Sum
from core.trace import Stage

RATE = 16_000  # samples a second
HOP = 160  # samples: a frame each 10 ms
MELS = 80
WINDOW = 400  # samples: 25 ms
COMPRESSION = 10_000.0
HZ_PER_MEL = 200 / 3  # Hz a mel, where the mel scale is linear
LINEAR_BELOW = 1000.0  # Hz
LOG_PER_MEL = np.log(6.4) / 27  # above it: the logarithm of the ratio of one mel


def spectrogram(sound: np.ndarray, mels: int, pool: int = 1) -> list[Stage]:
    """The stages from the waveform to the log-mel spectrogram.

    In this order: waveform, silence, padded, frames, window, windowed, cosine, sine, real,
    imaginary, power, filters, mel, log_mel.

    sound: (n,) samples at 16 000 Hz, n ≥ 1. mels: number of mel bands.
    pool: the number of frames is padded with silence to a multiple of it.
    Raises out_of_range and not_finite.
    """
    if not 1 <= mels <= MOST_MELS:
        raise out_of_range("mels", mels, f"from 1 to {MOST_MELS}")
    named = notation.axes("batch", "sample")
    waveform = Stage("waveform", r"\text{waveform}", sound[None], named, Given("input"))
    padded = pad(waveform, pool)
    window, windowed = apply_window(frames := overlapping_frames(padded[-1]))
    cosine, sine = dft_basis()
    real, imaginary = transform(windowed, cosine, sine)
    power = power_spectrum(real, imaginary)
    stages = [waveform, *padded, frames, window, windowed, cosine, sine, real, imaginary, power]
    filters, mel = apply_mel_filters(power, mels)
    finite.check("mel", mel.tensor)
    return [*stages, filters, mel, log_compress(mel)]


def pad(waveform: Stage, pool: int) -> list[Stage]:
    """The stages silence and padded: the sound padded to whole tokens and 15 ms."""
    n = waveform.size("sample")
    whole = ceil(n / (HOP * pool)) * HOP * pool
    silence = np.zeros(whole + WINDOW - HOP - n, waveform.tensor.dtype)
    rule = Stack(
        "sample",
        (
            Operand("waveform", ("batch", "sample")),
            Operand("silence", (("minus", "sample", n),)),
        ),
        (n, len(silence)),
    )
    tensor = np.concatenate([waveform.tensor, silence[None]], axis=1)
    formula = r"\text{padded} = [\text{waveform};\ \text{silence}]"
    return [
        notation.given("silence", silence, notation.axes("sample"), "transform"),
        Stage("padded", formula, tensor, waveform.axes, rule),
    ]


def overlapping_frames(padded: Stage) -> Stage:
    """The stage frames: overlapping windows, as a view."""
    overlapping = np.lib.stride_tricks.sliding_window_view(padded.tensor, WINDOW, axis=1)
    tensor = overlapping[:, ::HOP]  # (batch, frame, offset)
    rule = Operand("padded", ("batch", ("join", "frame", HOP, "offset")))
    formula = rf"\text{{frames}}_{{i,\, p}} = \text{{padded}}_{{{HOP} i + p}}"
    along = frames_of(tensor.shape[1], 1)
    named = notation.axes("batch", "frame", "offset", labels={"frame": along})
    return Stage("frames", formula, tensor, named, rule)


def apply_window(frames: Stage) -> tuple[Stage, Stage]:
    """The stages window (Hann) and windowed (Blackman & Tukey, 1958)."""
    numbers = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(WINDOW) / WINDOW)
    hann = r"\text{window}_p = \frac{1 - \cos \frac{2 \pi p}{w}}{2}"
    window = Stage("window", hann, numbers, frames.axes[2:], Given("transform"))
    rule = Product((Operand("frames", frames.roles), Operand("window", ("offset",))))
    formula = r"\text{windowed} = \text{frames} \odot \text{window}"
    with np.errstate(over="ignore"):
        tensor = frames.tensor * numbers
    return window, Stage("windowed", formula, tensor, frames.axes, rule)


def dft_basis() -> tuple[Stage, Stage]:
    """The stages cosine and sine: the basis of the discrete Fourier transform."""
    count = WINDOW // 2 + 1
    # The angle is taken of whole numbers below one turn: cos and sin are exact to the last digit.
    turns = np.outer(np.arange(WINDOW), np.arange(count)) % WINDOW / WINDOW
    angle = r"\frac{2 \pi f p}{w}"
    names = tuple(f"{f * RATE // WINDOW} Hz" for f in range(count))
    named = notation.axes("offset", "frequency", labels={"frequency": names})
    return (
        Stage(
            "cosine", rf"\text{{cosine}}_{{p,\, f}} = \cos {angle}", np.cos(2 * np.pi * turns),
            named, Given("transform"),
        ),
        Stage(
            "sine", rf"\text{{sine}}_{{p,\, f}} = -\sin {angle}", -np.sin(2 * np.pi * turns),
            named, Given("transform"),
        ),
    )  # fmt: skip


def transform(windowed: Stage, cosine: Stage, sine: Stage) -> tuple[Stage, Stage]:
    """The stages real and imaginary: the discrete Fourier transform, computed by FFT."""
    with np.errstate(over="ignore", invalid="ignore"):
        spectrum = np.fft.rfft(windowed.tensor, axis=2)  # (batch, frame, frequency)
    named = (*windowed.axes[:2], cosine.axes[1])

    def part(key: str, tensor: np.ndarray, wave: Stage) -> Stage:
        rule = Dot(
            Operand("windowed", windowed.roles),
            Operand(wave.key, wave.roles),
            "offset",
            WINDOW,
        )
        formula = rf"\text{{{key}}} = \text{{windowed}} \cdot \text{{{wave.key}}}"
        return Stage(key, formula, np.ascontiguousarray(tensor), named, rule)

    return part("real", spectrum.real, cosine), part("imaginary", spectrum.imag, sine)


def power_spectrum(real: Stage, imaginary: Stage) -> Stage:
    """The stage power = real² + imaginary²."""
    squares = tuple(
        Product((Operand(stage.key, stage.roles), Operand(stage.key, stage.roles)))
        for stage in (real, imaginary)
    )
    with np.errstate(over="ignore"):
        tensor = np.square(real.tensor) + np.square(imaginary.tensor)
    formula = r"\text{power} = \text{real}^2 + \text{imaginary}^2"
    return Stage("power", formula, tensor, real.axes, Sum(squares))


def apply_mel_filters(power: Stage, mels: int) -> tuple[Stage, Stage]:
    """The stages filters (mel filter bank) and mel."""
    count = power.size("frequency")
    weights = mel_filters(mels, np.arange(count) * RATE / WINDOW)
    peaks = mel_corners(mels, RATE / 2)[1:-1]
    names = tuple(f"{peak:.0f} Hz" for peak in peaks)
    named = (power.axes[2], *notation.axes("mel", labels={"mel": names}))
    filters = notation.given("filters", weights, named, "transform")
    rule = Dot(Operand("power", power.roles), Operand("filters", filters.roles), "frequency", count)
    with np.errstate(over="ignore", invalid="ignore"):
        tensor = power.tensor @ weights  # (batch, frame, mel)
    formula = r"\text{mel} = \text{power} \cdot \text{filters}"
    return filters, Stage("mel", formula, tensor, (*power.axes[:2], named[1]), rule)


def log_compress(mel: Stage) -> Stage:
    """The stage log_mel = ln(1 + c · mel); 0 for silence."""
    raised = Product((Operand("mel", mel.roles), Constant(COMPRESSION, r"c")))
    rule = Activation("log", Sum((raised, Constant(1.0, "1"))))
    formula = r"\text{log\_mel} = \ln(c \cdot \text{mel} + 1)"
    return Stage("log_mel", formula, natural_log(COMPRESSION * mel.tensor + 1), mel.axes, rule)


def frames_of(count: int, pool: int) -> Axis:
    """An axis of frames of ``pool`` hops each, labelled with their start time."""
    times = tuple(f"{i * pool * HOP / RATE:.2f} s" for i in range(count))
    return Axis("frame", notation.SYMBOLS["frame"], times, "frame", hops=pool)


def mels_of(frequency: np.ndarray) -> np.ndarray:
    """mel = 3 f / 200 below 1000 Hz, 15 + 27 ln(f / 1000) / ln 6.4 from there on.

    Slaney, "Auditory Toolbox", Technical Report 1998-010, Interval Research (1998).
    """
    above = (
        LINEAR_BELOW / HZ_PER_MEL
        + np.log(np.maximum(frequency, LINEAR_BELOW) / LINEAR_BELOW) / LOG_PER_MEL
    )
    return np.where(frequency < LINEAR_BELOW, frequency / HZ_PER_MEL, above)


def frequencies_of(mel: np.ndarray) -> np.ndarray:
    """The frequency in Hz of a mel value: the inverse of ``mels_of``."""
    bend = LINEAR_BELOW / HZ_PER_MEL
    above = LINEAR_BELOW * np.exp((np.maximum(mel, bend) - bend) * LOG_PER_MEL)
    return np.where(mel < bend, mel * HZ_PER_MEL, above)


def mel_corners(mels: int, highest: float) -> np.ndarray:
    """The corner frequencies of the filters: mels + 2 from 0 Hz, equally spaced in mel.

    highest: the frequency in Hz at which the last filter ends. Filter m begins at corner m, peaks
    at m + 1 and ends at m + 2.
    """
    return frequencies_of(np.linspace(0, mels_of(np.array(highest)), mels + 2))


def mel_filters(mels: int, frequencies: np.ndarray) -> np.ndarray:
    r"""The mel filter bank: triangles of area 1 over the frequencies in Hz.

    filters[f, m] = max(0, min((f − a) / (b − a), (c − f) / (c − b))) · 2 / (c − a),
    where filter m begins at a, peaks at b and ends at c.

    frequencies: those of the spectrum, rising from 0 Hz. Returns (frequency, mel) float64.
    """
    at = mel_corners(mels, frequencies[-1])
    begin, peak, end = at[:-2], at[1:-1], at[2:]
    f = frequencies[:, None]  # (frequency, 1)
    triangles = np.minimum((f - begin) / (peak - begin), (end - f) / (end - peak))
    return np.maximum(triangles, 0) * (2 / (end - begin))  # (frequency, mel)
