"""A cat's face: two eyes, a nose and two ears, which belong together though they stand apart."""

import numpy as np
from PIL import Image

from scenes.brush import (
    SIZE,
    Canvas,
    X,
    Y,
    blob,
    both_sides,
    ellipse,
    mirrored,
    moved,
    noise,
    points,
    polygon,
    ramp,
    soft,
    stroke,
)

MIDDLE = SIZE / 2
HEAD = "224 112, 262 113, 302 130, 334 172, 352 226, 356 262, 340 304, 304 336, 262 355, 224 360"
CHEEK = "352 226, 374 268, 356 270, 370 298, 346 296, 352 322, 322 318, 300 334, 300 240"
BODY = "224 300, 290 322, 328 372, 348 440, 352 500, 224 520"
CHEST = "224 330, 276 350, 290 400, 276 470, 224 500"
EAR = "258 122, 292 84, 338 44, 346 40, 350 50, 356 120, 346 196, 316 180, 280 150"
INNER_EAR = "288 126, 308 100, 334 70, 340 74, 343 122, 336 166, 312 156"
BLAZE = "224 168, 232 196, 240 236, 268 262, 298 288, 292 322, 258 346, 224 352"
NOSE = "224 271, 238 270, 245 276, 238 286, 226 294"
SOCKET = "-31 7, -18 -13, 2 -21, 20 -15, 33 -1, 22 14, 2 21, -18 17"
STRIPES = (
    ("236 116, 240 142, 238 172", 13),
    ("258 120, 262 146, 256 176", 12),
    ("284 134, 286 156, 278 178", 10),
    ("352 236, 326 240, 304 236", 10),
    ("356 262, 330 264, 308 256", 10),
    ("344 292, 322 288, 304 276", 8),
)
WHISKERS = (
    "252 286, 318 264, 404 262",
    "256 294, 326 286, 418 300",
    "252 302, 316 308, 400 338",
    "286 192, 314 150, 352 118",
)


def paint() -> Image.Image:
    """The picture."""
    random = np.random.default_rng(3)
    canvas = Canvas(ramp((Y + 0.25 * X) / 560, "#a9c3b4", "#6f9a94", "#3f6a70", "#2c4d57"))
    for _ in range(26):
        x, y, r = random.uniform(0, SIZE), random.uniform(0, SIZE), random.uniform(10, 34)
        canvas.fill(soft(ellipse(x, y, r, r), 3), "#e8e6c4", random.uniform(0.04, 0.13))
    _fur(canvas, random)
    for side in (1, -1):
        _eye(canvas, side)
    _muzzle(canvas)
    return canvas.picture()


def _pair(line: str) -> np.ndarray:
    right = points(line)
    return np.maximum(blob(right), blob(mirrored(right)))


def _fur(canvas: Canvas, random: np.random.Generator) -> None:
    head, body = blob(both_sides(points(HEAD))), blob(both_sides(points(BODY)))
    cheek = points(CHEEK)
    face = np.maximum(head, np.maximum(polygon(cheek), polygon(mirrored(cheek))))
    ears = _pair(EAR)
    whole = np.maximum(np.maximum(face, ears), body)
    coat = ramp(Y / SIZE, "#e7a65c", "#e39b51", "#e9ac68", "#dc9450")

    canvas.fill(soft(whole, 16), "#1d3239", 0.45)
    canvas.fill(body, coat)
    canvas.fill(soft(blob(both_sides(points(CHEST))), 14) * body, "#fbf0de", 0.95)
    canvas.fill(soft(face, 12) * body, "#7c4a24", 0.5)
    canvas.fill(ears, coat)
    inner = ramp((Y - 60) / 110, "#c9806c", "#e7ac98", "#f0cdb6")
    canvas.fill(soft(_pair(INNER_EAR), 3), inner)
    canvas.fill(soft(head, 9) * ears, "#a8642f", 0.30)
    canvas.fill(face, coat)
    canvas.fill(soft(blob(both_sides(points(BLAZE))), 7) * face, "#fdf3e4", 0.96)
    for side in (1, -1):
        brow = ellipse(MIDDLE + side * 46, 206, 24, 12, side * -14)
        canvas.fill(soft(brow, 6), "#fbe8cf", 0.75)
        for line, width in STRIPES:
            stripe = stroke(_on(side, line), width, 1)
            canvas.fill(soft(stripe, 1.6) * face, "#a9602a", 0.8)
    stripe = stroke(points("224 112, 224 134, 224 158"), 11, 1)
    canvas.fill(soft(stripe, 1.5) * face, "#a9602a", 0.75)

    # Hairs are combed away from the nose, and those at the edges reach over them.
    outwards = (X - MIDDLE, Y - 272)
    canvas.hatch(random, body * (1 - face), (0.35 * (X - MIDDLE), 40 + 0 * Y), 5000, 15, 0.075)
    canvas.hatch(random, ears * (1 - face), (0.4 * (X - MIDDLE), Y - 260), 2600, 13, 0.075)
    canvas.hatch(random, face, outwards, 11000, 11, 0.07)
    rim = whole * (1 - soft(whole, 2.2) ** 6) * (Y < 330)
    canvas.hatch(random, rim, outwards, 1500, 8, 0.06)
    canvas.hatch(random, face * (1 - soft(face, 3) ** 6), outwards, 2600, 11, 0.06)

    sheen = np.exp(-(((X - 180) / 95) ** 2 + ((Y - 165) / 80) ** 2))
    canvas.light(face * (0.16 * sheen - 0.30 * (1 - soft(np.maximum(face, ears), 20))))
    canvas.light(-0.16 * face * soft(ellipse(MIDDLE, 366, 110, 30), 16))


