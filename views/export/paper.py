"""The step that is shown as a figure for a paper: square cells, no selection, a width in mm.

Text is drawn as outlines in SVG and PDF and as pixels in PNG, so that it needs no font elsewhere.
"""

import io
import itertools
import math
import re
import zlib
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from html import escape
from threading import Lock
from typing import Any, Literal

import numpy as np
from fontTools.pens.basePen import BasePen
from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.ttLib import TTFont
from PIL import Image, ImageDraw, ImageFont
from PIL.PngImagePlugin import PngInfo

from core import Trace
from core.errors import InputError, out_of_range
from views.export.file import GAP, ExportOptions
from views.figures.palette import PALETTES, ramp, rgb
from views.figures.plane import Plane, masked_cells, plane_of
from views.figures.scale import Scale, scale_of
from views.text import Words, numbers

Form = Literal["svg", "pdf", "png"]

COLUMN, PAGE = 85.0, 175.0  # mm: a column of a paper, and both
NARROWEST, WIDEST = 30.0, 400.0  # mm
DPI = 600  # of PNG
MM, POINTS = 25.4, 72  # of an inch
TEXT, LINE, SMALLEST, GUTTER = (
    2.3,
    3.2,
    1.6,
    1.5,
)  # mm: letters, lines, the smallest cell with a name, gaps
LONGEST = 26.0  # mm of a name
PIXELS = 1_000  # of a picture's side in SVG, so that a viewer that smooths it keeps cells sharp
ANCHORS = {"start": 0.0, "middle": 0.5, "end": 1.0}  # the part of a text that stands before its x
# Fonts with Chinese characters, each with its number in the file.
FONTS = {
    "NotoSansCJK-Regular.ttc": 2,
    "PingFang.ttc": 0,
    "msyh.ttc": 0,
    "NotoSansSC-Regular.otf": 0,
}

# What a line of a caption may end behind: a word, or a character of a script without spaces.
_BREAKABLE = re.compile(r"[^\s\u2e80-\uffef]+\s*|[\u2e80-\uffef]\s*")
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


def paper(trace: Trace, words: Words, options: ExportOptions, form: Form) -> bytes:
    """The figure: of one head with the names of its tokens, or of all heads in a grid.

    Unless ``options`` say how wide, it is ``COLUMN`` or ``PAGE`` wide. What it shows is in its
    metadata: step, head, tokens, model.

    Raises no_font if this computer has no font with the characters of the names, and out_of_range
    for a width below ``NARROWEST`` or above ``WIDEST``.
    """
    width = options.width
    if width is not None and not NARROWEST <= width <= WIDEST:
        raise out_of_range("mm", width, f"{NARROWEST:g} … {WIDEST:g}")
    in_grid = options.all_heads and trace[options.key].size("head") > 1
    with _FONT:
        figure = (_grid if in_grid else _alone)(trace, words, options)
        _write_caption(figure, options.caption)
        signs = {sign for text, *_ in figure.texts for sign in text}
        missing = "".join(sorted(sign for sign in signs if ord(sign) not in _font().getBestCmap()))
        if missing:
            raise InputError("no_font", characters=missing)
        return {"svg": _svg, "pdf": _pdf, "png": _png}[form](figure)


def _alone(trace: Trace, words: Words, options: ExportOptions) -> Figure:
    plane, scale = plane_of(trace[options.key], options.at), scale_of(trace, options.key)
    figure, (rows, columns) = Figure(options.width or COLUMN), plane.values.shape
    down, across = [*plane.rows.names], [*plane.columns.names]
    room = [min(LONGEST, max(map(_length, side))) + GUTTER for side in (down, across)]
    bar = _length("−0.00") + 2 * GUTTER + TEXT
    cell = (figure.width - room[0] - bar) / columns
    if cell < SMALLEST:  # more names than can be read: how many there are
        down, across = (
            [f"{words.axes.get(side.role, side.role)} {len(side.names)}"]
            for side in (plane.rows, plane.columns)
        )
        room = [TEXT + GUTTER] * 2
        cell = (figure.width - room[0] - bar) / columns
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
    figure, bar = Figure(options.width or PAGE), _length("−0.00") + 2 * GUTTER + TEXT
    each, high = (figure.width - bar - (across - 1) * GUTTER) / across, 0.0
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


