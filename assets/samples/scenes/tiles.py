"""Glazed tiles in one pattern, and one that differs: what stands out does so against the rest."""

from collections.abc import Iterator

import numpy as np
from PIL import Image

from scenes.brush import SIZE, Canvas, X, Y, noise, ramp, soft

SIDE = 64
ODD = (4, 2)  # column, row
BLUE = {"dark": "#27406f", "middle": "#35599a", "pale": "#6d94c7", "gold": "#e0a94a"}
OCHRE = {"dark": "#8a3f1d", "middle": "#cf7a34", "pale": "#edb765", "gold": "#3d62a3"}


def paint() -> Image.Image:
    """The picture."""
    random = np.random.default_rng(29)
    column, row = (X // SIDE).astype(int), (Y // SIDE).astype(int)
    x, y = X % SIDE - SIDE / 2, Y % SIDE - SIDE / 2  # from the middle of each tile
    cells = SIZE // SIDE
    brightness, warmth, load = random.normal(0, 1, (3, cells, cells))[:, row, column]
    odd = (column == ODD[0]) & (row == ODD[1])

    canvas = Canvas("#f4eee0")
    canvas.light(0.022 * brightness)
    canvas.paint *= 1 + warmth[..., None] * np.array([0.010, 0, -0.010], dtype=np.float32)
    cover = (0.93 + 0.08 * noise(random, 15, 15, 2) + 0.02 * load).clip(0, 1)
    for colours, where, turn in ((BLUE, ~odd, 0.0), (OCHRE, odd, np.pi / 8)):
        for mask, name in _motif(x, y, turn):
            colour = "#f7f1e4" if name == "white" else colours[name]
            canvas.fill(soft(mask * where, 0.35) * cover, colour)
    _glaze(canvas, random, x, y, 3 * warmth)
    return canvas.picture()


def _motif(x: np.ndarray, y: np.ndarray, turn: float) -> Iterator[tuple[np.ndarray, str]]:
    """One tile's masks and colours from the bottom up: a flower, and a quarter in each corner."""
    r, a = np.hypot(x, y), np.arctan2(y, x) + turn
    right, down = SIDE / 2 - np.abs(x), SIDE / 2 - np.abs(y)
    corner, star = np.hypot(right, down), np.cos(8 * np.arctan2(down, right))
    edge = np.minimum(np.hypot(right, y), np.hypot(x, down))
    petals = 11.5 + 9.5 * np.abs(np.cos(2 * a)) ** 0.8
    heart = 6 + 6.5 * np.abs(np.sin(2 * a)) ** 0.7
    yield corner < 21, "pale"
    yield (corner < 21) & (corner > 18.6), "dark"
    yield (corner < 16) & (corner > 12.5), "middle"
    yield corner < 8.6 + 2.2 * star, "dark"
    yield corner < 3.6, "gold"
    yield r < petals + 2.6, "white"
    yield r < petals, "middle"
    yield (r < petals) & (r > petals - 1.9), "dark"
    yield (r < petals - 6) & (np.abs(np.sin(2 * a)) < 0.16) & (r > 9), "white"
    yield r < heart, "white"
    yield r < heart - 1.8, "pale"
    yield r < 5.2, "dark"
    yield r < 3.1, "gold"
    yield edge < 4.2, "dark"
    yield edge < 2.2, "white"


def _glaze(
    canvas: Canvas, random: np.random.Generator, x: np.ndarray, y: np.ndarray, tilt: np.ndarray
) -> None:
    """Rounded edges, a shine at the upper left of each tile, the joints, and evening light."""
    inset = SIDE / 2 - np.maximum(np.abs(x), np.abs(y))
    from_corner = (np.abs(part) - SIDE / 2 + 5 for part in (x, y))
    edge = np.minimum(inset, 5 - np.hypot(*(part.clip(0) for part in from_corner)))
    canvas.light(0.34 * np.exp(-((edge / 2.4) ** 2)) * np.tanh(-(x + y) / 14))
    shine = np.exp(-(((x + y + 26 + tilt) / 9) ** 2) - ((x - y + tilt) / 26) ** 2)
    canvas.fill(soft(shine, 1.5), "#ffffff", 0.30)
    canvas.light(0.010 * noise(random, 6, 6, 2) + 0.05 * noise(random, 300, 260))
    mortar = ramp(noise(random, 9, 9, 2) * 0.5 + 0.5, "#a99c88", "#cabfab")
    canvas.fill(soft((edge < 1.15).astype(np.float32), 0.45), mortar)
    canvas.light(0.05 - 0.20 * ((X + Y) / (2 * SIZE)) ** 1.5)
