"""What the sample pictures are painted with: masks, gradients, noise and strokes.

Places and lengths are in pixels of the finished picture, from its upper left corner; everything is
painted FINE times larger and shrunk at the end, which makes the edges smooth. A mask holds for each
fine pixel how much of the paint reaches it, from 0 to 1.
"""

from collections.abc import Sequence

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

SIZE, FINE = 448, 3
WIDE = SIZE * FINE
Y, X = (np.mgrid[0:WIDE, 0:WIDE].astype(np.float32) + 0.5) / FINE

Points = Sequence[tuple[float, float]]
Paint = str | np.ndarray


def points(text: str, right: float = 0, down: float = 0) -> list[tuple[float, float]]:
    """Points written as "x y, x y, …", moved right and down."""
    pairs = (pair.split() for pair in text.split(","))
    return [(float(x) + right, float(y) + down) for x, y in pairs]


def rgb(colour: Paint) -> np.ndarray:
    """A colour such as "#e2994f" as three numbers from 0 to 1."""
    if isinstance(colour, np.ndarray):
        return colour
    return np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)], dtype=np.float32) / 255


def ramp(t: np.ndarray, *colours: str) -> np.ndarray:
    """A gradient through the colours as t goes from 0 to 1."""
    stops = np.linspace(0, 1, len(colours))
    table = np.array([rgb(colour) for colour in colours])
    return np.stack([np.interp(t, stops, table[:, i]) for i in range(3)], axis=-1).astype("f4")


def noise(random: np.random.Generator, wide: float, high: float, octaves: int = 1) -> np.ndarray:
    """Clouds from −1 to 1: random values on a grid of that spacing, smoothly joined."""
    total, weight = np.zeros((WIDE, WIDE), dtype=np.float32), 0.0
    for octave in range(octaves):
        shape = [max(2, round(SIZE / spacing * 2**octave) + 1) for spacing in (high, wide)]
        grid = Image.fromarray(random.uniform(-1, 1, shape).astype(np.float32))
        total += np.asarray(grid.resize((WIDE, WIDE), Image.Resampling.BICUBIC)) / 2**octave
        weight += 1 / 2**octave
    return total / weight


def smooth(line: Points, closed: bool = False, steps: int = 16) -> list[tuple[float, float]]:
    """A curve through the points (Catmull and Rom, 1974)."""
    p = np.array(line, dtype=float)
    if not closed:
        p = np.vstack([p[:1], p, p[-1:]])
    a, b, c, d = (np.roll(p, shift, axis=0)[:, None] for shift in (1, 0, -1, -2))
    t = np.linspace(0, 1, steps, endpoint=False)[None, :, None]
    curve = b + t * ((c - a) + t * ((2 * a - 5 * b + 4 * c - d) + t * (3 * b - a - 3 * c + d))) / 2
    if not closed:
        curve = curve[1:-2]
    flat = curve.reshape(-1, 2)
    return [(x, y) for x, y in (flat if closed else np.vstack([flat, p[-1:]]))]


def polygon(corners: Points) -> np.ndarray:
    """What lies within straight edges."""
    sheet = Image.new("L", (WIDE, WIDE))
    ImageDraw.Draw(sheet).polygon([(x * FINE, y * FINE) for x, y in corners], fill=255)
    return np.asarray(sheet, dtype=np.float32) / 255


def blob(line: Points) -> np.ndarray:
    """What lies within the closed curve through the points."""
    return polygon(smooth(line, closed=True))


def ellipse(x: float, y: float, rx: float, ry: float, turn: float = 0) -> np.ndarray:
    """An ellipse, turned by so many degrees."""
    angle = np.radians(turn)
    along = (X - x) * np.cos(angle) + (Y - y) * np.sin(angle)
    across = (Y - y) * np.cos(angle) - (X - x) * np.sin(angle)
    return ((along / rx) ** 2 + (across / ry) ** 2 <= 1).astype(np.float32)