def _write_caption(figure: Figure, caption: str) -> None:
    """The caption below the figure, in as many lines as it takes."""
    line = ""
    for part in [*_BREAKABLE.findall(caption), ""]:
        if part and _length(f"{line}{part}".rstrip()) <= figure.width:
            line += part
            continue
        if line:
            figure.height += LINE
            figure.texts.append((line.rstrip(), 0.0, figure.height - GUTTER / 2, "start", False))
        line = part


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
    pictures = (_in_svg(*picture) for picture in figure.pictures)
    width, height = f"{figure.width:g}", f"{figure.height:.3f}"
    title, *rest = map(escape, figure.about.values())
    return (  # Inkscape 1.2 knows no other href than that of XLink
        f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'width="{width}mm" height="{height}mm" viewBox="0 0 {width} {height}">'
        f"<title>{title}</title><desc>{chr(10).join(filter(None, rest))}</desc>"
        f"{''.join([*pictures, *_in_outlines(figure)])}</svg>"
    ).encode()


def _sharp(colours: np.ndarray) -> Image.Image:
    """A picture with so many pixels that a viewer that smooths it keeps cells sharp."""
    picture, times = _picture(colours), math.ceil(PIXELS / max(colours.shape[:2]))
    size = picture.width * times, picture.height * times
    return picture.resize(size, Image.Resampling.NEAREST).quantize(256)


def _picture(colours: np.ndarray) -> Image.Image:
    return Image.fromarray(colours.astype(np.uint8))


def _in_svg(colours: np.ndarray, left: float, top: float, width: float, height: float) -> str:
    file = io.BytesIO()
    _sharp(colours).save(file, "PNG", optimize=True)
    return (
        f'<image x="{left:.3f}" y="{top:.3f}" width="{width:.3f}" height="{height:.3f}" '
        f'preserveAspectRatio="none" style="image-rendering:pixelated" '
        f'xlink:href="data:image/png;base64,{b64encode(file.getvalue()).decode()}"/>'
    )


def _runs(figure: Figure) -> Iterator[tuple[str, str, list[tuple[Any, float]]]]:
    """Each text; the matrix from the font's units to mm, as SVG and PDF write it; its glyphs, each
    with its place.
    """
    font = _font()
    glyphs, names, scale = font.getGlyphSet(), font.getBestCmap(), TEXT / font["head"].unitsPerEm
    for text, x, y, anchor, upwards in figure.texts:
        signs = [glyphs[names[ord(sign)]] for sign in text]
        ends = [*itertools.accumulate((sign.width for sign in signs), initial=0.0)]
        start, size = ends[-1] * ANCHORS[anchor], f"{scale:.6f}"
        turned = f"0 -{size} -{size} 0" if upwards else f"{size} 0 0 -{size}"
        placed = [(sign, at - start) for sign, at in zip(signs, ends, strict=False)]
        yield text, f"{turned} {x:.3f} {y:.3f}", placed


def _in_outlines(figure: Figure) -> Iterator[str]:
    for text, matrix, placed in _runs(figure):
        drawn = []
        for glyph, at in placed:
            pen = SVGPathPen(None, ntos=lambda n: f"{n:g}")
            glyph.draw(pen)
            drawn.append(f'<path transform="translate({at:g} 0)" d="{pen.getCommands()}"/>')
        yield (
            f'<g fill="{PALETTES["light"].ink}" aria-label="{escape(text)}" '
            f'transform="matrix({matrix})">{"".join(drawn)}</g>'
        )


class _PdfPen(BasePen):  # type: ignore[misc]
    """Writes outlines as operators of PDF."""

    def __init__(self, glyphs: Any) -> None:
        super().__init__(glyphs)
        self.written: list[str] = []

    def _moveTo(self, pt: Any) -> None:
        self._write("m", pt)

    def _lineTo(self, pt: Any) -> None:
        self._write("l", pt)

    def _curveToOne(self, pt1: Any, pt2: Any, pt3: Any) -> None:
        self._write("c", pt1, pt2, pt3)

    def _closePath(self) -> None:
        self._write("h")

    def _write(self, operator: str, *points: tuple[float, float]) -> None:
        self.written.append(" ".join([*(f"{n:g}" for point in points for n in point), operator]))


