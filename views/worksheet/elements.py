"""Elements of HTML as trees: whatever text goes into one comes out escaped."""

from collections.abc import Sequence
from xml.etree.ElementTree import Element, tostring

import numpy as np

from views import numbers
from views.figures.formula import Node, formula
from views.figures.symbols import Symbol

Piece = Element | str
MANY = 7  # columns from which on a matrix is set in small cells


def element(tag: str, *pieces: Piece, **attributes: str) -> Element:
    """An element with text and elements in it. A trailing ``_`` of an attribute is dropped."""
    made = Element(tag, {name.rstrip("_"): value for name, value in attributes.items()})
    for piece in pieces:
        if isinstance(piece, Element):
            made.append(piece)
        elif len(made):
            made[-1].tail = (made[-1].tail or "") + piece
        else:
            made.text = (made.text or "") + piece
    return made


def as_html(made: Element) -> str:
    """The element as text."""
    return tostring(made, encoding="unicode", method="html")


def mathematics(latex: str) -> Element:
    """A formula that the browser sets."""
    return element("math", _mathml(formula(latex)))


def titled(text: str) -> list[Piece]:
    """A headline: text, and between dollar signs mathematics."""
    parts = enumerate(text.split("$"))
    return [mathematics(part) if i % 2 else part for i, part in parts if part]


def symbol(parts: Symbol) -> list[Piece]:
    """A short symbol, such as W with a raised Q."""
    return [text if tag == "span" else element(tag, text) for tag, text in parts]


def matrix(
    caption: Sequence[Piece],
    values: np.ndarray,
    rows: Sequence[str],
    columns: Sequence[str],
    digits: int,
    *,
    covered: np.ndarray | None = None,
    filled: bool = True,
) -> Element:
    """A table with its names; a covered cell is a box, empty where it is not to be filled.

    columns: none for a matrix whose columns have no names.
    """
    lines = []
    for i, (name, row) in enumerate(zip(rows, values, strict=True)):
        cells = []
        for j, value in enumerate(row):
            boxed = covered is not None and bool(covered[i, j])
            text = numbers.plain(float(value), digits) if filled or not boxed else ""
            cells.append(element("td", text, **({"class": "box"} if boxed else {})))
        lines.append(element("tr", element("th", name, scope="row"), *cells))
    table = element("table")
    if columns:
        names = (element("th", name, scope="col") for name in columns)
        table.append(element("thead", element("tr", element("th"), *names)))
    table.append(element("tbody", *lines))
    wide = {"class": "wide"} if values.shape[1] >= MANY else {}
    return element("figure", element("figcaption", *caption), table, **wide)


def _mathml(node: Node) -> Element:
    pieces = (child if isinstance(child, str) else _mathml(child) for child in node.children)
    return element(node.tag, *pieces, **({"stretchy": "false"} if node.tag == "mo" else {}))
