r"""The mel scale of pitch, and the mel filter bank.

Slaney, "Auditory Toolbox", Technical Report 1998-010, Interval Research (1998): below 1000 Hz the
scale is linear, above it logarithmic, and each filter is a triangle of area 1.
"""

import numpy as np

STRAIGHT = 200 / 3  # Hz a mel, below the bend
BEND = 1000.0  # Hz
PER_MEL = np.log(6.4) / 27  # above it: the logarithm of the ratio of one mel


def mels_of(frequency: np.ndarray) -> np.ndarray:
    """mel = 3 f / 200 below 1000 Hz, 15 + 27 ln(f / 1000) / ln 6.4 from there on."""
    above = BEND / STRAIGHT + np.log(np.maximum(frequency, BEND) / BEND) / PER_MEL
    return np.where(frequency < BEND, frequency / STRAIGHT, above)


def frequencies_of(mel: np.ndarray) -> np.ndarray:
    """The frequency in Hz of a mel value: the inverse of ``mels_of``."""
    bend = BEND / STRAIGHT
    above = BEND * np.exp((np.maximum(mel, bend) - bend) * PER_MEL)
    return np.where(mel < bend, mel * STRAIGHT, above)


def corners(mels: int, highest: float) -> np.ndarray:
    """The corner frequencies of the filters: mels + 2 from 0 Hz, equally spaced in mel.

    highest: the frequency in Hz at which the last filter ends. Filter m begins at place m, peaks at
    m + 1 and ends at m + 2.
    """
    return frequencies_of(np.linspace(0, mels_of(np.array(highest)), mels + 2))


def filters(mels: int, frequencies: np.ndarray) -> np.ndarray:
    r"""The mel filter bank: triangles of area 1 over the frequencies in Hz.

    filters[f, m] = max(0, min((f − a) / (b − a), (c − f) / (c − b))) · 2 / (c − a),
    where filter m begins at a, peaks at b and ends at c.

    frequencies: those of the spectrum, rising from 0 Hz. Returns (frequency, mel) float64.
    """
    at = corners(mels, frequencies[-1])
    begin, peak, end = at[:-2], at[1:-1], at[2:]
    f = frequencies[:, None]  # (frequency, 1)
    triangles = np.minimum((f - begin) / (peak - begin), (end - f) / (end - peak))
    return np.maximum(triangles, 0) * (2 / (end - begin))  # (frequency, mel)
