"""What is done once for the whole server, before the first reader comes."""

import gc
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import streamlit as st


@asynccontextmanager
async def settled(_: st.App) -> AsyncIterator[None]:
    """Load what every page needs, then keep it out of the garbage collector's rounds.

    Streamlit collects garbage after every run of a page; without the imported modules to look
    through, readers wait a fraction of the time. NumPy reads its number of threads once, when it is
    loaded: matrices as small as these gain nothing from a second one, and many readers lose by it.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    import views.widgets.viewer  # noqa: F401

    gc.collect()
    gc.freeze()
    yield
