"""A blob of bytes, decoded by its specification alone."""

import binascii
import struct

import numpy as np
from blob_reader import unpacked
from claims import for_all
from hypothesis import given
from hypothesis import strategies as st

from views.scene.blob import checksum, pack

ARRAYS = {
    "f2": np.array([[0.1, -0.0, np.inf], [-np.inf, 6e-8, 65504], [1, -2.5, 6.1e-5]], np.float16),
    "f4": np.array([[0.1, -0.0, np.inf], [-np.inf, 1e-45, 3.4e38]], np.float32),
    "f8": np.array([[[0.1], [5e-324]], [[-np.inf], [1e308]]]),
    "i4": np.array([-(2**31), -1, 2**31 - 1], np.int32),
    "u1": np.array([[0, 255, 7, 1, 2]], np.uint8),
    "no axis": np.array(2.5),
    "nothing": np.zeros((0, 3), np.float32),
}


def test_arrays_come_back_bit_for_bit():
    _, found = unpacked(pack({}, ARRAYS))
    assert list(found) == list(ARRAYS)
    for name, array in ARRAYS.items():
        assert found[name].dtype == array.dtype
        assert found[name].shape == array.shape
        assert found[name].tobytes() == array.tobytes()


@for_all("view", [
    np.arange(35.0).reshape(5, 7).T,
    np.arange(35, dtype=np.int32).reshape(5, 7)[::2, ::-3],
    np.broadcast_to(np.float32(1.5), (2, 3)),
    np.arange(6, dtype=">f8").reshape(2, 3),
    np.arange(6, dtype=">i4"),
])  # fmt: skip
def test_however_an_array_lies_in_memory_it_is_written_row_by_row_and_little_endian(view):
    _, found = unpacked(pack({}, {"Z": view}))
    assert found["Z"].tolist() == view.tolist()


@given(st.text(max_size=20), st.lists(st.integers(0, 9), max_size=6))
def test_every_array_begins_at_a_multiple_of_8(text, sizes):
    arrays = {f"{i}": np.ones(size, np.uint8) for i, size in enumerate(sizes)}
    blob = pack({"text": text}, arrays)
    header, found = unpacked(blob)
    (length,) = struct.unpack_from("<I", blob, 4)
    assert (8 + length) % 8 == len(blob) % 8 == 0
    assert all(index["begins"] % 8 == 0 for index in header["arrays"].values())
    assert [array.size for array in found.values()] == sizes


@given(st.integers(0, 39), st.integers(1, 255))
def test_a_blob_that_differs_in_one_byte_has_another_checksum(index, change):
    numbers = np.arange(40, dtype=np.uint8)
    other = numbers.copy()
    other[index] ^= change
    one = pack({"a": 1}, {"Z": numbers})
    assert checksum(pack({"a": 1}, {"Z": other})) != checksum(one)
    assert checksum(pack({"a": 2}, {"Z": numbers})) != checksum(one)
    assert pack({"a": 1}, {"Z": numbers}) == one


def test_the_checksum_is_the_crc32_of_all_that_follows():
    blob = pack({"a": "ü"}, ARRAYS)
    assert checksum(blob) == struct.unpack_from("<I", blob)[0] == binascii.crc32(blob[4:])
