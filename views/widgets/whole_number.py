"""A number input for whole numbers, whose range is checked on the server."""

from dataclasses import dataclass, field
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.errors import InputError, out_of_range
from core.limits import LAST_SEED
from views import link, parse


@dataclass
class RangeErrors:
    """errors: of the inputs of this run that are out of range."""

    errors: list[InputError] = field(default_factory=list)


def seed_input(label: str, first: int, *, key: str = "seed", **options: Any) -> int:
    """Draw a box for a seed, bound to the query parameter ``key``, and return its value."""
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
    """Draw the box and return its value, clipped to ``low`` … ``high``.

    For a value out of range, an out_of_range error is added to ``RangeErrors``; ``computed`` raises
    it after all controls are drawn. The limits are not given to ``st.number_input``, because then
    the browser would not send other values, and the page would still show the previous one.
    """
    make = st.number_input if where is None else where.number_input
    value = int(make(label, step=1, key=key, **options))
    if not low <= value <= high:
        allowed = f"{low} … {high}"
        error = out_of_range(label, value, allowed)
        link.remembered(RangeErrors).errors.append(error)
    return min(max(value, low), high)
