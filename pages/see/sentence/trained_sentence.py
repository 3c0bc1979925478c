"""A Chinese sentence in the trained encoder of the project's translator."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import streamlit as st

from core import Trace
from core.errors import InputError
from core.experiments.head_patterns import (
    StrongestLink,
    head_patterns,
    known_heads,
)
from core.interventions import NONE, PATCHES, Interventions
from core.limits import LIMITS
from core.models import translator
from core.models.installed import bert
from core.models.translator import LONGEST, gloss
from core.nested import subtrace
from core.sources import text
from views import link
from views.navigation import PAGES
from views.preferences import in_language
from views.selection import Selection
from views.text import Words, numbers, words_beside
from views.text.spans import plain
from views.widgets.interventions import NAME as CHANGE
from views.widgets.interventions import intervened, rows_of, what_if, what_if_card, with_changes
from views.widgets.known_heads import (
    choose_known_head,
    different_words,
    from_word_to_word,
    words_in,
)
from views.widgets.model_card import model_card
from views.widgets.model_input import preserve_model
from views.widgets.model_map import bound_part, chosen_part
from views.widgets.prose import prose
from views.widgets.sentence_input import ENGLISH, FIRST_MODEL, FIRST_TEXT, preserve_mode, text_input
from views.widgets.tokenization_notes import read_as
from views.widgets.viewer import part_viewer

WORDS = words_beside(__file__)

SAMPLES = {line: line for line in (FIRST_TEXT, "小猫在沙发上睡觉", "她在图书馆看书")}
TWO_LINES = "我爱北京\n我们明天去上海学习中文"
FIRST_PART = "encoder/3/self"
ATTENTION = ("encoder/1/self", "encoder/2/self", FIRST_PART)


@dataclass(frozen=True)
class Known:
    """The text for the trained model, which tokenizes it, and the model's changes.

    error: why the changes of the link were not made, if they were not.
    """

    written: str
    change: Interventions = NONE
    error: InputError | None = None


FIRST = Known(FIRST_TEXT)


def known_input(words: Words) -> Known:
    """Draw the controls and return the text. Parameters of the seeded model stay in the link."""
    texts = in_language(WORDS)
    samples = SAMPLES | {words.sentence.two_lines: TWO_LINES} | (ENGLISH if bert() else {})
    help_text = words.sentence.text_help.format(lines=LIMITS.lines, tokens=LONGEST)
    written = text_input(samples, words.sentence.text, help_text, texts.batch)
    preserve_mode(words)
    preserve_model(words, FIRST_MODEL)
    with st.sidebar:
        st.caption(texts.knows)
    of = intervened(translator.load(), lambda: LONGEST)
    return Known(written, of.asked, of.error)


def keep_part() -> None:
    """Keep the chosen part and the changes of a trained model in the link while none is shown."""
    link.preserve_param("part", FIRST_PART)
    link.preserve_param(CHANGE, "")


def known_trace(known: Known) -> Trace:
    """Every stage of the encoder. Raises core.errors.InputError."""
    model = translator.load().changed(known.change)
    lines = text.read(known.written, "custom")
    return model.encoder(*(model.tokenize(" ".join(line)) for line in lines))


def known_view(known: Known, trace: Trace, words: Words) -> None:
    """Draw the model, and one part of it in the stage viewer.

    If the text could not be read, a button above puts the sentence that is shown into the box.
    """
    texts = in_language(WORDS)
    lines = text.read(known.written, "custom")
    sentence = " ".join(lines[0])
    with st.container():  # whatever is shown in it, what follows it stays the same element
        restore_button(known.written, sentence)
        read_as(" ".join(map("".join, lines)), _tokens(trace))
        _gloss(trace)
    part = bound_part(trace, FIRST_PART)
    tokens = trace["source/tokens"].axis("token").names(0) or ()  # with padding
    ids = [tokens.index(token) for token in tokens]

    def lead(_: Selection) -> None:
        chosen_part(trace, FIRST_PART, words)

    weights = [trace[f"{path}/weights"].tensor[0] for path in ATTENTION]
    strongest = StrongestLink(different_words(_words(tokens), ids), len(weights[0]))
    for one in weights:
        strongest.look(one, slice(0, one.shape[1]))
    patterns = [head_patterns(subtrace(trace, path), 0) for path in ATTENTION]
    by_layer = known_heads(patterns, ids, -1, strongest.found)
    found = from_word_to_word(by_layer, ids, _words(tokens))
    attention = part if part in ATTENTION else FIRST_PART
    start, first_view = choose_known_head(
        found, weights[ATTENTION.index(attention)], ATTENTION.index(attention), ids,
        _words(tokens), _open_head, is_shown=part in ATTENTION, change=known.change,
    )  # fmt: skip
    layer = ATTENTION.index(attention) + 1
    with st.sidebar:
        st.page_link(
            str(PAGES["translation"]),
            label=texts.translated,
            query_params=link.query_of("translation") | {"text": sentence},
        )
    shown = part_viewer(
        trace, part, words, origin=partial(origin, known.change), follow=False, start=start,
        lead=lead, first_view=first_view,
    )  # fmt: skip
    card = what_if_card()
    if card.open:
        with card:
            head = shown.selection.at["head"]
            rows = rows_of(trace, attention, head)  # of the first line, as the tokens
            what_if(known.error, layer, head + 1, tokens, patches=PATCHES, rows=rows)
    model_card("translator", words)


def restore_button(written: str, sentence: str) -> None:
    """Draw a button that puts the text that is shown into the box, if another one stands there.

    written: the text that is shown. sentence: its name on the button.
    """
    if written != st.session_state["text"]:
        label = plain(in_language(WORDS).put_in.format(sentence=sentence))
        st.button(label, key="put_in", on_click=link.set_value, args=("text", written))


def _gloss(trace: Trace) -> None:
    """Draw pinyin and meaning of the words of each line."""
    axis = trace["source/tokens"].axis("token")
    gloss_line([axis.names(i) or () for i in range(trace["source/tokens"].size("batch"))])


def gloss_line(lines: Sequence[Sequence[str]]) -> None:
    """Draw pinyin and meaning of the Chinese tokens of each line, in languages that need them."""
    texts = in_language(WORDS)
    if not texts.glossed:
        return
    known = [[(token, *gloss(token)) for token in line] for line in lines]
    glosses = [
        " · ".join(
            texts.gloss.format(token=token, pinyin=pinyin, meaning=meaning)
            for token, pinyin, meaning in line
            if pinyin
        )
        for line in known
    ]
    if any(glosses):
        glosses[-1] += f" ({texts.gloss_from})"
        prose([[(line, "")] for line in glosses], key="gloss", style="quiet")


def _tokens(trace: Trace) -> list[str]:
    """The tokens of all lines."""
    stage = trace["source/tokens"]
    axis, lines = stage.axis("token"), range(stage.size("batch"))
    return [token for i in lines for token in axis.names(i) or () if token != text.PAD]


def _words(tokens: Sequence[str]) -> np.ndarray:
    """Which tokens are words, without padding. (token,)"""
    return words_in(tokens, [i for i, token in enumerate(tokens) if token == text.PAD])


def _open_head(layer: int, head: int) -> None:
    """Callback: show another head. layer, head: from 1."""
    link.set_value("part", ATTENTION[layer - 1])
    link.set_value("head", head)


def origin(change: Interventions, words: Words) -> str:
    """Where the trained weights come from, and what was measured of them without changes."""
    texts = WORDS[words.code]
    if change:
        return with_changes(texts.origin, change, words)
    measured = translator.load().stored.training["measured"]["test"]
    score = texts.measured.format(
        bleu=numbers.plain(measured["greedy BLEU"], 1),
        sentences=numbers.count(measured["sentences"]),
    )
    return f"{texts.origin}\n{score}"
