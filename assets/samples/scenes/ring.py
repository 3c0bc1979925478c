"""One red ring among many shapes of paper: a thing to be looked for."""

import numpy as np
from PIL import Image

from scenes.brush import (
    FINE,
    SIZE,
    Canvas,
    X,
    Y,
    blob,
    moved,
    noise,
    polygon,
    ramp,
    soft,
)

PAPERS = (
    "#33566b", "#4f7d8c", "#86aeb0", "#c3d3c5", "#5d7358", "#8f9f6f",
    "#c9b98a", "#e6d6ae", "#efe6d2", "#a98c6a", "#6c6377", "#9a94a8",
)  # fmt: skip
KINDS = ("disc", "ring", "square", "triangle", "leaf", "half", "pebble")
RING, OUTER, INNER = (282, 176), 47, 25
# Shapes are laid out by size, the large ones first: reach, least distance, and how often tried.
LAYERS = ((52, 78, 90), (31, 50, 260), (18, 37, 420), (9, 30, 300))


def paint() -> Image.Image:
    """The picture."""
    random = np.random.default_rng(41)
    grain = 0.030 * noise(random, 3, 3, 2) + 0.03 * noise(random, 60, 60, 2)
    canvas = Canvas(ramp((X + Y) / (2 * SIZE), "#efe7d6", "#d9d3c0"))
    canvas.light(grain)
    for circle in _circles(random):
        kind, colour = random.choice(KINDS), random.choice(PAPERS)
        _lay(canvas, _shape(kind, *circle, random), colour, grain, circle)
    _red_ring(canvas, grain)
    for circle, kind, colour in (
        ((238.0, 214.0, 17.0), "leaf", "#5d7358"),
        ((326.0, 138.0, 13.0), "disc", "#e6d6ae"),
    ):
        _lay(canvas, _shape(kind, *circle, random), colour, grain, circle)
    middle = SIZE / 2
    canvas.light(-0.05 * (((X - middle) ** 2 + (Y - middle) ** 2) / middle**2) ** 1.5)
    return canvas.picture()


def _circles(random: np.random.Generator) -> list[tuple[float, float, float]]:
    """Middles and reaches: those of one size keep apart, all but the largest avoid the ring."""
    found: list[tuple[float, float, float]] = []
    for reach, apart, tries in LAYERS:
        same_size: list[tuple[float, float, float]] = []
        for _ in range(tries):
            x, y = random.uniform(-8, SIZE + 8, 2)
            if reach < 40 and np.hypot(x - RING[0], y - RING[1]) < 40 + reach * 0.7:
                continue
            if all(np.hypot(x - px, y - py) > apart for px, py, _ in same_size):
                same_size.append((x, y, reach * random.uniform(0.8, 1.15)))
        found += same_size
    return found


def _lay(
    canvas: Canvas,
    mask: np.ndarray,
    colour: str,
    grain: np.ndarray,
    circle: tuple[float, float, float],
) -> None:
    """A piece of paper with its shadow and a lit edge, painted in a window around it."""
    x, y, reach = circle
    rows, columns = (
        slice(max(0, round((at - 1.5 * reach - 16) * FINE)), round((at + 1.5 * reach + 16) * FINE))
        for at in (y, x)
    )
    part, mask = canvas.part(rows, columns), mask[rows, columns]
    part.fill(soft(moved(mask, 2.5, 4), 3.5) * (1 - mask), "#22303a", 0.42)
    part.fill(soft(mask, 0.4), colour)
    part.light(mask * grain[rows, columns] * 1.3)
    part.fill(mask * (mask - soft(moved(mask, 1.2, 1.2), 0.8)).clip(0), "#ffffff", 0.35)


def _shape(kind: str, x: float, y: float, r: float, random: np.random.Generator) -> np.ndarray:
    """A shape of this kind and size, turned at random."""
    turn = random.uniform(0, 2 * np.pi)
    along = (X - x) * np.cos(turn) + (Y - y) * np.sin(turn)
    across = (Y - y) * np.cos(turn) - (X - x) * np.sin(turn)
    distance = np.hypot(along, across)
    if kind == "disc":
        inside = distance < r * 0.9
    elif kind == "ring":
        inside = (distance < r) & (distance > r * 0.55)
    elif kind == "square":
        inside = np.abs(along / r) ** 5 + np.abs(across / r) ** 5 < 0.42
    elif kind == "triangle":
        corners = turn + np.arange(3) * 2 * np.pi / 3
        core = polygon([(x + 0.85 * r * np.cos(c), y + 0.85 * r * np.sin(c)) for c in corners])
        inside = soft(core, r * 0.12) > 0.42
    elif kind == "leaf":
        bows = [np.hypot(along, across + side * r * 0.75) < r * 1.25 for side in (1, -1)]
        inside = bows[0] & bows[1] & ~((np.abs(across) < 0.7) & (along < r * 0.7))
    elif kind == "half":
        inside = (distance < r) & (across > 0)
    else:
        knots = zip(np.arange(7) * 2 * np.pi / 7, random.uniform(0.72, 1.08, 7), strict=True)
        return blob([(x + r * s * np.cos(t), y + 0.8 * r * s * np.sin(t)) for t, s in knots])
    return inside.astype(np.float32)


def _red_ring(canvas: Canvas, grain: np.ndarray) -> None:
    """A torus of lacquer, lit from the upper left."""
    right, down = X - RING[0], Y - RING[1]
    distance = np.hypot(right, down) + 1e-6
    across = (distance - (OUTER + INNER) / 2) / ((OUTER - INNER) / 2)
    mask = (np.abs(across) < 1).astype(np.float32)
    canvas.fill(soft(moved(mask, 4, 7), 6) * (1 - mask), "#1a2128", 0.55)
    across = across.clip(-1, 1)
    outwards = -across * (0.5 * right + 0.62 * down) / distance
    lit = outwards + 0.6 * np.sqrt(1 - across**2)
    lacquer = ramp(lit * 0.5 + 0.5, "#5e0f14", "#a01c20", "#d5322c", "#ee5a44")
    canvas.fill(soft(mask, 0.4), lacquer)
    canvas.fill(soft(mask * (lit > 0.955), 1.2), "#ffe3d6", 0.75)
    canvas.light(mask * grain * 0.4)
