"""The type of a file by its first bytes, to name a file of the wrong type."""

import codecs
from typing import NamedTuple

import filetype

from core.errors import InputError

HEAD = 8192  # bytes that are inspected
ZIP = b"PK\x03\x04"
JPEG_XL = "JPEG XL"


class FileType(NamedTuple):
    """name: of the type, the same in every language. group: one of ``GROUPS``."""

    name: str
    group: str

    def refused(self, wanted: str, file: str = "") -> InputError:
        """The error for a file of this type where another is read.

        wanted: what is read, a key of ``next`` in the words. file: its name; empty for an upload.
        """
        return InputError(
            "wrong_file_type", name=self.name, group=self.group, wanted=wanted, file=file
        )


GROUPS = (
    "pointer", "page", "archive", "picture", "video", "sound", "document", "weights", "pickle",
    "array", "other",
)  # fmt: skip
TEXTUAL = ("pointer", "page")  # groups of files that are text
# Types that the library does not know, by their bytes at an offset.
SIGNATURES = (
    (0, b"version https://git-lfs.github.com", FileType("Git LFS", "pointer")),
    (0, b"GGUF", FileType("GGUF", "weights")),
    (0, b"\x89HDF\r\n\x1a\n", FileType("HDF5", "weights")),
    (4, b"TFL3", FileType("TensorFlow Lite", "weights")),
    (0, b"\x93NUMPY", FileType("NPY", "array")),
    (0, b"\0\0\0\x0cJXL ", FileType(JPEG_XL, "picture")),
    (0, b"\xff\x0a", FileType(JPEG_XL, "picture")),
    *((0, bytes([0x80, protocol]), FileType("pickle", "pickle")) for protocol in range(2, 6)),
    # ONNX: the fields ir_version and, behind it, producer_name, graph or opset_import.
    *(
        (0, bytes([8, version, field]), FileType("ONNX", "weights"))
        for version in range(3, 32)
        for field in (0x12, 0x3A, 0x42)
    ),
)
MEMBERS = (  # of a ZIP file, by how the name of the first one ends
    (b".npy", FileType("NPZ", "array")),
    (b"/data.pkl", FileType("PyTorch", "pickle")),
)
ARCHIVES = {"zip", "gz", "tar", "bz2", "xz", "7z", "rar", "zst", "lz", "Z"}
DOCUMENTS = {"pdf", "rtf", "epub", "doc", "docx", "odt", "xls", "xlsx", "ods", "ppt", "pptx", "odp"}
MEDIA = {"image": "picture", "video": "video", "audio": "sound"}
NAMES = {"gz": "gzip", "webm": "WebM", "mov": "QuickTime", "jpg": "JPEG", "tif": "TIFF"}


def file_type(data: bytes) -> FileType | None:
    """The type of a file that begins with these bytes; None if it is not known."""
    head = data[:HEAD]
    for at, signature, found in SIGNATURES:
        if head.startswith(signature, at):
            return found
    text = head.removeprefix(codecs.BOM_UTF8).lstrip().lower()
    if text.startswith((b"<svg", b"<?xml", b"<!doctype svg", b"<!--")) and b"<svg" in text:
        return FileType("SVG", "picture")
    if text.startswith((b"<!doctype html", b"<html", b"<head", b"<body")):
        return FileType("HTML", "page")
    if head.startswith(ZIP):
        first = head[30 : 30 + int.from_bytes(head[26:28], "little")]
        for end, found in MEMBERS:
            if first.endswith(end):
                return found
    known = filetype.guess(head)
    if known is None:
        return None
    name = NAMES.get(known.extension, known.extension.upper())
    return FileType(name, _group(known.extension, known.mime))


def _group(extension: str, mime: str) -> str:
    if extension in ARCHIVES:
        return "archive"
    if extension in DOCUMENTS:
        return "document"
    return MEDIA.get(mime.split("/")[0], "other")
