"""PNG: chunks of a size, a name, a content and a checksum.

Source: W3C, "Portable Network Graphics (PNG) Specification", third edition, section 5.
"""

import zlib

from core.limits import Limits
from core.sources.containers.essentials import Essentials, Further, Once, check_count

SIGNATURE = b"\x89PNG\r\n\x1a\n"
ANIMATION = b"acTL"  # its content begins with the number of frames
CRITICAL = (b"IHDR", b"PLTE", b"tRNS")
# Which way is up, by the name of the chunk and how its content begins.
TURNS = ((b"eXIf", b""), (b"iTXt", b"XML:com.adobe.xmp\0"), (b"tEXt", b"Raw profile type exif\0"),
         (b"zTXt", b"Raw profile type exif\0"))  # fmt: skip


def png(data: bytes, limits: Limits) -> Essentials:
    """The PNG file reduced to its header, palette, orientation and one chunk of pixels.

    Raises too_many_parts.
    """
    before: list[bytes] = []
    after: list[bytes] = []
    pixels: list[bytes] = []
    size, at, parts, frames, once = 0, len(SIGNATURE), 0, 0, Once(limits)
    while at + 8 <= len(data):
        parts += 1
        check_count(parts, limits)
        length, name = int.from_bytes(data[at : at + 4]), data[at + 4 : at + 8]
        begins, at = at, at + 12 + length
        if name == b"IDAT":
            pixels.append(data[begins + 8 : at - 4])
            size += length
        elif name == b"IEND":
            after.append(data[begins:at])
            break
        elif name == ANIMATION:
            frames = int.from_bytes(data[begins + 8 : begins + 12])
        elif name in CRITICAL or any(
            name == kind and data.startswith(start, begins + 8) and once.keeps(kind, length)
            for kind, start in TURNS
        ):
            (after if pixels else before).append(data[begins:at])
    found = b"".join(pixels)
    one = size.to_bytes(8)[4:] + b"IDAT" + found if pixels else b""
    if len(found) == size:  # else the file breaks off here
        one += zlib.crc32(found, zlib.crc32(b"IDAT")).to_bytes(4) if pixels else b""
    further: Further = "frames" if frames > 1 else ""
    return Essentials(b"".join([SIGNATURE, *before, one, *after]), further=further)
