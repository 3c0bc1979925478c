"""The architecture of a model as a drawing: a box for each part, and lines between them.

It runs from left to right: the encoder above, the decoder below, the encoder's output between the
two. Attention has a thumbnail of its weights. If a trace has one layer of many, the layers before
and behind it are one box each.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

import numpy as np

from core import Trace
from core.nested import parts
from views.figures.scale import FAINT, Scale, round_up

ATTENTION = ("self", "cross")
# What is read from the stream or computed backwards: no parts of the model, so not on its map.
LENS, SHARES, GRADIENTS = "lens", "shares", "gradients"
READ = (LENS, SHARES, GRADIENTS)
MEMORY = "memory"
WIDTHS = {"self": 104, "cross": 124, "feed_forward": 94}
END_WIDTH = 86
OTHERS_WIDTH = 88
HEIGHT, LOW = 52, 40
GAP, PAD = 10, 5
BETWEEN_ROWS = 24
MARGIN, LEFT = 4, 20
TIP = 5
MOST = 256  # rows or columns of a thumbnail


@dataclass(frozen=True)
class Rectangle:
    """Where something is drawn, in pixels from the top left."""

    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> float:
        """The y coordinate at which lines start and end."""
        return self.y + self.height / 2

    @property
    def centre(self) -> float:
        """The x coordinate of the centre."""
        return self.x + self.width / 2


@dataclass(frozen=True)
class Box(Rectangle):
    """The box of one part of the model.

    kind: ``self``, ``cross``, ``feed_forward``, ``source``, ``target``, ``input``, ``final_norm``,
    ``prediction``.
    side: ``encoder`` or ``decoder``. layer: from 1; 0 for a part outside of the layers.
    """

    path: str
    kind: str
    side: str
    layer: int


@dataclass(frozen=True)
class OtherLayers(Rectangle):
    """Layers that the trace does not have, in one box. first, last: from 1.

    behind: whether they come after the layers of the trace, so that they are not computed.
    """

    side: str
    first: int
    last: int
    behind: bool
    path: str = ""


@dataclass(frozen=True)
class Line:
    """An arrow from one part to another, as an SVG path with its tip.

    source, target: their paths; "" for ``OtherLayers``. memory: whether the vectors become K and V.
    """

    source: str
    target: str
    path: str
    memory: bool


@dataclass(frozen=True)
class Frame(Rectangle):
    """The frame around the parts of a layer, or around a whole side if ``layer`` is 0."""

    side: str
    layer: int


@dataclass(frozen=True)
class ModelMap:
    """The boxes, lines and frames of a drawing, and its total size in pixels.

    room: the x coordinate from which the first row is free; None if there is only one row.
    """

    boxes: tuple[Box, ...]
    lines: tuple[Line, ...]
    frames: tuple[Frame, ...]
    others: tuple[OtherLayers, ...]
    room: float | None
    width: float
    height: float

    @property
    def sides(self) -> tuple[str, ...]:
        """The rows from top to bottom."""
        return tuple(dict.fromkeys(box.side for box in self.boxes))


def map_of(trace: Trace, layers: Sequence[int] = ()) -> ModelMap:
    """Lay out every part of a model's trace.

    layers: their number in each row, if more than in the trace.
    """
    paths = tuple(path for path in parts(trace) if path not in READ)
    start = paths.index("target") if "target" in paths else len(paths)
    rows = [row for row in (paths[:start], paths[start:]) if row]
    pitch = HEIGHT + 2 * PAD + BETWEEN_ROWS
    filled = [
        list(_row(row, side, MARGIN + PAD + number * pitch, count))
        for number, (row, side, count) in enumerate(
            zip(rows, ("encoder", "decoder"), layers or (0, 0), strict=False)
        )
    ]
    others = tuple(one for row in filled for one in row if isinstance(one, OtherLayers))
    placed = [[one for one in row if isinstance(one, Box)] for row in filled]
    boxes = {box.path: box for row in placed for box in row}
    lines = [*_lines(trace, boxes), *(line for row in filled for line in _through(row))]
    if len(filled) > 1 and isinstance(last := filled[0][-1], OtherLayers):
        lines += _from_others(trace, boxes, last)
    frames = tuple(frame for row in placed for frame in _frames(row))
    ends = [row[-1].x + row[-1].width + PAD for row in filled]
    room = ends[0] + GAP if len(placed) > 1 else None
    height = MARGIN + len(placed) * pitch - BETWEEN_ROWS + MARGIN
    width = max(ends) + MARGIN
    return ModelMap(tuple(boxes.values()), tuple(lines), frames, others, room, width, height)


def thumbnails(trace: Trace, hidden: tuple[int, ...] = ()) -> tuple[dict[str, np.ndarray], Scale]:
    """The weights of each attention, averaged over the heads, and their common colour scale.

    weights (batch, head, query, key) -> (query, key) uint8, of the first sample: 1 … 255 along the
    scale, 0 where every head is masked. hidden: positions of tokens that do not count for the
    scale, as queries and as keys. More than MOST tokens, of which none is hidden, are averaged in
    blocks, since the browser draws a map of them in a few pixels.
    """
    paths = [path for path in parts(trace) if f"{path}/weights" in trace]
    means = {path: trace[f"{path}/weights"].tensor[0].mean(axis=0) for path in paths}
    shown = [np.delete(np.delete(mean, hidden, axis=0), hidden, axis=1) for mean in means.values()]
    high = round_up(max(float(mean.max(initial=0)) for mean in shown))
    keys = max(mean.shape[-1] for mean in means.values())
    scale = Scale("share", 0, high, root=high * keys >= FAINT)
    small = {}
    for path, mean in means.items():
        most = max(mean.shape) if hidden else MOST
        levels = np.maximum(scale.positions(_averaged(mean, most)), 1)
        masked = _averaged(_masked(trace, path, mean.shape), most) == 1
        small[path] = np.where(masked, 0, levels).astype(np.uint8)
    return small, scale


def _averaged(plane: np.ndarray, most: int) -> np.ndarray:
    """Means of equal blocks, so that no axis is longer than ``most``; the last may be smaller."""
    if max(plane.shape) <= most:
        return plane.astype(float)
    for axis, size in enumerate(plane.shape):
        begins = np.arange(0, size, -(-size // most))
        counts = np.diff(begins, append=size)
        plane = np.add.reduceat(plane, begins, axis, float) / (counts if axis else counts[:, None])
    return plane


def _masked(trace: Trace, path: str, shape: tuple[int, ...]) -> np.ndarray:
    key = f"{path}/masked"
    if key not in trace:
        return np.zeros(shape, dtype=bool)
    return np.asarray(np.isneginf(trace[key].tensor[0]).all(axis=0))


def _row(paths: Sequence[str], side: str, y: float, layers: int) -> Iterator[Box | OtherLayers]:
    x: float = LEFT
    before = 0
    low = y + (HEIGHT - LOW) / 2
    for path in paths:
        folder, _, kind = path.rpartition("/")
        layer = int(folder.rpartition("/")[2]) if folder else 0
        if layer > before + 1:
            x += PAD
            yield OtherLayers(x, low, OTHERS_WIDTH, LOW, side, before + 1, layer - 1, False)
            x += OTHERS_WIDTH + GAP
        if layer != before:
            x += 2 * PAD
        before = max(before, layer)
        width = WIDTHS.get(kind, END_WIDTH)
        height = HEIGHT if kind in ATTENTION else LOW
        yield Box(x, y + (HEIGHT - height) / 2, width, height, path, kind, side, layer)
        x += width + GAP
    if before < layers:
        yield OtherLayers(x + 2 * PAD, low, OTHERS_WIDTH, LOW, side, before + 1, layers, True)


def _frames(row: Sequence[Box]) -> Iterator[Frame]:
    top = min(box.y for box in row if box.height == HEIGHT) - PAD
    yield Frame(MARGIN, top, LEFT - 2 * MARGIN, HEIGHT + 2 * PAD, row[0].side, 0)
    for layer, members in groupby(row, lambda box: box.layer):
        if layer:
            first, *_, last = members
            width = last.x + last.width - first.x + 2 * PAD
            yield Frame(first.x - PAD, top, width, HEIGHT + 2 * PAD, first.side, layer)


def _lines(trace: Trace, boxes: dict[str, Box]) -> Iterator[Line]:
    """A line for each stage that reads a stage of another part."""
    for key, stage in trace.items():
        path, _, name = key.rpartition("/")
        if path in READ:
            continue
        for source in stage.computed_from:
            origin = source.rpartition("/")[0]
            if origin != path:
                draw = _down if name == MEMORY else _along
                yield Line(origin, path, draw(boxes[origin], boxes[path]), name == MEMORY)


def _through(row: Sequence[Box | OtherLayers]) -> Iterator[Line]:
    """Lines into and out of the boxes of other layers."""
    for one, next_one in pairwise(row):
        if isinstance(one, OtherLayers) or isinstance(next_one, OtherLayers):
            yield Line(one.path, next_one.path, _along(one, next_one), False)


def _from_others(trace: Trace, boxes: dict[str, Box], others: OtherLayers) -> Iterator[Line]:
    """Lines to where the output of layers that are not shown becomes K and V."""
    for path, box in boxes.items():
        memory = f"{path}/{MEMORY}"
        if memory in trace and not trace[memory].computed_from:
            yield Line(others.path, path, _down(others, box), True)


def _along(source: Box | OtherLayers, target: Box | OtherLayers) -> str:
    x, y = target.x - 1, target.middle
    return (
        f"M{source.x + source.width:g} {source.middle:g}H{x:g}"
        f"M{x - TIP:g} {y - 3:g}L{x:g} {y:g}L{x - TIP:g} {y + 3:g}"
    )


def _down(source: Box | OtherLayers, target: Box) -> str:
    """A path out of the bottom of the source, between the two rows, into the top of the target."""
    bus = target.y - PAD - BETWEEN_ROWS / 2
    turn = TIP if target.centre > source.centre else -TIP
    x, y = target.centre, target.y - 1
    return (
        f"M{source.centre:g} {source.y + source.height:g}V{bus - TIP:g}"
        f"Q{source.centre:g} {bus:g} {source.centre + turn:g} {bus:g}"
        f"H{x - turn:g}Q{x:g} {bus:g} {x:g} {bus + TIP:g}V{y:g}"
        f"M{x - 3:g} {y - TIP:g}L{x:g} {y:g}L{x + 3:g} {y - TIP:g}"
    )
