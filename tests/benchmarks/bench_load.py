"""Latency, runs a second, CPU and memory of a server with many simultaneous readers.

Each reader uses Streamlit's websocket protocol as a browser does, with its cache of messages, and
opens another input every few seconds. Readers and server share this machine, so with few cores the
readers themselves take much of the CPU.

Run from the project's folder: ``python -m tests.benchmarks.bench_load [--readers 1,30,60,100]
[--changes 10] [--think 3] [--page NAME]``. With ``--minutes N`` the readers go on for N
minutes, and the server's memory is printed every minute. With ``--replicas 1,2,4`` the readers
connect through the proxy of ``hosting`` to that many processes; the proxy's own CPU and memory are
not counted, and the gain of each further process is printed last.
"""

import argparse
import asyncio
import os
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from urllib.parse import urlencode, urlsplit
from urllib.request import Request, urlopen

import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "browser")]

from serving import serving  # noqa: E402

from core.models.pretrained import DINOV2, SMOLLM2, is_there  # noqa: E402
from hosting.serve import free_ports  # noqa: E402
from hosting.serve import serving as replicas  # noqa: E402

PICTURES = ("moose", "tabby", "biplane", "harbour", "coffee", "cat", "lake", "boat", "tiles")
WORDS = ("我", "你", "他", "喜欢", "吃", "喝", "去", "北京", "明天", "朋友", "咖啡", "猫")
SENTENCES = ("我爱北京", "你爱谁", "我明天去北京", "我的朋友不喜欢喝咖啡")
ENGLISH = (
    "the", "a", "cat", "dog", "bird", "sat", "ran", "slept", "on", "under", "near", "by", "old",
    "young", "bank", "river", "money", "car",
)  # fmt: skip
CASES: dict[str, tuple[str, Callable[[random.Random], dict[str, object]]]] = {
    "Sentence": ("sentence", lambda draw: {"seed": draw.randrange(10_000)}),
    "Image, trained": ("image", lambda draw: {"model": "vision", "picture": draw.choice(PICTURES)}),
    "Image, random": (
        "image",
        lambda draw: {"model": "seeded", "size": 224, "patch": 16, "seed": draw.randrange(10_000)},
    ),
    "Translation": (
        "translation",
        lambda draw: {"text": draw.choice(SENTENCES), "word": draw.randrange(3)},
    ),
    "Translation, own": (  # a different sentence each time
        "translation",
        lambda draw: {"text": "".join(draw.sample(WORDS, 5))},
    ),
    "SmolLM2": (  # likewise
        "sentence",
        lambda draw: {"model": "smollm2", "text": " ".join(draw.sample(ENGLISH, 8))},
    ),
    "DINOv2": ("image", lambda draw: {"model": "dinov2", "picture": draw.choice(PICTURES)}),
}
OF_MODEL = {"SmolLM2": SMOLLM2, "DINOv2": DINOV2}
SLOW = 1000  # ms
TOGETHER = 10  # readers who connect at once
HEADINGS = "{:<16} {:>7} {:>8} {:>8} {:>8} {:>8} {:>9} {:>9} {:>7}".format(
    "", "readers", "p50 ms", "p95 ms", "max ms", "runs/s", "CPU ms", "kB a run", "MB each"
)
ROW = "{:<16} {:>7} {:>8.0f} {:>8.0f} {:>8.0f} {:>8.1f} {:>9.0f} {:>9.0f} {:>7.1f}"


