"""What is done once for the whole server, before the first reader comes, and while it serves."""

import asyncio
import gc
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import streamlit as st
from starlette.middleware import Middleware

from views.uploads import BoundedUploads

MIDDLEWARE = (Middleware(BoundedUploads),)

SWEEP = 15  # seconds


@asynccontextmanager
async def settled(_: st.App) -> AsyncIterator[None]:
    """Load what every page needs, and collect garbage for all readers together.

    By itself Streamlit collects after every run of every reader, which took up to 72 % of a busy
    server's time; ``runner.postScriptGC`` in ``.streamlit/config.toml`` turns that off. Without a
    sweep in its place, memory would grow: what a run leaves behind refers to itself. The imported
    modules are kept out of it. NumPy reads its number of threads once, when it is loaded: matrices
    as small as these gain nothing from a second one, and many readers lose by it.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    import views.widgets.viewer  # noqa: F401

    gc.collect()
    gc.freeze()
    sweeping = asyncio.create_task(_sweep())
    yield
    sweeping.cancel()


async def _sweep() -> None:
    while True:
        await asyncio.sleep(SWEEP)
        await asyncio.to_thread(gc.collect)
