from collections import defaultdict
from functools import partial

import numpy as np
import streamlit as st

from core import Trace, ops
from core.experiments import masks
from core.masks import causal, composed, neighbourhood, window
from pages.understand.masks import controls
from pages.understand.masks.controls import (
    FIRST_TEXT,
    SIDE,
    Inputs,
    MaskedScores,
    masked_trace,
    masks_input,
    toggled,
)
from pages.understand.masks.controls import parts as parts_of
from views import link
from views.figures.scale import Scale, round_up
from views.preferences import in_language, words
from views.text import Words, numbers, words_beside
from views.text.spans import Span, plain, spans
from views.widgets import lesson
from views.widgets.choice import option_input
from views.widgets.errors import computed
from views.widgets.grids import Grid, grids
from views.widgets.picture import picture
from views.widgets.prose import heading, prose, source_code, table


def sentences(inputs: Inputs, trace: Trace, texts: Words, method: str) -> None:
    """Draw sentences on the row that loses most weight, and on fully masked rows."""
    scores = MaskedScores.of(trace)
    weights = masks.weights_by(method, scores.scaled, scores.allowed)
    empty = masks.fully_masked(scores.allowed)
    names = _row_names(inputs, scores, texts)
    if scores.allowed.all():
        prose([[(texts.nothing_forbidden, "")]], key="says")
        return
    unmasked = ops.softmax(scores.scaled)
    lost = masks.leaked_weight(unmasked, scores.allowed)
    row = int(np.where(empty, -1, lost).argmax())
    if inputs.kind == "picture" and lost[inputs.patch - 1]:
        row = inputs.patch - 1
    if not empty[row]:
        values = {
            "unmasked": lost[row],
            "leak": masks.leaked_weight(weights, scores.allowed)[row],
            "remaining": unmasked[row][scores.allowed[row]].sum(),
            "sum": weights[row].sum(),
            "apart": masks.mask_effect(method, scores.scaled, scores.allowed).apart,
        }
        printed = {name: numbers.short(float(value)) for name, value in values.items()}
        count = str(int((~scores.allowed[row]).sum()))
        prose(
            [spans(texts.says[method], row=(names[row], "query"), count=count, **printed)], "says"
        )
    if empty.any():
        rows = texts.list_mark.join(names[i] for i in np.flatnonzero(empty))
        even = numbers.short(1 / len(names))
        says = spans(texts.empty[method], rows=(rows, "query"), even=even)
        prose([says, *_emptied(inputs, names, empty, texts)], "empty", "notice")


def _emptied(inputs: Inputs, names: list[str], empty: np.ndarray, texts: Words) -> list[list[Span]]:
    """Which masks left the rows nothing: a sentence for all rows that the same masks emptied."""
    parts, rows = parts_of(inputs, len(names)), defaultdict[tuple[str, ...], list[str]](list)
    for i in np.flatnonzero(empty):
        rows[masks.emptied_by(parts, int(i))].append(names[i])
    return [
        spans(
            texts.emptied,
            rows=(texts.list_mark.join(these), "query"),
            masks=texts.list_mark.join(controls.mask_name(mask, texts) for mask in by),
        )
        for by, these in rows.items()
    ]


def _row_names(inputs: Inputs, scores: MaskedScores, texts: Words) -> list[str]:
    """The names of the tokens in sentences, with their position if a token is repeated."""
    if inputs.kind == "picture":
        return [texts.patch.format(patch=name) for name in scores.names]
    return [
        f"“{name}”" if scores.names.count(name) == 1 else f"“{name}” ({i})"
        for i, name in enumerate(scores.names, start=1)
    ]


def comparison(trace: Trace, texts: Words, method: str) -> None:
    """Draw a table of the effect of every masking method."""
    scores = MaskedScores.of(trace)
    heading(texts.compare)
    rows = []
    for one, name in texts.ways.items():
        effect = masks.mask_effect(one, scores.scaled, scores.allowed)
        least, most = (numbers.short(end) for end in (effect.least, effect.most))
        sums = least if least == most else texts.from_to.format(least=least, most=most)
        rows.append(
            (
                f"**{plain(name)}**" if one == method else plain(name),
                plain(numbers.short(effect.leak)),
                plain(sums),
                plain(numbers.short(effect.apart)),
            )
        )
    table(texts.columns, rows)


def code(texts: Words) -> None:
    """Draw the source code of the functions."""
    source_code(
        texts.code, causal, window, neighbourhood, composed,
        masks.filled, masks.masked_before, masks.masked_after, together=True,
    )  # fmt: skip


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
    about = {**words().mask.about, **texts.about}.__getitem__
    drawn = [
        mask_grid(
            controls.mask_name(name, texts), mask,
            note=about(name).format(near=inputs.near, reach=inputs.reach),
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


texts = in_language(words_beside(__file__))
lesson.header(texts.lesson)
first = Inputs(written=link.first_text(FIRST_TEXT))
inputs, trace = computed(lambda: masks_input(texts), masked_trace, first, words())
with st.container(border=True, key="follows_card"):
    above = st.container()
    method, convention = written_as(inputs, trace, texts)
    with above:
        composition(inputs, trace, convention, texts)
        chain(inputs, trace, texts, method)
    sentences(inputs, trace, texts, method)
    conventions(convention, texts)
    prose([[(words().viewer.random.format(seed=inputs.seed), "")]], key="origin", style="quiet")
with st.container(border=True, key="comparison_card"):
    comparison(trace, texts, method)
code(texts)
lesson.footer(texts.lesson, words())
