"""The page "by hand": an editable sheet and everything computed from it."""

import streamlit as st

from core import Trace
from core.models.by_hand import Sheet
from pages.understand.by_hand.changes import (
    changes,
    changes_here,
    keep_base,
    what_changed,
)
from pages.understand.by_hand.convention import chosen_convention, convention_input
from pages.understand.by_hand.edit import edit
from pages.understand.by_hand.overview import overview
from pages.understand.by_hand.stage_words import stage_words_by_hand
from pages.understand.by_hand.story import story
from views.text import Words, words_beside
from views.widgets.prose import heading, prose
from views.widgets.viewer import step_viewer

WORDS = words_beside(__file__)


def paper(sheet: Sheet, trace: Trace, words: Words, texts: Words) -> None:
    """Draw the editor, the explanation, the changes and the microscope."""
    keep_base()
    convention = chosen_convention()
    left, right = st.columns([1, 1.75], gap="medium")
    with left:
        with st.container(border=True, key="sheet_card"):
            edit(sheet, trace, words, texts.edit, convention)
        here = st.container()
    with right:
        _story(sheet, trace, texts)
        glance, changed = st.container(), st.container()
    first = "scores" if "scores" in trace else "Q"
    convention_input()
    shown = step_viewer(
        trace,
        stage_words_by_hand(words, texts, sheet, trace),
        origin=lambda words: WORDS[words.code].origin,
        first=first,
        convention=convention,
    )
    by_how_much = what_changed(trace)
    with glance:
        overview(trace, shown.selection, by_how_much.differences)
    with changed:
        changes(trace, by_how_much, texts.changes, convention)
    with here:
        changes_here(trace, by_how_much, shown.selection, texts.changes)


def _story(sheet: Sheet, trace: Trace, texts: Words) -> None:
    sentences = story(st.session_state["preset"], sheet, trace, texts.story)
    if sentences:
        with st.container(border=True, key="story_card"):
            heading(texts.story_title)
            prose(sentences, key="story")
