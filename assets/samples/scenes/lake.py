"""Mountains at dawn and their reflection: what belongs together stands far apart."""

import numpy as np
from PIL import Image

from scenes.brush import (
    FINE,
    SIZE,
    WIDE,
    Canvas,
    X,
    Y,
    bump,
    ellipse,
    noise,
    polygon,
    ramp,
    rgb,
    soft,
    stroke,
)

SHORE = 250
SUN = (306, 148)


def paint() -> Image.Image:
    """The picture."""
    random = np.random.default_rng(11)
    above = Canvas(ramp(Y / SHORE, "#3d5a80", "#7f95b5", "#d9b8b0", "#f6d3a8", "#fbe3b8"))
    _sky(above, random)
    _mountains(above, random)
    above.fill(bump(Y, SHORE, 16) * (Y < SHORE), "#f6dcc2", 0.6)
    _forest(above, random)

    scene = Canvas(np.where((Y < SHORE)[..., None], above.paint, _reflected(above.paint, random)))
    glow = bump(X, SUN[0], 10 + 0.20 * (Y - SHORE).clip(0)) * (Y > SHORE)
    scene.fill(soft(glow * (noise(random, 34, 2.6, 2) > 0.12), 0.5), "#fff2cf", 0.55)
    scene.fill(bump(Y, SHORE, 1.6), "#fbe9d2", 0.55)
    mist = noise(random, 120, 20, 2) * 0.5 + 0.5
    scene.fill(bump(Y, SHORE - 2, 9) * mist, "#fff1e0", 0.45)
    _reeds(scene, random)
    return scene.picture()


def _sky(canvas: Canvas, random: np.random.Generator) -> None:
    streaks = (noise(random, 190, 17, 3) * bump(Y, 78, 46)).clip(0, 1) ** 1.3
    canvas.fill(soft(streaks, 1.5), "#f8d9c4", 0.9)
    far = np.hypot(X - SUN[0], Y - SUN[1])
    canvas.fill(bump(far, 0, 110), "#ffe2a6", 0.65)
    canvas.fill(bump(far, 0, 42), "#fff0c4", 0.7)
    canvas.fill(soft(ellipse(*SUN, 20, 20), 0.5), "#fffbe6")


def _mountains(canvas: Canvas, random: np.random.Generator) -> None:
    """A land of folded noise, drawn slice by slice from the far end to the near."""
    slices, x = 300, X[0]
    shares = (0.55, 0.30, 0.16, 0.09, 0.05, 0.025)
    folds = [1 - np.abs(noise(random, 120 / 2**i, 150 / 2**i) * 1.5) for i in range(len(shares))]
    land = np.tensordot(shares, folds, axes=1)[np.linspace(0, WIDE - 1, slices).astype(int)]
    depth = np.linspace(1, 0, slices)[:, None]  # 1 is the far end
    far = 128 * bump(x, 128, 74) + 84 * bump(x, 418, 62) + 52 * bump(x, 236, 60) + 26
    near = 30 * bump(x, 60, 120) + 26 * bump(x, 420, 80) + 6
    height = (far * bump(depth, 0.72, 0.30) + near * bump(depth, 0.15, 0.2)) * land

    east, south = -np.gradient(height, axis=1) * FINE, np.gradient(height, axis=0)
    lit = 0.5 + 0.5 * np.tanh(1.0 * east - 0.45 * south - 0.12)
    snow = ((height - 52 - 16 * (np.abs(south) + np.abs(east))) / 14).clip(0, 1)[..., None]
    colour = ramp(lit, "#3a4a72", "#707499", "#dba79d")
    colour += snow * (ramp(lit, "#8c9cc4", "#cdd0e2", "#fff0e2") - colour)
    colour += (0.05 + 0.28 * depth[..., None]) * (rgb("#d3bcc0") - colour)
    for i in range(slices):
        mask = (SHORE - height[i] <= Y) & (Y < SHORE)
        np.copyto(canvas.paint, colour[i], where=mask[..., None], casting="same_kind")


def _forest(canvas: Canvas, random: np.random.Generator) -> None:
    """Firs along the far shore, tallest at the left, in two rows."""
    for back, top, foot in ((True, "#3d5266", "#6f7a82"), (False, "#263a4a", "#35485a")):
        bank = SHORE - 2 - 5 * bump(X, 30, 120) - 4 * bump(X, 440, 80)
        mask = ((bank < Y) & (Y < SHORE)).astype(np.float32)
        for x in random.uniform(-10, SIZE + 10, 90):
            grove = bump(x, 30, 105) + 0.72 * bump(x, 440, 66)
            tall = (7 + 50 * grove) * random.uniform(0.55, 1.0) * (1.15 if back else 0.9)
            if tall > 9:
                mask = np.maximum(mask, _fir(x, tall))
        canvas.fill(mask, ramp((Y - 190) / 60, top, top, foot))


def _fir(x: float, tall: float) -> np.ndarray:
    tiers, right = 6, []
    for tier in range(1, tiers + 1):
        y = SHORE + 1 - tall + tall * tier / tiers
        reach = tall * 0.21 * (tier / tiers) ** 0.85 + 0.5
        right += [(x + reach, y), (x + reach * 0.55, y - 0.3)]
    left = [(2 * x - px, py) for px, py in right[::-1]]
    return polygon([(x, SHORE + 1 - tall), *right, *left])


def _reflected(above: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """The upper part upside down, drawn out by ripples that grow towards the viewer."""
    down = (Y - SHORE).clip(0)
    ripple = noise(random, 60, 3.2, 2) + 0.6 * noise(random, 120, 7)
    sway = ripple * (0.5 + down * 0.035)
    rows = (SHORE - 1 - down * 1.16 + sway * 1.6).clip(0, SHORE - 1) * FINE
    columns = (X + sway * 1.1).clip(0, SIZE - 1) * FINE
    water = above[rows.astype(int), columns.astype(int)]
    near = down / (SIZE - SHORE)
    veil = ramp(near, "#d9c3b4", "#6b86a0", "#2f4d6c", "#233c58")
    water = water + (0.14 + 0.50 * near**1.1)[..., None] * (veil - water)
    return water * (1 + 0.05 * ripple[..., None])


def _reeds(canvas: Canvas, random: np.random.Generator) -> None:
    for i in range(46):
        middle, spread = ((20, 26), (420, 30))[i % 2]
        x = random.normal(middle, spread)
        tall = random.uniform(28, 92) * np.exp(-abs(x - middle) / 70)
        lean = random.normal(0, 9)
        line = [(x, 452), (x + lean * 0.3, 452 - tall * 0.6), (x + lean, 452 - tall)]
        colour = ("#1d2f40", "#263b4a", "#33485a")[i % 3]
        canvas.fill(stroke(line, random.uniform(1.6, 2.8), 0.5), colour, 0.95)
