"""The weights and the output: correct, broken, and their difference."""

from collections.abc import Sequence

import numpy as np
import streamlit as st

from core.experiments.invariants import Case
from core.experiments.mistakes import MatmulMismatch, relative_error
from pages.understand.break_it.controls import WIDTHS
from views import link
from views.figures.scale import Scale, signed_scale
from views.text import Words, numbers
from views.text.spans import mathematics, plain, spans
from views.widgets.grids import Grid, grids
from views.widgets.prose import prose

SHARES, SHIFTS = Scale("share", 0, 1), Scale("signed", -1, 1)


def comparison(
    right: Case, broken: Case | None, head: int, tokens: Sequence[str], texts: Words
) -> None:
    """Draw the correct attention, and beside it the broken one and the difference, if given."""
    correct = right.attended
    results = [correct.output[0]]
    if broken:
        results += [broken.attended.output[0], broken.attended.output[0] - correct.output[0]]
    signed = signed_scale(*results, rounded=True)
    forbidden = ~right.allowed
    left, beside = st.columns(2)
    with left:
        grids(
            [
                _weights(texts.right, correct.weights[0, head], tokens, is_masked=forbidden),
                _rows(f"output · {texts.right}", results[0], tokens, signed),
            ],
            key="right",
        )
    if broken is None:
        return
    weights = broken.attended.weights[0, head]
    leaks = forbidden & (weights > 0)
    off = texts.off.format(off=numbers.short(relative_error(results[0], results[1])))
    with beside:
        grids(
            [
                _weights(texts.broken, weights, tokens, is_masked=forbidden & ~leaks, marked=leaks),
                _rows(f"output · {texts.broken}", results[1], tokens, signed),
            ],
            key="broken",
        )
    shift = weights - correct.weights[0, head]
    grids(
        [
            Grid(
                f"weights · {texts.difference}",
                shift,
                SHIFTS,
                tokens,
                tokens,
                after=_sums(shift, axis=1),
                digits=numbers.DECIMALS,
                small=True,
            ),
            _rows(f"output · {texts.difference}", results[2], tokens, signed, note=off),
        ],
        key="difference",
    )


def no_product(
    right: Case, error: MatmulMismatch, head: int, tokens: Sequence[str], texts: Words
) -> None:
    """Draw two matrices that cannot be multiplied, and a button to make the shapes fit."""
    Q, K = right.attended.Q[0, head], right.attended.K[0, head]
    signed = signed_scale(Q, K, rounded=True)
    grids(
        [
            Grid(
                f"{name} ({role} {len(values)}, d_k {values.shape[1]})",
                values,
                signed,
                tokens,
                row_role=role,
                sign=sign,
                digits=numbers.DECIMALS,
                small=True,
            )
            for name, role, values, sign in (("Q", "query", Q, "×"), ("K", "key", K, ""))
        ],
        key="no_product",
    )
    (n, d_k), (low, high) = error.right, WIDTHS
    prose([spans(texts.no_product, n=str(n), d_k=str(d_k))], key="no_product_reads")
    st.caption(plain(texts.says_numpy))
    st.code(f"ValueError: {error}", language=None, wrap_lines=True)
    if low <= n <= high:
        label = plain(texts.make_square.format(n=n))
        st.button(label, key="make_square", on_click=link.set_value, args=("d_k", n))
    else:
        st.caption(mathematics(texts.cannot_square.format(low=low, high=high)))


def _weights(
    title: str,
    weights: np.ndarray,
    tokens: Sequence[str],
    is_masked: np.ndarray,
    marked: np.ndarray | None = None,
) -> Grid:
    return Grid(
        f"weights · {title}",
        weights,
        SHARES,
        tokens,
        tokens,
        is_masked=is_masked,
        marked=marked,
        after=_sums(weights, axis=1),
        below=_sums(weights, axis=0),
        digits=numbers.DECIMALS,
        small=True,
    )


def _sums(values: np.ndarray, axis: int) -> list[str]:
    return [f"Σ {numbers.plain(total)}" for total in values.sum(axis=axis)]


def _rows(
    title: str, values: np.ndarray, tokens: Sequence[str], scale: Scale, note: str = ""
) -> Grid:
    return Grid(
        title,
        values,
        scale,
        tokens,
        column_role="d_model",
        note=note,
        digits=numbers.DECIMALS,
        small=True,
    )
