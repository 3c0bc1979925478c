"""Sounds that the tests of sound share."""

from io import BytesIO

import numpy as np
import soundfile

RATE, HOP, WINDOW = 16_000, 160, 400
SAMPLES, FRAMES = 1_601, 11
D_MODEL, SEED = 7, 13


def noise(samples: int, seed: int = 5, loud: float = 0.3) -> np.ndarray:
    return np.random.default_rng(seed).uniform(-loud, loud, samples).astype(np.float32)


def tone(samples: int, frequency: float, rate: int = RATE) -> np.ndarray:
    return 0.5 * np.sin(2 * np.pi * frequency * np.arange(samples) / rate)


def file_of(samples: np.ndarray, rate: int, kind: str, subtype: str | None = None) -> bytes:
    file = BytesIO()
    soundfile.write(file, samples, rate, format=kind, subtype=subtype)
    return file.getvalue()
