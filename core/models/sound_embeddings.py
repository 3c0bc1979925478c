"""The embeddings of Whisper's encoder: stages from a sound to X.

"Robust Speech Recognition via Large-Scale Weak Supervision" (Radford et al., 2022), section 2.2:
a log-mel spectrogram of 25 ms every 10 ms, two convolutions of width 3 with GELU, the second with a
stride of 2, and sinusoidal positions. The features are those of ``WhisperFeatureExtractor`` of
``transformers``.
"""

from dataclasses import replace
from math import log

import numpy as np

from core import activations, around, finite
from core.models.config import ModelConfig
from core.models.families.whisper import STRIDE, TAPS, FeatureExtractor
from core.models.model import Model
from core.notation import axes, given, latex
from core.rules import Activation, Constant, Given, Operand, Product, Stack, Sum
from core.sources import spectrum
from core.sources.position import learned_positions
from core.sources.spectrum import HOP, WINDOW, frames_of
from core.trace import Stage, Trace, of_kinds

FLOOR = 1e-10  # the least energy of a mel band, before its logarithm
DECADES = 8.0  # of dynamic range below the largest value
SHIFT = 4.0  # added, and then the divisor
_AT = ("batch", "frame", "mel")


def sound_embeddings(model: Model, sound: np.ndarray, reader: FeatureExtractor) -> Trace:
    """The stages waveform, …, X. sound: (n,) at 16 000 Hz, at most ``reader.samples``.

    Raises shape_mismatch and not_finite.
    """
    stages = features(sound, reader)
    for number, stride in enumerate((1, STRIDE), start=1):
        stages += _convolution(model, stages[-1], number, stride)
    positions = learned_positions(stages[-1], model.input("position"))
    kinds = {"position": "stored_times", "X": "own_entrance", "silence": "long_silence"}
    return of_kinds(kinds, [*stages, *positions])


def features(sound: np.ndarray, reader: FeatureExtractor) -> list[Stage]:
    """The stages from waveform to level, the log-mel spectrogram: (batch, frame, mel) float32."""
    finite.check("sound", sound)
    waveform = Stage(
        "waveform", r"\text{waveform}", sound[None], axes("batch", "sample"), Given("input")
    )
    padded = _padded(waveform, reader.filled(sound))
    window, windowed = spectrum.apply_window(frames := spectrum.overlapping_frames(padded[-1]))
    cosine, sine = spectrum.dft_basis()
    real, imaginary = spectrum.transform(windowed, cosine, sine)
    power = spectrum.power_spectrum(real, imaginary)
    filters, mel = spectrum.apply_mel_filters(power, reader.mels)
    finite.check("mel", mel.tensor)
    stages = [waveform, *padded, frames, window, windowed, cosine, sine, real, imaginary, power]
    return [*stages, filters, mel, *_levels(mel)]


def _padded(waveform: Stage, silence: int) -> list[Stage]:
    """The stages silence and filled, mirror_before, …, mirrored_behind and padded.

    Without the first two for a sound that needs no silence behind it. A frame is centred on its
    sample, so the first one begins 200 samples before the sound: both ends are padded with the
    mirrored sound, as ``np.pad(mode="reflect")`` does.
    """
    filled = _filled(waveform, silence) if silence else []
    sound = [waveform, *filled][-1]
    total = sound.size("sample")
    before, behind = WINDOW // 2, WINDOW // 2 - HOP
    ends = [
        *_mirrored(sound, "before", np.arange(before, 0, -1)),
        *_mirrored(sound, "behind", np.arange(total - 2, total - 2 - behind, -1)),
    ]
    parts = [ends[1], sound, ends[3]]
    first = (0, before, before + total)
    rule = Stack(
        "sample",
        tuple(
            Operand(part.key, ("batch", ("minus", "sample", at) if at else "sample"))
            for part, at in zip(parts, first, strict=True)
        ),
        (before, total, behind),
    )
    listed = r";\ ".join(latex(part.key) for part in parts)
    formula = rf"\text{{padded}} = [{listed}]"
    whole = np.concatenate([part.tensor for part in parts], axis=1)
    padded = Stage("padded", formula, whole, waveform.axes, rule, "mirrored")
    return [*filled, *ends, padded]


