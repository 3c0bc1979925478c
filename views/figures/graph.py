"""The computation as a graph: a box for each stage, laid out by its dependencies.

Layers run from left to right by the longest path from an input, so Q, K and V are above each other.
Side inputs (matrices, masks, positions) are small boxes on top of the first stage that reads them.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from core import Stage, Trace, rules
from core.nested import EARLIER
from views.figures.plane import sizes_of
from views.figures.symbols import Convention

WIDTH, LINE, HEAD = 80, 13, 46
GAP_X, GAP_Y = 20, 26
FLOWING = (rules.Given("input"), rules.Given("elsewhere"), EARLIER)
SMALL_HEIGHT, SMALL_GAP = 20, 2
MARGIN = 10


@dataclass(frozen=True)
class Box:
    """The box of one stage, in pixels from the top left.

    sizes: role and size of its axes; the batch only if it has more than one sample.
    given: whether it is a side input, a small box on top of the stage that reads it.
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
        """The y coordinate at which lines start and end."""
        return self.y + self.height / 2


@dataclass(frozen=True)
class Line:
    """An edge from one stage to another, as an SVG path."""

    source: str
    target: str
    path: str


@dataclass(frozen=True)
class Graph:
    """Boxes, the lines between them, and the total size in pixels."""

    boxes: tuple[Box, ...]
    lines: tuple[Line, ...]
    width: float
    height: float


def graph_of(trace: Trace, convention: Convention = "rows") -> Graph:
    """Lay out every stage of a trace; axis sizes are in the order of the convention."""
    sizes = {key: _sizes(stage, convention) for key, stage in trace.items()}
    flowing = {key: stage for key, stage in trace.items() if not is_side_input(stage)}
    side_inputs = _side_inputs(flowing)
    layers, lanes = _layers(flowing), _lanes(flowing)
    heights = {key: HEAD + LINE * len(sizes[key]) for key in flowing}
    on_top = {
        key: -(-len(side_inputs.get(key, ())) // 2) * (SMALL_HEIGHT + SMALL_GAP) for key in flowing
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
    small = tuple(
        box for key, given in side_inputs.items() for box in _small(boxes[key], given, sizes)
    )
    width = max(box.x + box.width for box in boxes.values()) + MARGIN
    return Graph((*boxes.values(), *small), lines, width, bottom + MARGIN)


def is_side_input(stage: Stage) -> bool:
    """Whether a stage is an input that does not depend on the sample: a matrix, mask, position."""
    flows = stage.rule in FLOWING and "batch" in stage.roles
    return isinstance(stage.rule, rules.Given) and not flows


def _sizes(stage: Stage, convention: Convention) -> tuple[tuple[str, int], ...]:
    """Role and size of each axis, without a batch of one."""
    sizes = sizes_of(stage, convention)
    return tuple((role, size) for role, size in sizes if role != "batch" or size > 1)


def _side_inputs(flowing: dict[str, Stage]) -> dict[str, list[str]]:
    """The side inputs by the first stage that reads them; unread ones are left out."""
    inputs: dict[str, list[str]] = {}
    known: set[str] = set()
    for key, stage in flowing.items():
        for source in stage.computed_from:
            if source not in flowing and source not in known:
                known.add(source)
                inputs.setdefault(key, []).append(source)
    return inputs


def _layers(flowing: dict[str, Stage]) -> dict[str, int]:
    """The column of each stage from the left; a stage without inputs is just before its reader."""
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
    """The vertical lane of each stage, centred around the stages of the previous layer it reads.

    Sources in earlier layers do not count, so that the main line stays straight.
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
    """An SVG path from the right side of one box to the left side of another, avoiding others."""
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
    """The boxes of side inputs, two in a row; the last of an odd number fills its row."""
    boxes = []
    for i, key in enumerate(given):
        row, column = divmod(i, 2)
        shared = 2 * row + 1 < len(given)
        width = (WIDTH - SMALL_GAP) / 2 if shared else WIDTH
        x = owner.x + column * (width + SMALL_GAP)
        y = owner.y - (row + 1) * (SMALL_HEIGHT + SMALL_GAP)
        boxes.append(Box(key, x, y, width, SMALL_HEIGHT, sizes[key], given=True))
    return boxes