@dataclass
class Reader:
    """One session on the server. received: bytes; hashes: of the messages in its cache."""

    address: str
    page: str
    received: int = 0
    hashes: set[str] = field(default_factory=set)
    page_hash: str = ""
    cookie: str = ""  # of the proxy, if there is one: which replica
    shown: list[bytes] = field(default_factory=list)  # the components of the last run

    async def open(self) -> None:
        """Connect as Streamlit's page does, after a request for the server's health."""
        host = urlsplit(self.address).netloc
        health = Request(f"{self.address}/_stcore/health", headers={"Cookie": self.cookie})
        with await asyncio.to_thread(urlopen, health) as answer:
            for cookie in answer.headers.get_all("Set-Cookie", ()):
                if cookie.startswith("replica="):
                    self.cookie = cookie.split(";")[0]
        self.socket = await websockets.connect(
            f"ws://{host}/_stcore/stream",
            subprotocols=[websockets.Subprotocol("streamlit")],
            origin=websockets.Origin(self.address),
            additional_headers={"Cookie": self.cookie},
            max_size=None,
            compression=None,
            ping_interval=None,
            open_timeout=60,
        )

    async def run(self, query: dict[str, object]) -> float:
        """Open a link of the page; returns the seconds until its run has finished.

        Raises RuntimeError if the page shows an exception.
        """
        request = BackMsg()
        rerun = request.rerun_script
        rerun.query_string = urlencode({"lang": "en", **query})
        if self.page_hash:
            rerun.page_script_hash = self.page_hash
        else:
            rerun.page_name = self.page
        rerun.cached_message_hashes.extend(self.hashes)
        start = time.perf_counter()
        self.shown.clear()
        await self.socket.send(request.SerializeToString())
        while True:
            answer = await self.socket.recv()
            self.received += len(answer)
            message = ForwardMsg.FromString(answer)
            if message.metadata.cacheable and message.hash:
                self.hashes.add(message.hash)
            element = message.delta.new_element
            if element.WhichOneof("type") == "exception":
                raise RuntimeError(f"{self.page}: {element.exception.message}")
            if element.WhichOneof("type") == "bidi_component":
                self.shown.append(element.bidi_component.SerializeToString())
            if message.WhichOneof("type") == "navigation":
                self.page_hash = message.navigation.page_script_hash
            if message.WhichOneof("type") == "script_finished":
                return time.perf_counter() - start


def resident_memory(pid: int) -> float:
    """The resident memory of a process in megabytes."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


def cpu_seconds(pid: int) -> float:
    """The CPU time of a process."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@dataclass
class Server:
    """The address of the app, and its processes."""

    address: str
    pids: list[int]

    def memory(self) -> float:
        """The memory of all processes in megabytes."""
        return sum(map(resident_memory, self.pids))

    def cpu_seconds(self) -> float:
        """The CPU time of all processes."""
        return sum(map(cpu_seconds, self.pids))


async def connect(served: Server, name: str, count: int, draw: random.Random) -> list[Reader]:
    """``count`` readers, each of whom has opened the page once."""
    page, query = CASES[name]
    readers = [Reader(served.address, page) for _ in range(count)]

    async def begin(reader: Reader) -> None:
        await reader.open()
        await reader.run(query(draw))

    for first in range(0, count, TOGETHER):
        await asyncio.gather(*map(begin, readers[first : first + TOGETHER]))
    return readers


@contextmanager
def behind_the_proxy(count: int) -> Iterator[Server]:
    """``count`` replicas of the app behind HAProxy."""
    public, private = free_ports(2)
    with replicas(count, f"127.0.0.1:{public}", f"127.0.0.1:{private}") as service:
        pids = [replica.process.pid for replica in service.replicas]
        yield Server(f"http://127.0.0.1:{public}", pids)


@contextmanager
def without_proxy() -> Iterator[Server]:
    """One process of the app, which finds the packages with models."""
    with serving(hidden=()) as served:
        yield Server(served.address, [served.pid])


async def change_inputs(served: Server, name: str, count: int, changes: int, think: float) -> float:
    """Print one row: readers who each change their input ``changes`` times, on average every
    ``think`` s.

    Returns the 95th percentile of the latencies in ms.
    """
    draw = random.Random(count)
    before = served.memory()
    readers = await connect(served, name, count, draw)
    for reader in readers:
        reader.received = 0
    waits: list[float] = []

    async def look(reader: Reader) -> None:
        for _ in range(changes):
            await asyncio.sleep(draw.expovariate(1 / think) if think else 0)
            waits.append(1000 * await reader.run(CASES[name][1](draw)))

    used, start = served.cpu_seconds(), time.perf_counter()
    await asyncio.gather(*map(look, readers))
    wall, used = time.perf_counter() - start, served.cpu_seconds() - used
    waits.sort()
    print(
        ROW.format(
            name,
            count,
            statistics.median(waits),
            waits[int(0.95 * len(waits))],
            waits[-1],
            len(waits) / wall,
            1000 * used / len(waits),
            sum(reader.received for reader in readers) / 1000 / len(waits),
            (served.memory() - before) / count,
        ),
        flush=True,
    )
    await asyncio.gather(*(reader.socket.close() for reader in readers))
    return waits[int(0.95 * len(waits))]


