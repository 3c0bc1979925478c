"""GIF: extensions and pictures, each followed by blocks of up to 255 bytes.

Source: CompuServe, "Graphics Interchange Format, Version 89a" (1990).
"""

import re

from core.limits import Limits
from core.sources.containers.essentials import Essentials, check_count

HEADER = 13
BEGINS = re.compile(rb"[!,;]")  # an extension, a picture, the end
CONTROL = 0xF9


def gif(data: bytes, limits: Limits) -> Essentials:
    """The GIF file from its first picture on, with its palette and graphic control.

    Raises TooManyParts.
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
    return Essentials(head + control + data[found.start() if found else len(data) :])
