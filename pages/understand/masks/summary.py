"""Sentences on the masked weights, and a comparison of all masking methods."""

from collections import defaultdict

import numpy as np

from core import Trace, ops
from core.experiments import masks
from core.masks import causal, composed, neighbourhood, window
from pages.understand.masks.controls import Inputs, MaskedScores
from pages.understand.masks.controls import parts as parts_of
from views.text import Words, numbers
from views.text.spans import Span, plain, spans
from views.widgets.prose import heading, prose
from views.widgets.source_code import source_code
from views.widgets.table import table


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
            masks=texts.list_mark.join(texts.mask_names[mask] for mask in by),
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
