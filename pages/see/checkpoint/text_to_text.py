"""A model that reads one text and writes another: both texts, and a layer of both its sides."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache, partial

import numpy as np
import streamlit as st

from core import Axis, Trace
from core.limits import LIMITS, WRITTEN_TOKENS
from core.models.effects import Effect
from core.models.opened_model import Checkpoint
from core.models.text_to_text import TextToText, Written
from core.nested import parts
from pages.see.checkpoint.controls import first_text, source_input
from views import link, parse
from views.preferences import in_language, words
from views.scene.naming import with_row_names
from views.selection import choose_token
from views.text import CHECKPOINT, Words, numbers, words_beside
from views.text.spans import isolated, plain, spans
from views.widgets.checkpoint.head_overview import HeadLink
from views.widgets.checkpoint.layers import chosen_layer, chosen_part_of, layers
from views.widgets.errors import computed
from views.widgets.head_effects import Muting, head_effects, opening
from views.widgets.interventions import (
    Intervened,
    intervened,
    texts_before_and_after,
    what_if_card,
    what_if_of,
    with_changes,
)
from views.widgets.known_heads import words_in
from views.widgets.model_map import Whole, chosen_part
from views.widgets.prose import prose
from views.widgets.viewer import layers_of, part_viewer

WORDS = words_beside(__file__)
WRITING = ("decoder", "prediction")  # parts whose rows read one token and write the next


@dataclass(frozen=True, eq=False)
class Asked:
    """target: the text that the decoder is given; empty for what it writes by itself."""

    model: Checkpoint
    whole: TextToText
    source: str
    target: str
    layer: int


@dataclass(frozen=True, eq=False)
class Made:
    """chances: the probability of each token that is written. trace: of the layer."""

    written: Written
    chances: tuple[float, ...]
    trace: Trace


@dataclass
class LastMade:
    """What was written last, and the last trace, each with what it was computed from."""

    texts: tuple[object, ...] = ()
    written: tuple[Written, tuple[float, ...]] | None = None
    inputs: tuple[object, ...] = ()
    trace: Trace | None = None


def text_to_text_view(model: Checkpoint, whole: TextToText) -> None:
    """Draw the page for a model that writes a text."""
    layer, of = chosen_layer(whole), intervened(whole, lambda: WRITTEN_TOKENS)
    whole = of.model

    def read() -> Asked:
        with st.sidebar:
            return Asked(model, whole, *source_input(model, words()), layer)

    first = Asked(model, whole, first_text(model), "", layer)
    asked, made = computed(read, _made, first, words(), model.name)
    if (asked.layer, asked.whole) != (layer, whole):  # of the last valid input
        asked = Asked(model, whole, asked.source, asked.target, layer)
        made = _made(asked)
    trace = made.trace
    cross = next(path for path in parts(trace) if path.endswith("/cross"))
    path = chosen_part_of(parts(trace), cross)
    row = _chosen_row(whole, made.written)
    with st.container(border=True, key="text_to_text_card"):
        _texts(whole, asked, made, path, cross, row)
    with st.container(horizontal=True, gap="medium", key="layer_row"):
        layers(whole, layer)
    counts = whole.encoder.config.layers, whole.decoder.config.layers
    name = in_language(CHECKPOINT).called[model.config.model_type]
    path = chosen_part(trace, path, words(), whole=Whole(name, counts))
    if path.startswith(WRITING):
        trace = with_row_names(trace, path, _row_names(whole, made.written))
    shown = part_viewer(
        trace, path, words(), origin=partial(_origin, asked), follow=False,
        start=_start(trace, path),
        layers=layers_of(
            made.trace, path, layer, min(counts),
            partial(asked.whole.trace, asked.source, made.written),
            lambda number: partial(_origin, replace(asked, layer=number)),
        ),
    )  # fmt: skip
    attention = path if f"{path}/weights" in trace else cross
    card = what_if_card()
    if card.open:
        with card:
            _what_if(of, asked, made, attention, shown.selection.at["head"], row)


def _what_if(
    of: Intervened[TextToText], asked: Asked, made: Made, path: str, head: int, row: int
) -> None:
    """What is changed in an attention, and what is written without the changes and with them.

    And what every head of this part does for a written token. path: of the attention. head, row:
    from 0.
    """
    whole, written, layer = asked.whole, made.written, int(path.split("/")[1])
    left, right = st.columns([6, 5])
    with left:
        part = what_if_of(of.error, made.trace, path, head, row)
        if of.is_changed and not asked.target.strip():
            before = _plainly(of.plain, asked.source)
            texts_before_and_after(*map(of.plain.text_of, (before, written)))

    def measure(progress: Callable[[int, int], None], known: int) -> Iterator[Effect]:
        return whole.effects(asked.source, written, row, part, progress, known)

    config = whole.side(part).config
    with right.container(key="effects_card"):
        head_effects(
            Muting(
                (whole, asked.source, written, row, part), config.layers, config.heads,
                HeadLink(layer, head + 1), written.numbers[row], whole.target.name_of,
                measure, opening(path), part,
            )
        )  # fmt: skip


@lru_cache(maxsize=16)  # of all sessions
def _plainly(whole: TextToText, source: str) -> Written:
    return whole.greedy(source)


def _made(asked: Asked) -> Made:
    """What is written, and the layer. Raises what ``TextToText.trace`` raises."""
    now, whole = link.remembered(LastMade), asked.whole
    texts: tuple[object, ...] = whole, asked.source, asked.target
    if now.written is None or now.texts != texts:
        target = whole.encode_target(asked.target) if asked.target.strip() else None
        line, chances, written = st.empty(), list[float](), Written((), False)
        for written, chance in whole.write(asked.source, WRITTEN_TOKENS, LIMITS, target):
            chances.append(chance)
            line.markdown(plain(isolated(whole.text_of(written))))
        line.empty()
        now.texts, now.written = texts, (target or written, tuple(chances))
    inputs = *texts, asked.layer
    if now.trace is None or now.inputs != inputs:
        now.trace = whole.trace(asked.source, now.written[0], asked.layer)
        now.inputs = inputs
    return Made(*now.written, now.trace)


def _chosen_row(whole: TextToText, written: Written) -> int:
    """The written token that is asked about, from 0; by default the first that says something."""
    names = [whole.target.name_of(number) for number in written.numbers]
    first = int(words_in(names).argmax()) + 1
    word: int = link.bind_param("word", first, parse.number(1, WRITTEN_TOKENS))
    if word > len(names):
        word = link.replace_param("word", first)
    return word - 1


def _texts(whole: TextToText, asked: Asked, made: Made, path: str, cross: str, chosen: int) -> None:
    """What is written, as a text and as tokens, each with its probability.

    chosen: the token that is asked about, from 0.
    """
    texts, written = in_language(WORDS).text_to_text, made.written
    text = whole.text_of(written)
    prose([[(isolated(text or texts.nothing), "")]], key="written", style="lead")
    kind = "given" if asked.target.strip() else "ended" if written.ended else "stopped"
    says = texts.written[kind].format(tokens=len(written.numbers))
    prose([spans(says), spans(texts.rows)], key="written_facts", style="quiet")

    def choose(row: int) -> None:
        link.set_value("word", row + 1)
        choose_token(row)
        if not path.startswith(WRITING):
            link.set_value("part", cross)

    with st.container(horizontal=True, gap="xsmall", key="written_tokens"):
        for row, (number, chance) in enumerate(zip(written.numbers, made.chances, strict=True)):
            token = plain(isolated(whole.target.name_of(number)))
            label = f"{token} · {numbers.per_cent(chance)}"
            st.button(
                label, key=f"written_{row}", on_click=choose, args=(row,),
                type="primary" if row == chosen else "secondary",
            )  # fmt: skip


def _row_names(whole: TextToText, written: Written) -> tuple[str, ...]:
    """The names of the decoder's rows: what each reads and what it writes, ``▁Das→▁Haus``."""
    read = whole.target_encoding(written).tokens
    return tuple(
        f"{one}→{whole.target.name_of(number)}"
        for one, number in zip(read, written.numbers, strict=True)
    )


def _start(trace: Trace, path: str) -> dict[str, int] | None:
    """The initial cell, from 0 by axis: of the first word, the largest weight of another one."""
    if f"{path}/weights" not in trace:
        return None
    stage = trace[f"{path}/weights"]
    queries, keys = (words_in(*_named(stage.axis(role))) for role in ("query", "key"))
    query = int(queries.argmax())
    if path.endswith("self"):
        keys = keys & (np.arange(len(keys)) != query)
    row = stage.tensor[0, 0, query]
    key = np.where(keys, row, -1) if keys.any() else row
    return {"head": 0, "query": query, "key": int(key.argmax())}


def _named(axis: Axis) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """The tokens along an axis, and the positions of special ones."""
    names = axis.names() or ()
    return names, axis.positions("special", "cls", size=len(names))


def _origin(asked: Asked, words: Words) -> str:
    of_layer = {"layer": asked.layer, "layers": asked.whole.layers}
    where = WORDS[words.code].origin.format(name=asked.model.name, **of_layer)
    return with_changes(where, asked.whole.interventions, words)
