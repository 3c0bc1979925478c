"""The map of the translator, its chosen part in the stage viewer, and the names of its rows."""

import streamlit as st

from core import Trace
from core.models import translator
from core.models.translator import Translator, gloss
from core.sources.pieces import START
from pages.see.translation.controls import Shown
from pages.see.translation.decoding import Step, cross, is_by_word
from views.scene import naming
from views.selection import Selection
from views.text import Words, numbers
from views.text.spans import spans
from views.widgets.microscope import FirstView, Origin
from views.widgets.model_map import bound_part, chosen_part
from views.widgets.prose import heading, prose
from views.widgets.relevance import Asked
from views.widgets.viewer import part_viewer

NAMED = ("decoder", "prediction")


def parts(
    shown: Shown, step: Step, model: Translator, origin: Origin, texts: Words, words: Words,
    asked: Asked, *, glossed: bool,
) -> tuple[str, int]:  # fmt: skip
    """Draw the words of a part; below them the map, sentences about the part, and its steps.

    glossed: whether the Chinese words are shown with what they mean.
    asked: the gradients are one more part while they are asked for. Returns the path of the
    attention that is looked at, by default the cross-attention of the lines, and its head, from 0.
    """
    first = cross(model.best_aligned_head[0])
    path = bound_part(shown.trace, first, asked.parts)
    turned, attention = path in asked.parts, cross(step.layer)

    def lead(selection: Selection) -> None:
        with st.container(key="parts"):
            heading(texts.heading)
            chosen_part(shown.trace, first, words, more=asked.parts)
            if not turned:
                prose([_about(path, shown, texts)], key="about_part")
            if is_named(path):
                prose([_rows(step, shown, texts)], key="about_rows", style="quiet")

    is_cross = path.endswith("/cross")
    is_glossed = glossed and (is_cross or path.startswith("encoder"))
    written = FirstView(
        rows=shown.target if is_cross else (),
        glosses=[gloss(token)[1] for token in shown.tokens] if is_glossed else (),
    )
    viewed = part_viewer(
        with_row_names(shown, path), path, words, origin=origin, follow=False,
        start=_start(attention if turned else path, step, shown, model), lead=lead,
        first_view=written, gradients=asked.gradients(with_row_names(shown, attention), attention),
    )  # fmt: skip
    if f"{path}/weights" in shown.trace:
        return path, viewed.selection.at["head"]
    return attention, step.head


def _start(path: str, step: Step, shown: Shown, model: Translator) -> dict[str, int]:
    """The initial cell, from 0 by axis: the selected word's largest weight, or its probability."""
    start = {"head": model.best_aligned_head[1]}
    if is_by_word(path):
        start["query"] = step.word
    if path.endswith("/cross"):
        row = shown.trace[f"{path}/weights"].tensor[0, step.head, step.word]
        start["key"] = int(row.argmax())
    if path == "prediction":
        names = shown.trace["prediction/outcomes"].axis("vocabulary").names() or ()
        start["vocabulary"] = names.index(shown.target[step.word])
    return start


def _about(path: str, shown: Shown, texts: Words) -> list[tuple[str, str]]:
    """On the part: for attention, where Q, K and V come from and why it has its mask."""
    side, _, kind = path.partition("/")
    rows = len(shown.tokens) if side in ("source", "encoder") else len(shown.words) + 1
    return spans(
        texts.about[f"{side}/{kind.partition('/')[2]}" if kind else side],
        n=str(rows),
        keys=str(len(shown.tokens)),
        vocabulary=numbers.count(len(translator.load().target)),
    )


def _rows(step: Step, shown: Shown, texts: Words) -> list[tuple[str, str]]:
    return spans(
        texts.given_rows if shown.forced else texts.rows,
        row=(row_name(step.word, shown), "query"),
        read=((START, *shown.words)[step.word], "query"),
        word=(shown.target[step.word], "query"),
    )


def row_name(index: int, shown: Shown) -> str:
    """The name of a row, from 0: ``[START]→I``; the last one of a translation that never ended
    writes nothing."""
    read = (START, *shown.words)[index]
    return f"{read}→{shown.target[index]}" if index < len(shown.target) else read


def is_named(path: str) -> bool:
    """Whether the rows of a part both read and write; the target's embeddings only read."""
    return path.startswith(NAMED)


def with_row_names(shown: Shown, path: str) -> Trace:
    """The trace of the model with the names of the rows of one part."""
    if not is_named(path):
        return shown.trace
    names = tuple(row_name(index, shown) for index in range(len(shown.words) + 1))
    return naming.with_row_names(shown.trace, path, names)
