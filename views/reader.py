"""Who is looking: the language and the theme of this reader."""

from collections.abc import Mapping
from typing import TypeVar

import streamlit as st

from views.figures.palette import Theme
from views.link import session
from views.text import LANGUAGES, Words

Said = TypeVar("Said")


def words() -> Words:
    """All words in the reader's language."""
    return LANGUAGES[session().language]


def in_language(said: Mapping[str, Said]) -> Said:
    """Of the words of one page, those in the reader's language."""
    return said[session().language]


def theme() -> Theme:
    """``light`` or ``dark``, as the reader's browser or menu has it."""
    return "dark" if st.context.theme.type == "dark" else "light"
