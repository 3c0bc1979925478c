"""Opened cells, read as a reader reads them."""

from decimal import Decimal

import numpy as np
import pytest

from core import explain, scaled_dot_product_attention
from views.opened import opened
from views.text import LANGUAGES

in_both_languages = pytest.mark.parametrize("words", LANGUAGES.values(), ids=LANGUAGES)


def open_cell(trace, key, index, words=LANGUAGES["en"]):
    return opened(explain(trace, key, index), {k: stage.roles for k, stage in trace.items()}, words)


def said(spans):
    return "".join(text for text, _ in spans)


def read(printed):
    return Decimal(printed.replace("−", "-").replace("∞", "Infinity"))


def cells(trace, key, most=12):
    """About a dozen cells of a stage, the first and the last among them."""
    every = list(np.ndindex(trace[key].tensor.shape))
    return {*every[:: max(1, len(every) // (most - 1))], every[-1]}


def single(scores, **options):
    """One query of width 1 that finds these scores."""
    K = np.array(scores, dtype=float).reshape(1, 1, -1, 1)
    return scaled_dot_product_attention(np.ones((1, 1, 1, 1)), K, K, **options)
