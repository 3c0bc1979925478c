"""GIF: extensions and pictures, each followed by blocks of up to 255 bytes.

Source: CompuServe, "Graphics Interchange Format, Version 89a" (1990).
"""

import re

from core.limits import Limits
from core.sources.containers.essentials import Essentials, Further, check_count

HEADER, DESCRIPTOR = 13, 10  # bytes
MOST_BLOCKS = 200_000  # of 255 bytes, more than a file may have
BEGINS = re.compile(rb"[!,;]")  # an extension, a picture, the end
CONTROL = 0xF9


def gif(data: bytes, limits: Limits) -> Essentials:
    """The GIF file from its first picture on, with its palette and graphic control.

    Raises too_many_parts.
    """
    flags = data[10] if len(data) >= HEADER else 0
    at = HEADER + (3 << (flags & 7) + 1 if flags & 0x80 else 0)
    head, control, parts = data[:at], b"", 0
    while (found := BEGINS.search(data, at)) and found[0] == b"!":
        extension, at = found.start(), found.end() + 1
        while at < len(data) and data[at]:
            parts += 1
            check_count(parts, limits)
            at += 1 + data[at]
        parts += 1
        at += 1
        if data[extension + 1 : extension + 2] == bytes([CONTROL]):
            control = data[extension:at]
    first = found.start() if found else len(data)
    further: Further = "frames" if _has_another(data, first) else ""
    return Essentials(head + control + data[first:], further=further)


def _has_another(data: bytes, at: int) -> bool:
    """Whether a picture follows the one that begins here: behind its palette and its blocks."""
    at += DESCRIPTOR
    flags = data[at - 1] if at <= len(data) else 0
    at += (3 << (flags & 7) + 1 if flags & 0x80 else 0) + 1  # and the size of a code
    for _ in range(MOST_BLOCKS):
        if at < len(data) and data[at]:
            at += 1 + data[at]
            continue
        found = BEGINS.search(data, at + 1)
        if not found or found[0] != b"!":
            return found is not None and found[0] == b","
        at = found.end() + 1
    return False
