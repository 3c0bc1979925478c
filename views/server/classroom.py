"""The address at which a class reaches this server, and its QR code: ``--host``."""

import argparse
import os
import re
import socket
from ipaddress import IPv6Address, ip_address
from urllib.parse import urlsplit

import segno
import streamlit as st

VARIABLE = "ATTENTION_MICROSCOPE_HOST"
FIND = "auto"  # instead of an address
SOMEWHERE = ("192.0.2.1", 9)  # RFC 5737: no computer has it, and no packet is sent to it
_NAME = re.compile(r"[a-z\d]([a-z\d-]*[a-z\d])?(\.[a-z\d]([a-z\d-]*[a-z\d])?)*(:\d{1,5})?", re.I)


def address(text: str) -> str:
    """An address as an operator types it: an IP address, a name, or a whole http(s) URL.

    Raises argparse.ArgumentTypeError, with a sentence.
    """
    parts = urlsplit(text)
    if parts.scheme in ("http", "https") and parts.hostname and not re.search(r"\s", text):
        return text.rstrip("/")
    try:
        ip_address(text)
    except ValueError:
        if not _NAME.fullmatch(text):
            raise argparse.ArgumentTypeError(f"{text} is not an address") from None
    return text


def is_asked_for() -> bool:
    """Whether the app was started with ``--host``."""
    return bool(os.environ.get(VARIABLE))


def is_named() -> bool:
    """Whether the operator named the address, instead of leaving it to be found."""
    return os.environ.get(VARIABLE, FIND) not in ("", FIND)


def class_url() -> str | None:
    """The address for the class, such as http://192.168.1.5:8501; None if there is no network.

    The port, the path and TLS are those of Streamlit's configuration, unless the operator named a
    whole URL, as behind a proxy.
    """
    host = os.environ.get(VARIABLE) or FIND
    found = own_address() if host == FIND else host
    if found is None or "://" in found:
        return found
    scheme = "https" if st.get_option("server.sslCertFile") else "http"
    path = (st.get_option("server.baseUrlPath") or "").strip("/")
    return f"{scheme}://{_with_port(found, st.get_option('server.port'))}{path and f'/{path}'}"


def own_address() -> str | None:
    """The IPv4 address of this computer on its network; None if it is on none.

    The operating system chooses the interface as for a packet to some other network; connecting a
    UDP socket sends none.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(SOMEWHERE)
        except OSError:
            return None
        found: str = probe.getsockname()[0]
    return None if ip_address(found).is_loopback else found


def loopback_only() -> str | None:
    """``server.address`` if it lets nobody but this computer in, else None.

    Without that setting Streamlit listens on all interfaces.
    """
    served: str | None = st.get_option("server.address")
    if not served:
        return None
    try:
        return served if ip_address(served).is_loopback else None
    except ValueError:
        return served if served == "localhost" else None


def modules(text: str) -> tuple[str, ...]:
    """The rows of a QR code, ``1`` for dark, without its quiet zone (ISO/IEC 18004).

    Error correction of level M at least: 15 % of it may be unreadable.
    """
    code = segno.make_qr(text, error="m")
    return tuple("".join(map(str, row)) for row in code.matrix)


def _with_port(host: str, port: int) -> str:
    try:
        if isinstance(ip_address(host), IPv6Address):
            return f"[{host}]:{port}"
    except ValueError:
        if ":" in host:
            return host
    return f"{host}:{port}"
