"""An explained cell as lines to draw: printed numbers whose terms add up to the printed total."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from core import Address, Cell, Term
from views import numbers
from views.figures.symbols import name_of
from views.spans import Span
from views.text import Words

MANY = 12  # terms, more than which are scrolled


@dataclass(frozen=True)
class Line:
    """One term: what it is made of, its value as printed, and its share of the largest term.

    bar: −1 … 1; 0 draws none.
    """

    made: list[Span]
    value: list[Span]
    bar: float


@dataclass(frozen=True)
class Opened:
    """A cell ready to draw: either ``terms`` joined by ``sign``, or a table of ``rows``."""

    title: list[Span]
    total: str
    relation: str = "="
    sign: str = "+"
    terms: list[Line] = field(default_factory=list)
    columns: list[list[Span]] = field(default_factory=list)
    rows: list[list[list[Span]]] = field(default_factory=list)
    chosen: int = 0
    notes: list[list[Span]] = field(default_factory=list)


def opened(cell: Cell, roles: Mapping[str, tuple[str, ...]], words: Words) -> Opened:
    """Word an explained cell.

    roles: the axis roles of each stage, so that an address can be coloured.
    """
    writer = _Writer(roles, words)
    title = writer.name(cell.address)
    made = cell.made_by
    match made.operation:
        case "dot" | "sum" | "product":
            return writer.added_up(title, made)
        case "softmax":
            return writer.softmax(title, made)
        case "mask":
            return writer.mask(title, made)
        case "normalise":
            return writer.normalise(title, made)
        case "cell":
            before, after = words.opened.copied.split("{source}")
            note = [(before, ""), *writer.name(made.address), (after, "")]
            return Opened(title, numbers.short(cell.value), notes=[note])
    return Opened(title, _given(cell), notes=[[(_origin(cell, words), "")]])


def _origin(cell: Cell, words: Words) -> str:
    """Where a number comes from that no other stage made."""
    what = cell.made_by.symbol
    if what != "sinusoid":
        return words.opened.given[what]
    place, column = cell.address.index
    wave = "cos" if column % 2 else "sin"
    return words.opened.given[what].format(wave=wave, place=place, even=column - column % 2)


def _given(cell: Cell) -> str:
    value = cell.value
    return str(int(value)) if value.is_integer() and abs(value) < 1e6 else numbers.plain(value, 4)


@dataclass(frozen=True)
class _Writer:
    roles: Mapping[str, tuple[str, ...]]
    words: Words

    def name(self, address: Address | None) -> list[Span]:
        assert address is not None
        spans: list[Span] = [
            (text, "symbol" if tag == "span" else tag) for tag, text in name_of(address.stage)
        ]
        spans.append(("[", ""))
        shown = [
            (label, role)
            for label, role in zip(address.labels, self.roles[address.stage], strict=True)
            if role != "batch"
        ]
        for i, (label, role) in enumerate(shown):
            text = self.words.viewer.head.format(number=label) if role == "head" else label
            spans += [(", ", "")] if i else []
            spans.append((text, role))
        return [*spans, ("]", "")]

    def added_up(self, title: list[Span], made: Term) -> Opened:
        if made.operation == "product":
            return self._product(title, made)
        parts = [part for term in made.parts for part in _flat(term)]
        values = [part.value for part in parts]
        digits = numbers.digits_that_add_up(values, made.value)
        relation = "=" if digits is not None else "≈"
        digits = digits if digits is not None else numbers.MOST_DIGITS
        bars = _bars(values)
        terms = [
            Line(self._factors(part, digits), self._value(part, digits), bar)
            for part, bar in zip(parts, bars, strict=True)
        ]
        rounds = any(line.value and line.value[0][0].startswith("≈") for line in terms)
        notes = [[(self.words.opened.rounding, "")]] if rounds or relation == "≈" else []
        if len(terms) > MANY:
            notes.insert(0, [(self.words.opened.terms.format(terms=len(terms)), "")])
        return Opened(title, numbers.plain(made.value, digits), relation, terms=terms, notes=notes)

    def _product(self, title: list[Span], made: Term) -> Opened:
        constants = [part.value for part in made.parts if part.operation == "constant"]
        least = 2 if all(numbers.rounded(c, 2) == numbers.rounded(c, 6) for c in constants) else 3
        digits = next(
            (
                d
                for d in range(least, numbers.MOST_DIGITS + 1)
                if numbers.is_exact([p.value for p in made.parts], made.value, d)
            ),
            None,
        )
        shown = digits if digits is not None else 4
        spans = self._factors(made, shown)
        relation = "=" if digits is not None else "≈"
        value = [(f"{relation} {numbers.plain(made.value, shown)}", "")]
        line = Line(spans, value, _sign(made.value))
        return Opened(title, numbers.plain(made.value, shown), "=", terms=[line])

    def _factors(self, part: Term, digits: int) -> list[Span]:
        factors = part.parts if part.operation == "product" else (part,)
        spans: list[Span] = []
        for i, factor in enumerate(factors):
            spans += [(" × ", "")] if i else []
            spans += self._factor(factor, digits, bare=part.operation == "product")
        return spans

    def _factor(self, factor: Term, digits: int, *, bare: bool) -> list[Span]:
        if factor.operation == "constant":
            value = numbers.plain(factor.value, digits)
            return [(value, ""), (" (", "quiet"), *_symbol(factor.symbol), (")", "quiet")]
        value = numbers.plain(factor.value, digits)
        if factor.address is None:
            return [(value, "")]
        role = self._side(factor.address)
        return [(value, role)] if bare else [(value, role), (f" {factor.address.stage}", "quiet")]

    def _side(self, address: Address) -> str:
        return next((r for r in self.roles[address.stage] if r in ("query", "key", "token")), "")

    def _value(self, part: Term, digits: int) -> list[Span]:
        if part.operation != "product":
            return []
        exact = numbers.is_exact([p.value for p in part.parts], part.value, digits)
        return [(f"{'=' if exact else '≈'} {numbers.plain(part.value, digits)}", "")]

    def softmax(self, title: list[Span], made: Term) -> Opened:
        total, maximum = made.facts["total"], made.facts["maximum"]
        if not total:
            return Opened(title, "0", notes=[[(self.words.opened.softmax_empty, "")]])
        powers = [part.value for part in made.parts]
        shares = [power / total for power in powers]
        digits = next(
            (
                d
                for d in range(4, numbers.MOST_DIGITS + 1)
                if numbers.add_up(powers, total, d) and numbers.add_up(shares, 1, d)
            ),
            None,
        )
        shown = digits if digits is not None else 4
        rows = []
        for part, share in zip(made.parts, shares, strict=True):
            (score,) = part.parts
            assert score.address is not None
            row = (score.value, score.value - maximum, part.value, share)
            printed = [[(numbers.plain(value, shown), "")] for value in row]
            rows.append([[(score.address.labels[-1], "key")], *printed])
        ends = {"maximum": numbers.plain(maximum, shown), "total": numbers.plain(total, shown)}
        columns = [[(text.format(**ends), "")] for text in self.words.opened.softmax_columns]
        note = self.words.opened.softmax_sum.format(sum=numbers.plain(sum(shares), shown))
        rounding = [] if digits is not None else [[(self.words.opened.rounded, "")]]
        return Opened(
            title,
            numbers.plain(made.value, shown),
            columns=columns,
            rows=rows,
            chosen=made.chosen,
            notes=[[(note, "")], *rounding],
        )

    def mask(self, title: list[Span], made: Term) -> Opened:
        inner, *masks = made.parts
        struck = [m for m in masks if not m.value]
        template = self.words.opened.struck if struck else self.words.opened.passed
        named = struck or masks
        keys = self.words.list_mark.join(m.address.stage for m in named if m.address)
        parts = inner.parts if inner.operation == "sum" else (inner,)
        values = [p.value for p in parts]
        found = numbers.digits_that_add_up(values, inner.value)
        digits = 4 if found is None else found
        terms = [
            Line(self._factors(p, digits), [], bar)
            for p, bar in zip(parts, _bars(values), strict=True)
        ]
        if struck:
            terms.append(Line([("−∞", ""), (f" {keys}", "quiet")], [], 0.0))
        return Opened(
            title,
            numbers.plain(made.value, digits),
            "=" if struck or found is not None else "≈",
            sign="→" if struck else "+",
            terms=terms,
            notes=[[(template.format(mask=keys), "")]],
        )

    def normalise(self, title: list[Span], made: Term) -> Opened:
        mean, variance, epsilon = (made.facts[k] for k in ("mean", "variance", "epsilon"))
        x = made.parts[made.chosen].value
        quotient = [
            (f"({numbers.plain(x, 4)} − {_bracketed(mean)})", ""),
            (f" ÷ √({numbers.plain(variance, 4)} + {epsilon:g})", ""),
        ]
        note = self.words.opened.normalised.format(
            mean=numbers.plain(mean, 4), variance=numbers.plain(variance, 4), epsilon=f"{epsilon:g}"
        )
        return Opened(
            title,
            numbers.plain(made.value, 4),
            "≈",
            terms=[Line(quotient, [], _sign(made.value))],
            notes=[[(note, "")]],
        )


def _sign(value: float) -> float:
    return math.copysign(1, value) if value else 0.0


def _bars(values: Sequence[float]) -> list[float]:
    """Each value against the largest in size; infinity has no bar."""
    largest = max((abs(value) for value in values if math.isfinite(value)), default=0) or 1
    return [value / largest if math.isfinite(value) else 0.0 for value in values]


def _flat(term: Term) -> tuple[Term, ...]:
    return term.parts if term.operation == "dot" else (term,)


def _bracketed(value: float) -> str:
    text = numbers.plain(value, 4)
    return f"({text})" if text.startswith(numbers.MINUS) else text


def _symbol(latex: str) -> list[Span]:
    plain = {
        r"1/\sqrt{d_k}": [("1/√d", "quiet"), ("k", "sub")],
        "1/T": [("1/T", "quiet")],
        "1/(1-p)": [("1/(1−p)", "quiet")],
        "s": [("s", "quiet")],
    }
    return plain[latex]
