"""A box for a whole number, of which the page says what is wrong while it stands there."""

from dataclasses import dataclass, field
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.errors import OutOfRange
from core.limits import LAST_SEED
from views import link, parse


@dataclass
class Refused:
    """What was out of range among the numbers that this run has read."""

    errors: list[OutOfRange] = field(default_factory=list)


def seed_input(label: str, first: int, *, key: str = "seed", **options: Any) -> int:
    """The box for a seed, whose number is a parameter of the link."""
    link.bind_param(key, first, parse.number(0, LAST_SEED))
    return whole_number(label, 0, LAST_SEED, key=key, **options)


def whole_number(
    label: str,
    low: int,
    high: int,
    *,
    key: str,
    where: DeltaGenerator | None = None,
    **options: Any,
) -> int:
    """What stands in the box; the nearest of ``low`` to ``high`` where that is out of range.

    Then ``Refused`` has the error, for ``computed`` to raise once all controls are drawn. Streamlit
    is not told the two ends: a browser that knows them keeps any other number to itself, and the
    page would go on speaking of the one before.
    """
    make = st.number_input if where is None else where.number_input
    value = int(make(label, step=1, key=key, **options))
    if not low <= value <= high:
        link.remembered(Refused).errors.append(OutOfRange(label, value, f"{low} … {high}"))
    return min(max(value, low), high)
