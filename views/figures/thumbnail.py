"""A plane as a small picture on the figure's own scale, made with Pillow."""

import base64
import io

import numpy as np
from PIL import Image

from views.figures.palette import PALETTES, Theme, ramp, rgb
from views.figures.scale import Scale

HATCH = 4


def thumbnail(
    values: np.ndarray,
    scale: Scale,
    theme: Theme,
    side: int = 96,
    greyed: np.ndarray | None = None,
    forbidden: np.ndarray | None = None,
) -> Image.Image:
    """The values as a picture at most ``side`` pixels wide and high; what is masked is hatched.

    values: (rows, columns). Small planes are enlarged in whole cells, large ones averaged.
    greyed: (rows,) True for rows that do not count. forbidden: (rows, columns) True for cells that
    are masked though their value is finite; −∞ always is.
    """
    rows, columns = values.shape
    times = max(1, side // max(rows, columns))
    colours = ramp(scale.stops(theme))[scale.place(values)]
    if greyed is not None:
        colours[greyed] = rgb(PALETTES[theme].masked).astype(np.uint8)
    struck = np.isneginf(values) if forbidden is None else np.isneginf(values) | forbidden
    if times > 1:
        colours = colours.repeat(times, axis=0).repeat(times, axis=1)
        struck = struck.repeat(times, axis=0).repeat(times, axis=1)
    colours[struck] = _hatching(struck.shape, theme)[struck]
    picture = Image.fromarray(colours)
    picture.thumbnail((side, side), Image.Resampling.BOX)
    return picture


def data_url(picture: Image.Image) -> str:
    """The picture as a PNG in a ``data:`` URL."""
    buffer = io.BytesIO()
    picture.quantize(64).save(buffer, "PNG", optimize=True)
    return "data:image/png;base64," + base64.b64encode(buffer.getvalue()).decode()


def _hatching(shape: tuple[int, int], theme: Theme) -> np.ndarray:
    palette = PALETTES[theme]
    ground, line = (rgb(colour).astype(np.uint8) for colour in (palette.masked, palette.hatch))
    y, x = np.indices(shape)
    return np.where(((x + y) % (2 * HATCH) < 2)[..., None], line, ground)
