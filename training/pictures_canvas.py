"""What the pictures are painted on: four times as fine as they are kept, so that edges are soft."""

import numpy as np
from PIL import Image

SIDE = 64
FINE = 4

Colour = tuple[int, int, int]


def smaller(canvas: Image.Image) -> np.ndarray:
    """The mean of every 4 x 4 pixels of the canvas: (64, 64) or (64, 64, 3), from 0 to 255."""
    return np.asarray(canvas.reduce(FINE), dtype=np.float64)
