"""The step that is shown as a figure for a paper: square cells, no selection, a width in mm.

Text is drawn as outlines in SVG and as pixels in PDF and PNG, so that it needs no font elsewhere.
"""

import io
import math
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from html import escape
from threading import Lock
from typing import Any, Literal

import numpy as np
from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.ttLib import TTFont
from PIL import Image, ImageDraw, ImageFont
from PIL.PngImagePlugin import PngInfo

from core import Trace
from core.errors import InputError
from views.export.file import GAP, ExportOptions
from views.figures.palette import PALETTES, ramp, rgb
from views.figures.plane import Plane, masked_cells, plane_of
from views.figures.scale import Scale, scale_of
from views.text import Words, numbers

Form = Literal["svg", "pdf", "png"]

COLUMN, PAGE = 85.0, 175.0  # mm: a column of a paper, and both
DPI = 600  # of PNG and PDF
MM = 25.4  # of an inch
TEXT, SMALLEST, GUTTER = 2.3, 1.6, 1.5  # mm: letters, the smallest cell with a name, and gaps
LONGEST = 26.0  # mm of a name
PIXELS = 1_000  # of a picture's side in SVG, so that a viewer that smooths it keeps cells sharp
# Fonts with Chinese characters, each with its number in the file.
FONTS = {
    "NotoSansCJK-Regular.ttc": 2,
    "PingFang.ttc": 0,
    "msyh.ttc": 0,
    "NotoSansSC-Regular.otf": 0,
}

_FONT = Lock()  # its file is read as far as it is needed, by one thread at a time


@dataclass
class Figure:
    """What is drawn, in mm. pictures: (colours, left, top, width, height); texts: (text, x, y,
    anchor, whether it runs upwards); y is that of the baseline.
    """

    width: float
    height: float = 0.0
    pictures: list[tuple[np.ndarray, float, float, float, float]] = field(default_factory=list)
    texts: list[tuple[str, float, float, str, bool]] = field(default_factory=list)
    about: dict[str, str] = field(default_factory=dict)


def paper(
    trace: Trace, words: Words, options: ExportOptions, form: Form, *, all_heads: bool = False
) -> bytes:
    """The figure: of one head with the names of its tokens, or of all heads in a grid.

    It is ``COLUMN`` or ``PAGE`` wide. What it shows is in its metadata: step, head, tokens, model.

    Raises no_font if this computer has no font with the characters of the names.
    """
    in_grid = all_heads and trace[options.key].size("head") > 1
    with _FONT:
        figure = (_grid if in_grid else _alone)(trace, words, options)
        signs = {sign for text, *_ in figure.texts for sign in text}
        missing = "".join(sorted(sign for sign in signs if ord(sign) not in _font().getBestCmap()))
        if missing:
            raise InputError("no_font", characters=missing)
        return _svg(figure) if form == "svg" else _pixels(figure, form)


def _alone(trace: Trace, words: Words, options: ExportOptions) -> Figure:
    plane, scale = plane_of(trace[options.key], options.at), scale_of(trace, options.key)
    figure, (rows, columns) = Figure(COLUMN), plane.values.shape
    down, across = [*plane.rows.names], [*plane.columns.names]
    room = [min(LONGEST, max(map(_length, side))) + GUTTER for side in (down, across)]
    bar = _length("−0.00") + 2 * GUTTER + TEXT
    cell = (COLUMN - room[0] - bar) / columns
    if cell < SMALLEST:  # more names than can be read: how many there are
        down, across = (
            [f"{words.axes.get(side.role, side.role)} {len(side.names)}"]
            for side in (plane.rows, plane.columns)
        )
        room = [TEXT + GUTTER] * 2
        cell = (COLUMN - room[0] - bar) / columns
    cell = min(cell, 6.0)
    left, top = room
    is_up = len(across) == columns and max(map(_length, across)) > cell - GUTTER / 2
    if not is_up:
        top = TEXT + GUTTER
    wide, high = columns * cell, rows * cell
    figure.pictures.append((_colours(trace, plane, options, scale), left, top, wide, high))
    steps = [span / len(side) for span, side in zip((high, wide), (down, across), strict=True)]
    for i, name in enumerate(down):
        middle = top + (i + 0.5) * steps[0]
        if len(down) == rows:
            figure.texts.append((_cut(name), left - GUTTER / 2, middle + 0.35 * TEXT, "end", False))
        else:
            figure.texts.append((name, left - GUTTER / 2, middle, "middle", True))
    for i, name in enumerate(across):
        middle = left + (i + 0.5) * steps[1]
        at = (middle + 0.35 * TEXT, "start", True) if is_up else (middle, "middle", False)
        figure.texts.append((_cut(name), at[0], top - GUTTER / 2, at[1], at[2]))
    _bar(figure, scale, left + wide + GUTTER, top, min(high, 30.0))
    figure.height = top + max(high, min(high, 30.0)) + GUTTER
    figure.about = _about(trace, words, options, options.at.get("head"))
    return figure


