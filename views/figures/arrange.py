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
    planes = (*step.operands, step.result)
    room = WIDTH - BAR - GAP * (len(planes) - 1)
    widths = _widths(planes, room - sum(_label_width(plane.rows) for plane in planes))
    rows, columns = step.result.values.shape
    tall = len(planes) * (rows * TALLEST + TITLE + 40)
    narrow = min(w / plane.values.shape[1] for w, plane in zip(widths, planes, strict=True))
    if narrow < ROOMY and tall <= TALLEST_STACK and columns > rows:
        return _stacked(planes)
    heads = [
        head_height(p.columns, w / p.values.shape[1]) for p, w in zip(planes, widths, strict=True)
    ]
    x, boxes = 0.0, []
    for plane, width in zip(planes, widths, strict=True):
        x += _label_width(plane.rows)
        boxes.append(Box(plane, x, TITLE + max(heads), width, _height(plane, HIGHEST)))
        x += width + GAP
    return boxes


def _met(left: Plane, right: Plane, result: Plane) -> list[Box]:
    """The layout of a product: row i of the left and column j of the right meet in cell (i, j)."""
    x = _label_width(left.rows)
    labels = x + max(_label_width(result.rows), _label_width(right.rows))
    left_width, width = _widths((left, right), WIDTH - BAR - GAP - labels)
    second_x = labels + left_width + GAP
    top = TITLE + head_height(right.columns, width / right.values.shape[1])
    right_height = _height(right, ABOVE)
    heads = (head_height(plane.columns, w / plane.values.shape[1]) for plane, w in (
        (left, left_width), (result, width),
    ))  # fmt: skip
    second_y = top + right_height + TITLE + 14 + max(heads)
    height = _height(result, HIGHEST)
    return [
        Box(left, x, second_y, left_width, height),
        Box(right, second_x, top, width, right_height),
        Box(result, second_x, second_y, width, height),
    ]


def _stacked(planes: tuple[Plane, ...]) -> list[Box]:
    left = max(_label_width(plane.rows) for plane in planes)
    y, boxes = 0.0, []
    for plane in planes:
        rows, columns = plane.values.shape
        width = min(WIDEST * columns, WIDTH - BAR - left)
        y += TITLE + head_height(plane.columns, width / columns)
        boxes.append(Box(plane, left, y, width, rows * TALLEST))
        y += rows * TALLEST + 10
    return boxes


def _widths(planes: tuple[Plane, ...], room: float) -> list[float]:
    """Cells of one width, except that none of the planes gets too narrow to be seen."""
    columns = [plane.values.shape[1] for plane in planes]
    cell = min(WIDEST, room / sum(columns))
    widths = [max(cell * n, min(NARROWEST, WIDEST * n)) for n in columns]
    over = sum(widths) - room
    if over > 0:
        widest = widths.index(max(widths))
        widths[widest] -= over
    return widths


def _height(plane: Plane, highest: float) -> float:
    return min(TALLEST * plane.values.shape[0], highest)


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
