"""Luminance and contrast of colours, by the Web Content Accessibility Guidelines 2.2."""

import numpy as np
from numpy.typing import ArrayLike


def linear(colours: ArrayLike) -> np.ndarray:
    """sRGB 0 … 255 as linear light 0 … 1."""
    part = np.asarray(colours, dtype=float) / 255
    return np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)


def luminance(colours: ArrayLike) -> np.ndarray:
    """Relative luminance 0 … 1 of sRGB colours (…, 3)."""
    return linear(colours) @ np.array([0.2126, 0.7152, 0.0722])


def contrast(one: ArrayLike, other: ArrayLike) -> float:
    """The contrast ratio of two sRGB colours, 1 … 21."""
    dark, light = sorted(float(luminance(colour)) for colour in (one, other))
    return (light + 0.05) / (dark + 0.05)
