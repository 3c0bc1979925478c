"""Work of the server process: before the first request, and in the background."""

import asyncio
import ctypes
import gc
import signal
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from types import FrameType

import streamlit as st

from views.server.classes.routes import classes
from views.server.uploads import keep_in_memory

GC_INTERVAL = 15  # seconds


@asynccontextmanager
async def lifespan(_: st.App) -> AsyncIterator[None]:
    """Import what every page needs, and collect garbage for all sessions together.

    By default Streamlit collects garbage after every run of every session, which took up to 72 % of
    a busy server's time; ``runner.postScriptGC`` in ``.streamlit/config.toml`` turns that off. A
    periodic collection replaces it, because each run leaves reference cycles behind. The imported
    modules are frozen and not collected.
    """
    import views.widgets.viewer  # noqa: F401
    from core.sources import apart

    apart.start()
    keep_in_memory()
    _end_streams_first()
    gc.collect()
    gc.freeze()
    collector = asyncio.create_task(_collect_garbage())
    yield
    collector.cancel()


async def _collect_garbage() -> None:
    while True:
        await asyncio.sleep(GC_INTERVAL)
        await asyncio.to_thread(_free)


def _free() -> None:
    """Collect garbage, and give back to the system what C's allocator holds of freed memory.

    Without the latter a session's large arrays stay in the process after it, in the pool of its
    thread.
    """
    gc.collect()
    if sys.platform == "linux" and hasattr(libc := ctypes.CDLL(None), "malloc_trim"):  # glibc
        libc.malloc_trim(0)


def _end_streams_first() -> None:
    """At a signal to stop, end the streams of classes, for whose end the server would wait."""
    if threading.current_thread() is not threading.main_thread():
        return
    for number in (signal.SIGTERM, signal.SIGINT):
        _close_before(number, signal.getsignal(number))


def _close_before(number: int, then: object) -> None:
    loop = asyncio.get_running_loop()

    def stop(received: int, frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(classes().close)
        if callable(then):
            then(received, frame)

    signal.signal(number, stop)
