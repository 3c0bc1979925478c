"""A score that is too large for half precision before it is scaled, and not after."""

import math

import numpy as np
import streamlit as st

from core.experiments.scaling import ORDERS, STORED, StoredScore, stored_score
from core.options import LARGEST
from views import link, parse
from views.text import Words, numbers
from views.text.spans import plain, spans
from views.widgets.prose import heading, prose
from views.widgets.source_code import source_code
from views.widgets.table import table

ENTRIES = (1, 5, 10, 20, 30, 40, 60, 80, 100, 150, 200, 300)
FIRST_ENTRY = 40


def half_precision_card(d_k: int, texts: Words) -> None:
    """Draw the scaled score of two vectors of equal entries, by order and by precision."""
    heading(texts.heading)
    entry: int = link.bind_param("entry", FIRST_ENTRY, parse.one_of(ENTRIES))
    entry = st.select_slider(texts.entry.format(d_k=d_k), ENTRIES, key="entry")
    vector = np.full(d_k, entry, np.float32)
    found = {
        (order, precision): stored_score(vector, vector, order, precision)
        for order in ORDERS
        for precision in STORED
    }
    product, limit = entry**2 * d_k, LARGEST["float16"]
    fields = {
        "entry": str(entry),
        "d_k": str(d_k),
        "product": _printed(product),
        "scaled": _printed(product / math.sqrt(d_k)),
        "limit": _printed(limit),
    }
    fits = [math.isfinite(found[order, "float16"].scaled) for order in ORDERS]
    outcome = "fits" if all(fits) else "before" if any(fits) else "beyond"
    says = texts.lead, texts.outcomes[outcome]
    prose([spans(text, **fields) for text in says], key="half_says")
    rows = [
        [
            plain(texts.orders[order]),
            *(plain(_both(found[order, precision], order)) for precision in STORED),
        ]
        for order in ORDERS
    ]
    table((texts.order, *STORED), rows)
    used_by = [spans(texts.used_by[order], order=texts.orders[order]) for order in ORDERS]
    prose([spans(texts.stored), *used_by], key="half_used_by", style="quiet")
    source_code(texts.code, stored_score)


def _both(score: StoredScore, order: str) -> str:
    """The product as stored and the scaled score; only the latter if it is the product itself."""
    printed = _printed(score.scaled)
    if order != "after":
        return printed
    return f"{_printed(score.product)} →\N{NO-BREAK SPACE}{printed}"


def _printed(value: float) -> str:
    """At most one decimal, and thin spaces between thousands."""
    if math.isinf(value):
        return numbers.INFINITY
    text = numbers.plain(value, 1).removesuffix(".0")
    whole, point, decimals = text.partition(".")
    return numbers.count(int(whole)) + point + decimals
