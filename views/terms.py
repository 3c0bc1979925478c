"""How a cell, and one term of the sum that makes it, are printed."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from core import Address, Term
from views import numbers
from views.figures.symbols import name_of
from views.spans import Span
from views.text import Words


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


@dataclass(frozen=True)
class Writer:
    """Words a term with the roles of its stages' axes, in one language.

    roles: the axis roles of each stage, so that an address can be coloured.
    """

    roles: Mapping[str, tuple[str, ...]]
    words: Words

    def name(self, address: Address | None) -> list[Span]:
        """A cell by its stage and its labels; the sample goes without saying."""
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

    def factors(self, part: Term, digits: int) -> list[Span]:
        """What a term is made of, multiplied."""
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

    def value(self, part: Term, digits: int) -> list[Span]:
        """What the factors of a term make; nothing where it has but one."""
        if part.operation != "product":
            return []
        exact = numbers.is_exact([p.value for p in part.parts], part.value, digits)
        return [(f"{'=' if exact else '≈'} {numbers.plain(part.value, digits)}", "")]


def sign_of(value: float) -> float:
    """The whole bar of a value that stands alone."""
    return math.copysign(1, value) if value else 0.0


def bars_of(values: Sequence[float]) -> list[float]:
    """Each value against the largest in size; infinity has no bar."""
    largest = max((abs(value) for value in values if math.isfinite(value)), default=0) or 1
    return [value / largest if math.isfinite(value) else 0.0 for value in values]


def flat(term: Term) -> tuple[Term, ...]:
    """The products of a dot product that is itself a part of a sum, such as X W + b."""
    return term.parts if term.operation == "dot" else (term,)


def _symbol(latex: str) -> list[Span]:
    plain = {
        r"1/\sqrt{d_k}": [("1/√d", "quiet"), ("k", "sub")],
        "1/T": [("1/T", "quiet")],
        "1/(1-p)": [("1/(1−p)", "quiet")],
        "s": [("s", "quiet")],
    }
    return plain[latex]
