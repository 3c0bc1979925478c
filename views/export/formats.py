"""The files that a trace, or the step that is shown, can be saved as, each by its extension."""

import csv
import io
import math
from collections.abc import Callable, Iterable

from core import Trace, explain
from core.cell import Term
from core.saved import npz
from views.export.file import ExportOptions, html
from views.export.numpy_notebook import ipynb
from views.export.paper import Form, paper
from views.export.spreadsheet import xlsx
from views.figures.plane import Plane, plane_of
from views.text import Words, numbers

Write = Callable[[Trace, Words, ExportOptions], bytes]

MOST_TERMS = 12  # that a sum is written out with; of a longer one the first and the last
FIRST_TERMS = 3
BYTE_ORDER_MARK = "\ufeff"  # without it Excel does not read UTF-8
_FUNCTIONS = {"log": r"\ln", "cos": r"\cos", "sin": r"\sin", "tanh": r"\tanh"}


def csv_table(trace: Trace, words: Words, options: ExportOptions) -> bytes:
    """The matrix that is shown, with the names of its rows and columns."""
    plane, written = _shown(trace, options), io.StringIO()
    table = csv.writer(written)
    table.writerow(["", *plane.columns.names])
    for name, row in zip(plane.rows.names, plane.values.tolist(), strict=True):
        table.writerow([name, *row])
    return (BYTE_ORDER_MARK + written.getvalue()).encode()


def latex(trace: Trace, words: Words, options: ExportOptions) -> bytes:
    """The matrix that is shown and how the selected cell is computed, for a paper."""
    plane, stage = _shown(trace, options), trace[options.key]
    rows = (" & ".join(map(_number, row)) for row in plane.values.tolist())
    matrix = (
        rf"\left[\begin{{array}}{{{'r' * plane.values.shape[1]}}}"
        + "\n"
        + " \\\\\n".join(rows)
        + "\n"
        + r"\end{array}\right]"
    )
    parts = [rf"{stage.formula} = {matrix}"]
    index = tuple(options.at.get(role, 0) for role in stage.roles)
    cell = explain(trace, stage.key, index)
    if cell.made_by.operation != "given":
        drawn = [i + 1 for i, size in zip(index, stage.tensor.shape, strict=True) if size > 1]
        symbol = stage.formula.partition(" = ")[0]
        place = f"{{{symbol}}}_{{{', '.join(map(str, drawn))}}}"
        parts.append(rf"{place} = {_term(cell.made_by)} = {_number(cell.value)}")
    return "\n\n".join(f"\\[\n{part}\n\\]" for part in parts).encode() + b"\n"


def _shown(trace: Trace, options: ExportOptions) -> Plane:
    return plane_of(trace[options.key], options.at)


def _number(value: float) -> str:
    shown = numbers.plain(float(value), 4 if not float(value).is_integer() else 0)
    return shown.replace(numbers.MINUS, "-").replace(numbers.INFINITY, r"\infty")


def _term(term: Term) -> str:
    """How a value is computed, in LaTeX; what is read is written as its number."""
    parts = term.parts
    match term.operation:
        case "dot" | "sum":
            return _joined(" + ", parts)
        case "product":
            return _joined(r" \cdot ", parts)
        case "mask":
            return _term(parts[0]) if not math.isinf(term.value) else r"-\infty"
        case "softmax":
            powers = [f"e^{{{_number(part.parts[0].value)}}}" for part in parts]
            return rf"\frac{{{powers[term.chosen]}}}{{{_some(' + ', powers)}}}"
        case "normalise":
            below = f"{_number(term.facts['variance'])} + {_power(term.facts['epsilon'])}"
            above = f"{_number(parts[term.chosen].value)} - {_bracketed(term.facts['mean'])}"
            return rf"\frac{{{above}}}{{\sqrt{{{below}}}}}"
        case "rmsnorm":
            below = f"{_number(term.facts['mean_square'])} + {_power(term.facts['epsilon'])}"
            return rf"\frac{{{_number(parts[term.chosen].value)}}}{{\sqrt{{{below}}}}}"
        case "activation" | "round":
            name = _FUNCTIONS.get(term.symbol) or rf"\operatorname{{{term.symbol}}}"
            return rf"{name.replace('_', '-')}\left({_term(parts[0])}\right)"
    return _number(term.value)


def _joined(sign: str, parts: Iterable[Term]) -> str:
    return _some(sign, [_factor(part) for part in parts])


def _factor(term: Term) -> str:
    if term.operation in ("cell", "constant"):
        return _bracketed(term.value)
    written = _term(term)
    return rf"\left({written}\right)" if term.operation in ("sum", "dot") else written


def _power(epsilon: float) -> str:
    """A small number that is added, as its power of ten."""
    return f"10^{{{numbers.whole(math.log10(epsilon))}}}"


def _bracketed(value: float) -> str:
    shown = _number(value)
    return f"({shown})" if shown.startswith("-") else shown


def _some(sign: str, parts: list[str]) -> str:
    if len(parts) > MOST_TERMS:
        parts = [*parts[:FIRST_TERMS], r"\cdots", parts[-1]]
    return sign.join(parts)


def _paper(form: Form, *, all_heads: bool = False) -> Write:
    def write(trace: Trace, words: Words, options: ExportOptions) -> bytes:
        return paper(trace, words, options, form, all_heads=all_heads)

    return write


# By extension, behind what the figure is for: of the whole trace, then of the step.
WRITERS: dict[str, Write] = {
    "html": lambda trace, words, options: html(trace, words, options).encode(),
    "xlsx": lambda trace, words, options: xlsx(trace, words),
    "ipynb": lambda trace, words, options: ipynb(trace, words),
    "npz": lambda trace, words, options: npz(trace),
    "csv": csv_table,
    "tex": latex,
    "paper_svg": _paper("svg"),
    "paper_pdf": _paper("pdf"),
    "paper_png": _paper("png"),
    "heads_svg": _paper("svg", all_heads=True),
    "heads_pdf": _paper("pdf", all_heads=True),
}
