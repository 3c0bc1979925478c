"""Replicas of the app behind HAProxy, on one machine and without containers.

``python -m hosting.serve --replicas 2 --port 8080 [-- --models DIR]``: what follows ``--`` is given
to the app. The proxy's configuration is that of ``compose.yaml``. Linux or macOS, with ``haproxy``
2.6 or newer.

- A replica that ends is restarted; its readers are connected to another one meanwhile.
- SIGHUP: the replicas are restarted in turn. Each first gets no new readers; its own stay until
  they leave or ``--drain`` seconds have passed, and are then connected to another replica.
- SIGTERM or SIGINT: no new readers are admitted; it ends when the last reader has left or
  ``--drain`` seconds have passed, and at a second signal at once."""

import argparse
import logging
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import FrameType

CONFIG = Path(__file__).with_name("haproxy.cfg")
UP = "2"  # srv_op_state in "show servers state"


@dataclass
class Proxy:
    """A running HAProxy. control: the socket of its Runtime API."""

    control: Path
    process: subprocess.Popen[bytes]

    def send(self, command: str) -> str:
        """The answer of the Runtime API to one command, "" where it is empty."""
        with socket.socket(socket.AF_UNIX) as line:
            line.connect(str(self.control))
            line.sendall(f"{command}\n".encode())
            return b"".join(iter(lambda: line.recv(65536), b"")).decode().strip()

    def set_state(self, server: str, state: str) -> None:
        """``drain``: only the readers it has; ``maint``: nobody; ``ready``: everybody.

        Raises RuntimeError where the proxy refuses.
        """
        refused = self.send(f"set server app/{server} state {state}")
        if refused:
            raise RuntimeError(f"haproxy: {refused}")

    def sessions(self, server: str) -> int:
        """Connections that a server has at this moment; each reader's page holds one open."""
        names, *rows = (row.split(",") for row in self.send("show stat").splitlines())
        column = names.index("scur")
        return next(int(row[column]) for row in rows if row[:2] == ["app", server])

    def is_up(self, server: str) -> bool:
        """Whether readers are sent to a server."""
        rows = [row.split() for row in self.send("show servers state app").splitlines()[2:]]
        return any(row[3] == server and row[5] == UP for row in rows if len(row) > 5)


def start_proxy(folder: Path, public: str, private: str, ports: dict[str, int]) -> Proxy:
    """Start HAProxy before servers on this machine, given by name; its files are in ``folder``.

    public, private: where readers come in, and the operator, as ``address:port``. Raises
    RuntimeError if HAProxy is not installed or does not start, for example at a port in use.
    """
    program = shutil.which("haproxy") or shutil.which("haproxy", path="/usr/sbin")
    if not program:
        raise RuntimeError("haproxy is not installed: apt install haproxy, or brew install haproxy")
    config, control = folder / "haproxy.cfg", folder / "control"
    servers = "".join(f"    server {name} 127.0.0.1:{port}\n" for name, port in ports.items())
    config.write_text(CONFIG.read_text("utf-8") + servers, "utf-8")
    variables = {name: value for name, value in os.environ.items() if name != "REPLICAS"}
    variables |= {"PUBLIC": public, "PRIVATE": private, "CONTROL": str(control)}
    process = subprocess.Popen(
        [program, "-db", "-f", str(config)], env=variables, start_new_session=True
    )
    while not control.exists():  # it listens to readers first, then to us
        if process.poll() is not None:
            raise RuntimeError(f"haproxy ended with code {process.returncode}")
        time.sleep(0.05)
    return Proxy(control, process)


ROOT = Path(__file__).parents[1]
POLL = 0.2  # seconds between two checks of the replicas
START, STOP = 90, 15  # seconds that a process may take to start, and to end
EARLY, LONGEST_PAUSE = 10, 30  # seconds; a replica that ends early is restarted ever later
ENDS = {signal.SIGTERM, signal.SIGINT}
log = logging.getLogger("hosting")