def _grid(trace: Trace, words: Words, options: ExportOptions) -> Figure:
    stage, scale = trace[options.key], scale_of(trace, options.key)
    heads = stage.size("head")
    across = heads if heads <= 4 else math.ceil(math.sqrt(1.5 * heads))
    figure, bar = Figure(PAGE), _length("−0.00") + 2 * GUTTER + TEXT
    each, high = (PAGE - bar - (across - 1) * GUTTER) / across, 0.0
    each = min(each, 50.0)
    for head in range(heads):
        at = {**options.at, "head": head}
        plane = plane_of(stage, at)
        rows, columns = plane.values.shape
        high = each * rows / columns
        left = head % across * (each + GUTTER)
        top = head // across * (high + TEXT + 2 * GUTTER) + TEXT + GUTTER / 2
        colours = _colours(trace, plane, ExportOptions(at=at), scale)
        figure.pictures.append((colours, left, top, each, high))
        name = words.viewer.head.format(number=stage.axis("head").label(head))
        figure.texts.append((name, left + each / 2, top - GUTTER / 2, "middle", False))
    _bar(figure, scale, across * (each + GUTTER), TEXT + GUTTER / 2, min(high, 30.0))
    figure.height = math.ceil(heads / across) * (high + TEXT + 2 * GUTTER)
    figure.about = _about(trace, words, options, None)
    return figure


def _about(trace: Trace, words: Words, options: ExportOptions, head: int | None) -> dict[str, str]:
    """The metadata: what is shown, of which model and which tokens."""
    stage, sample = trace[options.key], options.at.get("batch", 0)
    shown = [options.key]
    if head is not None and stage.size("head") > 1:
        shown.append(words.viewer.head.format(number=stage.axis("head").label(head)))
    names = {
        axis.role: " ".join(names)
        for axis in stage.axes
        if axis.role in ("query", "key") and (names := axis.names(sample))
    }
    return {
        "title": GAP.join(filter(None, (*shown, options.title(words)))),
        "description": options.origin(words),
        **names,
    }


def _colours(trace: Trace, plane: Plane, options: ExportOptions, scale: Scale) -> np.ndarray:
    colours = ramp(scale.stops("light"))[scale.positions(plane.values)].copy()
    masked = masked_cells(trace, plane, options.at)
    colours[~np.isfinite(plane.values) if masked is None else masked] = rgb(
        PALETTES["light"].masked
    )
    return colours


def _bar(figure: Figure, scale: Scale, left: float, top: float, high: float) -> None:
    """The colour scale with its two ends."""
    colours = ramp(scale.stops("light"))[::-1, None]
    figure.pictures.append((colours, left, top, TEXT, high))
    for value, y in ((scale.high, top + 0.7 * TEXT), (scale.low, top + high)):
        figure.texts.append((numbers.short(value), left + TEXT + GUTTER / 2, y, "start", False))


# --- text ---


@cache
def _font() -> TTFont:
    face = _face(20)
    return TTFont(face.path, fontNumber=getattr(face, "index", 0))


@cache
def _face(size: float) -> ImageFont.FreeTypeFont:
    for name, number in FONTS.items():
        try:
            return ImageFont.truetype(name, size, index=number)
        except OSError:
            continue
    face = ImageFont.load_default(size)
    assert isinstance(face, ImageFont.FreeTypeFont)
    return face


def _length(text: str) -> float:
    """The width of a text, in mm."""
    return float(_face(100).getlength(text)) * TEXT / 100


def _cut(text: str) -> str:
    while _length(text) > LONGEST:
        text = f"{text.removesuffix('…')[:-1]}…"
    return text


# --- the files ---


