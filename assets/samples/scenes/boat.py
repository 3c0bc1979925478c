"""A sailing boat off a lighthouse: parts of different kinds that make one thing."""

import numpy as np
from PIL import Image

from scenes.brush import (
    SIZE,
    WIDE,
    Canvas,
    X,
    Y,
    blob,
    bump,
    ellipse,
    noise,
    points,
    polygon,
    ramp,
    smooth,
    soft,
    stroke,
)

HORIZON, WATERLINE = 262, 324
MAST = 196
ISLAND = "300 270, 318 246, 344 236, 372 228, 410 222, 470 214, 480 282, 380 278"
MAINSAIL = ("200 70, 222 118, 252 180, 288 250, 290 262", "290 264, 246 272, 200 272")
JIB = (
    "192 84, 170 130, 142 192, 104 270",
    "104 270, 134 262, 170 270, 188 272",
    "188 272, 180 214, 185 150, 192 84",
)
HULL = (
    "84 284, 130 294, 200 297, 262 294, 318 282",
    "318 282, 306 308, 284 334, 240 346, 170 346, 122 334, 98 308, 84 284",
)
PENNANT = ("196 60, 208 57, 218 62, 230 58", "228 66, 216 70, 206 66, 196 70")
RED = "#c8553d"


def paint() -> Image.Image:
    """The picture."""
    random = np.random.default_rng(17)
    canvas = Canvas(ramp(Y / HORIZON, "#7fb6c9", "#a9cfd3", "#d6e2d4", "#f4e6cc"))
    canvas.fill(bump(np.hypot(X - 96, Y - 90), 0, 120), "#fff4d6", 0.6)
    _clouds(canvas, random)
    _lighthouse(canvas, random)
    _waves(canvas, random, HORIZON, WATERLINE)
    canvas.fill(bump(Y, HORIZON, 5), "#f4e6cc", 0.35)
    _rigging(canvas, random)
    _hull(canvas, random)
    _waves(canvas, random, WATERLINE, SIZE)
    _foam(canvas, random)
    for x, y, span in ((70, 108, 13), (104, 88, 9), (304, 128, 10), (52, 140, 7)):
        _gull(canvas, x, y, span)
    canvas.light(0.02 * noise(random, 3, 3, 2) + 0.015 * noise(random, 60, 60))
    return canvas.picture()


def _joined(lines: tuple[str, ...]) -> np.ndarray:
    return polygon([point for line in lines for point in smooth(points(line))])


def _clouds(canvas: Canvas, random: np.random.Generator) -> None:
    for x, y, wide in ((330, 66, 92), (392, 96, 70), (84, 176, 66), (168, 40, 54), (262, 206, 54)):
        mask = np.zeros((WIDE, WIDE), dtype=np.float32)
        for u in random.uniform(-1, 1, 16):
            r = wide * 0.27 * (1 - 0.65 * u * u) * random.uniform(0.65, 1.1)
            mask = np.maximum(mask, ellipse(x + u * wide, y - r * 0.5, r * 1.15, r))
        height = ((Y - y) / (wide * 0.42) + 1).clip(0, 1) + 0.25 * noise(random, 24, 14, 2)
        colour = ramp(height, "#fffdf5", "#fdf3e2", "#e5dcd3", "#c9d3d3")
        canvas.fill(soft(mask * (y + 1 > Y), 1.2), colour, 0.92)


def _lighthouse(canvas: Canvas, random: np.random.Generator) -> None:
    height = (Y - 214) / 50 + 0.25 * noise(random, 14, 22, 3)
    rock = ramp(height, "#8f9f6f", "#7c8b66", "#75726a", "#5b5f63")
    canvas.fill(blob(points(ISLAND)) * (Y < HORIZON + 2), rock)
    x, top, foot = 386, 150, 232
    t = (Y - top) / (foot - top)
    half = 8.2 + 5.6 * t
    tower = ((np.abs(X - x) < half) & (t > 0) & (t < 1)).astype(np.float32)
    canvas.fill(tower, "#f8f1e3")
    canvas.fill(tower * (np.floor(t * 5) % 2 == 0), RED)
    canvas.light(tower * (-0.34 * np.tanh((X - x) / half * 1.1) - 0.06))
    canvas.fill(polygon(points("-11 151, 11 151, 11 147, -11 147", x)), "#3c4650")
    canvas.fill(polygon(points("-6 147, 6 147, 6 134, -6 134", x)), "#ffe9a8")
    canvas.fill(polygon(points("-1 147, 1 147, 1 134, -1 134", x)), "#3c4650", 0.8)
    canvas.fill(polygon(points("-9 134, 9 134, 0 122", x)), "#a9432f")
    canvas.fill(soft(ellipse(x, 141, 15, 15), 7), "#fff3c4", 0.75)