@dataclass
class Replica:
    """One process of the app. port: on the loopback interface; early_ends: in a row."""

    name: str
    port: int
    arguments: Sequence[str]
    early_ends: int = 0
    started: float = field(init=False)
    process: subprocess.Popen[bytes] = field(init=False)

    def __post_init__(self) -> None:
        self.start()

    def start(self) -> None:
        """Start the process, which does not answer yet."""
        command = [
            sys.executable, "-m", "streamlit", "run", "app.py",
            "--server.address", "127.0.0.1", "--server.port", str(self.port),
            "--server.headless", "true", "--server.fileWatcherType", "none", "--", *self.arguments,
        ]  # fmt: skip
        self.process = subprocess.Popen(command, cwd=ROOT, start_new_session=True)
        self.started = time.monotonic()
        log.info("%s: process %s, port %s", self.name, self.process.pid, self.port)

    def is_healthy(self) -> bool:
        """Whether it can take readers."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/_stcore/health", timeout=2):
                return True
        except OSError:
            return False

    def restart_if_ended(self) -> None:
        """Start the process again if it has ended: at once, or later if it ends repeatedly."""
        age = time.monotonic() - self.started
        if self.process.poll() is None or age < min(2**self.early_ends - 1, LONGEST_PAUSE):
            return
        log.warning("%s ended with code %s", self.name, self.process.returncode)
        self.early_ends = self.early_ends + 1 if age < EARLY + LONGEST_PAUSE else 0
        self.start()

    def end(self) -> None:
        """Terminate the process; kill it if it has not ended after ``STOP`` seconds."""
        self.process.terminate()
        try:
            self.process.wait(STOP)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class Service:
    """The proxy and its replicas, watched until a signal ends them."""

    def __init__(self, replicas: Sequence[Replica], haproxy: Proxy, drain: float) -> None:
        """drain: seconds that readers may stay with a replica that is to end."""
        self.replicas, self.proxy, self.drain = replicas, haproxy, drain
        self.signals: set[int] = set()

    def _signalled(self, number: int, _: FrameType | None) -> None:
        if number in ENDS and ENDS & self.signals:
            raise KeyboardInterrupt
        self.signals.add(number)

    def watch(self) -> None:
        """Restart replicas that have ended, and handle signals, until SIGTERM or SIGINT.

        Raises RuntimeError if HAProxy has ended by itself.
        """
        for number in (signal.SIGHUP, *ENDS):
            signal.signal(number, self._signalled)
        renewal: Iterator[None] = iter(())
        while not ENDS & self.signals:
            if self.proxy.process.poll() is not None:
                raise RuntimeError(f"haproxy ended with code {self.proxy.process.returncode}")
            for replica in self.replicas:
                replica.restart_if_ended()
            if next(renewal, self) is self and signal.SIGHUP in self.signals:
                self.signals.discard(signal.SIGHUP)
                renewal = self._renewal()
            time.sleep(POLL)
        log.info("the last readers have %g s", self.drain)
        self.proxy.process.send_signal(signal.SIGUSR1)  # it ends when nobody is connected any more
        for _ in self._until(lambda: self.proxy.process.poll() is not None):
            time.sleep(POLL)

    def _is_empty(self, name: str) -> bool:
        return not self.proxy.sessions(name)

    def _until(self, condition: Callable[[], bool]) -> Iterator[None]:
        """Yields until a condition holds or ``drain`` seconds have passed; the caller sleeps."""
        end = time.monotonic() + self.drain
        while not condition() and time.monotonic() < end:
            yield

    def _renewal(self) -> Iterator[None]:
        """Restart all replicas in turn; yields while it waits."""
        for replica in self.replicas:
            name = replica.name
            self.proxy.set_state(name, "drain")
            log.info("%s takes no new readers", name)
            yield from self._until(partial(self._is_empty, name))
            log.info("%s ends; %s connections move", name, self.proxy.sessions(name))
            self.proxy.set_state(name, "maint")
            replica.end()
            replica.start()
            while not replica.is_healthy():
                yield
            self.proxy.set_state(name, "ready")
            while not self.proxy.is_up(name):
                yield
        log.info("all replicas are new")


def free_ports(count: int) -> list[int]:
    """Free ports of the loopback interface."""
    with ExitStack() as stack:
        probes = [stack.enter_context(socket.socket()) for _ in range(count)]
        for probe in probes:
            probe.bind(("127.0.0.1", 0))
        return [probe.getsockname()[1] for probe in probes]


@contextmanager
def serving(
    count: int, public: str, private: str, arguments: Sequence[str] = (), drain: float = 20
) -> Iterator[Service]:
    """``count`` healthy replicas behind the proxy, which all end with the block.

    Raises RuntimeError if one does not start, TimeoutError if it takes more than ``START`` s.
    """
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="microscope"))
        replicas: list[Replica] = []
        for number, port in enumerate(free_ports(count), 1):
            replicas.append(Replica(f"app{number}", port, arguments))
            stack.callback(replicas[-1].end)
        for replica in replicas:
            while not replica.is_healthy():
                if replica.process.poll() is not None:
                    raise RuntimeError(f"{replica.name} ended with {replica.process.returncode}")
                if time.monotonic() > replica.started + START:
                    raise TimeoutError(f"{replica.name} did not answer within {START} s")
                time.sleep(POLL)
        ports = {replica.name: replica.port for replica in replicas}
        haproxy = start_proxy(Path(folder), public, private, ports)
        stack.callback(haproxy.process.terminate)
        yield Service(replicas, haproxy, drain)


def main() -> None:
    """Serve until a signal ends it."""
    parser = argparse.ArgumentParser(
        prog="python -m hosting.serve",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--replicas", type=int, default=2, help="one for each core, say")
    parser.add_argument("--address", default="", help="where readers come in; every one by default")
    parser.add_argument("--port", type=int, default=8080)
    parser.add_argument("--private", default="127.0.0.1:8081", help="metrics, for you alone")
    parser.add_argument("--drain", type=float, default=20, help="seconds that readers may stay")
    parser.add_argument("arguments", nargs="*", help="after --: of the app, such as --models DIR")
    options = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", stream=sys.stdout)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())  # until the service listens for it
    public = f"{options.address}:{options.port}"
    with serving(
        options.replicas, public, options.private, options.arguments, options.drain
    ) as service:
        log.info("open http://%s:%s", options.address or "localhost", options.port)
        service.watch()


if __name__ == "__main__":
    main()