def _mirrored(sound: Stage, end: str, indices: np.ndarray) -> list[Stage]:
    """The stages mirror, indices of samples, and mirrored, the samples at these indices."""
    mirror = given(f"mirror_{end}", indices, axes("sample"), "transform")
    rule = Operand(sound.key, ("batch", ("look_up", mirror.key, ("sample",))))
    key = f"mirrored_{end}"
    formula = rf"{latex(key)} = {latex(sound.key)}_{{{latex(mirror.key)}}}"
    return [mirror, Stage(key, formula, sound.tensor[:, indices], sound.axes, rule)]


def _filled(waveform: Stage, silence: int) -> list[Stage]:
    """The stages silence and filled = [waveform; silence]."""
    n = waveform.size("sample")
    quiet = np.zeros(silence, waveform.tensor.dtype)
    rule = Stack(
        "sample",
        (
            Operand("waveform", ("batch", "sample")),
            Operand("silence", (("minus", "sample", n),)),
        ),
        (n, silence),
    )
    formula = r"\text{filled} = [\text{waveform};\ \text{silence}]"
    tensor = np.concatenate([waveform.tensor, quiet[None]], axis=1)
    return [
        given("silence", quiet, axes("sample"), "transform"),
        Stage("filled", formula, tensor, waveform.axes, rule),
    ]


def _levels(mel: Stage) -> list[Stage]:
    """The stages floored, log_mel, limited and level.

    floored = max(mel, 10⁻¹⁰), log_mel = log₁₀ floored, limited = max(log_mel, m − 8) + 4 with m the
    loudest of all, level = limited / 4.
    """
    floored = _at_least(mel, FLOOR, FLOOR, ("10^{-10}", "10^{-10}"), "floored")
    share = 1 / log(10)
    of = Activation("log", Operand("floored", _AT))
    log_mel = Stage(
        "log_mel",
        r"\text{log\_mel} = \frac{\ln \text{floored}}{\ln 10}",
        np.log(floored.tensor) * share,
        mel.axes,
        Product((of, Constant(share, r"1/\ln 10"))),
        "log10_mel",
    )
    least = float(log_mel.tensor.max()) - DECADES
    written = (f"(m - {DECADES:g})", f"(m - {DECADES - SHIFT:g})")
    limited = _at_least(log_mel, least, least + SHIFT, written, "limited")
    formula = rf"{limited.formula} + {SHIFT:g}"
    rule = Product((Operand("limited", _AT), Constant(1 / SHIFT, f"1/{SHIFT:g}")))
    tensor = (limited.tensor / SHIFT).astype(np.float32)
    written_level = rf"\text{{level}} = \text{{limited}} / {SHIFT:g}"
    level = Stage("level", written_level, tensor, mel.axes, rule, "feature")
    return [floored, log_mel, replace(limited, formula=formula), level]


def _at_least(of: Stage, least: float, added: float, written: tuple[str, str], key: str) -> Stage:
    """The stage ReLU(of − least) + added: max(of, least) if both are the same number.

    written: both in LaTeX.
    """
    above = Activation("relu", Sum((Operand(of.key, _AT), Constant(-least, f"-{written[0]}"))))
    rule = Sum((above, Constant(added, written[1])))
    formula = rf"{latex(key)} = \operatorname{{max}}({latex(of.key)}, {written[0]})"
    return Stage(key, formula, np.maximum(of.tensor, least) + (added - least), of.axes, rule)


