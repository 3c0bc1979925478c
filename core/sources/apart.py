"""Reading of uploaded files in processes of their own, with limits of time and memory.

A small file can make a decoder compute for minutes or allocate gigabytes, and a fault in a decoder
can end its process. Therefore libraries decode uploads in a worker process: one that exceeds
its limits is killed and replaced, and its file is refused. Nothing is unpickled: the worker
answers with JSON and the bytes of one array.

The limit of memory needs ``resource`` and a system that keeps to RLIMIT_DATA, as Linux does. On
macOS and Windows time alone is limited; on Windows by the clock.
"""

import atexit
import json
import os
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from functools import cache
from importlib import import_module
from pathlib import Path
from queue import LifoQueue
from typing import IO, Any

import numpy as np

from core.errors import InputError
from core.limits import READING, TOKENIZING, Reading

Facts = dict[str, Any]
Read = tuple[Facts, np.ndarray]  # facts for JSON, and an array of one of KINDS

ROOT = Path(__file__).parents[__name__.count(".")]  # from which this module is imported
START = """\
import sys
from importlib import import_module
root, name = sys.argv[1:]
sys.path.insert(0, root)
import_module(name).serve()
"""
# Imported before the first file arrives.
FIRST = tuple(f"{__package__}.{name}" for name in ("picture", "recording", "tokenization"))
KINDS = {"uint8": np.uint8, "uint32": np.uint32, "float32": np.float32}
READY = b"\n"
SIZE = 8  # bytes of a length


def read(
    function: Callable[..., Read], data: bytes, limits: Reading = READING, **options: Any
) -> Read:
    """``function(data, **options)``, computed by a process of its own.

    function: of a module. limits: READING or TOKENIZING, each with processes of its own. options:
    what can be written as JSON. Raises what the function raises as an InputError, and
    takes_too_much.
    """
    return _readers(limits).read(function, data, options)


def start() -> None:
    """Start the worker processes ahead of the first file, since starting takes seconds."""
    for limits in (READING, TOKENIZING):
        _readers(limits)


class _Readers:
    """A pool of worker processes, one for each file that may be read at the same time.

    Each run of a page reads its file again; one that exceeded a limit is refused without a retry.
    """

    def __init__(self, limits: Reading) -> None:
        self._limits = limits
        self._took_too_much: deque[tuple[str, int]] = deque(maxlen=limits.remembered)
        self._free = LifoQueue[Reader]()  # the last one may still have what it has to build
        for _ in range(limits.processes):
            self._free.put(Reader(limits))
        atexit.register(self.close)

    def read(self, function: Callable[..., Read], data: bytes, options: Facts) -> Read:
        file = (function.__name__, hash((data, json.dumps(options))))
        if file in self._took_too_much:
            raise takes_too_much(self._limits.of(len(data)))
        reader = self._free.get()
        if reader.process.poll() is not None:  # while it waited, which is no fault of this file
            reader.end()
            reader = Reader(self._limits)
        try:
            return reader.read(function, data, options)
        except InputError as error:
            if error.code == "takes_too_much" and not reader.late:
                self._took_too_much.append(file)
            raise
        finally:
            if not reader.usable:
                reader.end()
                reader = Reader(self._limits)
            self._free.put(reader)

    def close(self) -> None:
        """End the processes that wait; one that still reads ends at its limit."""
        while not self._free.empty():
            self._free.get().end()


@cache
def _made(limits: Reading) -> _Readers:
    return _Readers(limits)


_ONCE = threading.Lock()


def _readers(limits: Reading) -> _Readers:
    with _ONCE:  # of several threads the first one makes them
        return _made(limits)


