"""The tensor names of Whisper's encoder.

"Robust Speech Recognition via Large-Scale Weak Supervision" (Radford et al., 2022). Its decoder is
not read.
"""

from core.models.layout import Layout
from core.models.settings import ModelConfig
from core.models.sound_settings import STRIDE
from core.sources.spectrum import HOP, WINDOW

TAPS = 3  # frames that a convolution sees at once
LAYOUTS: dict[str, Layout] = {
    "whisper": Layout(
        prefix="model.",
        layer="encoder.layers.{}.",
        linear={
            **{letter: f"self_attn.{letter.lower()}_proj" for letter in "QKV"},
            "O": "self_attn.out_proj",
            "1": "fc1",
            "2": "fc2",
        },
        norms=("self_attn_layer_norm", "final_layer_norm"),
        final_norm="encoder.layer_norm",
        inputs={
            "W_C1": "encoder.conv1.weight",
            "b_C1": "encoder.conv1.bias",
            "W_C2": "encoder.conv2.weight",
            "b_C2": "encoder.conv2.bias",
            "position": "encoder.embed_positions.weight",
        },
        transposed=True,
        causal=False,
        pre_norm=True,
        token="frame",
    ),
}


def shapes(sizes: ModelConfig) -> dict[str, tuple[int, ...]]:
    """The shape of every tensor in front of the layers, by our name."""
    d = sizes.d_model
    return {
        "W_C1": (d, sizes.mels, TAPS),
        "b_C1": (d,),
        "W_C2": (d, d, TAPS),
        "b_C2": (d,),
        "position": (sizes.positions, d),
    }


def input_numbers(sizes: ModelConfig) -> int:
    """How many numbers of four bytes the stages from waveform to X have."""
    d, n, mels = sizes.d_model, sizes.positions, sizes.mels
    frames, samples, bins = STRIDE * n, STRIDE * n * HOP, WINDOW // 2 + 1
    sound = 3 * samples + (1 + 3) * (WINDOW - HOP)  # padded; mirrors, of 8 bytes, and what is there
    spectrum = WINDOW + frames * WINDOW + 2 * WINDOW * bins + 3 * frames * bins
    numbers = sound + frames * WINDOW + 2 * (spectrum + bins * mels + 4 * frames * mels)
    numbers += frames * mels + mels + (frames + 2) * mels + TAPS * frames * mels  # level, edge, …
    numbers += TAPS * mels * d + d + frames * d  # W_C1, b_C1, conv_1
    numbers += d + (frames + 2) * d + TAPS * n * d + TAPS * d * d + d  # edge, edged, context, W, b
    return numbers + 3 * n * d  # embedding, position, X
