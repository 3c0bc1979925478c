"""Where the planes of a step stand: operands and result of a product meeting, or side by side."""

from dataclasses import dataclass

from views.figures.axis import LINE_HEIGHT, NARROWER, leaning, shortened, text_width
from views.figures.plane import Plane, Side
from views.figures.step import Step

WIDTH = 760
GAP, TITLE, BAR = 34, 24, 70
TALLEST_STACK, ROOMY = 560, 44
TALLEST, WIDEST = 38, 64  # of a cell
PHONE, MOST_SCROLLED = 330, 900
FEW, SLENDER = 8, 1.2  # rows; height over width of a cell
NARROWEST, HIGHEST, ABOVE = 120, 400, 160  # of a plane


@dataclass(frozen=True, eq=False)
class Box:
    """Where a plane stands, in pixels from the top left at the design width."""

    plane: Plane
    x: float
    y: float
    width: float
    height: float


def arrange(step: Step) -> list[Box]:
    """A box for each operand and, last, for the result."""
    if step.layout == "product":
        left, right = step.operands
        return _met(left, right, step.result)
    lines = _lines((*step.operands, step.result))
    cell = min(_cell(line, _room(line)) for line in lines)
    y, boxes = 0.0, []
    for line in lines:
        widths = [_width(plane, cell) for plane in line]
        y += TITLE + max(
            head_height(plane.columns, width / plane.values.shape[1])
            for plane, width in zip(line, widths, strict=True)
        )
        x = 0.0
        for plane, width in zip(line, widths, strict=True):
            x += _label_width(plane.rows)
            boxes.append(Box(plane, x, y, width, _height(plane, HIGHEST, width)))
            x += width + GAP
        y = max(box.y + box.height for box in boxes) + 10
    return boxes


def _lines(planes: tuple[Plane, ...]) -> list[tuple[Plane, ...]]:
    """The planes side by side in as few lines as it takes, or one below another where that is
    roomier and still low enough to be seen at once.
    """
    heads, joined = planes[:-1], planes[-1:]
    if len(heads) > 1 and planes[0].head is not None and _cell(heads, _room(heads)) >= ROOMY:
        return [heads, joined]
    rows, columns = planes[-1].values.shape
    tall = len(planes) * (rows * TALLEST + TITLE + 40)
    if columns > rows and tall <= TALLEST_STACK and _cell(planes, _room(planes)) < ROOMY:
        return [(plane,) for plane in planes]
    for count in range(1, len(planes)):
        each = -(-len(planes) // count)
        lines = [planes[start : start + each] for start in range(0, len(planes), each)]
        if all(sum(_width(plane, 0) for plane in line) <= _room(line) for line in lines):
            return lines
    return [(plane,) for plane in planes]


def _cell(line: tuple[Plane, ...], room: float) -> float:
    """The width of a cell, alike in all planes that are not too narrow to be seen."""
    columns = sum(plane.values.shape[1] for plane in line)
    cell = min(WIDEST, room / columns)
    while sum(_width(plane, cell) for plane in line) > room + 1e-9:
        narrow = [plane for plane in line if _width(plane, cell) > cell * plane.values.shape[1]]
        wide = [plane for plane in line if plane not in narrow]
        if not wide:
            break
        left = room - sum(_width(plane, 0) for plane in narrow)
        cell = max(left, 0) / sum(plane.values.shape[1] for plane in wide)
    return cell


def _width(plane: Plane, cell: float) -> float:
    columns = plane.values.shape[1]
    return max(cell * columns, min(NARROWEST, WIDEST * columns))


def _room(line: tuple[Plane, ...]) -> float:
    return WIDTH - BAR - GAP * (len(line) - 1) - sum(_label_width(plane.rows) for plane in line)


def _met(left: Plane, right: Plane, result: Plane) -> list[Box]:
    """The layout of a product: row i of the left and column j of the right meet in cell (i, j)."""
    x = _label_width(left.rows)
    labels = x + max(_label_width(result.rows), _label_width(right.rows))
    cell = _cell((left, right), WIDTH - BAR - GAP - labels)
    left_width, width = _width(left, cell), _width(right, cell)
    second_x = labels + left_width + GAP
    top = TITLE + head_height(right.columns, width / right.values.shape[1])
    right_height = _height(right, ABOVE, width)
    heads = (head_height(plane.columns, w / plane.values.shape[1]) for plane, w in (
        (left, left_width), (result, width),
    ))  # fmt: skip
    second_y = top + right_height + TITLE + 14 + max(heads)
    height = _height(result, HIGHEST, width)
    return [
        Box(left, x, second_y, left_width, height),
        Box(right, second_x, top, width, right_height),
        Box(result, second_x, second_y, width, height),
    ]


def _height(plane: Plane, highest: float, width: float) -> float:
    """No higher than allowed; where there are many rows, no cell is much taller than wide."""
    rows, columns = plane.values.shape
    tallest = TALLEST if rows <= FEW else max(SLENDER * width / columns, LINE_HEIGHT + 1)
    return min(min(TALLEST, tallest) * rows, highest)


def _label_width(side: Side) -> float:
    if not side.role:
        return 0
    return 12 + max(text_width(shortened(name)) for name in side.names)


def head_height(side: Side, cell: float) -> float:
    """The height of the column names above a plane."""
    lean, _ = leaning(side, cell * NARROWER)
    if not lean:
        return 22
    return LINE_HEIGHT + 0.87 * max(text_width(shortened(name)) for name in side.names)


def narrowest(step: Step) -> int:
    """The width below which the figure is scrolled: on a phone the result fills the screen then."""
    result = arrange(step)[-1]
    left = result.x - _label_width(result.plane.rows)
    return round(min(PHONE / (1 - left / WIDTH), MOST_SCROLLED))
