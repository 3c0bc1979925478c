"""The configuration of Whisper's encoder, and of what turns a sound into its features.

Names and defaults are those of Hugging Face's ``transformers``.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.errors import InputError, shape_mismatch, wrong_setting
from core.models.config_values import activation, positive_int, printable
from core.models.folder import CONFIG
from core.sources.spectrum import HOP, MOST_MELS, RATE, WINDOW

KIND, FILE = "whisper", "preprocessor_config.json"
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


def read(kind: str, config: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of ``core.models.settings.ModelConfig`` for Whisper's encoder.

    Raises wrong_setting and heads_do_not_divide.
    """
    heads = positive_int(config, "encoder_attention_heads", 4)
    d_model = positive_int(config, "d_model", 384)
    if d_model % heads:
        raise InputError("heads_do_not_divide", name="d_model", width=d_model, heads=heads)
    mels = positive_int(config, "num_mel_bins", 80)
    if mels > MOST_MELS:
        raise wrong_setting(CONFIG, "num_mel_bins", printable(mels), f"1 … {MOST_MELS}")
    return {
        "kind": kind,
        "layers": positive_int(config, "encoder_layers", 4),
        "heads": heads,
        "d_model": d_model,
        "d_ff": positive_int(config, "encoder_ffn_dim", 1536),
        "positions": positive_int(config, "max_source_positions", 1500),
        "epsilon": EPSILON,
        "activation": activation(config, "activation_function", "gelu"),
        "mels": mels,
        "key_bias": False,
    }


@dataclass(frozen=True)
class FeatureExtractor:
    """What a sound becomes: so many samples at 16 000 Hz, filled up with silence, in mel bands."""

    samples: int
    mels: int

    def filled(self, sound: np.ndarray) -> int:
        """The number of samples of silence behind a sound, (n,). Raises shape_mismatch."""
        if sound.ndim != 1 or not 1 <= len(sound) <= self.samples:
            raise shape_mismatch("sound", f"(1 … {self.samples},)", sound.shape)
        return self.samples - len(sound)


def feature_extractor(stated: Mapping[str, Any], positions: int, mels: int) -> FeatureExtractor:
    """The features by a ``preprocessor_config.json``, for a model of these sizes.

    Raises wrong_setting for what is computed otherwise or does not suit the model.
    """
    for name, value in FIXED.items():
        if stated.get(name) is not None and stated[name] != value:
            raise wrong_setting(FILE, name, printable(stated[name]), printable(value))
    if stated.get("feature_size", mels) != mels:
        raise wrong_setting(FILE, "feature_size", printable(stated["feature_size"]), str(mels))
    samples = positions * STRIDE * HOP
    seconds = stated.get("chunk_length", samples / RATE)
    if isinstance(seconds, bool) or seconds != samples / RATE:
        allowed = f"{samples / RATE:g} (max_source_positions)"
        raise wrong_setting(FILE, "chunk_length", printable(seconds), allowed)
    return FeatureExtractor(samples, mels)
