"""HAProxy before the replicas of the app: its start and its Runtime API."""

import os
import shutil
import socket
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

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


def start(folder: Path, public: str, private: str, ports: dict[str, int]) -> Proxy:
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
