"""The whole computation as a graph: a box for each stage, laid out from what each one reads.

Layers run from left to right by the longest way from an input, so Q, K and V stand above each other
and what follows from them runs straight on. What is merely given (matrices, masks, position) sits
as a small box on top of the first stage that reads it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from core import Stage, Trace, rules
from core.nested import EARLIER
from views.figures.plane import sizes_of
from views.figures.symbols import Convention

WIDTH, LINE, HEAD = 80, 13, 46
GAP_X, GAP_Y = 20, 26
FLOWING = (rules.Given("input"), EARLIER)
SMALL_HEIGHT, SMALL_GAP = 20, 2
MARGIN = 10


@dataclass(frozen=True)
class Box:
    """One stage at its place, in pixels from the top left.

    sizes: role and size of its axes, the batch only where it has more than one sample.
    given: whether it is a small box on top of the stage that reads it.
    """

    key: str
    x: float
    y: float
    width: float
    height: float
    sizes: tuple[tuple[str, int], ...]
    given: bool = False

    @property
    def middle(self) -> float:
        """The height at which lines arrive and leave."""
        return self.y + self.height / 2


@dataclass(frozen=True)
class Line:
    """The way of a stage's numbers into another one, as an SVG path."""

    source: str
    target: str
    path: str


@dataclass(frozen=True)
class Graph:
    """Boxes, lines between them, and the size of the whole in pixels."""

    boxes: tuple[Box, ...]
    lines: tuple[Line, ...]
    width: float
    height: float


def graph_of(trace: Trace, convention: Convention = "rows") -> Graph:
    """Lay out every stage of a trace; the sizes stand in the order of the convention."""
    sizes = {key: _sizes(stage, convention) for key, stage in trace.items()}
    flowing = {key: stage for key, stage in trace.items() if not is_aside(stage)}
    asides = _asides(flowing)
    layers, lanes = _layers(flowing), _lanes(flowing)
    heights = {key: HEAD + LINE * len(sizes[key]) for key in flowing}
    on_top = {
        key: -(-len(asides.get(key, ())) // 2) * (SMALL_HEIGHT + SMALL_GAP) for key in flowing
    }
    pitch = max(heights.values()) + max(on_top.values()) + GAP_Y
    middle = min(lanes.values())
    top = MARGIN + max(on_top[key] + heights[key] / 2 for key in flowing)
    boxes: dict[str, Box] = {}
    for key in flowing:
        x = MARGIN + layers[key] * (WIDTH + GAP_X)
        y = top + (lanes[key] - middle) * pitch - heights[key] / 2
        boxes[key] = Box(key, x, y, WIDTH, heights[key], sizes[key])
    bottom = max(box.y + box.height for box in boxes.values()) + GAP_Y / 2
    lines = tuple(
        Line(source, key, _path(boxes[source], boxes[key], boxes.values(), bottom))
        for key, stage in flowing.items()
        for source in stage.computed_from
        if source in flowing
    )
    small = tuple(box for key, given in asides.items() for box in _small(boxes[key], given, sizes))
    width = max(box.x + box.width for box in boxes.values()) + MARGIN
    return Graph((*boxes.values(), *small), lines, width, bottom + MARGIN)


def is_aside(stage: Stage) -> bool:
    """Whether a stage is given and no sample of its own: a matrix, a mask, a position."""
    flows = stage.rule in FLOWING and "batch" in stage.roles
    return isinstance(stage.rule, rules.Given) and not flows


def _sizes(stage: Stage, convention: Convention) -> tuple[tuple[str, int], ...]:
    """Role and size of each axis, leaving out a batch of one."""
    sizes = sizes_of(stage, convention)
    return tuple((role, size) for role, size in sizes if role != "batch" or size > 1)


def _asides(flowing: dict[str, Stage]) -> dict[str, list[str]]:
    """What is given, by the first stage that reads it; what nobody reads is left out."""
    found: dict[str, list[str]] = {}
    seen: set[str] = set()
    for key, stage in flowing.items():
        for source in stage.computed_from:
            if source not in flowing and source not in seen:
                seen.add(source)
                found.setdefault(key, []).append(source)
    return found


def _layers(flowing: dict[str, Stage]) -> dict[str, int]:
    """Columns from left to right; what is computed from mere settings stands before its reader."""
    layers: dict[str, int] = {}
    for key, stage in flowing.items():
        before = [layers[source] for source in stage.computed_from if source in layers]
        layers[key] = max(before) + 1 if before else 0
    for key, stage in flowing.items():
        if "batch" not in stage.roles and not set(stage.computed_from) & flowing.keys():
            readers = (layers[name] for name, one in flowing.items() if key in one.computed_from)
            layers[key] = max(0, min(readers, default=0) - 1)
    return layers


def _lanes(flowing: dict[str, Stage]) -> dict[str, float]:
    """Heights in lanes: side by side around what they read, alone at the height of what they read.

    Only operands in the layer just before count, so that the main line stays straight.
    """
    layers = _layers(flowing)
    lanes: dict[str, float] = {}
    for layer in range(max(layers.values()) + 1):
        here = [key for key in flowing if layers[key] == layer]
        near = [
            lanes[source]
            for key in here
            for source in dict.fromkeys(flowing[key].computed_from)
            if layers.get(source) == layer - 1
        ]
        centre = sum(near) / len(near) if near else 0.0
        for i, key in enumerate(here):
            lanes[key] = centre + i - (len(here) - 1) / 2
    return lanes


def _path(source: Box, target: Box, boxes: Iterable[Box], bottom: float) -> str:
    """A line from the right side of one box to the left side of another, around what is between."""
    x0, y0 = source.x + source.width, source.middle
    x1, y1 = target.x, target.middle
    between = [
        box
        for box in boxes
        if x0 < box.x + box.width / 2 < x1 and box.y - GAP_Y / 2 < y0 < box.y + box.height
    ]
    if not between:
        bend, half = x1 - GAP_X, x1 - GAP_X / 2
        return f"M{x0:g} {y0:g}H{bend:g}C{half:g} {y0:g} {half:g} {y1:g} {x1:g} {y1:g}"
    from_x, to_x = source.x + source.width / 2, target.x + target.width / 2
    to_y = target.y + target.height
    start = f"M{from_x:g} {source.y + source.height:g}"
    if any(box.x == source.x and box.y > source.y for box in boxes):
        from_x = x0 + GAP_X / 2
        start = f"M{x0:g} {y0:g}H{from_x - 5:g}Q{from_x:g} {y0:g} {from_x:g} {y0 + 5:g}"
    return (
        f"{start}V{bottom - 10:g}Q{from_x:g} {bottom:g} {from_x + 10:g} {bottom:g}"
        f"H{to_x - 10:g}Q{to_x:g} {bottom:g} {to_x:g} {bottom - 10:g}V{to_y:g}"
    )


def _small(
    owner: Box, given: list[str], sizes: Mapping[str, tuple[tuple[str, int], ...]]
) -> list[Box]:
    """Two in a row; the last one of an odd number has its row to itself."""
    found = []
    for i, key in enumerate(given):
        row, column = divmod(i, 2)
        shared = 2 * row + 1 < len(given)
        width = (WIDTH - SMALL_GAP) / 2 if shared else WIDTH
        x = owner.x + column * (width + SMALL_GAP)
        y = owner.y - (row + 1) * (SMALL_HEIGHT + SMALL_GAP)
        found.append(Box(key, x, y, width, SMALL_HEIGHT, sizes[key], given=True))
    return found
