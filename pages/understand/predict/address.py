"""Whether a URL can be opened from other networks."""

from ipaddress import ip_address
from urllib.parse import urlsplit

AT_HOME = (".local", ".localhost", ".localdomain", ".lan", ".home", ".internal", ".home.arpa")


def is_public(address: str) -> bool:
    """Whether the host is a public name or a global IP address."""
    host = (urlsplit(address).hostname or "").rstrip(".")
    try:
        return ip_address(host).is_global
    except ValueError:
        return "." in host and not host.endswith(AT_HOME)
