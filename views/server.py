"""The server's lifespan: what is done once before the first request, and while it serves."""

import asyncio
import gc
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import streamlit as st
from starlette.middleware import Middleware
from streamlit import runtime

from views import run_log
from views.uploads import UploadLimit, keep_in_memory

MIDDLEWARE = (Middleware(UploadLimit),)

GC_INTERVAL = 15  # seconds


@asynccontextmanager
async def lifespan(_: st.App) -> AsyncIterator[None]:
    """Import what every page needs, and collect garbage for all sessions together.

    By default Streamlit collects garbage after every run of every session, which took up to 72 % of
    a busy server's time; ``runner.postScriptGC`` in ``.streamlit/config.toml`` turns that off. A
    periodic collection replaces it, because each run leaves reference cycles behind. The imported
    modules are frozen and not collected. NumPy reads its number of threads once, when it is
    imported: matrices as small as these gain nothing from a second thread.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    import views.widgets.viewer  # noqa: F401
    from views.run import stats

    run_log.start()
    keep_in_memory()
    if runtime.exists():
        runtime.get_instance().stats_mgr.register_provider(stats())
    gc.collect()
    gc.freeze()
    collector = asyncio.create_task(_collect_garbage())
    yield
    collector.cancel()


async def _collect_garbage() -> None:
    while True:
        await asyncio.sleep(GC_INTERVAL)
        await asyncio.to_thread(gc.collect)
