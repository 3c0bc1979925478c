"""Weights in other files than safetensors: the same model is computed from each."""

from pathlib import Path

import gguf
import numpy as np
import pytest
from checkpoint_folders import FOLDERS, LAYERS, copied, given
from model_files import write_ctranslate2, write_gguf, write_onnx
from safetensors.numpy import load_file

from core.errors import InputError
from core.models import checkpoint, families
from core.models.formats import ctranslate2, onnx
from core.models.formats import gguf as gguf_format
from core.models.formats.entries import F16, F32, Entry, EntryTensors
from core.models.formats.joined import JoinedFile
from core.models.model import Model

CHANGED = {"gemma3_text": {"layer_types": ["sliding_attention"] * 3}}  # a file has no list of them


@pytest.mark.parametrize("kind", ["llama", "qwen3", "gemma3_text"])
def test_a_gguf_file_computes_what_its_folder_computes(kind, tmp_path):
    folder = copied(kind, tmp_path / "folder", **CHANGED.get(kind, {}))
    write_gguf(folder, tmp_path / "model.gguf")
    theirs, ours = checkpoint.open(folder), checkpoint.open(tmp_path / "model.gguf")
    assert ours.encode(given(kind)) == theirs.encode(given(kind))
    for layer in range(1, LAYERS[kind] + 1):
        expected, found = theirs.run(given(kind), layer), ours.run(given(kind), layer)
        assert list(found) == list(expected)
        for key, stage in expected.items():
            np.testing.assert_allclose(found[key].tensor, stage.tensor, rtol=1e-5, atol=1e-6)
    expected, found = theirs.predict(given(kind)), ours.predict(given(kind))
    np.testing.assert_allclose(found.probabilities, expected.probabilities, rtol=1e-5)


@pytest.mark.parametrize("kind", ["F16", "BF16", "Q4_0", "Q4_1", "Q5_0", "Q5_1", "Q8_0"])
def test_quantized_numbers_are_those_that_the_library_decodes(kind, tmp_path):
    of_kind = gguf.GGMLQuantizationType[kind]
    matrix = np.random.default_rng(3).standard_normal((7, 96)).astype(np.float32)
    stored = gguf.quants.quantize(matrix, of_kind)
    path = tmp_path / "one.gguf"
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_tensor("before", np.ones(5, np.float32))
    writer.add_tensor("one", stored, raw_dtype=of_kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    _, entries = gguf_format._header(file := JoinedFile([path]))
    tensors = gguf_format.EntryTensors(file, entries)
    expected = gguf.quants.dequantize(stored, of_kind)
    assert (tensors.array("one", (7, 96)) == expected).all()
    assert (tensors.rows("one", (7, 96), (5, 0)) == expected[[5, 0]]).all()
    assert (np.concatenate([*tensors.blocks("one", (7, 96))]) == expected).all()


def test_a_file_in_pieces_is_read_as_one_wherever_it_is_cut(tmp_path):
    whole = np.random.default_rng(5).integers(0, 256, 97, dtype=np.uint8)
    paths = []
    for number, piece in enumerate(np.split(whole, (13, 14, 60))):
        paths.append(tmp_path / f"part{number}")
        paths[-1].write_bytes(piece.tobytes())
    joined = JoinedFile(paths)
    assert len(joined) == 97
    for first, last in ((0, 97), (0, 13), (12, 15), (13, 14), (14, 60), (59, 61), (97, 97)):
        assert (joined.read(first, last - first) == whole[first:last]).all()
    joined.release(0, 97)  # less than a page
    assert (joined.read(0, 97) == whole).all()
    with pytest.raises(InputError) as refused:
        joined.read(90, 8)
    assert refused.value.code == "damaged_checkpoint"


@pytest.mark.skipif(not Path("/proc/self/smaps").exists(), reason="only Linux says it")
@pytest.mark.parametrize(("encoding", "kept"), [(F16, False), (F32, True)])
def test_what_was_decoded_is_not_in_memory_a_second_time(encoding, kept, tmp_path):
    """An array of float32 is the memory of its file."""
    path, numbers = tmp_path / "weights", np.ones(2**18, "<f4" if kept else "<f2")
    path.write_bytes(numbers.tobytes())
    tensors = EntryTensors(JoinedFile([path]), {"one": Entry(encoding, numbers.shape, 0)})
    assert (tensors.array("one", numbers.shape) == numbers).all()
    assert (resident(path) > 0) == kept


def resident(path):
    """How many kB of a mapped file are in the memory of this process."""
    of_maps = Path("/proc/self/smaps").read_text().split("VmFlags")
    return sum(int(of.split("Rss:")[1].split()[0]) for of in of_maps if str(path) in of)


def test_whispers_matrices_are_found_in_the_file_of_ctranslate2(tmp_path):
    folder = FOLDERS / "whisper"
    write_ctranslate2(folder, tmp_path / "model.bin", heads=2)
    stated, tensors = ctranslate2.read([tmp_path / "model.bin"])
    Model(tensors, families.config(stated)).check()
    stored = load_file(folder / "model.safetensors")
    for name, array in stored.items():
        if name in tensors:
            found = tensors.array(name, array.shape)
            assert (found == array.astype(np.float16).astype(np.float32)).all(), name
    assert {name for name in stored if name.startswith("model.encoder.layers")} <= {
        name for name in stored if name in tensors
    }


def test_dinov2_is_found_in_an_onnx_file(tmp_path):
    folder = FOLDERS / "dinov2"
    write_onnx(folder, tmp_path / "model.onnx", "backbone")
    tensors = onnx.read(tmp_path / "model.onnx", "backbone")
    for name, array in load_file(folder / "model.safetensors").items():
        assert (tensors.array(name, array.shape) == array).all(), name
