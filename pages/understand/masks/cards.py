"""The figures of the page on masks: mask ∧ mask = allowed, and the masked weights."""

from functools import partial

import numpy as np
import streamlit as st

from core import Trace, ops
from core.experiments import masks
from pages.understand.masks import controls
from pages.understand.masks.controls import SIDE, Inputs, MaskedScores, toggled
from views import link
from views.figures.scale import Scale, round_up
from views.text import Words, numbers
from views.text.spans import spans
from views.widgets.grids import Grid, grids
from views.widgets.option_input import option_input
from views.widgets.picture import picture
from views.widgets.prose import prose

YES_OR_NO = Scale("flag", 0, 1)
SIGNS = {"allowed": "∧", "masked": "∨", "added": "+"}


def composition(inputs: Inputs, trace: Trace, convention: str, texts: Words) -> None:
    """Draw each active mask, and their conjunction."""
    scores = MaskedScores.of(trace)
    if inputs.kind == "sentence":
        _composed(inputs, scores, convention, texts)
        return
    left, right = st.columns([3.7, 1])
    with left:
        _composed(inputs, scores, convention, texts)
    with right:
        share = Scale("share", 0, 1)
        _photo_with_row(
            inputs, scores.allowed, share, "may", texts.may_caption.format(patch=inputs.patch)
        )


def written_as(inputs: Inputs, trace: Trace, texts: Words) -> tuple[str, str]:
    """Draw what keeps a cell out and how a mask is printed, and return both; beside them a button
    that masks a row."""
    n = trace["scaled"].size("query")
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        method: str = option_input(texts.way, "way", texts.ways, texts.ways.__getitem__)
        convention: str = option_input(
            texts.convention, "convention", masks.CONVENTIONS, texts.conventions.__getitem__
        )
        with st.container(horizontal=True, key="samples", width="content"):
            st.button(texts.mask_row, key="mask_row", on_click=_mask_row, args=(inputs, n))
            if "drawn" in controls.parts(inputs, n) and inputs.masked_rows:
                st.button(texts.clear, key="clear", on_click=link.set_value, args=("drawn", ()))
    return method, convention


def conventions(convention: str, texts: Words) -> None:
    """Name the parameters of libraries that take a mask in this convention."""
    prose([spans(texts.written_so[convention]), spans(texts.is_causal)], "written_so", "quiet")


def _composed(inputs: Inputs, scores: MaskedScores, convention: str, texts: Words) -> None:
    n = len(scores.names)
    parts, mask_grid = controls.parts(inputs, n), partial(_mask, scores, convention)
    drawn = [
        mask_grid(
            texts.mask_names[name], mask,
            note=texts.about[name].format(near=inputs.near, reach=inputs.reach),
            sign=SIGNS[convention] if i + 1 < len(parts) else "=", fixed=name != "drawn",
        )
        for i, (name, mask) in enumerate(parts.items())
    ]  # fmt: skip
    left = texts.allowed_note.format(count=int(scores.allowed.sum()), all=n * n)
    whole = texts.wholes[convention].format(n=n)
    drawn.append(mask_grid(whole, scores.allowed, note=left, fixed=True))

    def clicked(_: int, row: int, column: int) -> None:
        link.set_value("drawn", toggled(inputs.masked_rows, row, column))

    grids(drawn, key="composition", on_click=clicked if "drawn" in parts else None)


def _mask_row(inputs: Inputs, n: int) -> None:
    """Callback: mask a whole row, that of the selected patch or of the second token."""
    name = "on" if inputs.kind == "sentence" else "on_picture"
    link.set_value(name, [*(one for one in inputs.on if one != "drawn"), "drawn"])
    row = min(1, n - 1) if inputs.kind == "sentence" else inputs.patch - 1
    rows = [*inputs.masked_rows, *[0] * (row + 1 - len(inputs.masked_rows))]
    rows[row] = (1 << n) - 1
    link.set_value("drawn", tuple(rows))


def _mask(
    scores: MaskedScores, convention: str, title: str, mask: np.ndarray, *,
    note: str, fixed: bool, sign: str = "",
) -> Grid:  # fmt: skip
    return Grid(
        title, mask.astype(int), YES_OR_NO, scores.names, scores.names,
        printed=masks.CONVENTIONS[convention](mask),
        is_masked=~mask, note=note, sign=sign, digits=0, small=True, fixed=fixed,
    )  # fmt: skip


def _photo_with_row(
    inputs: Inputs, shares: np.ndarray, scale: Scale, key: str, caption: str
) -> None:
    """Draw the photo with an overlay of one row; a click on a patch selects it."""
    picture(
        controls.photo(), (SIDE, SIDE), key=key, label=caption, caption=caption,
        chosen=inputs.patch - 1, weights=shares[inputs.patch - 1].astype(np.float32), scale=scale,
        live=False, on_choose=lambda patch: link.set_value("patch", patch + 1),
    )  # fmt: skip


def chain(inputs: Inputs, trace: Trace, texts: Words, method: str) -> None:
    """Draw scaled → masked → weights, or softmax first if the mask is applied after it."""
    scores = MaskedScores.of(trace)
    if inputs.kind == "sentence":
        _chain(scores, texts, method)
        return
    left, right = st.columns([3.7, 1])
    with left:
        _chain(scores, texts, method)
    with right:
        weights = masks.weights_by(method, scores.scaled, scores.allowed)
        scale = Scale("share", 0, round_up(float(weights.max())))
        _photo_with_row(
            inputs, weights, scale, "relit", texts.relit_caption.format(patch=inputs.patch)
        )


def _chain(scores: MaskedScores, texts: Words, method: str) -> None:
    weights = masks.weights_by(method, scores.scaled, scores.allowed)
    plainly = ops.softmax(scores.scaled)
    shares = Scale("share", 0, round_up(float(max(weights.max(), plainly.max()))))
    if method in masks.BEFORE:
        filled = masks.filled(scores.scaled, scores.allowed, masks.BEFORE[method])
        middle = _step("masked", filled, scores.signed, scores, sign="→")
    else:
        middle = _step(texts.softmax, plainly, shares, scores, sign="→", texts=texts)
    last = "weights" if method != "after" else texts.masked_after
    grids(
        [
            _step("scaled", scores.scaled, scores.signed, scores, sign="→", hatched=False),
            middle,
            _step(last, weights, shares, scores, texts=texts),
        ],
        key="chain",
    )


def _step(
    title: str,
    values: np.ndarray,
    scale: Scale,
    scores: MaskedScores,
    *,
    sign: str = "",
    hatched: bool = True,
    texts: Words | None = None,
) -> Grid:
    sums = [texts.sum.format(sum=numbers.short(row.sum())) for row in values] if texts else ()
    return Grid(
        title, values, scale, scores.names, scores.names,
        is_masked=~scores.allowed if hatched else None, after=sums, sign=sign, small=True,
    )  # fmt: skip