class Reader:
    """A process that reads one file after the other.

    usable: whether it waits for the next one; not while it reads, and not once it was ended.
    late: whether the clock ended it, which may be the fault of a busy server.
    """

    def __init__(self, limits: Reading = READING) -> None:
        self._limits = limits
        # Not by multiprocessing, which would run the main module, Streamlit's, in it again.
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-c", START, str(ROOT), __name__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # a library may write contents of a file there
            # Rust waits for ever where memory runs out while it writes a backtrace.
            env=os.environ | {"OPENBLAS_NUM_THREADS": "1", "RUST_BACKTRACE": "0"},
        )
        self.usable, self._ready, self.late = True, False, False

    def read(self, function: Callable[..., Read], data: bytes, options: Facts) -> Read:
        """As the function ``read`` of this module."""
        if not self._ready and self._out.read(1) != READY:
            raise RuntimeError("the process that reads files does not start")
        self._ready, self.usable = True, False
        limits = self._limits.of(len(data))
        clock = threading.Timer(limits.wait, self._end_late)
        clock.start()
        try:
            request = {
                "module": function.__module__,
                "name": function.__name__,
                "limits": asdict(limits),
                "options": options,
            }
            _write(self.process.stdin, request, data)
            facts, array = _received(self._out)
        except (OSError, EOFError):  # it was ended, by itself or by the system
            raise takes_too_much(limits) from None
        finally:
            clock.cancel()
            clock.join()
        self.usable = not self.late
        if "code" in facts:
            raise InputError.from_json(**facts)
        kind, shape = facts.pop("kind"), facts.pop("shape")
        return facts, np.frombuffer(array, KINDS[kind]).reshape(shape)

    def end(self) -> None:
        """End the process, whatever it does."""
        self.process.kill()
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe
            with suppress(OSError):  # something is left that it did not take
                pipe.close()
        self.process.wait()

    def _end_late(self) -> None:
        self.late = True
        self.process.kill()

    @property
    def _out(self) -> IO[bytes]:
        assert self.process.stdout
        return self.process.stdout


def takes_too_much(limits: Reading) -> InputError:
    """The error for a file whose reading exceeds a limit, or ends the process that reads it."""
    seconds, memory = f"{limits.cpu_seconds:g}", limits.memory_bytes
    return InputError("takes_too_much", seconds=seconds, memory=memory)


def _write(pipe: IO[bytes] | None, facts: Facts, data: memoryview | bytes) -> None:
    assert pipe
    head = json.dumps(facts).encode()
    pipe.write(len(head).to_bytes(SIZE, "little") + len(data).to_bytes(SIZE, "little") + head)
    pipe.write(data)
    pipe.flush()


def _received(pipe: IO[bytes]) -> tuple[Facts, bytes]:
    """Raises EOFError where the other process has ended, or sends more than the limit of memory."""
    sizes = _exactly(pipe, 2 * SIZE)
    head, data = (int.from_bytes(part, "little") for part in (sizes[:SIZE], sizes[SIZE:]))
    if head + data > READING.memory_bytes:
        raise EOFError
    return json.loads(_exactly(pipe, head)), _exactly(pipe, data)


def _exactly(pipe: IO[bytes], count: int) -> bytes:
    found = pipe.read(count)
    if len(found) < count:
        raise EOFError
    return found


def serve() -> None:
    """Read files until the pipe is closed, which also happens when the app ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the app, whose end ends this
    for module in FIRST:
        import_module(module)
    given, out = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # for a library that prints
    out.write(READY)
    out.flush()
    while True:
        try:
            request, data = _received(given)
        except EOFError:
            return
        function = getattr(import_module(request["module"]), request["name"])
        limits = Reading(**request["limits"])
        _limit_memory(limits.memory_bytes)
        _limit_time(limits.cpu_seconds)
        try:
            facts, array = function(data, **request["options"])
        except MemoryError:
            error = takes_too_much(limits)
        except InputError as refused:
            error = refused
        else:
            about = {**facts, "kind": str(array.dtype), "shape": array.shape}
            _write(out, about, np.ascontiguousarray(array).data.cast("B"))
            continue
        finally:
            _limit_time(0)
            _limit_memory(0)
        _write(out, error.to_json(), b"")


def _limit_memory(most: int) -> None:
    """Refuse this process more bytes of memory; 0 for no limit."""
    try:
        import resource
    except ImportError:  # on Windows
        return
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (most or hard, hard))


def _limit_time(seconds: float) -> None:
    """End this process after this many seconds of CPU time; 0 for no limit."""
    if sys.platform != "win32":
        signal.setitimer(signal.ITIMER_PROF, seconds)
