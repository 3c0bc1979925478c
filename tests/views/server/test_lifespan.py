"""The background work of the server process."""

import asyncio
import gc
import os
import subprocess
import sys
import tomllib
import weakref
from pathlib import Path

import pytest
import streamlit as st

from tests.event_loop import run
from views.server import lifespan as server

ROOT = Path(__file__).parents[3]


class Knot:
    """Something that only a collection frees: it refers to itself."""

    def __init__(self) -> None:
        self.itself = self


def test_garbage_is_collected_while_the_server_serves_and_not_after_every_run(monkeypatch):
    monkeypatch.setattr(server, "GC_INTERVAL", 0.01)
    gc.disable()

    async def serve() -> None:
        async with server.lifespan(st.App("views/frame.py")):
            left = weakref.ref(Knot())
            async with asyncio.timeout(30):
                while left() is not None:
                    await asyncio.sleep(0.01)

    try:
        run(serve())
    except TimeoutError:
        pytest.fail("what a run left behind was never collected")
    finally:
        gc.enable()
    config = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text("utf-8"))
    assert config["runner"]["postScriptGC"] is False


def test_numpy_is_imported_with_one_thread():
    script = """
import os, sys
class Watch:
    def find_spec(self, name, *_):
        if name == "numpy":
            print(os.environ.get("OPENBLAS_NUM_THREADS"))
sys.meta_path.insert(0, Watch())
import app
"""
    env = {name: text for name, text in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    ran = subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT,
        env=env,
        capture_output=True,
        check=True,
        text=True,
    )
    assert ran.stdout.split() == ["1"]
