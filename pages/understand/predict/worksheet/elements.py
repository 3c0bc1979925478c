"""HTML elements as trees, whose text is escaped when they are serialised."""

from collections.abc import Sequence
from xml.etree.ElementTree import Element, tostring

import numpy as np

from views.figures.formula import Node, formula
from views.figures.symbols import Symbol
from views.text import numbers

Piece = Element | str


def element(tag: str, *pieces: Piece, **attributes: str) -> Element:
    """An element with text and elements in it. A trailing ``_`` of an attribute is dropped."""
    node = Element(tag, {name.rstrip("_"): value for name, value in attributes.items()})
    for piece in pieces:
        if isinstance(piece, Element):
            node.append(piece)
        elif len(node):
            node[-1].tail = (node[-1].tail or "") + piece
        else:
            node.text = (node.text or "") + piece
    return node


def as_html(node: Element) -> str:
    """The element as text."""
    return tostring(node, encoding="unicode", method="html")


def mathematics(latex: str) -> Element:
    """A formula as MathML."""
    return element("math", _mathml(formula(latex)))


def symbol(parts: Symbol) -> list[Piece]:
    """A short symbol with sub- and superscripts."""
    return [text if tag == "span" else element(tag, text) for tag, text in parts]


def matrix(
    name: Sequence[Piece],
    values: np.ndarray,
    rows: Sequence[str],
    columns: Sequence[str],
    digits: int,
    *,
    boxes: np.ndarray | None = None,
    filled: bool = True,
) -> Element:
    """A table with its name in the corner; cells may be boxes, empty or filled in."""
    lines = []
    for i, (side, row) in enumerate(zip(rows, values, strict=True)):
        cells = []
        for j, value in enumerate(row):
            boxed = boxes is not None and bool(boxes[i, j])
            text = numbers.plain(float(value), digits) if filled or not boxed else ""
            cells.append(element("td", text, **({"class": "box"} if boxed else {})))
        lines.append(element("tr", element("th", side, scope="row"), *cells))
    tops = (element("th", top, scope="col") for top in columns)
    head = element("thead", element("tr", element("th", *name, class_="name"), *tops))
    return element("table", head, element("tbody", *lines))


def _mathml(node: Node) -> Element:
    pieces = (child if isinstance(child, str) else _mathml(child) for child in node.children)
    return element(node.tag, *pieces, **({"stretchy": "false"} if node.tag == "mo" else {}))
