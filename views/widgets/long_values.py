"""Values that are too long for a link, which the browser keeps in its tab."""

import streamlit as st

from views import link
from views.preferences import words
from views.widgets.component import component
from views.widgets.prose import notice

KEY = "long_values"


def long_values() -> None:
    """Give the browser the page's long values, or ask it for those that the link omits.

    If it does not have them, a notice says so. Call it after ``link.end``.
    """
    now = link.session()
    data = {"page": now.page, "values": now.too_long, "asked": list(now.omitted.asked)}
    component("long_values")(key=KEY, data=data, on_answer_change=_answered)
    if now.omitted.lost:
        notice(words().lost, key="lost_text")


def _answered() -> None:
    """Callback: the browser has answered."""
    link.session().omitted.answer = st.session_state[KEY].answer
