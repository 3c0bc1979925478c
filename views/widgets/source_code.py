"""The source code of the functions that a page is about."""

import inspect
from collections.abc import Callable
from typing import Any

import streamlit as st


def source_code(
    label: str, *functions: Callable[..., Any], together: bool = False, wrap_lines: bool = False
) -> None:
    """Draw an expander with the source of the functions. together: in one block."""
    blocks = [inspect.getsource(function) for function in functions]
    with st.expander(label):
        for block in ["\n\n".join(blocks)] if together else blocks:
            st.code(block, language="python", wrap_lines=wrap_lines)
