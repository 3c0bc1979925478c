"""What a class costs the server: how soon students follow, and the CPU time that it takes.

``--students`` connections follow one teacher, who moves once a second; then all of them answer
within ``--within`` seconds. Students, teacher and server share this machine; the CPU time is that
of the server alone.

Run from the project's folder: ``python -m tests.benchmarks.bench_classroom [--students 100]
[--moves 30] [--within 2] [--replicas 2 --valkey redis://127.0.0.1:6379]``.
"""

import argparse
import asyncio
import json
import os
import statistics
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psutil

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "browser")]

from serving import serving  # noqa: E402

from views.server.classes.store import VARIABLE  # noqa: E402


async def post(address: str, path: str, given: dict[str, Any]) -> dict[str, Any]:
    """The answer to one request."""
    where, body = urlsplit(address), json.dumps(given).encode()
    reader, writer = await asyncio.open_connection(where.hostname, where.port)
    head = f"POST /classroom/{path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
    writer.write(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
    answer = await reader.read()
    writer.close()
    status, _, rest = answer.partition(b"\r\n")
    assert b" 200 " in status, answer
    found: dict[str, Any] = json.loads(rest.partition(b"\r\n\r\n")[2])
    return found


async def follow(address: str, member: dict[str, Any], seen: list[tuple[str, float]]) -> None:
    """Note when each view of a class arrives, by the query of its place."""
    where = urlsplit(address)
    reader, writer = await asyncio.open_connection(where.hostname, where.port, limit=2**20)
    path = f"/classroom/{member['code']}/events?seat={member['seat']}"
    writer.write(f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
    while line := await reader.readline():
        if line.startswith(b"data: "):
            view = json.loads(line[6:])
            me = view["me"]
            name = view["place"]["query"] if view["place"] else ""
            if "rounds" in me:
                name = f"{sum(map(len, me['rounds']))} answers"
            seen.append((name, time.perf_counter()))


def cpu(pids: list[int]) -> float:
    """The CPU seconds of these processes and of those that they have started."""
    every = [each for pid in pids for each in _family(psutil.Process(pid))]
    return sum(sum(each.cpu_times()[:2]) for each in every)


def _family(process: psutil.Process) -> list[psutil.Process]:
    return [process, *process.children(recursive=True)]


async def measure(addresses: list[str], pids: list[int], given: argparse.Namespace) -> None:
    """Print one line for following and one for answering."""
    first = addresses[0]
    teacher = await post(first, "start", {"address": first})
    seen: list[list[tuple[str, float]]] = [[] for _ in range(given.students)]
    members, homes, tasks = [], [], []
    for number in range(given.students):
        home = addresses[number % len(addresses)]
        members.append(await post(home, "join", {"code": teacher["code"], "name": f"{number}"}))
        homes.append(home)
        tasks.append(asyncio.create_task(follow(home, members[-1], seen[number])))
    desk: list[tuple[str, float]] = []
    tasks.append(asyncio.create_task(follow(first, teacher, desk)))

    async def teach(do: str, **more: Any) -> None:
        await post(first, teacher["code"], {"key": teacher["key"], "do": do, **more})

    await asyncio.sleep(2)
    before, begun, sent = cpu(pids), time.perf_counter(), {}
    for move in range(given.moves):
        name = f"stage=weights&row={move}"
        sent[name] = time.perf_counter()
        await teach("place", place={"page": "sentence", "query": name})
        await asyncio.sleep(1)
    wall, used = time.perf_counter() - begun, cpu(pids) - before
    delays = [when - sent[name] for one in seen for name, when in one if name in sent]
    missing = given.students * given.moves - len(delays)
    quantiles = statistics.quantiles(delays, n=20)
    print(
        f"follow: {given.students} students, {given.moves} moves: "
        f"p50 {1000 * quantiles[9]:.0f} ms, "
        f"p95 {1000 * quantiles[18]:.0f} ms, most {1000 * max(delays):.0f} ms, "
        f"{missing} missing; "
        f"{100 * used / wall:.1f} % of a core"
    )
    await teach("ask", ask={"form": "number", "asks": "cell"})
    before, begun = cpu(pids), time.perf_counter()

    async def answer(number: int) -> None:
        await asyncio.sleep(given.within * number / given.students)
        member = members[number]
        said = {"key": member["key"], "do": "answer", "question": 1, "round": 1, "answer": "0.41"}
        await post(homes[number], member["code"], said)

    await asyncio.gather(*(answer(number) for number in range(given.students)))
    done = f"{given.students} answers"
    while not any(name == done for name, _ in desk):
        await asyncio.sleep(0.01)
    last = next(when for name, when in desk if name == done)
    print(
        f"answers: all {given.students} counted after {last - begun:.2f} s; "
        f"{cpu(pids) - before:.2f} s of CPU"
    )
    for task in tasks:
        task.cancel()
    await teach("end")


@contextmanager
def servers(given: argparse.Namespace) -> Iterator[tuple[list[str], list[int]]]:
    """The addresses of the replicas and their processes."""
    if given.valkey:
        os.environ[VARIABLE] = given.valkey
    with ExitStack() as stack:
        served = [stack.enter_context(serving()) for _ in range(given.replicas)]
        yield [one.address for one in served], [one.pid for one in served]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--students", type=int, default=100)
    parser.add_argument("--moves", type=int, default=30)
    parser.add_argument("--within", type=float, default=2.0)
    parser.add_argument("--replicas", type=int, default=1)
    parser.add_argument(
        "--valkey", help="the address of Valkey or Redis, for more than one replica"
    )
    given = parser.parse_args()
    with servers(given) as (addresses, pids):
        asyncio.run(measure(addresses, pids, given))


if __name__ == "__main__":
    main()
