"""The sum that computes a number, in one line, with printed terms that add up."""

from collections.abc import Sequence
from decimal import ROUND_HALF_EVEN, Decimal
from functools import partial
from xml.etree.ElementTree import Element, tostring

import numpy as np

from core import Address, Term, Trace, explain, rules
from core.kinds import GRADIENT
from pages.understand.predict.digits import FULL, digits_of, divisor_of
from views.figures.formula import Node, formula
from views.figures.symbols import Symbol, name_of
from views.scene.naming import stage_words
from views.text import Words, numbers
from views.text.numbers import MINUS, MOST_DIGITS

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


digits_on_paper = partial(digits_of, least=0)


def sum_line(trace: Trace, key: str, index: tuple[int, ...], words: Words) -> list[Piece]:
    """``scores[爱, 北京] = 3.00 × 5.00 = 15.00``, as pieces of a paragraph."""
    cell = explain(trace, key, index)
    term, digits = cell.made_by, digits_on_paper(trace[key].tensor)
    name = _named(cell.address)
    if isinstance(trace[key].rule, rules.Product) and "weights" in trace[key].computed_from:
        return [*name, *_softmax_back(trace, index)]
    match term.operation:
        case "dot":
            return [*name, *_dot(term, trace, digits)]
        case "product":
            return [*name, *_divided(term, trace, digits)]
        case "mask":
            return [*name, *_masked(term, trace, digits, words)]
        case "softmax":
            return [*name, *_softmax(term, trace)]
    raise ValueError(f"a sheet has no cell that is made by {term.operation}")


def _named(address: Address) -> list[Piece]:
    """The name of a cell: its stage, row and column."""
    labels = address.labels[-2:]
    return [*symbol(name_of(address.stage)), f"[{', '.join(labels)}]"]


def _dot(term: Term, trace: Trace, least: int) -> list[Piece]:
    values = [part.value for part in term.parts]
    exact_digits = numbers.digits_that_add_up(values, term.value, least)
    digits = MOST_DIGITS if exact_digits is None else exact_digits
    factors = [[_printed(factor, trace) for factor in part.parts] for part in term.parts]
    whole = all(
        _rounds_to(_number(a) * _number(b), value, digits)
        for (a, b), value in zip(factors, values, strict=True)
    )
    total = numbers.plain(term.value, digits)
    products = " + ".join(f"{numbers.bracketed(a)} × {numbers.bracketed(b)}" for a, b in factors)
    added = _added(values, digits)
    return [
        f" = {products} {_relation(whole)} {added} {_relation(exact_digits is not None)} {total}"
    ]


def _divided(term: Term, trace: Trace, digits: int) -> list[Piece]:
    (score,) = (part for part in term.parts if part.operation == "cell")
    exact = abs(float(numbers.rounded(term.value, digits)) - term.value) < 1e-12
    divided = f"{_printed(score, trace)} ÷ {divisor_of(trace)}"
    return [f" = {divided} {_relation(exact)} {numbers.plain(term.value, digits)}"]


def _masked(term: Term, trace: Trace, digits: int, words: Words) -> list[Piece]:
    masks = term.parts[1:]
    hiding = [mask for mask in masks if not mask.value]
    named = (stage_words(trace, m.address.stage, words).name for m in hiding or masks if m.address)
    says = (words.opened.masked if hiding else words.opened.passed).format(
        mask=words.list_mark.join(named)
    )
    return [f" = {numbers.plain(term.value, digits)} ({says.rstrip('.。')})"]


def _softmax(term: Term, trace: Trace) -> list[Piece]:
    total, maximum = term.facts["total"], term.facts["maximum"]
    if not total:
        return [" = 0"]
    scores = [part.parts[0].value for part in term.parts]
    powers = [part.value for part in term.parts]
    positive = [key for key, power in enumerate(powers) if power]  # keys that are not masked
    exact_digits = numbers.digits_that_add_up([powers[key] for key in positive], total, FULL)
    digits = MOST_DIGITS if exact_digits is None else exact_digits
    read = term.parts[0].parts[0].address
    assert read
    finest = digits_on_paper(trace[read.stage].tensor)

    def raised(key: int) -> list[Piece]:
        return ["e", element("sup", numbers.plain(scores[key] - maximum, finest))]

    under = [piece for key in positive for piece in (" + ", *raised(key))][1:]
    chosen = numbers.plain(powers[term.chosen], digits)
    whole = numbers.plain(total, digits)
    share = numbers.plain(term.value, FULL)
    quotient = f"{chosen} ÷ ({_added([powers[key] for key in positive], digits)})"
    exact = _rounds_to(_number(chosen) / _number(whole), term.value, FULL)
    return [
        " = ", *raised(term.chosen), " ÷ (", *under, f") ≈ {quotient}",
        f" {_relation(exact_digits is not None)} {chosen} ÷ {whole} {_relation(exact)} {share}",
    ]  # fmt: skip


def _softmax_back(trace: Trace, index: tuple[int, ...]) -> list[Piece]:
    """A · (dA − Σ A · dA), with A and dA as printed."""
    row = index[:-1]
    A, dA = trace["weights"].tensor, trace[f"{GRADIENT}weights"].tensor
    digits = digits_on_paper(dA)
    weights = [numbers.plain(float(x), FULL) for x in A[row]]
    gradients = [numbers.bracketed(numbers.plain(float(x), digits)) for x in dA[row]]
    products = " + ".join(f"{a} × {d}" for a, d in zip(weights, gradients, strict=True))
    own, d = weights[index[-1]], numbers.plain(float(dA[index]), digits)
    mean = float((A[row] * dA[row]).sum())
    less = numbers.bracketed(numbers.plain(mean, FULL))
    made = numbers.plain(float(A[index] * (dA[index] - mean)), FULL)
    return [f" = {own} × ({d} − ({products})) ≈ {own} × ({d} − {less}) ≈ {made}"]


def _printed(term: Term, trace: Trace) -> str:
    """A factor as printed in its matrix."""
    assert term.address
    return numbers.plain(term.value, digits_on_paper(trace[term.address.stage].tensor))


def _added(values: Sequence[float], digits: int) -> str:
    return " + ".join(numbers.bracketed(numbers.plain(value, digits)) for value in values)


def _relation(exact: bool) -> str:
    return "=" if exact else "≈"


def _number(text: str) -> Decimal:
    return Decimal(text.replace(MINUS, "-"))


def _rounds_to(amount: Decimal, value: float, digits: int) -> bool:
    unit = Decimal(1).scaleb(-digits)
    return amount.quantize(unit, ROUND_HALF_EVEN) == numbers.rounded(value, digits)