def _svg(figure: Figure) -> bytes:
    drawn = [*_images(figure), *_outlines(figure)]
    width, height = f"{figure.width:g}", f"{figure.height:.3f}"
    title, *rest = figure.about.values()
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}mm" height="{height}mm" '
        f'viewBox="0 0 {width} {height}"><title>{escape(title)}</title>'
        f"<desc>{escape(chr(10).join(filter(None, rest)))}</desc>{''.join(drawn)}</svg>"
    ).encode()


def _images(figure: Figure) -> Iterator[str]:
    for colours, left, top, width, height in figure.pictures:
        file, times = io.BytesIO(), math.ceil(PIXELS / max(colours.shape[:2]))
        picture = Image.fromarray(colours.astype(np.uint8))
        size = picture.width * times, picture.height * times
        picture.resize(size, Image.Resampling.NEAREST).quantize(256).save(
            file, "PNG", optimize=True
        )
        yield (
            f'<image x="{left:.3f}" y="{top:.3f}" width="{width:.3f}" height="{height:.3f}" '
            f'preserveAspectRatio="none" style="image-rendering:pixelated" '
            f'href="data:image/png;base64,{b64encode(file.getvalue()).decode()}"/>'
        )


def _outlines(figure: Figure) -> Iterator[str]:
    font = _font()
    glyphs, names, unit = font.getGlyphSet(), font.getBestCmap(), font["head"].unitsPerEm
    scale = TEXT / unit
    for text, x, y, anchor, upwards in figure.texts:
        drawn, at = [], 0.0
        for sign in text:
            pen = SVGPathPen(glyphs, ntos=lambda n: f"{n:g}")
            glyphs[names[ord(sign)]].draw(pen)
            drawn.append(f'<path transform="translate({at:g} 0)" d="{pen.getCommands()}"/>')
            at += glyphs[names[ord(sign)]].width
        start = {"start": 0.0, "middle": -at / 2, "end": -at}[anchor]
        turned = " rotate(-90)" if upwards else ""
        yield (
            f'<g fill="{PALETTES["light"].ink}" aria-label="{escape(text)}" '
            f'transform="translate({x:.3f} {y:.3f}){turned} scale({scale:.6f} {-scale:.6f}) '
            f'translate({start:g} 0)">{"".join(drawn)}</g>'
        )


def _pixels(figure: Figure, form: Form) -> bytes:
    per_mm = DPI / MM
    size = round(figure.width * per_mm), round(figure.height * per_mm)
    page, face = Image.new("RGB", size, "white"), _face(TEXT * per_mm)
    for colours, left, top, width, height in figure.pictures:
        box = [round(part * per_mm) for part in (left, top, left + width, top + height)]
        picture = Image.fromarray(colours.astype(np.uint8))
        inside = box[2] - box[0], box[3] - box[1]
        page.paste(picture.resize(inside, Image.Resampling.NEAREST), (box[0], box[1]))
    for text, x, y, anchor, upwards in figure.texts:
        _write(page, face, text, (x * per_mm, y * per_mm), anchor, upwards)
    file, title = io.BytesIO(), figure.about["title"]
    about = GAP.join(filter(None, [*figure.about.values()][1:]))
    given: dict[str, Any] = {"title": title, "subject": about, "resolution": DPI}
    if form == "png":
        info = PngInfo()
        for name, value in (("Title", title), ("Description", about)):
            info.add_itxt(name, value)
        given = {"pnginfo": info, "dpi": (DPI, DPI), "optimize": True}
    page.save(file, form.upper(), **given)
    return file.getvalue()


def _write(
    page: Image.Image, face: ImageFont.FreeTypeFont, text: str, at: tuple[float, float],
    anchor: str, upwards: bool,
) -> None:  # fmt: skip
    x, y = at
    length = face.getlength(text)
    back = {"start": 0.0, "middle": length / 2, "end": length}[anchor]
    if not upwards:
        ImageDraw.Draw(page).text((x - back, y), text, PALETTES["light"].ink, face, anchor="ls")
        return
    above, below = face.getmetrics()
    written = Image.new("L", (math.ceil(length), above + below), 0)
    ImageDraw.Draw(written).text((0, above), text, 255, face, anchor="ls")
    turned = written.rotate(90, expand=True)
    page.paste(PALETTES["light"].ink, (round(x - above), round(y + back - length)), turned)
