"""What the page says where no model is offered: how to bring one."""

import streamlit as st

from views.reader import in_language
from views.spans import plain
from views.text.checkpoint import WORDS


def how_to_bring_one() -> None:
    """The page's purpose, and its steps with what is typed."""
    said = in_language(WORDS)
    st.title(plain(said.title))
    st.markdown(plain(said.none))
    for number, (step, typed) in enumerate(said.steps, start=1):
        st.markdown(f"**{number}.** {plain(step)}")
        st.code(typed, language="sh", wrap_lines=True)
    st.caption(plain(said.hosted))
