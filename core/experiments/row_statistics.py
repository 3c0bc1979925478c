"""Rows of a matrix measured: where they lie, how far they spread, and which way they point."""

import numpy as np


def mean_and_deviation(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Each row's mean and standard deviation √(Σ (x − mean)² / d). (…, d) -> twice (…)."""
    return rows.mean(axis=-1), rows.std(axis=-1)


def cosine(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """How much two rows point the same way: a · b / (‖a‖ ‖b‖).

    1 for the same direction, 0 for a right angle, −1 for the opposite; NaN where one of them is all
    zeros and points nowhere. (…, d) twice -> (…).
    """
    lengths = np.linalg.norm(one, axis=-1) * np.linalg.norm(other, axis=-1)
    return (one * other).sum(axis=-1) / np.where(lengths > 0, lengths, np.nan)


def moved(rows: np.ndarray, factor: float, shift: float) -> np.ndarray:
    """Every number times the factor and plus the shift: what LayerNorm takes away again."""
    return rows * factor + shift
