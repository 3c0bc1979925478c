"""A model as a drawing: a box for each part, laid out from what each part takes from another.

Everything runs from left to right: the encoder above, the decoder below it, and what the decoder
takes from the encoder's end between the two. Attention has a small picture of its weights. Where a
trace holds one layer of many, the layers before it and behind it are a box each.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

import numpy as np

from core import Trace
from core.nested import parts
from views.figures.scale import FAINT, Scale, round_up

ATTENTION = ("self", "cross")
MEMORY = "memory"
WIDTHS = {"self": 104, "cross": 104, "feed_forward": 94}
END_WIDTH = 86
OTHERS_WIDTH = 88
HEIGHT, LOW = 66, 50
GAP, PAD = 10, 6
BETWEEN_ROWS = 24
MARGIN, LEFT = 4, 20
TIP = 5


@dataclass(frozen=True)
class Box:
    """One part of the model at its place, in pixels from the top left.

    kind: ``self``, ``cross``, ``feed_forward``, ``source``, ``target``, ``input``, ``prediction``.
    side: ``encoder`` or ``decoder``. layer: from 1; 0 where the part belongs to none.
    """

    path: str
    kind: str
    side: str
    layer: int
    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> float:
        """The height at which lines arrive and leave."""
        return self.y + self.height / 2

    @property
    def centre(self) -> float:
        """Half-way between left and right."""
        return self.x + self.width / 2


@dataclass(frozen=True)
class Others:
    """Layers without parts of their own here, in one box: run through on the way, or come behind.

    first, last: from 1.
    """

    side: str
    first: int
    last: int
    behind: bool
    x: float
    y: float
    width: float
    height: float
    path: str = ""

    @property
    def middle(self) -> float:
        """The height at which a line goes through."""
        return self.y + self.height / 2


@dataclass(frozen=True)
class Line:
    """The way of a part's vectors into another one, as an SVG path with its tip.

    source, target: their paths, "" for the layers that have no parts here. memory: whether they
    become K and V there.
    """

    source: str
    target: str
    path: str
    memory: bool


@dataclass(frozen=True)
class Frame:
    """What is drawn around the parts of a layer, or of a whole side where ``layer`` is 0."""

    side: str
    layer: int
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class ModelMap:
    """Boxes, lines and frames, other layers, room beside the encoder, and the size of the whole.

    room: from which x on the first row is free; None where there is but one row.
    """

    boxes: tuple[Box, ...]
    lines: tuple[Line, ...]
    frames: tuple[Frame, ...]
    others: tuple[Others, ...]
    room: float | None
    width: float
    height: float

    @property
    def sides(self) -> tuple[str, ...]:
        """The rows from top to bottom."""
        return tuple(dict.fromkeys(box.side for box in self.boxes))


def map_of(trace: Trace, layers: int = 0) -> ModelMap:
    """Lay out every part of a model's trace. layers: how many the model has, if more than here."""
    paths = parts(trace)
    start = paths.index("target") if "target" in paths else len(paths)
    rows = [row for row in (paths[:start], paths[start:]) if row]
    pitch = HEIGHT + 2 * PAD + BETWEEN_ROWS
    filled = [
        list(_row(row, side, MARGIN + PAD + number * pitch, layers))
        for number, (row, side) in enumerate(zip(rows, ("encoder", "decoder"), strict=False))
    ]
    others = tuple(one for row in filled for one in row if isinstance(one, Others))
    placed = [[one for one in row if isinstance(one, Box)] for row in filled]
    boxes = {box.path: box for row in placed for box in row}
    lines = (*_lines(trace, boxes), *(line for row in filled for line in _through(row)))
    frames = tuple(frame for row in placed for frame in _frames(row))
    ends = [row[-1].x + row[-1].width + PAD for row in filled]
    room = ends[0] + GAP if len(placed) > 1 else None
    height = MARGIN + len(placed) * pitch - BETWEEN_ROWS + MARGIN
    width = max(ends) + MARGIN
    return ModelMap(tuple(boxes.values()), lines, frames, others, room, width, height)


