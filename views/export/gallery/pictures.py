"""Preview pictures, drawn from the numbers that a page shows."""

import io
from base64 import b64encode

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from core import Trace
from views.export.file import ExportOptions
from views.figures.palette import PALETTES, Theme, ramp, rgb
from views.figures.plane import drawn_roles
from views.figures.scale import Scale, scale_of

SOCIAL = (1200, 630)  # as the Open Graph protocol's readers expect
SMALL = (400, 240)
STRETCHED = 1.8  # how much longer than wide a cell may be drawn
MOST = 64  # rows or columns of a drawn table
FONTS = ("NotoSansCJK-Regular.ttc", "PingFang.ttc", "msyh.ttc", "NotoSansSC-Regular.otf")


class Drawn:
    """A table as positions on a colour scale, 0 … 255, with the photo that it is about, if any."""

    def __init__(
        self,
        positions: np.ndarray,
        scale: Scale,
        masked: np.ndarray,
        photo: np.ndarray | None = None,
    ) -> None:
        """positions, masked: (row, column). photo: (height, width, 3) uint8."""
        self._positions, self._scale, self._masked, self._photo = positions, scale, masked, photo

    @classmethod
    def of_trace(
        cls, trace: Trace, options: ExportOptions, photo: np.ndarray | None = None
    ) -> "Drawn":
        """The weights of a trace, or the step with which its microscope opens."""
        key = "weights" if "weights" in trace else options.key
        stage, scale = trace[key], scale_of(trace, key, options.hidden)
        at = {"batch": options.sample, "head": options.head}
        roles = drawn_roles(stage)
        index = tuple(
            slice(None) if role in roles else min(at.get(role, 0), stage.size(role) - 1)
            for role in stage.roles
        )
        table = np.atleast_2d(stage.tensor[index])
        if "masked" in trace and key == "weights":
            hidden = np.isneginf(trace["masked"].tensor[index])
        else:
            hidden = np.zeros(table.shape, dtype=bool)
        return cls(_thinned(scale.positions(table)), scale, _thinned(hidden), photo)

    @classmethod
    def of_table(cls, table: np.ndarray) -> "Drawn":
        """Any table of numbers, such as those of a chart."""
        finite = table[np.isfinite(table)]
        limit = float(np.abs(finite).max(initial=0)) or 1.0
        scale = Scale("signed", -limit, limit) if (finite < 0).any() else Scale("share", 0, limit)
        return cls(_thinned(scale.positions(table)), scale, _thinned(~np.isfinite(table)))

    def small(self, theme: Theme) -> str:
        """The picture of a card, as the address of a WebP."""
        picture = Image.new("RGB", SMALL, PALETTES[theme].card)
        self._draw(picture, (16, 16, SMALL[0] - 16, SMALL[1] - 16), theme)
        file = io.BytesIO()
        picture.save(file, "WEBP", quality=82, method=6)
        return f"data:image/webp;base64,{b64encode(file.getvalue()).decode()}"

    def social(self, lines: tuple[str, ...], product: str, font: str) -> bytes:
        """The picture that is shown with a link, as PNG. lines: its titles."""
        palette = PALETTES["light"]
        picture = Image.new("RGB", SOCIAL, palette.ground)
        pen = ImageDraw.Draw(picture)
        pen.rounded_rectangle((600, 60, 1140, 570), 24, palette.card, palette.line, 2)
        self._draw(picture, (630, 90, 1110, 540), "light")
        top = 110
        for i, line in enumerate(lines):
            size, ink = (52, palette.ink) if i < 2 else (32, palette.soft)
            face = _face(font, size)
            for part in _broken(line, face, 480):
                pen.text((70, top), part, ink, face)
                top += round(1.3 * size)
            top += 16
        pen.text((70, 530), product, palette.soft, _face(font, 28))
        file = io.BytesIO()
        picture.quantize(128).save(file, "PNG", optimize=True)
        return file.getvalue()

    def _draw(self, picture: Image.Image, box: tuple[int, int, int, int], theme: Theme) -> None:
        left, top, right, bottom = box
        if self._photo is not None:
            side = min(bottom - top, (right - left) * 9 // 20)
            photo = Image.fromarray(self._photo).resize((side, side), Image.Resampling.LANCZOS)
            picture.paste(photo, (left, (top + bottom - side) // 2))
            left += side + (right - left) // 20
        rows, columns = self._positions.shape
        if rows == 1:  # a series: bars
            self._draw_bars(picture, (left, top, right, bottom), theme)
            return
        unit = min((right - left) / columns, (bottom - top) / rows)
        wide = min((right - left) / columns, STRETCHED * unit)
        high = min((bottom - top) / rows, STRETCHED * unit)
        left += round((right - left - wide * columns) / 2)
        top += round((bottom - top - high * rows) / 2)
        colours = ramp(self._scale.stops(theme))[self._positions]
        colours[self._masked] = rgb(PALETTES[theme].masked)
        pen, gap = ImageDraw.Draw(picture), round(unit / 20) if unit > 12 else int(unit > 6)
        for i, j in np.ndindex(rows, columns):
            cell = (
                left + j * wide, top + i * high,
                left + (j + 1) * wide - gap, top + (i + 1) * high - gap,
            )  # fmt: skip
            pen.rounded_rectangle(cell, unit / 8 if unit > 12 else 0, tuple(colours[i, j].tolist()))

    def _draw_bars(
        self, picture: Image.Image, box: tuple[int, int, int, int], theme: Theme
    ) -> None:
        left, top, right, bottom = box
        positions, pen = self._positions[0], ImageDraw.Draw(picture)
        colours, wide = ramp(self._scale.stops(theme)), (right - left) / len(self._positions[0])
        for i, position in enumerate(positions.tolist()):
            high = (bottom - top) * position / 255
            cell = (left + i * wide, bottom - high, left + (i + 0.85) * wide, bottom)
            pen.rectangle(cell, tuple(colours[max(position, 60)].tolist()))


def font_of_both_languages(asked: str = "") -> str:
    """A font with Chinese characters: ``asked``, or the first of ``FONTS`` that is installed.

    "" if none of them is. Raises OSError for a font ``asked`` that cannot be read.
    """
    for name in (asked,) if asked else FONTS:
        try:
            ImageFont.truetype(name, 20)
        except OSError:
            if asked:
                raise
            continue
        return name
    return ""


def _face(font: str, size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.truetype(font, size) if font else ImageFont.load_default(size)


def _broken(line: str, face: ImageFont.FreeTypeFont | ImageFont.ImageFont, room: int) -> list[str]:
    """A line in parts that fit, broken at spaces, or anywhere between Chinese characters."""
    parts = [""]
    for word in (part for piece in line.split(" ") for part in _words(piece)):
        longer = parts[-1] + word
        if face.getlength(longer.strip()) <= room or not parts[-1]:
            parts[-1] = longer
        else:
            parts.append(word)
    return [part.strip() for part in parts[:3]]


def _words(piece: str) -> list[str]:
    if any(ord(sign) > 0x2E80 for sign in piece):
        return [*piece, " "]
    return [f"{piece} "]


def _thinned(table: np.ndarray) -> np.ndarray:
    """At most ``MOST`` rows and columns of a table, evenly chosen."""
    for axis in (0, 1):
        n = table.shape[axis]
        if n > MOST:
            table = np.take(table, np.linspace(0, n - 1, MOST).round().astype(int), axis)
    return table
