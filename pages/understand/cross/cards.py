"""Which sequence feeds Q, K and V; self- and cross-attention in the microscope and compared."""

import streamlit as st

from core import Stage, Trace
from core.experiments import cross
from pages.understand.cross.controls import Pair
from views.figures.axis import shortened
from views.figures.scale import Scale, largest, scale_of
from views.scene.steps import ATTENTION
from views.text import Words, numbers
from views.text.spans import isolated, spans
from views.widgets.component import component
from views.widgets.grids import Grid, grids
from views.widgets.prose import heading, prose
from views.widgets.viewer import step_viewer

COMPUTED = (
    "Q", "K", "V", "scores", "scaled", "weights", "head_output", "concat", "output",
)  # fmt: skip
CROSS = ("X", "memory", *ATTENTION[1:])


def in_microscope(pair: Pair, trace: Trace, words: Words) -> None:
    """Draw the trace in the microscope."""
    step_viewer(
        trace, words, follow=False,
        origin=lambda texts: texts.viewer.random.format(seed=pair.seed),
        steps=CROSS if pair.cross else ATTENTION,
    )  # fmt: skip


def comparisons(pair: Pair, trace: Trace, texts: Words) -> None:
    """Draw self-attention next to cross-attention with memory X; and two sentences swapped."""
    left, right = st.columns(2, gap="small") if pair.cross else (st.container(), None)
    with left, st.container(border=True, key="special_card", height="stretch"):
        _special(pair, texts)
    if right:
        with right, st.container(border=True, key="swapped_card", height="stretch"):
            _swap(pair, trace, texts)


def _special(pair: Pair, texts: Words) -> None:
    itself, fed = pair.attend(None), pair.itself()
    heading(texts.special)
    count = sum(itself[key].tensor.size for key in COMPUTED)
    largest_difference = numbers.difference(cross.largest_difference(itself, fed, *COMPUTED))
    prose(
        [spans(texts.special_read, count=numbers.count(count), largest=largest_difference)],
        key="special_read",
    )
    scale = scale_of(itself, "weights")
    grids(
        [
            head_grid(itself["weights"], texts.special_self, scale, texts),
            head_grid(fed["weights"], texts.special_fed, scale, texts),
        ],
        key="special",
    )


def _swap(pair: Pair, trace: Trace, texts: Words) -> None:
    other = pair.swapped().trace()
    scores, swapped = trace["scores"], other["scores"]
    heading(texts.swapped)
    largest_difference = cross.swap_difference(scores.tensor, swapped.tensor)
    prose(
        [
            spans(
                texts.swapped_read,
                shape=in_head(scores),
                turned=in_head(swapped),
                largest=numbers.difference(largest_difference),
            )
        ],
        key="swapped_read",
    )
    high = max(largest(trace, ("scores",)), largest(other, ("scores",)))
    scale = Scale("signed", -high, high)
    grids(
        [
            head_grid(scores, texts.swapped_before, scale, texts),
            head_grid(swapped, texts.swapped_after, scale, texts),
        ],
        key="swapped",
    )


def head_grid(stage: Stage, title: str, scale: Scale, texts: Words) -> Grid:
    """The first head of the first sample of a stage as a matrix."""
    rows, columns = ([shortened(name) for name in axis.names() or ()] for axis in stage.axes[2:])
    return Grid(
        title, stage.tensor[0, 0], scale, rows, columns,
        note=f"{texts.first_head} {in_head(stage)}", digits=numbers.DECIMALS, small=True,
    )  # fmt: skip


def flow(trace: Trace, texts: Words) -> None:
    """Draw which sequences Q, K and V are computed from, and their shapes."""
    fed = (
        {"X": ("token", "Q"), "memory": ("key", "KV")}
        if "memory" in trace
        else {"X": ("token", "QKV")}
    )
    sources = [
        {"symbol": key, "text": _words(trace[key]), "role": role, "feeds": feeds}
        for key, (role, feeds) in fed.items()
    ]
    label = texts.flow_cross if "memory" in trace else texts.flow_self
    shapes = {key: in_head(trace[key]) for key in ("Q", "K", "V", "scores", "output")}
    component("cross")(key="flow", data={"sources": sources, "shapes": shapes, "label": label})


def in_head(stage: Stage) -> str:
    """The shape of one sample in one head, each axis by its name: ``(query 3, key 4)``."""
    named = [f"{axis} {stage.size(axis)}" for axis in stage.roles if axis not in ("batch", "head")]
    return f"({', '.join(named)})"


def _words(stage: Stage) -> str:
    return isolated(" ".join(stage.axes[1].names() or ()))
