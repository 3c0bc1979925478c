"""Replicas behind the proxy: one is killed, all are renewed, and every reader goes on."""

import asyncio
import base64
import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
import streamlit
from source_tree import FOLDERS, ROOT

from hosting.capacity import Measured, need
from hosting.serve import free_ports
from tests.benchmarks.bench_load import Reader
from tests.event_loop import run

HAPROXY = shutil.which("haproxy") or shutil.which("haproxy", path="/usr/sbin")
needs_haproxy = pytest.mark.skipif(not HAPROXY, reason="haproxy is not installed")
READERS = 30
PLACE = {"text": "我爱北京", "model": "seeded", "stage": "scaled", "head": 2, "row": 1, "column": 0}


@dataclass
class Hosted:
    """``python -m hosting.serve`` and what it has said so far."""

    address: str
    private: str
    process: subprocess.Popen[bytes]
    log: Path

    def pids(self) -> list[int]:
        """The replicas' processes, each as it was last started."""
        said = re.findall(r"(app\d+): process (\d+)", self.log.read_text("utf-8"))
        return [int(pid) for pid in dict(said).values()]

    def wait_for(self, words: str) -> None:
        until = time.monotonic() + 60
        while words not in self.log.read_text("utf-8"):
            assert time.monotonic() < until, f"never said: {words}"
            assert self.process.poll() is None, self.log.read_text("utf-8")
            time.sleep(0.1)


@contextmanager
def hosted(log: Path) -> Iterator[Hosted]:
    """Two replicas, and readers who may stay for a second when one is to end."""
    public, private = free_ports(2)
    with log.open("wb") as out:
        process = subprocess.Popen(
            [
                sys.executable, "-m", "hosting.serve", "--address", "127.0.0.1",
                "--port", str(public), "--private", f"127.0.0.1:{private}", "--drain", "1",
            ],
            cwd=ROOT, stdout=out, stderr=subprocess.STDOUT,
        )  # fmt: skip
        one = Hosted(f"http://127.0.0.1:{public}", f"http://127.0.0.1:{private}", process, log)
        try:
            one.wait_for("open http")
            yield one
        finally:
            process.terminate()
            process.wait(timeout=60)


def status(address: str) -> int:
    try:
        with urllib.request.urlopen(address, timeout=10) as answer:
            return answer.status
    except urllib.error.HTTPError as refused:
        return refused.code


async def goes_on(reader: Reader) -> float:
    """Wait until a reader's connection is cut; the seconds until the same link shows the same."""
    before, was_at = sorted(reader.shown), reader.cookie
    await reader.socket.wait_closed()
    cut = time.perf_counter()
    again = Reader(reader.address, reader.page, cookie=reader.cookie)
    await again.open()
    await again.run(PLACE)
    reader.socket, reader.cookie = again.socket, again.cookie
    assert sorted(again.shown) == before
    assert again.cookie != was_at
    return time.perf_counter() - cut


@needs_haproxy
def test_readers_of_a_killed_and_of_a_renewed_replica_go_on_with_the_other(tmp_path: Path) -> None:
    async def look(service: Hosted) -> None:
        readers = [Reader(service.address, "sentence") for _ in range(READERS)]
        for reader in readers:
            await reader.open()
            await reader.run(PLACE)
            assert reader.shown
        places = [reader.cookie for reader in readers]
        assert len(set(places)) == 2

        victim, _ = service.pids()
        waiting = [asyncio.create_task(goes_on(reader)) for reader in readers]
        os.kill(victim, signal.SIGKILL)
        there = min(places.count(place) for place in {*places})  # two replicas, as many on each
        async with asyncio.timeout(15):
            moved = asyncio.as_completed(waiting)
            seconds = [await next(moved) for _ in range(there)]
        assert max(seconds) < 5, seconds
        print(f"killed: {len(seconds)} readers back within {max(seconds):.2f} s")

        await asyncio.to_thread(service.wait_for, "ended with code -9")
        service.process.send_signal(signal.SIGHUP)
        async with asyncio.timeout(60):
            seconds = [await task for task in moved]
        print(f"renewed: {len(seconds)} readers back within {max(seconds):.2f} s")
        await asyncio.to_thread(service.wait_for, "all replicas are new")
        await asyncio.gather(*(reader.socket.close() for reader in readers))

    with hosted(tmp_path / "log") as service:
        for path in ("metrics", "%6detrics", "script-health-check"):
            assert status(f"{service.address}/_stcore/{path}") == 404, path
        assert status(f"{service.private}/replicas/app2") == 200
        assert status(f"{service.private}/replicas/app3") == 404
        assert status(f"{service.private}/proxy") == 200
        run(look(service))


def test_the_policy_knows_the_one_line_of_script_in_streamlits_page() -> None:
    page = (Path(streamlit.__file__).parent / "static" / "index.html").read_bytes()
    policy = (ROOT / "hosting" / "haproxy.cfg").read_text("utf-8")
    for script in re.findall(rb"<script>(.*?)</script>", page, re.DOTALL):
        digest = base64.b64encode(hashlib.sha256(script).digest()).decode()
        assert f"'sha256-{digest}'" in policy


def test_the_container_holds_all_that_the_app_is_made_of() -> None:
    copied = re.findall(r"^COPY (?!--)(.*) \S+$", (ROOT / "Containerfile").read_text("utf-8"), re.M)
    known = {name for names in copied for name in names.split()}
    assert known >= {"app.py", ".streamlit", "assets", "requirements.txt", *FOLDERS}
    ignored = (ROOT / ".containerignore").read_text("utf-8").splitlines()
    assert {f"!{name}" for name in known} <= {*ignored}


def test_a_thousand_readers_at_twenty_a_core_need_fifty_replicas_and_one_to_spare() -> None:
    row = need(1_000, Measured(held=20, base=200, each=4), core_month=10)
    assert (row.replicas, row.memory, row.price) == (51, pytest.approx(14.2), 510)
