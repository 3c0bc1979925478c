"""The layout of the planes of a step: as a matrix product, side by side, or stacked."""

from dataclasses import dataclass, replace

from views.figures.axis import LINE_HEIGHT, NARROWER, label_layout, widest
from views.figures.plane import Plane, Side
from views.figures.step import Step

TITLE = 24
TALLEST_STACK, ROOMY = 560, 44
TALLEST, WIDEST = 38, 64  # of a cell
FEW, SLENDER = 8, 1.2  # rows; height over width of a cell
HIGHEST, ABOVE = 400, 160  # of a plane
MANY = 6  # planes; more of them may be narrower
PATCH = 15  # of one beside its number
PIXELS = ("height", "row")  # roles of the rows of a picture


@dataclass(frozen=True)
class Design:
    """The space for a figure, in pixels.

    gap: between planes. bar: for the colour bar. narrowest: the minimum width of a plane.
    repeats: whether the result of a product repeats the row labels of its left operand.
    """

    width: int
    gap: int
    bar: int
    narrowest: int
    repeats: bool


DESKTOP = Design(width=760, gap=34, bar=70, narrowest=105, repeats=True)
PHONE_PORTRAIT = Design(width=380, gap=18, bar=0, narrowest=110, repeats=False)


@dataclass(frozen=True, eq=False)
class Box:
    """The position and size of a plane, in pixels from the top left at the design width."""

    plane: Plane
    x: float
    y: float
    width: float
    height: float


def arrange(step: Step, design: Design = DESKTOP) -> list[Box]:
    """A box for each operand, followed by that of the result."""
    if step.layout == "product":
        left, right = step.operands
        return _product_layout(left, right, step.result, design)
    if len(step.operands) > MANY:
        design = replace(design, narrowest=design.narrowest * 3 // 4)
    lines = _lines((*step.operands, step.result), design)
    cell = min(_cell(line, design) for line in lines)
    y, boxes = 0.0, []
    for line in lines:
        widths = [_width(plane, cell, design) for plane in line]
        y += TITLE + max(
            column_label_height(plane.columns, width / plane.values.shape[1])
            for plane, width in zip(line, widths, strict=True)
        )
        x = 0.0
        for plane, width in zip(line, widths, strict=True):
            x += _label_width(plane.rows)
            boxes.append(Box(plane, x, y, width, _height(plane, HIGHEST, width)))
            x += width + design.gap
        y = max(box.y + box.height for box in boxes) + 10
    return boxes


def _lines(planes: tuple[Plane, ...], design: Design) -> list[tuple[Plane, ...]]:
    """The planes side by side in as few lines as possible, or stacked if that makes larger cells
    and the stack is low enough to be visible at once.
    """
    heads, joined = planes[:-1], planes[-1:]
    if len(heads) > 1 and planes[0].head is not None and _cell(heads, design) >= ROOMY:
        return [heads, joined]
    rows, columns = planes[-1].values.shape
    tall = len(planes) * (rows * TALLEST + TITLE + 40)
    if columns > rows and tall <= TALLEST_STACK and _cell(planes, design) < ROOMY:
        return [(plane,) for plane in planes]
    for count in range(1, len(planes)):
        lines = (
            _even(planes, count)
            if count == 1 or planes[0].head is None
            else [*_even(heads, count - 1), joined]
        )
        if all(_narrowest(line, design) <= _room(line, design) for line in lines):
            return lines
    return [(plane,) for plane in planes]


def _even(planes: tuple[Plane, ...], count: int) -> list[tuple[Plane, ...]]:
    """The planes in so many lines of the same number, the last line with what is left."""
    each = -(-len(planes) // count)
    return [planes[start : start + each] for start in range(0, len(planes), each)]


def _cell(line: tuple[Plane, ...], design: Design) -> float:
    """The width of a cell, equal in all planes that are wider than the minimum."""
    return _cell_in(line, _room(line, design), design)


def _cell_in(line: tuple[Plane, ...], room: float, design: Design) -> float:
    columns = sum(plane.values.shape[1] for plane in line)
    cell = min(WIDEST, room / columns)
    while sum(_width(plane, cell, design) for plane in line) > room + 1e-9:
        narrow = [p for p in line if _width(p, cell, design) > cell * p.values.shape[1]]
        wide = tuple(plane for plane in line if plane not in narrow)
        if not wide:
            break
        left = room - _narrowest(tuple(narrow), design)
        cell = max(left, 0) / sum(plane.values.shape[1] for plane in wide)
    return cell


def _width(plane: Plane, cell: float, design: Design) -> float:
    columns = plane.values.shape[1]
    return max(cell * columns, min(design.narrowest, WIDEST * columns))


def _narrowest(line: tuple[Plane, ...], design: Design) -> float:
    return sum(_width(plane, 0, design) for plane in line)


def _room(line: tuple[Plane, ...], design: Design) -> float:
    """The width that is left for the cells of a line."""
    labels = sum(_label_width(plane.rows) for plane in line)
    return design.width - design.bar - design.gap * (len(line) - 1) - labels


def _product_layout(left: Plane, right: Plane, result: Plane, design: Design) -> list[Box]:
    """The layout of a product: row i of the left and column j of the right meet in cell (i, j)."""
    x = _label_width(left.rows)
    between = max(_label_width(result.rows), _label_width(right.rows))
    labels = x + (between if design.repeats or left.rows.names != result.rows.names else 0)
    cell = _cell_in((left, right), design.width - design.bar - design.gap - labels, design)
    left_width, width = _width(left, cell, design), _width(right, cell, design)
    second_x = labels + left_width + design.gap
    top = TITLE + column_label_height(right.columns, width / right.values.shape[1])
    right_height = _height(right, ABOVE, width)
    heads = (column_label_height(plane.columns, w / plane.values.shape[1]) for plane, w in (
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
    """The height of a plane, at most ``highest``; with many rows, cells are not much taller than
    wide. A picture keeps its aspect ratio.
    """
    rows, columns = plane.values.shape
    if plane.rows.role in PIXELS:
        return width * rows / columns
    tallest = TALLEST if rows <= FEW else max(SLENDER * width / columns, LINE_HEIGHT + 1)
    return min(min(TALLEST, tallest) * rows, highest)


def _label_width(side: Side) -> float:
    if not side.role:
        return 0
    if isinstance(side.kinds, str):
        numbered = side.names if side.kinds == "patch" else ()
    else:
        of_kind = zip(side.names, side.kinds, strict=True)
        numbered = tuple(name for name, kind in of_kind if kind == "patch")
    with_patch = widest(numbered) + PATCH if numbered else 0
    return 12 + max(widest(side.names), with_patch)


def column_label_height(side: Side, cell: float) -> float:
    """The height of the column labels above a plane whose cells have this width, in pixels."""
    slanted, _ = label_layout(side, cell * NARROWER)
    if not slanted:
        return 22
    return LINE_HEIGHT + 0.87 * widest(side.names)
