"""Bicubic interpolation of a grid of learnt positions, as PyTorch does it.

"Cubic Convolution Interpolation for Digital Image Processing" (Keys, 1981), with a = −3/4; with an
antialiasing filter a = −1/2, and where the grid shrinks the kernel is stretched as Pillow does it.
"""

import numpy as np

SHARP, SMOOTH = -0.75, -0.5  # a of the kernel, without and with antialiasing
REACH = 2  # of the kernel on either side


def kernel(x: np.ndarray, a: float) -> np.ndarray:
    """Keys' cubic kernel at these distances: 1 at 0, and 0 from 2 on."""
    x = np.abs(x)
    near = ((a + 2) * x - (a + 3)) * x**2 + 1
    far = ((a * x - 5 * a) * x + 8 * a) * x - 4 * a
    return np.where(x < 1, near, np.where(x < REACH, far, 0.0))


def shares(trained: int, wanted: int, *, antialias: bool) -> np.ndarray:
    """How much each of ``trained`` places in a row counts for each of ``wanted`` places.

    Returns (wanted, trained) float64, rows sum to 1. Place i lies at (i + ½) · trained / wanted
    − ½. Without antialiasing, what lies beyond an edge is the place at that edge; with it, it does
    not count.
    """
    scale = trained / wanted
    middles = (np.arange(wanted) + 0.5) * scale - 0.5
    if not antialias:
        made = np.zeros((wanted, trained))
        first = np.floor(middles).astype(int)
        for offset in range(1 - REACH, REACH + 1):
            at = first + offset
            weights = kernel(middles - at, SHARP)
            np.add.at(made, (np.arange(wanted), np.clip(at, 0, trained - 1)), weights)
        return made
    stretch = max(scale, 1.0)
    distances = np.arange(trained) - middles[:, None]  # (wanted, trained)
    made = kernel(distances / stretch, SMOOTH)
    return made / made.sum(axis=1, keepdims=True)


def grid_shares(trained: int, wanted: int, kept: int, *, antialias: bool) -> np.ndarray:
    """The same for square grids, row by row, behind ``kept`` places that stay as they are.

    trained, wanted: places along one side. Returns (kept + wanted², kept + trained²) float64.
    """
    along = shares(trained, wanted, antialias=antialias)  # (wanted, trained)
    made = np.zeros((kept + wanted**2, kept + trained**2))
    made[:kept, :kept] = np.eye(kept)
    made[kept:, kept:] = np.kron(along, along)
    return made
