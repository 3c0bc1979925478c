"""The reader's sentence: the text box, its tokenization and the model."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import cast

import streamlit as st

from core import Trace
from core.limits import SENTENCE
from core.sources import text as source
from views import link, parse
from views.selection import reset_cell
from views.text import Words
from views.text.spans import isolated, plain
from views.widgets.mask_input import Mask, mask_input
from views.widgets.model_input import Model, model_input
from views.widgets.tokenization_notes import tokenization_notes

FIRST_TEXT = "我爱北京"
ENGLISH = {"The cat…": "The cat sat on the mat because it was warm"}
SAMPLES = {
    FIRST_TEXT: FIRST_TEXT,
    **ENGLISH,
    "去上海看海": "我明天和他一起去上海看海",
}
TWO_LINES = "我爱北京\nI love Beijing very much"
PAUSE = "400ms"  # without typing, after which the page runs
FIRST_MODEL = Model(d_model=8, heads=2, seed=7)


@dataclass
class TextBox:
    """The last run's. lines: whether there was room for several lines. text: its value."""

    lines: bool = False
    text: str = ""


@dataclass(frozen=True)
class Sentence:
    """The user's text, the tokenization (``mode``), and the model."""

    written: str
    mode: source.Mode
    model: Model


FIRST = Sentence(FIRST_TEXT, "word", FIRST_MODEL)


def sentence_input(words: Words) -> Sentence:
    """Draw the text box with samples and mask, the rest in the sidebar; return the values."""
    text = words.sentence
    samples = own_language_first(SAMPLES | {text.two_lines: TWO_LINES})
    help_text = text.text_help.format(lines=SENTENCE.lines, tokens=SENTENCE.tokens)
    chosen: source.Mode = link.bind_param("mode", "word", parse.one_of(list(text.modes)))
    masks: list[Mask] = []
    written = text_input(
        samples, text.text, help_text, text.batch,
        first=first_sentence(), mode=chosen, hint=text.custom_hint if chosen == "custom" else "",
        beside=lambda: masks.append(
            mask_input(words.mask, width="content", label_visibility="collapsed")
        ),
    )  # fmt: skip
    with st.sidebar:
        mode = st.segmented_control(
            text.mode,
            list(text.modes),
            format_func=lambda option: text.modes[option],
            key="mode",
            required=True,
            width="stretch",
        )
        model = model_input(words, FIRST_MODEL, *masks)
    return Sentence(written, cast(source.Mode, mode), model)


def own_language_first(samples: Mapping[str, str], language: str = "") -> dict[str, str]:
    """Samples by label, those in the reader's language first, or in another one."""
    is_chinese = (language or link.session().language) == "zh"
    return dict(sorted(samples.items(), key=lambda one: source.is_chinese(one[1]) != is_chinese))


def first_sentence(language: str = "") -> str:
    """The text to begin with in the reader's language, or in another one."""
    return next(iter(own_language_first(SAMPLES, language).values()))


def text_input(
    samples: Mapping[str, str],
    label: str,
    help: str,
    batch: str = "",
    *,
    choose: Callable[[str], None] | None = None,
    first: str = FIRST_TEXT,
    as_typed: bool = False,
    mode: source.Mode = "custom",
    hint: str = "",
    beside: Callable[[], object] | None = None,
) -> str:
    """Draw the text box, buttons for samples and a caption for several lines; return the text.

    The text box has one line and sends what is typed at each pause, or several lines if its text
    does. samples: texts by label. help: the placeholder. batch: a caption with ``{lines}``, if any.
    choose: callback of a sample, which by default becomes the parameter ``text``. first: the
    initial text. as_typed: whether the model is given invisible characters too. mode: the
    tokenization. hint: how to type, below the box. beside: draws what else is in the row.
    """
    write = choose or partial(link.set_value, "text")
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="text_row"):
        written = _text_box(link.bind_param("text", first), label, help)
        with st.container(horizontal=True, gap="xsmall", key="samples", width="content"):
            for number, (name, sample) in enumerate(samples.items()):
                st.button(name, key=f"sample_{number}", on_click=write, args=(sample,))
        if beside:
            beside()
    if hint:
        st.caption(plain(hint))
    lines = sum(not line.isspace() for line in written.splitlines() if line)
    if batch and lines > 1:
        st.caption(plain(batch.format(lines=lines)))
    if not as_typed:
        tokenization_notes(written, mode)
    return written


def _text_box(text: str, label: str, help: str) -> str:
    box, lines = link.remembered(TextBox), len(text.splitlines()) > 1
    if lines != box.lines:  # the value of one kind of widget is not that of another
        box.lines, st.session_state["text"] = lines, text
    if box.text != text and link.session().adopted is None:
        reset_cell()  # the chosen cell is of another sentence
    box.text = text
    if lines:
        return st.text_area(label, key="text", height=68, label_visibility="collapsed")
    written: str = st.text_input(
        label, key="text", placeholder=help, live=PAUSE, label_visibility="collapsed",
        autocomplete="off",
    )  # fmt: skip
    return written


def preserve_mode(words: Words) -> None:
    """Keep the tokenization in the link while its control is not drawn."""
    link.preserve_param("mode", "word", parse.one_of(list(words.sentence.modes)))


def sentence_trace(sentence: Sentence) -> Trace:
    """The trace from the text to the output. Raises core.errors.InputError."""
    lines = source.read(sentence.written, sentence.mode, SENTENCE)
    model = sentence.model
    embedded = source.embed(lines, model.d_model, model.seed, position=model.position)
    return model.attend(embedded)


def sentence_line_input(label: str) -> str:
    """Draw the text box and return its text; the link has it as ``text``."""
    link.bind_param("text", link.first_text(FIRST_TEXT), _single_line)
    written: str = st.text_input(label, key="text")
    return written


def embed_sentence(written: str, d_model: int, seed: int) -> Trace:
    """The trace of a sentence up to X: split into words, embedded, with positions.

    X has shape (1, n, d_model). Raises core.errors.InputError.
    """
    return source.embed(source.read(written, "word"), d_model, seed)


def token_names(trace: Trace) -> tuple[str, ...]:
    """The words of the sentence, isolated for a sentence that quotes them."""
    return tuple(map(isolated, trace["X"].axes[1].names() or ()))


def _single_line(text: str) -> str:
    if len(text.splitlines()) > 1:
        raise ValueError(text)
    return text
