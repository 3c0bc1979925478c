"""Numbers as text: a real minus, tabular digits, and terms that add up as printed."""

import math
from collections.abc import Sequence
from decimal import Decimal

MINUS, INFINITY = "−", "∞"
PER_CENT = "\N{NO-BREAK SPACE}%"
MOST_DIGITS = 6


def plain(value: float, digits: int) -> str:
    """The value with so many digits behind the point, ``−0.00`` without its sign."""
    if math.isinf(value):
        return (MINUS if value < 0 else "") + INFINITY
    text = f"{abs(value):.{digits}f}"
    negative = value < 0 and any(c not in "0." for c in text)
    return (MINUS if negative else "") + text


def short(value: float) -> str:
    """The value for a figure or a sentence: two digits behind the point, more where it is small."""
    size = abs(value)
    if size == 0 or math.isinf(value) or size >= 0.1:
        return plain(value, 2)
    if size >= 0.0001:
        return plain(value, 1 - math.floor(math.log10(size)))
    return power_of_ten(value)


def power_of_ten(value: float) -> str:
    """The value with two digits and a power of ten, such as ``1.6·10⁻⁵``."""
    mantissa, exponent = f"{abs(value):.1e}".split("e")
    power = str(int(exponent)).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return f"{MINUS if value < 0 else ''}{mantissa}·10{power}"


def count(value: int) -> str:
    """A whole number with thin spaces between thousands."""
    return f"{value:,}".replace(",", "\u202f")


def per_cent(share: float, digits: int | None = None) -> str:
    """A share of one in per cent, with so many digits behind the point, on one line.

    Without ``digits`` one where the share is below ten per cent, else none.
    """
    value = 100 * share
    if digits is None:
        digits = 1 if round(value, 1) < 10 else 0
    return f"{plain(value, digits)}{PER_CENT}"


def rounded(value: float, digits: int) -> Decimal:
    """The value as it is printed with so many digits."""
    return Decimal(f"{value:.{digits}f}")


def digits_that_add_up(terms: Sequence[float], total: float, least: int = 2) -> int | None:
    """The fewest digits with which the printed terms add up to the printed total.

    None where even six do not: rounding shows then, and whoever prints must say ≈.
    """
    if not all(map(math.isfinite, (*terms, total))):
        return least
    for digits in range(least, MOST_DIGITS + 1):
        if add_up(terms, total, digits):
            return digits
    return None


def add_up(terms: Sequence[float], total: float, digits: int) -> bool:
    """Whether the terms add up to the total as they are printed with so many digits."""
    return sum(rounded(t, digits) for t in terms) == rounded(total, digits)


def size(value: int) -> str:
    """Bytes in the unit that suits them."""
    amount = float(value)
    for unit in ("B", "kB", "MB"):
        if amount < 1000:
            return f"{amount:.0f} {unit}" if unit == "B" else f"{amount:.1f} {unit}"
        amount /= 1000
    return f"{amount:.1f} GB"
