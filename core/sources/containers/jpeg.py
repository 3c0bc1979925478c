"""JPEG: segments of a marker, a size and a content, and scans of compressed values between them.

Source: ITU-T T.81 (1992), annex B.
"""

import re

from core.limits import Limits
from core.sources.containers.essentials import Essentials, Once, check_count

# FF 00 is a value of the scan around it, FF D0 to FF D7 restart it, FF FF is filling.
MARKER = re.compile(rb"\xff[^\x00\xd0-\xd7\xff]")
SOI, EOI, SOS, DQT, APP0, COM = 0xD8, 0xD9, 0xDA, 0xDB, 0xE0, 0xFE
FRAMES = {*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC}
PROGRESSIVE = {0xC2, 0xC6, 0xCA, 0xCE}
# Of what applications add: the colours that the values stand for, and which way is up.
NEEDED = (b"JFIF\0", b"Adobe", b"Exif\0\0", b"http://ns.adobe.com/xap/1.0/\0")
TABLE = 65  # bytes of a table of quantization
COEFFICIENT = 2  # bytes


def jpeg(data: bytes, limits: Limits) -> Essentials:
    """The first picture of a JPEG file, without comments and most application segments.

    Raises too_many_parts.
    """
    kept, at, parts, once = [data[:2]], 2, 0, Once(limits)
    scans, pixels, held, late = 0, 0, 0, False
    while found := MARKER.search(data, at):
        parts += 1
        check_count(parts, limits)
        marker, start = data[found.start() + 1], found.end()
        if marker in (SOI, EOI):
            kept.append(found[0])
            break
        at = start + int.from_bytes(data[start : start + 2])
        content = data[start + 2 : at]
        if marker == SOS:
            scans += 1
            following = MARKER.search(data, at)
            at = following.start() if following else len(data)
        elif marker == DQT:
            parts += len(content) // TABLE
        elif marker in FRAMES and len(content) > 5 and not pixels:
            pixels = int.from_bytes(content[1:3]) * int.from_bytes(content[3:5])
            held = int(pixels * COEFFICIENT * _colours(content))
            late = marker in PROGRESSIVE
        if marker < APP0 or any(
            content.startswith(name) and once.keeps(name, len(content)) for name in NEEDED
        ):
            kept.append(data[found.start() : at])
    # Until the last of several scans, no pixel is known.
    return Essentials(b"".join(kept), scans * pixels, held if late or scans > 1 else 0)


def _colours(frame: bytes) -> float:
    """The mean number of values per pixel, with chroma subsampling."""
    sides = [(byte >> 4) * (byte & 15) for byte in frame[7::3]]
    return sum(sides) / max([*sides, 1])
