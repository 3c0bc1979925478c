"""A server of the app on this machine's loopback, for tests and benchmarks."""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, NamedTuple

from model_packages import PACKAGES

ROOT = Path(__file__).parents[2]
# The same engine without a desktop browser around it does as much with a third less.
CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium")
CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--process-per-site",
]
# As ``python -m streamlit``, where these packages are not installed.
STREAMLIT = """
import sys
sys.modules.update(dict.fromkeys({hidden}))
from streamlit.web.cli import main
main(prog_name="streamlit")
"""


class Served(NamedTuple):
    """A server that runs: where it answers, and its process."""

    address: str
    pid: int


@contextmanager
def serving(
    script: str = "app.py",
    arguments: Sequence[str] = (),
    port: int = 0,
    hidden: Sequence[str] = PACKAGES,
) -> Iterator[Served]:
    """Start a server that nobody has visited yet, and stop it at the end.

    arguments: of the script, such as ``--models DIR``. port: where it answers; 0: wherever is free.
    hidden: packages that it does not find, by default all that have a model.
    """
    port = port or _free_port()
    command = [
        sys.executable, "-c", STREAMLIT.format(hidden=[*hidden]), "run", script,
        "--server.address", "127.0.0.1", "--server.port", str(port),
        "--server.headless", "true", "--server.fileWatcherType", "none", "--", *arguments,
    ]  # fmt: skip
    address = f"http://127.0.0.1:{port}"
    with tempfile.TemporaryFile("w+", encoding="utf-8") as log:
        process = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=subprocess.STDOUT)
        try:
            _wait_for(f"{address}/_stcore/health", process, log)
            yield Served(address, process.pid)
        finally:
            process.terminate()
            process.wait(timeout=20)


def _free_port() -> int:
    """A free port which no other worker of pytest-xdist takes before the server has it."""
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    while True:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port: int = probe.getsockname()[1]
        if port // 2 % workers == worker:  # Linux gives odd ports alone while there are any
            return port


def _wait_for(address: str, process: subprocess.Popen[bytes], log: IO[str]) -> None:
    until = time.monotonic() + 60
    while time.monotonic() < until:
        if process.poll() is not None:
            log.seek(0)
            raise RuntimeError(f"the server stopped with code {process.returncode}:\n{log.read()}")
        try:
            with urllib.request.urlopen(address, timeout=2):
                return
        except OSError:
            time.sleep(0.1)
    raise TimeoutError("the server did not answer within a minute")
