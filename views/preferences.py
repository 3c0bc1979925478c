"""The language and the theme of the current session."""

from collections.abc import Mapping
from typing import TypeVar

import streamlit as st

from views.figures.palette import Theme
from views.link import session
from views.text import LANGUAGES, Words

Texts = TypeVar("Texts")


def words() -> Words:
    """The app-wide words in the session's language."""
    return LANGUAGES[session().language]


def in_language(by_language: Mapping[str, Texts]) -> Texts:
    """The texts of a page in the session's language, from a mapping by language code."""
    return by_language[session().language]


def theme() -> Theme:
    """``light`` or ``dark``, as chosen in the browser or in Streamlit's menu."""
    return "dark" if st.context.theme.type == "dark" else "light"
