"""The expected printed numbers, computed from ``core.explain`` in decimal arithmetic."""

import re
from collections.abc import Iterable, Sequence
from decimal import ROUND_HALF_UP, Context, Decimal
from math import inf

from core import Term

NUMBER = re.compile(r"−?(?:\d+\.\d+|∞)")
MINUS = "−"


def printed(value: float, digits: int) -> str:
    """The number rounded to so many digits, a half away from zero; a zero has no sign."""
    if value in (inf, -inf):
        return "∞" if value > 0 else "−∞"
    unit = Decimal(1).scaleb(-digits)
    rounded = Decimal(repr(float(value))).quantize(unit, ROUND_HALF_UP, Context(prec=400))
    return f"{rounded if rounded else rounded.copy_abs():f}".replace("-", MINUS)


def numbers(text: str) -> list[str]:
    """The numbers with a point in a text, in order."""
    return NUMBER.findall(text)


def exact(text: str) -> Decimal:
    return Decimal(text.replace(MINUS, "-"))


def digits_of(text: str) -> int:
    return len(text.partition(".")[2])


def terms_of(made: Term) -> list[Term]:
    """The terms of a sum; those of a dot product in it are terms of the whole."""
    return [
        term for part in made.parts for term in (part.parts if part.operation == "dot" else (part,))
    ]


def printed_factors(term: Term, digits: int) -> list[str]:
    """Those of a product; a constant with as many digits as it needs, up to six."""
    every = term.parts if term.operation == "product" else ()
    return [
        printed(
            part.value,
            6 if part.operation == "constant" and is_long(part.value, digits) else digits,
        )
        for part in every
    ]


def is_long(value: float, digits: int) -> bool:
    """Whether six digits of a number say more than so many."""
    return exact(printed(value, digits)) != exact(printed(value, 6))


def largest(values: Sequence[float], count: int) -> list[int]:
    """The indices of the largest values by size, in their order."""
    by_size = sorted(range(len(values)), key=lambda i: (-abs(values[i]), i))
    return sorted(by_size[:count])


def is_exact(factors: Iterable[str], product: str) -> bool:
    """Whether the printed factors make the printed product, rounded to as many digits."""
    made = Decimal(1)
    for factor in factors:
        made *= exact(factor)
    return made.quantize(exact(product), ROUND_HALF_UP) == exact(product)
