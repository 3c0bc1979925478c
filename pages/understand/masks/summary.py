"""What the numbers of the page of masks say, and all ways of forbidding side by side."""

import inspect

import numpy as np
import streamlit as st

from core import Trace, ops
from core.experiments import masks
from core.masks import causal, composed, neighbourhood, window
from pages.understand.masks.controls import Inputs
from pages.understand.masks.seen import Seen
from pages.understand.masks.words import MasksWords
from views import numbers
from views.spans import plain, spans
from views.widgets.prose import heading, prose
from views.widgets.table import table


def says(inputs: Inputs, trace: Trace, texts: MasksWords, way: str) -> None:
    """What the numbers say of the row that the masks cost most, and of rows with nothing left."""
    seen = Seen.of(trace)
    weights = masks.weights_by(way, seen.scaled, seen.allowed)
    empty = masks.fully_masked(seen.allowed)
    called = _called(inputs, seen, texts)
    if seen.allowed.all():
        prose([[(texts.nothing_forbidden, "")]], key="says")
        return
    lost = masks.leaked_weight(ops.softmax(seen.scaled), seen.allowed)
    row = int(np.where(empty, -1, lost).argmax())
    if inputs.kind == "picture" and lost[inputs.patch - 1]:
        row = inputs.patch - 1
    if not empty[row]:
        told = {
            "unmasked": lost[row],
            "leak": masks.leaked_weight(weights, seen.allowed)[row],
            "kept": 1 - lost[row],
            "sum": weights[row].sum(),
            "apart": masks.mask_effect(way, seen.scaled, seen.allowed).apart,
        }
        printed = {name: numbers.short(float(value)) for name, value in told.items()}
        count = str(int((~seen.allowed[row]).sum()))
        prose([spans(texts.says[way], row=(called[row], "query"), count=count, **printed)], "says")
    if empty.any():
        rows = texts.list_mark.join(called[i] for i in np.flatnonzero(empty))
        even = numbers.short(1 / len(called))
        prose([spans(texts.empty[way], rows=(rows, "query"), even=even)], "empty", "notice")


def _called(inputs: Inputs, seen: Seen, texts: MasksWords) -> list[str]:
    """What the places are called in a sentence; with its number a token that stands twice."""
    if inputs.kind == "picture":
        return [texts.patch.format(patch=name) for name in seen.names]
    return [
        f"“{name}”" if seen.names.count(name) == 1 else f"“{name}” ({i})"
        for i, name in enumerate(seen.names, start=1)
    ]


def comparison(trace: Trace, texts: MasksWords, way: str) -> None:
    """What every way of forbidding does to these scores."""
    seen = Seen.of(trace)
    heading(texts.compare)
    rows = []
    for one, name in texts.ways.items():
        found = masks.mask_effect(one, seen.scaled, seen.allowed)
        least, most = (numbers.short(end) for end in (found.least, found.most))
        sums = least if least == most else texts.from_to.format(least=least, most=most)
        rows.append(
            (
                f"**{plain(name)}**" if one == way else plain(name),
                plain(numbers.short(found.leak)),
                plain(sums),
                plain(numbers.short(found.apart)),
            )
        )
    table(texts.columns, rows)


def code(texts: MasksWords) -> None:
    """The functions of ``core`` that ran."""
    shown = (
        causal, window, neighbourhood, composed,
        masks.filled, masks.masked_before, masks.masked_after,
    )  # fmt: skip
    with st.expander(texts.code):
        st.code("\n\n".join(inspect.getsource(one) for one in shown), language="python")
