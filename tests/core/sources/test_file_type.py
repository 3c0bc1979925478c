"""The type of a file is found by its first bytes, and named with what to do next."""

import gzip
import pickle
import zipfile
from io import BytesIO

import numpy as np
import onnx
from claims import for_all
from picture_files import file, numbers
from refuses import refuses
from safetensors.numpy import save

from core.errors import InputError
from core.models.tensors import Tensors
from core.sources.file_type import GROUPS, file_type
from core.sources.matrix import read_bytes
from core.sources.picture import open_picture
from core.sources.recording import decode
from views.text import FILE_TYPES, LANGUAGES
from views.widgets.errors import error_sentence


def media(brand: bytes) -> bytes:
    """The head of a file of the kind of MP4 (ISO/IEC 14496-12)."""
    return b"\0\0\0\x18ftyp" + brand + b"\0\0\0\0" + brand + b"mif1" + bytes(99)


def zipped(*names: str) -> bytes:
    stream = BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name in names:
            archive.writestr(name, b"\x80\2}." * 9)
    return stream.getvalue()


def saved(save_with, **arrays) -> bytes:
    stream = BytesIO()
    save_with(stream, **arrays)
    return stream.getvalue()


def onnx_model() -> bytes:
    graph = onnx.helper.make_graph([], "empty", [], [])
    return onnx.helper.make_model(graph, producer_name="pytorch").SerializeToString()


TYPES = {
    "Git LFS": (
        "pointer",
        b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 134\n",
    ),
    "HTML": ("page", b"\n<!DOCTYPE html>\n<html><head><title>Sign in</title>"),
    "ZIP": ("archive", zipped("a.txt")),
    "gzip": ("archive", gzip.compress(b"abc")),
    "pickle": ("pickle", pickle.dumps({"a": [1.0]})),
    "PyTorch": ("pickle", zipped("archive/data.pkl", "archive/version")),
    "GGUF": ("weights", b"GGUF\3\0\0\0"),
    "ONNX": ("weights", onnx_model()),
    "HDF5": ("weights", b"\x89HDF\r\n\x1a\n"),
    "NPZ": ("array", saved(np.savez, a=np.ones(2))),
    "NPY": ("array", saved(np.save, arr=np.ones(2))),
    "HEIC": ("picture", media(b"heic")),
    "AVIF": ("picture", media(b"avif")),
    "JPEG XL": ("picture", b"\xff\x0a\x10\x20"),
    "SVG": ("picture", b'<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"/>'),
    "PSD": ("picture", b"8BPS\0\1" + bytes(20)),
    "ICO": ("picture", file(numbers(16, 16, 3), "ICO")),
    "PDF": ("document", b"%PDF-1.7\n"),
    "XLSX": ("document", zipped("[Content_Types].xml", "xl/workbook.xml")),
    "MP4": ("video", media(b"isom")),
    "WebM": ("video", b"\x1aE\xdf\xa3\x9fB\x86\x81\x01B\x82\x84webm"),
    "M4A": ("sound", media(b"M4A ")),
}


@for_all("name", TYPES)
def test_a_type_is_found_by_the_first_bytes(name):
    assert file_type(TYPES[name][1]) == (name, TYPES[name][0])


@for_all("data", [b"", b"Dear reader", b'{"a": 1}', bytes(99), "我,1\n".encode()])
def test_what_has_no_signature_has_no_type(data):
    assert file_type(data) is None


@for_all("length", [256 * high + low for high in range(256) for low in (0, 2, 0x8B)])
def test_the_length_of_a_header_is_no_signature_where_json_follows(length, tmp_path_factory):
    path = tmp_path_factory.getbasetemp() / "lengths.safetensors"
    path.write_bytes(length.to_bytes(8, "little") + b"{}".ljust(length))
    try:
        Tensors(path)
    except InputError as refusal:
        assert (refusal.code, length < 2) == ("damaged_checkpoint", True)


@for_all(("wanted", "read"), [("picture", open_picture), ("sound", decode), ("table", read_bytes)])
@for_all("name", TYPES)
def test_a_file_of_another_type_is_named_in_both_languages(name, wanted, read):
    group, data = TYPES[name]
    with refuses("wrong_file_type", name=name, wanted=wanted) as refusal:
        read(data)
    for code, words in LANGUAGES.items():
        sentence = error_sentence(refusal.value, words)
        words = FILE_TYPES[code]
        assert sentence.startswith(words.this)
        assert words.groups[group].format(name=name) in sentence
        known = {**words.next["any"], **words.next[wanted]}
        assert sentence.endswith(known.get(group, known["other"]))


@for_all("read", [open_picture, decode, read_bytes])
def test_an_empty_file_is_called_empty(read):
    with refuses("empty_file") as refusal:
        read(b"")
    assert error_sentence(refusal.value, LANGUAGES["en"]).startswith("This file is empty")


def test_every_group_has_words_and_none_has_words_for_nothing():
    for words in FILE_TYPES.values():
        assert set(words.groups) == set(GROUPS)
        assert {group for of in words.next.values() for group in of} <= {*GROUPS}
        assert all("other" in of for wanted, of in words.next.items() if wanted != "any")


def test_tensors_are_of_no_type():
    assert file_type(save({"a": np.ones(3, np.float32)})) is None
