"""Mean, deviation and cosine of the rows of a matrix."""

import numpy as np


def mean_and_deviation(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Each row's mean and standard deviation √(Σ (x − mean)² / d). (…, d) -> twice (…)."""
    return rows.mean(axis=-1), rows.std(axis=-1)


def cosine(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """The cosine similarity of rows: a · b / (‖a‖ ‖b‖). (…, d) twice -> (…).

    NaN if one of them is all zeros.
    """
    lengths = np.linalg.norm(one, axis=-1) * np.linalg.norm(other, axis=-1)
    return (one * other).sum(axis=-1) / np.where(lengths > 0, lengths, np.nan)


def moved(rows: np.ndarray, factor: float, shift: float) -> np.ndarray:
    """rows · factor + shift, which LayerNorm undoes."""
    return rows * factor + shift
