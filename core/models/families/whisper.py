"""Whisper: its encoder and decoder, and its feature extractor.

"Robust Speech Recognition via Large-Scale Weak Supervision" (Radford et al., 2022).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.errors import shape_mismatch, wrong_setting
from core.limits import MOST_MELS
from core.models.config import Family, ModelConfig, TensorNames
from core.models.config_values import activation, integer, printable, sizes
from core.sources.spectrum import HOP, RATE, WINDOW

FILE = "preprocessor_config.json"
TAPS = 3  # width of the convolutions, in frames
STRIDE = 2  # of the second convolution
EPSILON = 1e-5  # of the norms, which no configuration states
# Settings of the features, with the only value that is computed here.
FIXED: Mapping[str, Any] = {
    "feature_extractor_type": "WhisperFeatureExtractor",
    "sampling_rate": RATE,
    "hop_length": HOP,
    "n_fft": WINDOW,
    "padding_value": 0.0,
    "dither": 0.0,
    "do_normalize": False,
}


def config(model_type: str, stated: Mapping[str, Any]) -> ModelConfig:
    """The configuration, by ``config.json``."""
    names = ("encoder_layers", "encoder_attention_heads", "d_model", "encoder_ffn_dim")
    return ModelConfig(
        model_type,
        **sizes(stated, names, (4, 4, 384, 1536)),
        positions=integer(stated, "max_source_positions", 1500),
        epsilon=EPSILON,
        activation=activation(stated, "activation_function", "gelu"),
        token="frame",
        pre_norm=True,
        mels=integer(stated, "num_mel_bins", 80, most=MOST_MELS),
        key_bias=False,
    )


def decoder_config(stated: Mapping[str, Any]) -> ModelConfig:
    """The configuration of the decoder, by the same ``config.json``."""
    names = ("decoder_layers", "decoder_attention_heads", "d_model", "decoder_ffn_dim")
    return ModelConfig(
        "whisper",
        **sizes(stated, names, (4, 4, 384, 1536)),
        positions=integer(stated, "max_target_positions", 448),
        epsilon=EPSILON,
        activation=activation(stated, "activation_function", "gelu"),
        causal=True,
        pre_norm=True,
        vocabulary=integer(stated, "vocab_size", 51865),
        key_bias=False,
        cross=True,
    )


def _decoder_names() -> TensorNames:
    modules = {**{letter: f"{letter.lower()}_proj" for letter in "QKV"}, "O": "out_proj"}
    return TensorNames(
        prefix="model.",
        layer="decoder.layers.{}.",
        linear={
            **{letter: f"self_attn.{module}" for letter, module in modules.items()},
            "1": "fc1",
            "2": "fc2",
        },
        norms=("self_attn_layer_norm", "final_layer_norm"),
        inputs={"E": "decoder.embed_tokens.weight", "position": "decoder.embed_positions.weight"},
        final_norm="decoder.layer_norm",
        head="proj_out.weight",
        cross={letter: f"encoder_attn.{module}" for letter, module in modules.items()},
        cross_norm="encoder_attn_layer_norm",
    )


def tensor_names(config: ModelConfig) -> TensorNames:
    """The names of the tensors, of the encoder or of the decoder."""
    if config.cross:
        return _decoder_names()
    d = config.d_model
    return TensorNames(
        prefix="model.",
        layer="encoder.layers.{}.",
        linear={
            **{letter: f"self_attn.{letter.lower()}_proj" for letter in "QKV"},
            "O": "self_attn.out_proj",
            "1": "fc1",
            "2": "fc2",
        },
        norms=("self_attn_layer_norm", "final_layer_norm"),
        inputs={
            "W_C1": "encoder.conv1.weight",
            "b_C1": "encoder.conv1.bias",
            "W_C2": "encoder.conv2.weight",
            "b_C2": "encoder.conv2.bias",
            "position": "encoder.embed_positions.weight",
        },
        shapes={"W_C1": (d, config.mels, TAPS), "W_C2": (d, d, TAPS)},
        final_norm="encoder.layer_norm",
    )


@dataclass(frozen=True)
class FeatureExtractor:
    """The number of samples that a sound at 16 000 Hz is padded to, and the number of mel bands."""

    samples: int
    mels: int

    def filled(self, sound: np.ndarray) -> int:
        """The number of samples of silence behind a sound, (n,). Raises shape_mismatch."""
        if sound.ndim != 1 or not 1 <= len(sound) <= self.samples:
            raise shape_mismatch("sound", f"(1 … {self.samples},)", sound.shape)
        return self.samples - len(sound)


def feature_extractor(stated: Mapping[str, Any], config: ModelConfig) -> FeatureExtractor:
    """The features by a ``preprocessor_config.json``, for a model.

    Raises wrong_setting for what is computed otherwise or does not suit the model.
    """
    for name, value in FIXED.items():
        if stated.get(name) is not None and stated[name] != value:
            raise wrong_setting(FILE, name, printable(stated[name]), printable(value))
    bands = stated.get("feature_size", config.mels)
    if bands != config.mels:
        raise wrong_setting(FILE, "feature_size", printable(bands), str(config.mels))
    samples = config.positions * STRIDE * HOP
    seconds = stated.get("chunk_length", samples / RATE)
    if isinstance(seconds, bool) or seconds != samples / RATE:
        allowed = f"{samples / RATE:g} (max_source_positions)"
        raise wrong_setting(FILE, "chunk_length", printable(seconds), allowed)
    return FeatureExtractor(samples, config.mels)


FAMILY = Family(("whisper",), config, tensor_names)
