"""How to bring one's own model, and what is shown for one that cannot be opened."""

from dataclasses import dataclass

import streamlit as st

from core.errors import InputError
from views import link
from views.preferences import in_language
from views.text import Words, words_beside
from views.text.spans import plain
from views.widgets.choice import option_input
from views.widgets.errors import show_error
from views.widgets.prose import heading, prose, title

WORDS = words_beside(__file__)

DOWNLOAD = ".venv/bin/hf download {repository} {files} --local-dir models/{folder}"
START = ".venv/bin/streamlit run app.py -- --models models"
TEXT_FILES = "config.json model.safetensors tokenizer.json"
PREPARED_FILES = "config.json model.safetensors preprocessor_config.json"
EXAMPLES = {  # where each lies, the folder that it goes into, and its files
    "bert": ("google-bert/bert-base-chinese", "bert-base-chinese", TEXT_FILES),
    "modernbert": ("answerdotai/ModernBERT-base", "modernbert-base", TEXT_FILES),
    "gpt2": ("openai-community/gpt2", "gpt2", TEXT_FILES),
    "qwen3": ("Qwen/Qwen3-0.6B-Base", "qwen3-0.6b", TEXT_FILES),
    "t5": ("google/flan-t5-small", "flan-t5-small", TEXT_FILES),
    "vit": ("google/vit-base-patch16-224", "vit-base-patch16-224", PREPARED_FILES),
    "dinov2": (
        "facebook/dinov2-with-registers-small",
        "dinov2-with-registers-small",
        PREPARED_FILES,
    ),
    "whisper": ("openai/whisper-tiny", "whisper-tiny", PREPARED_FILES),
}


@dataclass
class ExampleLinks:
    """example: whether a link of this session has led to one of the examples."""

    example: bool = False


def how_to_bring_one() -> None:
    """Draw the page's purpose, two steps with their commands, and the files of a folder."""
    texts = in_language(WORDS).bring
    title(texts.title)
    prose([[(texts.purpose, "")]], key="purpose", style="lead")
    steps, beside = st.columns([1.9, 1], gap="large")
    with steps:
        _steps(texts)
    with beside, st.container(border=True, key="bring_card"):
        heading(texts.holds)
        st.markdown("\n".join(f"- `{file}` {plain(what)}" for file, what in texts.files))
        heading(texts.refused)
        st.markdown("\n".join(f"- {plain(reason)}" for reason in texts.reasons))
    prose([[(texts.hosted, "")]], key="hosted", style="quiet")


def bring_above() -> None:
    """Draw how to bring one's own model, folded, above a model of the project."""
    texts, now = in_language(WORDS).bring, link.remembered(ExampleLinks)
    now.example = now.example or "example" in (link.session().adopted or {})
    with st.expander(texts.above, expanded=now.example):
        prose([[(texts.purpose, "")]], key="purpose")
        _steps(texts)


def why_closed(error: InputError, found: tuple[str, ...], words: Words) -> None:
    """Draw why the chosen model cannot be opened. found: the names of all that are offered."""
    texts = in_language(WORDS).bring
    show_error(error, "", words)
    if len(found) > 1:
        prose([[(texts.others, "")]], key="others", style="quiet")


def _steps(texts: Words) -> None:
    get, start = texts.steps
    with st.container(key="bring_steps"):
        _step(1, get)
        example = option_input(
            plain(get[0]), "example", EXAMPLES, texts.examples.__getitem__,
            label_visibility="collapsed",
        )  # fmt: skip
        repository, folder, files = EXAMPLES[example or next(iter(EXAMPLES))]
        typed = DOWNLOAD.format(repository=repository, folder=folder, files=files)
        st.code(typed, language=None, wrap_lines=True)
        _step(2, start)
        st.code(START, language=None, wrap_lines=True)
        st.caption(plain(texts.windows))


def _step(number: int, texts: tuple[str, str]) -> None:
    name, more = texts
    st.markdown(f"**{number} · {plain(name)}**  \n{plain(more)}")