def _waves(canvas: Canvas, random: np.random.Generator, top: float, bottom: float) -> None:
    """Rows of waves that grow towards the viewer, each with a lit crest."""
    y = top
    while y < bottom:
        near = (y - HORIZON) / (SIZE - HORIZON)
        long, tall = 17 + 95 * near, 0.7 + 6.5 * near
        phase = random.uniform(0, 2 * np.pi)
        swell = 0.6 * noise(random, long * 1.6, SIZE)[0]
        arches = np.abs(np.sin(X[0] * np.pi / long + phase + swell)) ** 0.8
        below = Y - y + tall * (arches - 0.5 + 0.9 * swell)
        mask = (below > 0).astype(np.float32)
        tone = np.array(near + random.uniform(-0.03, 0.03))
        canvas.fill(mask, ramp(tone, "#8cc0c0", "#4f97a5", "#2f7389", "#1f5570", "#173f5a"))
        fade = np.exp(-below.clip(0) / (2.2 + 9 * near))
        canvas.fill(mask * fade, "#b9dcd3", 0.42 - 0.1 * near)
        broken = noise(random, 26 + 40 * near, 10)[0] > 0.05
        canvas.fill(bump(below, 0, 0.5 + 0.7 * near) * broken, "#f6f7ea", 0.55)
        y += 2.2 + 15 * near


def _rigging(canvas: Canvas, random: np.random.Generator) -> None:
    wood = ramp((X - MAST + 3) / 6, "#d8a869", "#8a5a30", "#5c3a20")
    canvas.fill(stroke([(MAST, 62), (MAST, 292)], 3, 4.6), wood)
    weave = 0.024 * noise(random, 2.5, 60) + 0.06 * noise(random, 40, 70, 2)
    seams = np.abs((Y + 0.16 * (X - MAST) - 88) % 30 - 15) > 14.45
    for sail, left, colours in (
        (MAINSAIL, MAST, ("#fffaf0", "#fbeed8", "#efd8b6", "#dcb98f")),
        (JIB, MAST - 94, ("#e9cfae", "#fdf4e4", "#fff9ee", "#e3c7a4")),
    ):
        mask = _joined(sail)
        canvas.fill(mask, ramp((X - left) / 95 + 0.10 * np.sin((Y - 70) / 62), *colours))
        canvas.fill(mask * seams, "#b58f66", 0.45)
        canvas.light(mask * weave)
        canvas.fill(mask * (1 - soft(mask, 2.5)), "#a9805a", 0.35)
    canvas.fill(polygon(points("230 190, 248 214, 230 230, 212 214")), RED, 0.9)
    canvas.fill(stroke(points("194 276, 294 270"), 3.2, 2.2), "#7a4d2a")
    canvas.fill(stroke(points("196 64, 142 186, 92 288"), 0.9), "#5c4a3a", 0.8)
    canvas.fill(stroke(points("196 64, 256 178, 308 288"), 0.7), "#5c4a3a", 0.6)
    canvas.fill(_joined(PENNANT), RED)


def _hull(canvas: Canvas, random: np.random.Generator) -> None:
    mask = _joined(HULL)
    below = Y - 297 + 13.5 * ((X - 200) / 117) ** 2  # the edge of the deck
    canvas.fill(mask, ramp((Y - 284) / 58, "#b3693a", "#9a5530", "#7b4026", "#54291b"))
    grain = 0.06 * noise(random, 60, 3, 2)
    shade = 0.10 * bump(X, 150, 60) - 0.16 * ((X - 200) / 120).clip(0)
    canvas.light(mask * (grain + shade))
    for plank in (13, 23, 33):
        canvas.fill(mask * bump(below, plank, 0.7), "#3b1f16", 0.55)
    canvas.fill(mask * (below < 6.5), "#f3e6cc")
    canvas.fill(mask * (below < 7.6) * (below > 6.3), "#3b1f16", 0.5)
    for x in (150, 200, 250):
        canvas.fill(ellipse(x, 312, 4.6, 4.6), "#f3e6cc")
        canvas.fill(ellipse(x, 312, 3.2, 3.2), "#33454f")
    canvas.fill(soft(ellipse(200, 330, 128, 13), 6) * (Y > 318), "#173f5a", 0.35)


def _foam(canvas: Canvas, random: np.random.Generator) -> None:
    for _ in range(150):
        x = random.uniform(92, 312)
        y = WATERLINE + 3 + random.normal(0, 2.6) + random.exponential(2.5)
        r = random.uniform(0.8, 3.6)
        spray = bump(X[0], x, 1.8 * r) * bump(Y[:, :1], y, 0.7 * r)
        canvas.fill(spray, "#f4faf2", random.uniform(0.25, 0.7))


def _gull(canvas: Canvas, x: float, y: float, span: float) -> None:
    for side in (1, -1):
        wing = [
            (x, y),
            (x + side * span * 0.5, y - span * 0.42),
            (x + side * span, y - span * 0.12),
        ]
        canvas.fill(stroke(wing, span * 0.17, 0.4), "#48555e", 0.9)