def stroke(along: Points, start: float, end: float | None = None) -> np.ndarray:
    """A curved line, as wide as ``start`` where it begins and as ``end`` where it ends."""
    line = np.array(smooth(along))
    widths = np.linspace(start, start if end is None else end, len(line))
    way = np.gradient(line, axis=0)
    side = np.stack([-way[:, 1], way[:, 0]], axis=1) / np.hypot(*way.T)[:, None]
    offset = side * widths[:, None] / 2
    return polygon([(x, y) for x, y in np.vstack([line + offset, (line - offset)[::-1]])])


def mirrored(line: Points) -> list[tuple[float, float]]:
    """The points on the other side of the upright line through the middle of the picture."""
    return [(SIZE - x, y) for x, y in line]


def both_sides(line: Points) -> list[tuple[float, float]]:
    """A closed outline from its right half, given from top to bottom."""
    return [*line, *mirrored(line)[::-1]]


def bump(x: np.ndarray, middle: float, width: float) -> np.ndarray:
    """A soft hill: 1 in the middle, falling to 0 on both sides."""
    return np.exp(-(((x - middle) / width) ** 2))


def soft(mask: np.ndarray, radius: float) -> np.ndarray:
    """The mask with a blurred edge."""
    sheet = Image.fromarray(np.round(mask * 255).astype(np.uint8))
    return np.asarray(sheet.filter(ImageFilter.GaussianBlur(radius * FINE)), dtype="f4") / 255


def moved(mask: np.ndarray, right: float, down: float) -> np.ndarray:
    """The mask moved right and down, for a shadow."""
    columns, rows = round(right * FINE), round(down * FINE)
    result = np.zeros_like(mask)
    result[rows:, columns:] = mask[: mask.shape[0] - rows, : mask.shape[1] - columns]
    return result


class Canvas:
    """A picture that is being painted: (fine row, fine column, channel) from 0 to 1."""

    def __init__(self, ground: Paint) -> None:
        """Begin with one colour or a gradient."""
        self.paint = np.empty((WIDE, WIDE, 3), dtype=np.float32)
        self.paint[:] = rgb(ground)

    def fill(self, mask: np.ndarray, paint: Paint, opacity: float = 1) -> None:
        """Lay paint over what is there."""
        share = (mask * opacity)[..., None]
        self.paint += share * (rgb(paint) - self.paint)

    def light(self, amount: np.ndarray) -> None:
        """Brighten where the amount is above 0, darken where it is below."""
        self.paint *= 1 + amount[..., None]

    def part(self, rows: slice, columns: slice) -> "Canvas":
        """A window on this canvas: what is painted there is painted here."""
        window = object.__new__(Canvas)
        window.paint = self.paint[rows, columns]
        return window

    def hatch(
        self,
        random: np.random.Generator,
        where: np.ndarray,
        towards: tuple[np.ndarray, np.ndarray],
        count: int,
        length: float,
        contrast: float,
    ) -> None:
        """Short hairs in the colours that are there, a little lighter or darker, along a field."""
        sheet = Image.fromarray(self._bytes())
        draw = ImageDraw.Draw(sheet)
        rows, columns = np.nonzero(where > 0.5)
        for i in random.integers(0, len(rows), count):
            y, x = rows[i], columns[i]
            dx, dy = towards[0][y, x], towards[1][y, x]
            turn = random.normal(0, 0.22)
            reach = length * FINE * random.uniform(0.5, 1.1) / (np.hypot(dx, dy) + 1e-6)
            end = (
                x + reach * (dx * np.cos(turn) - dy * np.sin(turn)),
                y + reach * (dx * np.sin(turn) + dy * np.cos(turn)),
            )
            colour = self.paint[y, x] * (1 + random.normal(0, contrast)) * 255
            draw.line([(x, y), end], tuple(int(c) for c in colour.clip(0, 255)), width=2)
        self.paint = np.asarray(sheet, dtype=np.float32) / 255

    def picture(self) -> Image.Image:
        """The finished picture."""
        return Image.fromarray(self._bytes()).resize((SIZE, SIZE), Image.Resampling.LANCZOS)

    def _bytes(self) -> np.ndarray:
        return np.round(self.paint.clip(0, 1) * 255).astype(np.uint8)
