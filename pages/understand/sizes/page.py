import inspect
from typing import Any

import streamlit as st

from core import ops
from core.models.standard import from_input
from core.shapes import AttentionShape, Shape, attention, total
from pages.understand.sizes.controls import FIRST, Inputs, sizes_input
from pages.understand.sizes.table import axes_of, growth, size_of, table, times
from views.preferences import in_language, words
from views.text import Words, numbers, words_beside
from views.text.spans import Span, mathematics, spans
from views.widgets import lesson
from views.widgets.component import component
from views.widgets.errors import computed
from views.widgets.prose import heading, prose

RUNGS = ("X", "packed", "Q", "weights", "head_output", "concat", "output")


def meaning(chosen: Inputs, texts: Words) -> None:
    """Draw the shapes of Q and weights, and the meaning of each number."""
    sizes, modality = chosen.sizes, chosen.modality
    fields = _fields(sizes)
    known, standard = _by_key(sizes), _by_key(chosen.standard)
    meanings = (
        ("batch", sizes.batch, texts.means_batch[modality]),
        ("head", sizes.heads, texts.means_head),
        ("query", sizes.n, texts.means_query[modality]),
        ("d_k", sizes.d_k, texts.means_d_k),
        ("key", sizes.n, texts.means_key[modality]),
    )
    with st.container(border=True, key="meaning_card"):
        component("four")(
            key="four",
            data={
                "tuples": [
                    {"name": key, "axes": axes_of(known[key], standard[key])}
                    for key in ("Q", "weights")
                ],
                "means": [
                    {"role": role, "name": role, "size": size_of(size),
                     "text": text.format(**fields)}
                    for role, size, text in meanings
                ],
            },
        )  # fmt: skip
        shape = f"({', '.join(map(str, known['weights'].sizes))})"
        sentence = spans(
            texts.answer[modality],
            weights=shape,
            tables=numbers.count(sizes.batch * sizes.heads),
            count=numbers.count(known["weights"].values),
            **fields,
        )
        prose([sentence], key="answer")


def ladder(chosen: Inputs, texts: Words) -> None:
    """Draw the shapes from X to output, each stage in proportion."""
    sizes = chosen.sizes
    fields = _fields(sizes)
    known, standard = _by_key(sizes), _by_key(chosen.standard)
    whole = f"({sizes.batch}, {sizes.n}, {sizes.d_model})"
    with st.container(border=True, key="way_card"):
        heading(texts.way.format(X=whole, heads=sizes.heads))
        data = {
            "language": words().tag,
            "heads": sizes.heads,
            "caption": texts.way_caption if sizes.batch > 1 else texts.way_caption_one,
            "rows": [
                _rung(texts, key, known, standard, sizes)
                | {"step": spans(step.format(**fields)) if step else []}
                for key, step in zip(RUNGS, ("", *texts.way_steps), strict=True)
            ],
        }
        component("ladder")(key="ladder", data=data)
        prose([_what_changed(texts, chosen)], key="changed")


def _rung(
    texts: Words,
    key: str,
    known: dict[str, Shape],
    standard: dict[str, Shape],
    sizes: AttentionShape,
) -> dict[str, Any]:
    """The data of one stage: its name, axes and drawn matrices."""
    shape, before = (of["concat" if key == "packed" else key] for of in (known, standard))
    by_head = "head" in shape.roles
    rows, columns = shape.roles[-2:]
    return {
        "name": spans(texts.packed) if key == "packed" else [(key, "")],
        "axes": axes_of(shape, before),
        "high": shape.sizes[-2],
        "wide": shape.sizes[-1] if by_head or key in ("X", "output") else sizes.d_k,
        "pieces": 1 if key in ("X", "output") else sizes.heads,
        "joined": not by_head,
        "batch": sizes.batch,
        "rows": rows,
        "columns": columns,
    }


def _what_changed(texts: Words, chosen: Inputs) -> list[Span]:
    """A sentence on the growth of the cost after a change of sizes."""
    now, then = chosen.sizes, chosen.standard
    if now == then:
        return spans(texts.nothing_changed)
    names = ("batch", "n", "heads", "d_model", "d_k")
    changes = [
        texts.change.format(name=name, before=getattr(then, name), after=getattr(now, name))
        for name in names
        if getattr(then, name) != getattr(now, name)
    ]
    known, standard = _by_key(now), _by_key(then)
    spent, before = (total(from_input(chosen.modality, sizes)) for sizes in (now, then))
    return spans(
        texts.changed,
        changes=words().list_mark.join(changes),
        x=times(known["X"].values, standard["X"].values),
        scores=times(known["scores"].values, standard["scores"].values),
        work=times(spent.multiply_adds, before.multiply_adds),
        bytes=times(spent.bytes, before.bytes),
    )


def code(chosen: Inputs, texts: Words) -> None:
    """Draw the source code that splits and merges heads."""
    with st.expander(texts.cut):
        st.caption(mathematics(texts.cut_about.format(**_fields(chosen.sizes))))
        for function in (ops.split_heads, ops.merge_heads):
            st.code(inspect.getsource(function), language="python")


def _by_key(sizes: AttentionShape) -> dict[str, Shape]:
    return {shape.key: shape for shape in attention(sizes)}


def _fields(sizes: AttentionShape) -> dict[str, str]:
    return {name: str(value) for name, value in vars(sizes).items()}


texts = in_language(words_beside(__file__))
lesson.header(texts.lesson)
chosen, _ = computed(lambda: sizes_input(texts), lambda chosen: chosen.sizes, FIRST, words())
for card in (meaning, ladder, table, growth, code):
    card(chosen, texts)
lesson.footer(texts.lesson, words())