def capacity(p95: dict[int, float]) -> int:
    """The largest number of readers tried with p95 below ``SLOW``. p95: ms, by readers."""
    return max((count for count, wait in p95.items() if wait < SLOW), default=0)


def print_gains(name: str, measured: dict[int, dict[int, float]]) -> None:
    """Print the gain of each further process. measured: 95th percentiles, by processes."""
    for (few, before), (many, after) in pairwise(sorted(measured.items())):
        more = (capacity(after) - capacity(before)) / (many - few)
        waits = ", ".join(f"{n}: {wait:.0f} -> {after[n]:.0f}" for n, wait in before.items())
        print(
            f"{name}, {few} -> {many} processes: {capacity(before)} -> {capacity(after)} readers "
            f"with p95 under {SLOW} ms, {more:+.0f} for each; p95 ms by readers: {waits}"
        )


async def watch_memory(served: Server, name: str, count: int, think: float, minutes: float) -> None:
    """Print the server's memory every minute while readers change their inputs."""
    draw = random.Random(count)
    readers = await connect(served, name, count, draw)
    end, runs = time.monotonic() + 60 * minutes, 0

    async def look(reader: Reader) -> None:
        nonlocal runs
        while time.monotonic() < end:
            await asyncio.sleep(draw.expovariate(1 / think))
            await reader.run(CASES[name][1](draw))
            runs += 1

    async def report() -> None:
        print(f"{name}, {count} readers\n{'minute':>6} {'runs':>7} {'MB':>6}", flush=True)
        for minute in range(int(minutes) + 1):
            print(f"{minute:>6} {runs:>7} {served.memory():>6.0f}", flush=True)
            await asyncio.sleep(max(0.0, min(60, end - time.monotonic())))

    await asyncio.gather(report(), *map(look, readers))
    await asyncio.gather(*(reader.socket.close() for reader in readers))


async def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--readers", default="1,30,60,100")
    parser.add_argument("--changes", type=int, default=10)
    parser.add_argument("--think", type=float, default=3, help="seconds between two, on average")
    parser.add_argument("--page", choices=CASES, help="this one alone")
    parser.add_argument("--minutes", type=float, default=0)
    parser.add_argument("--replicas", help="1,2,4: so many processes behind the proxy, in turn")
    options = parser.parse_args()
    names = [options.page] if options.page else list(CASES)
    for name in [name for name in names if name in OF_MODEL and not is_there(OF_MODEL[name])]:
        print(f"{name} is not installed: {OF_MODEL[name].command}")
        names.remove(name)
    counts = [int(count) for count in options.readers.split(",")]
    if not options.minutes:
        print(HEADINGS, flush=True)
    measured: dict[str, dict[int, dict[int, float]]] = {name: {} for name in names}
    servers = [without_proxy()]
    if options.replicas:
        servers = [behind_the_proxy(int(number)) for number in options.replicas.split(",")]
    for serve in servers:
        with serve as served:
            print(f"{len(served.pids)} process(es), {served.memory():.0f} MB without readers")
            for name in names:
                if options.minutes:
                    for count in counts:
                        await watch_memory(served, name, count, options.think, options.minutes)
                    continue
                p95 = measured[name].setdefault(len(served.pids), {})
                for count in counts:
                    p95[count] = await change_inputs(
                        served, name, count, options.changes, options.think
                    )
                if most := capacity(p95):
                    print(f"{name}: p95 under {SLOW} ms for {most} readers, of those tried")
    for name in names:
        print_gains(name, measured[name])


if __name__ == "__main__":
    asyncio.run(main())
