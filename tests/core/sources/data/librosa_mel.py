"""Writes librosa_mel.npz anew, with librosa 0.11 (BSD-style licence), which no test needs.

Run from this folder in an environment that has it:  python librosa_mel.py
"""

import librosa
import numpy as np

RATE, WINDOW, HOP = 16_000, 400, 160
SAMPLES = 1_711  # 11 frames, the last of them begun and not filled


def sound() -> np.ndarray:
    """A climbing tone over a little noise, and a quiet stretch."""
    at = np.arange(SAMPLES) / RATE
    noise = np.random.default_rng(17).standard_normal(SAMPLES)
    loud = 0.4 * np.sin(2 * np.pi * (150 + 20_000 * at) * at) + 0.02 * noise
    return np.where(at < 0.07, loud, 1e-4 * noise).astype(np.float32)


def main() -> None:
    """Compute both numbers of bands and save them beside this file."""
    samples = sound()
    frames = -(-SAMPLES // HOP)
    padded = np.pad(samples.astype(np.float64), (0, frames * HOP + WINDOW - HOP - SAMPLES))
    settings = {"sr": RATE, "n_fft": WINDOW}
    found = {"samples": samples}
    for mels in (80, 41):
        spectrogram = librosa.feature.melspectrogram(
            y=padded, **settings, hop_length=HOP, window="hann", center=False, power=2.0,
            n_mels=mels,
        )  # fmt: skip
        found[f"mel_{mels}"] = spectrogram.T  # (frame, mel)
        filters = librosa.filters.mel(**settings, n_mels=mels, dtype=np.float64)
        found[f"filters_{mels}"] = filters.T  # (frequency, mel)
    np.savez_compressed("librosa_mel.npz", **found)


if __name__ == "__main__":
    main()
