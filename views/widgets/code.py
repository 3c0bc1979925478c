"""The code of a step: the function of ``core`` that runs, read from its own source."""

import inspect

import streamlit as st

from core import Trace
from views.figures.symbols import Convention
from views.scene.code import function_of
from views.spans import plain
from views.text import Words


def code(trace: Trace, key: str, words: Words, convention: Convention) -> None:
    """Show the function that computes a step, where one function does."""
    function = function_of(trace, key)
    if function is None:
        st.caption(plain(words.viewer.no_code))
        return
    module = function.__module__.replace(".", "/") + ".py"
    st.caption(plain(words.viewer.code_is.format(file=module)))
    if convention == "columns":
        st.caption(plain(words.viewer.code_in_rows))
    st.code(inspect.getsource(function), language="python")
