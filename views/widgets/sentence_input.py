"""The controls of the Sentence page: the text, its tokenization and the model."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

import streamlit as st

from core import Trace
from core.limits import LIMITS
from core.sources import text as source
from core.sources.visible import visible
from views import link, parse
from views.spans import plain
from views.text import Words
from views.widgets.model_input import Model, model_input

FIRST_TEXT = "我爱北京"
ENGLISH = {"The cat…": "The cat sat on the mat because it was warm"}
SAMPLES = {
    FIRST_TEXT: FIRST_TEXT,
    **ENGLISH,
    "去上海看海": "我明天和他一起去上海看海",
}
TWO_LINES = "我爱北京\nI love Beijing very much"


@dataclass(frozen=True)
class Sentence:
    """The user's text, the tokenization (``mode``), and the model."""

    written: str
    mode: source.Mode
    model: Model


FIRST_MODEL = Model(d_model=8, heads=2, seed=7)
FIRST = Sentence(FIRST_TEXT, "word", FIRST_MODEL)


def sentence_input(words: Words) -> Sentence:
    """Draw the controls and return their values."""
    text = words.sentence
    samples = SAMPLES | {text.two_lines: TWO_LINES}
    told = text.text_help.format(lines=LIMITS.lines, tokens=LIMITS.tokens)
    chosen: source.Mode = link.bind_param("mode", "word", parse.one_of(list(text.modes)))
    hint = text.custom_hint if chosen == "custom" else ""
    written = text_input(words, samples, text.text, told, text.batch, hint=hint)
    mode = st.segmented_control(
        text.mode,
        list(text.modes),
        format_func=lambda option: text.modes[option],
        key="mode",
        required=True,
        width="stretch",
    )
    return Sentence(written, cast(source.Mode, mode), model_input(words, FIRST_MODEL))


def text_input(
    words: Words,
    samples: Mapping[str, str],
    label: str,
    help: str,
    batch: str,
    *,
    first: str = FIRST_TEXT,
    as_typed: bool = False,
    hint: str = "",
) -> str:
    """Draw the text area, buttons for samples and a caption for several lines; return the text.

    samples: texts by label. batch: a caption with ``{lines}``. first: the initial text. as_typed:
    whether the model is given invisible characters too. hint: how to type, below the text area.
    """
    text = words.sentence
    link.bind_param("text", first)
    written = st.text_area(label, key="text", height=84, help=help)
    if hint:
        st.caption(plain(hint))
    lines = sum(not line.isspace() for line in written.splitlines() if line)
    if lines > 1:
        st.caption(plain(batch.format(lines=lines)))
    if not as_typed and (marks := source.left_out(written)):
        named = words.list_mark.join(map(visible, marks))
        st.caption(plain(text.left_out.format(characters=named)))
    with st.container(horizontal=True, gap="xsmall", key="samples"):
        for number, (name, sample) in enumerate(samples.items()):
            st.button(name, key=f"sample_{number}", on_click=link.set_value, args=("text", sample))
    return written


def preserve_mode(words: Words) -> None:
    """Keep the tokenization in the link while its control is not drawn."""
    link.preserve_param("mode", "word", parse.one_of(list(words.sentence.modes)))


def sentence_trace(sentence: Sentence) -> Trace:
    """The trace from the text to the output. Raises core.errors.InputError."""
    lines, model = source.read(sentence.written, sentence.mode), sentence.model
    embedded = source.embed(lines, model.d_model, model.seed, position=model.position)
    return model.attend(embedded)
