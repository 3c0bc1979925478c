"""WebP: chunks of a name, a size and a content, filled up to an even number of bytes.

Source: RFC 9649, section 2.
"""

from core.limits import Limits
from core.sources.containers.essentials import Essentials, Further, Once, check_count

HEADER = 12
NEEDED = (b"VP8X", b"ANIM", b"ALPH")
TURNS = (b"EXIF", b"XMP ")
FRAME = b"ANMF"
PICTURES = (b"VP8 ", b"VP8L", FRAME)
BESIDES = 12  # bytes a pixel: two canvases of the decoder, and what it hands over


def webp(data: bytes, limits: Limits) -> Essentials:
    """The WebP file reduced to its first picture.

    Raises too_many_parts.
    """
    kept: list[bytes] = []
    size, at, parts, frames, once = 4, HEADER, 0, 0, Once(limits)
    while at + 8 <= len(data):
        parts += 1
        check_count(parts, limits)
        name, length = data[at : at + 4], _little(data[at + 4 : at + 8])
        begins, at = at, at + 8 + length + length % 2
        frames += name == FRAME
        kind = b"picture" if name in PICTURES else name
        most = 0 if name not in TURNS else length
        if name in (*NEEDED, *PICTURES, *TURNS) and once.keeps(kind, most):
            kept.append(data[begins:at])
            size += at - begins
    whole = b"".join([b"RIFF", size.to_bytes(8, "little")[:4], b"WEBP", *kept])
    width, height = webp_size(data)
    further: Further = "frames" if frames > 1 else ""
    return Essentials(whole, 0, BESIDES * width * height, further)


def webp_size(data: bytes) -> tuple[int, int]:
    """(width, height) by the header of a WebP file; (1, 1) for any other file."""
    head = data[:30].ljust(30, b"\0")
    if head[:4] != b"RIFF":
        return 1, 1
    match head[12:16]:
        case b"VP8X":
            return _little(head[24:27]) + 1, _little(head[27:30]) + 1
        case b"VP8L":
            packed = _little(head[21:25])
            return (packed & 0x3FFF) + 1, (packed >> 14 & 0x3FFF) + 1
        case _:
            return _little(head[26:28]) & 0x3FFF, _little(head[28:30]) & 0x3FFF


def _little(number: bytes) -> int:
    return int.from_bytes(number, "little")
