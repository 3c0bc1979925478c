"""The same exercise on paper: which steps, the files to download and a look at them."""

import re
from collections.abc import Callable
from functools import partial

import streamlit as st

from core import Trace
from views import link
from views.spans import plain
from views.text import LANGUAGES, Words
from views.text.understand import worksheet
from views.text.understand.predict import WORDS, PredictWords
from views.widgets.component import ASSETS
from views.widgets.prose import heading, prose
from views.widgets.understand.predict.input import STAGES, Asked, called, stages_of
from views.worksheet.sheet import Sheet, page

FIRST_STEPS = STAGES[STAGES.index("scores") :]
FILES = {"sheet": "attention-worksheet", "key": "attention-answer-key"}
PREVIEW_HEIGHT = 640
_PREVIEWED = re.compile("&preview=[a-z]+")  # whoever follows the link on a sheet sees no key


def paper(asked: Asked, trace: Trace, said: PredictWords, words: Words) -> None:
    """Which steps stand on the sheet, its files in both languages, and a preview."""
    with st.container(border=True, key="paper_card"):
        heading(said.paper)
        prose([[(said.paper_about, "")]], key="paper_about")
        steps = _steps(trace, said, words)
        link.keep("preview", "", _preview)
        link.write()
        if not steps:
            prose([[(said.no_steps, "")]], key="no_steps", style="notice")
            return
        covered = {key: asked.covered(trace, key) for key in steps}
        seed = asked.seed if asked.cover == "random" else None
        address = _PREVIEWED.sub("", link.here())

        def made(code: str, part: str) -> str:
            example = WORDS[code].presets[asked.preset]
            here = address.replace(f"lang={words.code}", f"lang={code}", 1)
            sheet = Sheet(example, trace, steps, covered, here, seed)
            template = (ASSETS / "worksheet" / "worksheet.html").read_text("utf-8")
            return page(template, sheet, part == "key", worksheet.WORDS[code], LANGUAGES[code])

        _downloads(made)
        link.show("previewed", st.session_state["preview"] or None)
        shown = st.pills(
            said.preview, list(FILES), format_func=lambda part: said.previewed[part],
            key="previewed", on_change=_previewed,
        )  # fmt: skip
        if shown:
            st.iframe(made(words.code, shown), height=PREVIEW_HEIGHT)


def _steps(trace: Trace, said: PredictWords, words: Words) -> tuple[str, ...]:
    """The chosen steps that this example has; the others stay chosen for one that has them."""
    options = stages_of(trace)
    chosen: tuple[str, ...] = link.keep("steps", FIRST_STEPS, steps_of, ".".join)
    link.show("steps_shown", [key for key in chosen if key in options])

    def changed() -> None:
        now = {*st.session_state["steps_shown"], *(key for key in chosen if key not in options)}
        link.set_value("steps", tuple(key for key in STAGES if key in now))

    st.pills(
        said.steps, options, selection_mode="multi", key="steps_shown", on_change=changed,
        format_func=lambda key: plain(called(key, words)),
    )  # fmt: skip
    return tuple(key for key in chosen if key in options)


def steps_of(text: str) -> tuple[str, ...]:
    """Read steps such as ``scores.weights``. Raises ValueError for one that there is not."""
    asked = text.split(".") if text else []
    if set(asked) - set(STAGES):
        raise ValueError(text)
    return tuple(key for key in STAGES if key in asked)


def _downloads(made: Callable[[str, str], str]) -> None:
    """A button for each language and each half; a file is made once it is asked for."""
    with st.container(horizontal=True):
        for code, language in LANGUAGES.items():
            for part, name in FILES.items():
                label = WORDS[code].download.format(
                    language=language.name, part=WORDS[code].previewed[part]
                )
                st.download_button(
                    label, partial(made, code, part), f"{name}-{code}.html", "text/html",
                    key=f"{part}_{code}", on_click="ignore", icon=":material/print:",
                )  # fmt: skip


def _preview(text: str) -> str:
    if text not in FILES:
        raise ValueError(text)
    return text


def _previewed() -> None:
    link.set_value("preview", st.session_state["previewed"] or "")
