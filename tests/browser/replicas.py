"""The app as two replicas behind a proxy, on this machine's loopback."""

import os
import re
import shutil
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from hosting.serve import free_ports
from views.server.classes.store import VARIABLE

ROOT = Path(__file__).parents[2]
HAPROXY = shutil.which("haproxy") or shutil.which("haproxy", path="/usr/sbin")


@dataclass
class Hosted:
    """``python -m hosting.serve`` and its log."""

    address: str
    private: str
    process: subprocess.Popen[bytes]
    log: Path

    def pids(self) -> list[int]:
        """The replicas' processes, each as it was last started."""
        logged = re.findall(r"(app\d+): process (\d+)", self.log.read_text("utf-8"))
        return [int(pid) for pid in dict(logged).values()]

    def has_readers(self, name: str) -> bool:
        """Whether a replica has sessions."""
        with urllib.request.urlopen(f"{self.private}/replicas/{name}", timeout=10) as answer:
            return b"\nactive_sessions 0" not in answer.read()

    def wait_for(self, words: str, times: int = 1) -> None:
        until = time.monotonic() + 60
        while self.log.read_text("utf-8").count(words) < times:
            assert time.monotonic() < until, f"never logged: {words}"
            assert self.process.poll() is None, self.log.read_text("utf-8")
            time.sleep(0.1)


@contextmanager
def hosted(log: Path, classes: str = "") -> Iterator[Hosted]:
    """Two replicas, and readers who may stay for half a second when one is to end.

    classes: the server that their classes share.
    """
    public, private = free_ports(2)
    with log.open("wb") as out:
        process = subprocess.Popen(
            [
                sys.executable, "-m", "hosting.serve", "--address", "127.0.0.1",
                "--port", str(public), "--private", f"127.0.0.1:{private}", "--drain", "0.5",
            ],
            cwd=ROOT, stdout=out, stderr=subprocess.STDOUT,
            env=os.environ | ({VARIABLE: classes} if classes else {}),
        )  # fmt: skip
        one = Hosted(f"http://127.0.0.1:{public}", f"http://127.0.0.1:{private}", process, log)
        try:
            one.wait_for("open http")
            yield one
        finally:
            process.terminate()
            process.wait(timeout=60)