def _pdf(figure: Figure) -> bytes:
    """One page, in mm from its top left corner: pictures, and texts as outlines."""
    unit = POINTS / MM
    ink = " ".join(f"{part / 255:.3f}" for part in rgb(PALETTES["light"].ink))
    drawn = [f"{unit:.6f} 0 0 {-unit:.6f} 0 {figure.height * unit:.3f} cm {ink} rg"]
    pictures = []
    for i, (colours, left, top, width, height) in enumerate(figure.pictures):
        placed = f"{width:.3f} 0 0 {-height:.3f} {left:.3f} {top + height:.3f} cm"
        drawn.append(f"q {placed} /P{i} Do Q")
        pictures.append(_pdf_picture(_sharp(colours)))
    drawn += _pdf_texts(figure)
    title, *rest = (about for about in figure.about.values() if about)
    names = " ".join(f"/P{i} {i + 6} 0 R" for i in range(len(pictures)))
    box = f"[0 0 {figure.width * unit:.3f} {figure.height * unit:.3f}]"
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        f"<</Type/Page/Parent 2 0 R/MediaBox{box}/Contents 4 0 R/Resources"
        f"<</XObject<<{names}>>>>>>".encode(),
        _pdf_stream("", "\n".join(drawn).encode()),
        f"<</Title{_pdf_text(title)}/Subject{_pdf_text(GAP.join(rest))}>>".encode(),
        *pictures,
    ]
    file, begins = bytearray(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n"), []
    for number, written in enumerate(objects, 1):
        begins.append(len(file))
        file += b"%d 0 obj\n%b\nendobj\n" % (number, written)
    end, size = len(file), len(objects) + 1
    file += b"xref\n0 %d\n0000000000 65535 f \n" % size
    file += b"".join(b"%010d 00000 n \n" % begin for begin in begins)
    file += b"trailer<</Size %d/Root 1 0 R/Info 5 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (size, end)
    return bytes(file)


def _pdf_texts(figure: Figure) -> Iterator[str]:
    for _, matrix, placed in _runs(figure):
        yield f"q {matrix} cm"
        for glyph, at in placed:
            pen = _PdfPen(None)
            glyph.draw(pen)
            yield f"q 1 0 0 1 {at:g} 0 cm {' '.join(pen.written)} f Q"
        yield "Q"


def _pdf_picture(picture: Image.Image) -> bytes:
    colours = bytes(picture.getpalette() or ())
    about = (
        f"/Type/XObject/Subtype/Image/Width {picture.width}/Height {picture.height}"
        f"/BitsPerComponent 8/ColorSpace[/Indexed/DeviceRGB {len(colours) // 3 - 1}"
        f"<{colours.hex()}>]"
    )
    return _pdf_stream(about, picture.tobytes())


def _pdf_stream(about: str, data: bytes) -> bytes:
    packed = zlib.compress(data, 9)
    head = f"<<{about}/Filter/FlateDecode/Length {len(packed)}>>".encode()
    return b"%b\nstream\n%b\nendstream" % (head, packed)


def _pdf_text(text: str) -> str:
    return f"<FEFF{text.encode('utf-16-be').hex()}>"


def _png(figure: Figure) -> bytes:
    per_mm = DPI / MM
    size = round(figure.width * per_mm), round(figure.height * per_mm)
    page, face = Image.new("RGB", size, "white"), _face(TEXT * per_mm)
    for colours, left, top, width, height in figure.pictures:
        box = [round(part * per_mm) for part in (left, top, left + width, top + height)]
        inside = box[2] - box[0], box[3] - box[1]
        page.paste(_picture(colours).resize(inside, Image.Resampling.NEAREST), (box[0], box[1]))
    for text, x, y, anchor, upwards in figure.texts:
        _write(page, face, text, (x * per_mm, y * per_mm), anchor, upwards)
    file, info = io.BytesIO(), PngInfo()
    title, *about = figure.about.values()
    info.add_itxt("Title", title)
    info.add_itxt("Description", GAP.join(filter(None, about)))
    page.save(file, "PNG", pnginfo=info, dpi=(DPI, DPI), optimize=True)
    return file.getvalue()


def _write(
    page: Image.Image, face: ImageFont.FreeTypeFont, text: str, at: tuple[float, float],
    anchor: str, upwards: bool,
) -> None:  # fmt: skip
    x, y = at
    length = face.getlength(text)
    back = length * ANCHORS[anchor]
    if not upwards:
        ImageDraw.Draw(page).text((x - back, y), text, PALETTES["light"].ink, face, anchor="ls")
        return
    above, below = face.getmetrics()
    written = Image.new("L", (math.ceil(length), above + below), 0)
    ImageDraw.Draw(written).text((0, above), text, 255, face, anchor="ls")
    turned = written.rotate(90, expand=True)
    page.paste(PALETTES["light"].ink, (round(x - above), round(y + back - length)), turned)