def thumbnails(trace: Trace, hidden: tuple[int, ...] = ()) -> tuple[dict[str, np.ndarray], Scale]:
    """Of each attention the mean of its weights over the heads, and the one scale of them all.

    weights (batch, head, query, key) -> (query, key) uint8, of the first sample: 1 … 255 along the
    scale, and 0 where every head is masked. hidden: the places of tokens, queries and keys alike,
    that have no part in the scale.
    """
    paths = [path for path in parts(trace) if f"{path}/weights" in trace]
    means = {path: trace[f"{path}/weights"].tensor[0].mean(axis=0) for path in paths}
    shown = [np.delete(np.delete(mean, hidden, axis=0), hidden, axis=1) for mean in means.values()]
    high = round_up(max(float(mean.max(initial=0)) for mean in shown))
    keys = max(mean.shape[-1] for mean in means.values())
    scale = Scale("share", 0, high, root=high * keys >= FAINT)
    return {
        path: np.where(_masked(trace, path), 0, np.maximum(scale.place(mean), 1)).astype(np.uint8)
        for path, mean in means.items()
    }, scale


def _masked(trace: Trace, path: str) -> np.ndarray:
    key = f"{path}/masked"
    if key not in trace:
        return np.zeros((), dtype=bool)
    return np.asarray(np.isneginf(trace[key].tensor[0]).all(axis=0))


def _row(paths: Sequence[str], side: str, y: float, layers: int) -> Iterator[Box | Others]:
    x: float = LEFT
    before = 0
    low = y + (HEIGHT - LOW) / 2
    for path in paths:
        folder, _, kind = path.rpartition("/")
        layer = int(folder.rpartition("/")[2]) if folder else 0
        if layer > before + 1:
            x += PAD
            yield Others(side, before + 1, layer - 1, False, x, low, OTHERS_WIDTH, LOW)
            x += OTHERS_WIDTH + GAP
        if layer != before:
            x += 2 * PAD
        before = max(before, layer)
        width = WIDTHS.get(kind, END_WIDTH)
        height = HEIGHT if kind in ATTENTION else LOW
        yield Box(path, kind, side, layer, x, y + (HEIGHT - height) / 2, width, height)
        x += width + GAP
    if before < layers:
        yield Others(side, before + 1, layers, True, x + 2 * PAD, low, OTHERS_WIDTH, LOW)


def _frames(row: Sequence[Box]) -> Iterator[Frame]:
    top = min(box.y for box in row if box.height == HEIGHT) - PAD
    yield Frame(row[0].side, 0, MARGIN, top, LEFT - 2 * MARGIN, HEIGHT + 2 * PAD)
    for layer, found in groupby(row, lambda box: box.layer):
        if layer:
            first, *_, last = found
            width = last.x + last.width - first.x + 2 * PAD
            yield Frame(first.side, layer, first.x - PAD, top, width, HEIGHT + 2 * PAD)


def _lines(trace: Trace, boxes: dict[str, Box]) -> Iterator[Line]:
    """A line for each stage that takes over a stage of another part."""
    for key, stage in trace.items():
        path, _, name = key.rpartition("/")
        for source in stage.computed_from:
            origin = source.rpartition("/")[0]
            if origin != path:
                way = _down if name == MEMORY else _along
                yield Line(origin, path, way(boxes[origin], boxes[path]), name == MEMORY)


def _through(row: Sequence[Box | Others]) -> Iterator[Line]:
    """From the box before other layers into them, and on to the one behind them."""
    for one, next_one in pairwise(row):
        if isinstance(one, Others) or isinstance(next_one, Others):
            yield Line(one.path, next_one.path, _along(one, next_one), False)


def _along(source: Box | Others, target: Box | Others) -> str:
    x, y = target.x - 1, target.middle
    return (
        f"M{source.x + source.width:g} {source.middle:g}H{x:g}"
        f"M{x - TIP:g} {y - 3:g}L{x:g} {y:g}L{x - TIP:g} {y + 3:g}"
    )


def _down(source: Box, target: Box) -> str:
    """Out at the bottom, between the two rows, and in from above."""
    bus = target.y - PAD - BETWEEN_ROWS / 2
    turn = TIP if target.centre > source.centre else -TIP
    x, y = target.centre, target.y - 1
    return (
        f"M{source.centre:g} {source.y + source.height:g}V{bus - TIP:g}"
        f"Q{source.centre:g} {bus:g} {source.centre + turn:g} {bus:g}"
        f"H{x - turn:g}Q{x:g} {bus:g} {x:g} {bus + TIP:g}V{y:g}"
        f"M{x - 3:g} {y - TIP:g}L{x:g} {y:g}L{x + 3:g} {y - TIP:g}"
    )
