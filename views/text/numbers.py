"""Formatting of numbers: a real minus sign, and digits with which printed terms add up.

Halves are rounded away from zero: 1.125 is printed as 1.13 and −1.125 as −1.13. What is rounded is
``repr`` of the float64, its shortest decimal: 2.675 is printed as 2.68 and 1.005 as 1.01, although
the float64s are a little smaller. ``assets/microscope/engine/numbers.js`` follows the same rule.
"""

import math
import re
from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Context, Decimal
from pathlib import Path

_BROWSER = Path(__file__).parents[2] / "assets" / "microscope" / "engine" / "numbers.js"


def _in_browser(name: str) -> int:
    """A constant of ``numbers.js``, which prints the numbers that the browser computes."""
    found = re.search(rf"^export const {name} = (\d+);", _BROWSER.read_text("utf-8"), re.MULTILINE)
    assert found, f"{_BROWSER} exports no {name}"
    return int(found[1])


DECIMALS = _in_browser("DECIMALS")  # of a number in a cell, a table or a sentence
MOST_DIGITS = _in_browser("MOST_DIGITS")
MINUS, INFINITY = "−", "∞"
EXACT = Context(prec=400, rounding=ROUND_HALF_UP)  # digits enough for any float64
PER_CENT = "\N{NO-BREAK SPACE}%"
SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def plain(value: float, digits: int = DECIMALS) -> str:
    """The value with a fixed number of decimals, no sign before 0.00; ``nan``, ``∞`` and ``−∞``."""
    if math.isnan(value):
        return "nan"
    if math.isinf(value):
        return (MINUS if value < 0 else "") + INFINITY
    return _signed(rounded(value, digits))


def whole(value: float) -> int:
    """The nearest whole number; a half is rounded away from zero."""
    return int(rounded(value, 0))


def short(value: float) -> str:
    """The value for a figure or a sentence: ``DECIMALS``, more below 0.1, and powers of ten."""
    size = abs(value)
    if size == 0 or math.isinf(value) or size >= 0.1:
        return plain(value)
    if size >= 0.0001:
        return plain(value, DECIMALS - 1 - math.floor(math.log10(size)))
    return power_of_ten(value)


def difference(value: float) -> str:
    """A difference for a sentence: ``0`` only if it is exactly 0."""
    return short(value) if value else "0"


def bracketed(printed: str) -> str:
    """A printed number, in brackets if it is negative."""
    return f"({printed})" if printed.startswith(MINUS) else printed


def bare(value: float, figures: int = 6) -> str:
    """The value with at most so many significant figures, no trailing zeros: ``0.5``, ``2``."""
    if value == 0 or not math.isfinite(value):
        return plain(value, 0)
    if abs(value) < 0.0001:
        return power_of_ten(value)
    printed = plain(value, max(0, figures - 1 - math.floor(math.log10(abs(value)))))
    return printed.rstrip("0").rstrip(".") if "." in printed else printed


def power_of_ten(value: float) -> str:
    """The value with ``DECIMALS`` significant figures and a power of ten, such as ``1.6·10⁻⁵``."""
    shown = _decimal(abs(value))
    shown = shown.quantize(Decimal(1).scaleb(shown.adjusted() + 1 - DECIMALS), context=EXACT)
    mantissa, exponent = f"{shown:.{DECIMALS - 1}e}".split("e")
    power = str(int(exponent)).translate(SUPERSCRIPT)
    return f"{MINUS if value < 0 else ''}{mantissa}·10{power}"


def count(value: int) -> str:
    """A whole number with thin spaces between thousands."""
    return f"{value:,}".replace(",", "\u202f")


def per_cent(share: float, digits: int | None = None) -> str:
    """A share (0 … 1) in per cent, with a no-break space before the sign.

    digits: decimals; by default one below ten per cent, else none.
    """
    value = 100 * _decimal(share)
    if digits is None:
        digits = 1 if _rounded(value, 1) < 10 else 0
    return f"{_signed(_rounded(value, digits))}{PER_CENT}"


def rounded(value: float, digits: int) -> Decimal:
    """The value rounded to a number of decimals, as a Decimal."""
    return _rounded(_decimal(value), digits)


def _decimal(value: float) -> Decimal:
    return Decimal(repr(float(value)))


def _rounded(value: Decimal, digits: int) -> Decimal:
    return value.quantize(Decimal(1).scaleb(-digits), context=EXACT)


def _signed(value: Decimal) -> str:
    return f"{MINUS if value < 0 else ''}{value.copy_abs():f}"


def digits_that_add_up(terms: Sequence[float], total: float, least: int = DECIMALS) -> int | None:
    """The fewest decimals, from ``least`` on, with which the printed terms add up as printed.

    None if they do not add up even with ``MOST_DIGITS``; then the caller prints ≈.
    """
    if not all(map(math.isfinite, (*terms, total))):
        return least
    for digits in range(least, MOST_DIGITS + 1):
        if add_up(terms, total, digits):
            return digits
    return None


def add_up(terms: Sequence[float], total: float, digits: int) -> bool:
    """Whether the terms, as printed with this many decimals, add up to the printed total."""
    return sum(rounded(t, digits) for t in terms) == rounded(total, digits)


def weighted_sum(weights: Sequence[float], values: Sequence[float], total: float) -> str:
    """``0.1065·10 + … = 25.88``, with digits enough to find the total from what is printed.

    ≈ instead of = where even six digits are not enough.
    """
    printed_total = short(total)
    for digits in range(DECIMALS, MOST_DIGITS + 1):
        rounded_sum = sum(
            float(rounded(w, digits)) * v for w, v in zip(weights, values, strict=True)
        )
        is_exact = short(rounded_sum) == printed_total
        if is_exact:
            break
    terms = (f"{plain(w, digits)}·{bare(v)}" for w, v in zip(weights, values, strict=True))
    return f"{' + '.join(terms)} {'=' if is_exact else '≈'} {printed_total}"


def size(value: int, digits: int = 1) -> str:
    """A number of bytes in B, kB, MB, GB or TB (powers of 1000). digits: decimals, except of B."""
    amount, unit, larger = float(value), "B", ["kB", "MB", "GB", "TB"]
    while amount >= 1000 and larger:
        amount, unit = amount / 1000, larger.pop(0)
    return f"{plain(amount, 0 if unit == 'B' else digits)} {unit}"


def sizes_apart(values: Sequence[int]) -> list[str]:
    """Numbers of bytes with the fewest decimals with which unequal ones are printed differently."""
    printed = ([size(value, digits) for value in values] for digits in range(1, 16))
    return next(one for one in printed if len({*one}) == len({*values}))
