"""What the page says where no model can be shown: how to bring one, or why one stays closed."""

from dataclasses import dataclass

import streamlit as st

from core.errors import InputError
from views import link, parse
from views.preferences import in_language
from views.text import Words, words_beside
from views.text.spans import plain
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
    "vit": ("google/vit-base-patch16-224", "vit-base-patch16-224", PREPARED_FILES),
    "dinov2": (
        "facebook/dinov2-with-registers-small",
        "dinov2-with-registers-small",
        PREPARED_FILES,
    ),
    "whisper": ("openai/whisper-tiny", "whisper-tiny", PREPARED_FILES),
}


@dataclass
class Asked:
    """example: whether a link of this session has led to one of the examples."""

    example: bool = False


def how_to_bring_one() -> None:
    """The page's purpose, two steps with what is typed, and what a folder holds."""
    said = in_language(WORDS).bring
    title(said.title)
    prose([[(said.purpose, "")]], key="purpose", style="lead")
    steps, beside = st.columns([1.9, 1], gap="large")
    with steps:
        _steps(said)
    with beside, st.container(border=True, key="bring_card"):
        heading(said.holds)
        st.markdown("\n".join(f"- `{file}` {plain(what)}" for file, what in said.files))
        heading(said.refused)
        st.markdown("\n".join(f"- {plain(reason)}" for reason in said.reasons))
    prose([[(said.hosted, "")]], key="hosted", style="quiet")


def bring_above() -> None:
    """Over a model of the project: how to bring one's own, one click deeper."""
    said, now = in_language(WORDS).bring, link.remembered(Asked)
    now.example = now.example or "example" in (link.session().adopted or {})
    with st.expander(plain(said.title), expanded=now.example):
        prose([[(said.purpose, "")]], key="purpose")
        _steps(said)


def told_closed(error: InputError, found: tuple[str, ...], words: Words) -> None:
    """Why the chosen model stays closed, and what can be done. found: all that are offered."""
    said = in_language(WORDS).bring
    show_error(error, "", words)
    if len(found) > 1:
        prose([[(said.others, "")]], key="others", style="quiet")


def _steps(said: Words) -> None:
    get, start = said.steps
    with st.container(key="bring_steps"):
        _step(1, get)
        link.bind_param("example", next(iter(EXAMPLES)), parse.one_of(EXAMPLES))
        example = st.segmented_control(
            plain(get[0]), tuple(EXAMPLES), format_func=lambda name: said.examples[name],
            key="example", required=True, label_visibility="collapsed",
        )  # fmt: skip
        repository, folder, files = EXAMPLES[example or next(iter(EXAMPLES))]
        typed = DOWNLOAD.format(repository=repository, folder=folder, files=files)
        st.code(typed, language=None, wrap_lines=True)
        _step(2, start)
        st.code(START, language=None, wrap_lines=True)
        st.caption(plain(said.windows))


def _step(number: int, said: tuple[str, str]) -> None:
    name, more = said
    st.markdown(f"**{number} · {plain(name)}**  \n{plain(more)}")