def _convolution(model: Model, of: Stage, number: int, stride: int) -> list[Stage]:
    """A convolution over three frames with GELU, as a matrix product.

    of: (batch, frame, width). The stages are edge (a frame of zeros), edged = [edge; of; edge],
    context, three frames side by side for every output, W_C, b_C and conv; the second one is called
    embedding, and its frames are the tokens.
    """
    width, count = of.tensor.shape[2], of.tensor.shape[1]
    role, last = of.roles[2], number == STRIDE
    edge = given(f"edge_{number}", np.zeros(width, np.float32), of.axes[2:], "transform")
    rule = Stack(
        "frame",
        (
            Operand(edge.key, (role,)),
            Operand(of.key, ("batch", ("minus", "frame", 1), role)),
            Operand(edge.key, (role,)),
        ),
        (1, count, 1),
    )
    beyond = ((0, 0), (1, 1), (0, 0))
    along = (of.axes[0], *axes("frame"), of.axes[2])
    formula = rf"\text{{edged\_{number}}}"
    formula += rf" = [{latex(edge.key)};\ {latex(of.key)};\ {latex(edge.key)}]"
    zeros = np.pad(of.tensor, beyond)
    edged = Stage(f"edged_{number}", formula, zeros, along, rule)
    views = np.lib.stride_tricks.sliding_window_view(zeros, TAPS, axis=1)[:, ::stride]
    # (batch, frame, width, tap) -> (batch, frame, tap · width)
    tensor = np.ascontiguousarray(views.swapaxes(2, 3)).reshape(1, -1, TAPS * width)
    frame = ("join", "frame", stride, ("div", "tap", width))
    label = frames_of(tensor.shape[1], stride)
    labels = of.axes[2].names() or tuple(str(i + 1) for i in range(width))
    taps = tuple(f"{offset:+d} · {name}" for offset in (-1, 0, 1) for name in labels)
    named = (of.axes[0], *axes("frame", "tap", labels={"frame": label, "tap": taps}))
    formula = rf"\text{{context\_{number}}}_i = [\text{{edged\_{number}}}_{{{stride} i}}, \dots]"
    copy = Operand(edged.key, ("batch", frame, ("mod", "tap", width)))
    context = Stage(f"context_{number}", formula, tensor, named, copy)
    kernel = model.input(f"W_C{number}")  # (d_model, width, tap)
    matrix = kernel.transpose(2, 1, 0).reshape(TAPS * width, -1)  # (tap · width, d_model)
    W = given(f"W_C{number}", matrix, (named[2], *axes("d_model")), "parameter")
    b = given(f"b_C{number}", model.input(f"b_C{number}"), axes("d_model"), "parameter")
    key = "embedding" if last else f"conv_{number}"
    before = around.linear(context, W, b, key)
    made = Stage(
        key,
        rf"{latex(key)} = \operatorname{{GELU}}"
        rf"({latex(context.key)} \cdot {W.formula} + {b.formula})",
        activations.gelu(before.tensor),
        before.axes,
        Activation("gelu", before.rule),
        "convolved" if last else "",
    )
    return [edge, edged, context, W, b, made]


def input_numbers(config: ModelConfig) -> int:
    """How many numbers of four bytes the stages from waveform to X have."""
    d, n, mels = config.d_model, config.positions, config.mels
    frames, samples, bins = STRIDE * n, STRIDE * n * HOP, WINDOW // 2 + 1
    sound = 3 * samples + (1 + 3) * (
        WINDOW - HOP
    )  # padded; mirrored samples and their indices of 8 bytes
    in_frames = WINDOW + frames * WINDOW + 2 * WINDOW * bins + 3 * frames * bins
    numbers = sound + frames * WINDOW + 2 * (in_frames + bins * mels + 4 * frames * mels)
    numbers += frames * mels + mels + (frames + 2) * mels + TAPS * frames * mels  # level, edge, …
    numbers += TAPS * mels * d + d + frames * d  # W_C1, b_C1, conv_1
    numbers += d + (frames + 2) * d + TAPS * n * d + TAPS * d * d + d  # edge, edged, context, W, b
    return numbers + 3 * n * d  # embedding, position, X