def _on(side: int, line: str) -> list[tuple[float, float]]:
    right = points(line)
    return right if side > 0 else mirrored(right)


def _eye(canvas: Canvas, side: int) -> None:
    x, y = MIDDLE + side * 47, 232
    socket = [(side * px, py) for px, py in points(SOCKET)]
    almond = blob([(x + px, y + py) for px, py in socket])
    lashes = blob([(x + 1.12 * px, y + 1.16 * py) for px, py in socket])
    canvas.fill(soft(almond, 5), "#8a5026", 0.6)
    canvas.fill(soft(lashes, 0.8), "#33241c")
    r = np.hypot(X - x, Y - y)
    spokes = noise(np.random.default_rng(8 + side), 5, 5, 2) * 0.06
    canvas.fill(almond, ramp(r / 27 + spokes, "#e9e6a0", "#bccb74", "#86a85a", "#4d7a4c"))
    canvas.fill(soft(almond * (r > 24), 1.5) * almond, "#2f4f37", 0.6)
    canvas.fill(soft(ellipse(x, y, 8.5, 18), 0.7) * almond, "#171312")
    canvas.fill(soft(1 - moved(almond, 0, 9), 3) * almond, "#20160f", 0.55)
    canvas.fill(soft(ellipse(x - 7, y - 8, 5.2, 5.2), 0.6), "#ffffff", 0.95)
    canvas.fill(soft(ellipse(x + 7, y + 9, 4, 3), 1.2), "#ffffff", 0.4)


def _muzzle(canvas: Canvas) -> None:
    nose = blob(both_sides(points(NOSE)))
    canvas.fill(soft(nose, 5), "#b9826b", 0.45)
    canvas.fill(nose, ramp((Y - 268) / 28, "#e8a79c", "#d2827b", "#b4615f"))
    canvas.fill(soft(ellipse(219, 275, 6, 2.4, -8), 1.2), "#fff0ea", 0.75)
    for side in (1, -1):
        lip = stroke(_on(side, "224 292, 224 304, 233 313, 246 314, 257 307"), 2.8, 1)
        canvas.fill(lip, "#6b4334", 0.9)
        canvas.fill(soft(ellipse(MIDDLE + side * 30, 296, 27, 20), 9), "#fffaf0", 0.4)
        for right, down in ((0, 0), (1, 0), (2, 0), (0.5, 1), (1.5, 1), (0.6, 2)):
            dot = ellipse(MIDDLE + side * (28 + 11 * right), 286 + 8 * down, 1.5, 1.5)
            canvas.fill(soft(dot, 0.4), "#9a6b50", 0.8)
        for line in WHISKERS:
            canvas.fill(soft(stroke(_on(side, line), 1.9, 0.5), 0.25), "#fffaf0", 0.85)
    canvas.fill(stroke(points("208 330, 224 334, 240 330"), 1.2), "#c9a284", 0.6)
