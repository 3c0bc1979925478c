"""Which addresses others can open too, and not only the computer or the house that serves them."""

from ipaddress import ip_address
from urllib.parse import urlsplit

AT_HOME = (".local", ".localhost", ".localdomain", ".lan", ".home", ".internal", ".home.arpa")


def is_public(address: str) -> bool:
    """Whether the host is a name or a number of the whole internet."""
    host = (urlsplit(address).hostname or "").rstrip(".")
    try:
        return ip_address(host).is_global
    except ValueError:
        return "." in host and not host.endswith(AT_HOME)
