"""What is done once for the whole server, before the first reader comes."""

import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import streamlit as st


@asynccontextmanager
async def settled(_: st.App) -> AsyncIterator[None]:
    """Load what every page needs, then keep it out of the garbage collector's rounds.

    Streamlit collects garbage after every run of a page; without the imported modules to look
    through, readers wait a fraction of the time.
    """
    import views.widgets.viewer  # noqa: F401

    gc.collect()
    gc.freeze()
    yield
