"""Hostile and damaged folders are refused by name, and nothing in them is executed."""

import gzip
import json
import os
import pickle
import subprocess
import sys
import tracemalloc

import numpy as np
import pytest
from checkpoint_folders import FOLDERS, copied, file_of, given, headed
from claims import for_all
from refuses import refuses
from safetensors.numpy import load_file

from core.errors import InputError
from core.models import checkpoint


def refused(folder):
    with pytest.raises(InputError) as refusal:
        checkpoint.open(folder)
    return refusal.value


def written(tmp_path, name, content, kind="vit"):
    folder = copied(kind, tmp_path / "model")
    (folder / name).write_bytes(content)
    return folder


WEIGHTS = "model.safetensors"
ONE = {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}
BROKEN = {
    "a length alone": (64).to_bytes(8, "little"),
    "a header that breaks off": headed(b'{"a": {"dtype": "F32", "shape"', b""),
    "a header longer than the file": (9_999_999).to_bytes(8, "little") + b"{}",
    "data that break off": headed(json.dumps({"a": ONE}).encode(), b"\0\0"),
    "data left over": headed(json.dumps({"a": ONE}).encode(), b"\0" * 8),
    "an overlap": headed(json.dumps({"a": ONE, "b": ONE}).encode(), b"\0" * 4),
    "negative offsets": headed(
        json.dumps({"a": ONE | {"data_offsets": [-4, 0]}}).encode(), b"\0" * 4
    ),
    "a shape that overflows": headed(
        json.dumps({"a": ONE | {"shape": [2**62, 4]}}).encode(), b"\0" * 4
    ),
    "an unknown type": headed(json.dumps({"a": ONE | {"dtype": "F31"}}).encode(), b"\0" * 4),
    "a header that is a list": headed(b"[]", b""),
    "a header 10 000 deep": headed(b'{"a":' * 10_000 + b"1" + b"}" * 10_000, b""),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_file_of_weights_that_contradicts_itself_is_damaged(name, tmp_path):
    refusal = refused(written(tmp_path, WEIGHTS, BROKEN[name]))
    assert (refusal.code, refusal.fields["file"]) == ("damaged_checkpoint", WEIGHTS)


def test_a_header_that_claims_ten_gigabytes_is_refused_before_it_is_read(tmp_path):
    folder = written(tmp_path, WEIGHTS, (10**10).to_bytes(8, "little") + b"{}")
    with (folder / WEIGHTS).open("r+b") as file:
        file.truncate(10**10 + 100)  # holes: it takes no room
    tracemalloc.start()
    refusal = refused(folder)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (refusal.code, refusal.fields["size"]) == ("checkpoint_file_too_large", 10**10)
    assert peak < 1_000_000


WRONG_TYPES = {
    "Git LFS": b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 134\n",
    "HTML": b"<!DOCTYPE html><html><body>Sign in</body></html>",
    "gzip": gzip.compress(b"{}"),
    "pickle": pickle.dumps({"a": [1.0]}, 4),
}
SETTINGS = {
    "not JSON": b"{",
    "not text": b"\xff\xfe\x00",
    "a list": b"[1, 2]",
    "10 000 deep": b"[" * 10_000 + b"]" * 10_000,
    "a number of 5000 digits": b'{"hidden_size": ' + b"7" * 5_000 + b"}",
}


@pytest.mark.parametrize("name", SETTINGS)
@pytest.mark.parametrize("file", ["config.json", "preprocessor_config.json"])
def test_settings_that_are_no_json_object_are_damaged(name, file, tmp_path):
    refusal = refused(written(tmp_path, file, SETTINGS[name]))
    assert (refusal.code, refusal.fields["file"]) == ("damaged_checkpoint", file)


def test_settings_of_a_gigabyte_are_not_read(tmp_path):
    folder = copied("vit", tmp_path)
    os.truncate(folder / "config.json", 10**9)
    refusal = refused(folder)
    assert (refusal.code, refusal.fields["size"]) == ("checkpoint_file_too_large", 10**9)


@for_all("encoding", ["utf-8-sig", "utf-16"])
@for_all("name", ["config.json", "tokenizer.json"])
def test_a_file_that_begins_with_a_byte_order_mark_is_read(name, encoding, tmp_path_factory):
    folder = copied("bert", tmp_path_factory.mktemp("marked"))
    text = (folder / name).read_text("utf-8")
    (folder / name).write_text(text, encoding)
    assert checkpoint.open(folder).layers == 2


@for_all("name", ["config.json", "tokenizer.json", WEIGHTS])
@for_all("kind", WRONG_TYPES)
def test_a_file_of_a_wrong_type_is_refused_by_the_name_of_its_type(name, kind, tmp_path_factory):
    folder = written(tmp_path_factory.mktemp("wrong"), name, WRONG_TYPES[kind], "bert")
    refusal = refused(folder)
    fields = refusal.fields
    assert (refusal.code, fields["file"], fields["name"]) == ("wrong_file_type", name, kind)


@for_all("name", ["config.json", "tokenizer.json", WEIGHTS])
def test_an_empty_file_is_named_as_empty(name, tmp_path_factory):
    refusal = refused(written(tmp_path_factory.mktemp("empty"), name, b"", "bert"))
    assert (refusal.code, refusal.fields["file"]) == ("empty_file", name)


def test_a_file_that_was_truncated_while_open_is_damaged(tmp_path):
    folder = copied("vit", tmp_path)
    model = checkpoint.open(folder)
    weights = folder / "model.safetensors"
    with weights.open("r+b") as file:
        file.truncate(weights.stat().st_size // 2)
    with refuses("damaged_checkpoint", file=WEIGHTS):
        model.run(given("vit"), 1)


def test_heads_that_do_not_divide_the_width_are_refused(tmp_path):
    refusal = refused(copied("vit", tmp_path, num_attention_heads=3))
    assert (refusal.code, *refusal.fields.values()) == ("heads_do_not_divide", "d_model", 14, 3)


def test_patches_that_do_not_divide_the_picture_are_refused(tmp_path):
    refusal = refused(copied("vit", tmp_path, patch_size=4))
    assert (refusal.code, *refusal.fields.values()) == ("patches_do_not_fit", 15, 4)


def test_more_layers_than_the_file_has_are_missing(tmp_path):
    refusal = refused(copied("vit", tmp_path, num_hidden_layers=4))
    assert refusal.code == "missing_tensor"
    assert refusal.fields["name"].startswith("encoder.layer.3.")


@pytest.mark.parametrize(
    ("kind", "setting", "name", "expected", "found"),
    [
        ("vit", {"hidden_size": 16}, "embeddings.patch_embeddings", "16 × 3 × 5 × 5", "14 × 3"),
        ("vit", {"image_size": 20}, "embeddings.position_embeddings", "1 × 17 × 14", "1 × 10 × 14"),
        ("vit", {"intermediate_size": 29}, "encoder.layer.0.intermediate", "29 × 14", "31 × 14"),
        ("gpt2", {"vocab_size": 10**7}, "transformer.wte.weight", "10000000 × 10", "263 × 10"),
        ("bert", {"max_position_embeddings": 29}, "bert.embeddings.position", "29 × 15", "19 × 15"),
    ],
)
def test_a_shape_that_does_not_fit_the_settings_is_named(
    kind, setting, name, expected, found, tmp_path
):
    refusal = refused(copied(kind, tmp_path, **setting))
    assert refusal.code == "tensor_does_not_fit"
    assert refusal.fields["name"].startswith(name)
    assert refusal.fields["expected"] == expected
    assert refusal.fields["found"].startswith(found)


@pytest.mark.parametrize(("kind", "of"), [("I64", np.int64), ("U8", np.uint8), ("BOOL", bool)])
def test_numbers_that_are_no_weights_are_refused(kind, of, tmp_path):
    def whole(tensors):
        return tensors | {"embeddings.cls_token": tensors["embeddings.cls_token"].astype(of)}

    refusal = refused(copied("vit", tmp_path, whole))
    assert (refusal.code, refusal.fields["found"]) == ("wrong_number_type", kind)


@pytest.mark.parametrize("name", ["config.json", WEIGHTS])
def test_a_file_that_is_not_there_is_named(name, tmp_path):
    folder = copied("vit", tmp_path)
    (folder / name).unlink()
    refusal = refused(folder)
    assert (refusal.code, refusal.fields["file"]) == ("missing_file", name)


@pytest.mark.parametrize("kind", ["bert", "gpt2"])
def test_a_text_needs_a_tokenizer_file(kind, tmp_path):
    folder = copied(kind, tmp_path)
    (folder / "tokenizer.json").unlink()
    refusal = refused(folder)
    assert (refusal.code, refusal.fields["file"]) == ("missing_file", "tokenizer.json")


def test_a_folder_that_is_none_has_no_file_and_one_that_is_nowhere_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    for folder in (tmp_path, tmp_path / "file"):
        assert refused(folder).code == "missing_file"
    nowhere = refused(tmp_path / "nowhere")
    assert (nowhere.code, nowhere.fields["folder"]) == ("no_such_folder", str(tmp_path / "nowhere"))


def test_a_folder_or_a_pipe_is_no_file(tmp_path):
    folder = copied("vit", tmp_path)
    (folder / WEIGHTS).unlink()
    (folder / WEIGHTS).mkdir()
    assert refused(folder).code == "missing_file"
    (folder / "config.json").unlink()
    os.mkfifo(folder / "config.json")  # reading it would wait for ever
    assert refused(folder).fields["file"] == "config.json"


def test_a_square_may_be_stated_by_its_height_and_width(tmp_path):
    model = checkpoint.open(copied("vit", tmp_path, image_size=[15, 15], patch_size=[5, 5]))
    assert (model.config.shape, model.config.patch, model.config.positions) == ((15, 15), 5, 10)


BEYOND = """
import resource, sys
from pathlib import Path
from core.errors import InputError
from core.models import checkpoint
resource.setrlimit(resource.RLIMIT_AS, (2 * 10**9, 2 * 10**9))
try:
    checkpoint.open(Path(sys.argv[1]))
except InputError as refusal:
    print(refusal.code, refusal.fields["file"], refusal.fields["size"])
"""


@pytest.mark.skipif(sys.platform != "linux", reason="limits of memory are those of Linux")
def test_a_file_larger_than_the_memory_limit_is_refused_by_name(tmp_path):
    stored = load_file(FOLDERS / "vit" / WEIGHTS)
    tensors = {name: ("F32", tensor) for name, tensor in stored.items()}
    whole = file_of(tensors)
    length = int.from_bytes(whole[:8], "little")
    header, data = json.loads(whole[8 : 8 + length]), whole[8 + length :]
    many = 4 * 10**9
    header["hole"] = {"dtype": "U8", "shape": [many], "data_offsets": [len(data), len(data) + many]}
    folder = written(tmp_path, WEIGHTS, headed(json.dumps(header).encode(), data))
    size = (folder / WEIGHTS).stat().st_size + many
    os.truncate(folder / WEIGHTS, size)  # a hole: it takes no room
    found = subprocess.run(
        [sys.executable, "-c", BEYOND, str(folder)], capture_output=True, text=True, check=True
    )
    assert found.stdout.split() == ["beyond_memory", WEIGHTS, str(size)]


@pytest.mark.parametrize("name", ["config.json", WEIGHTS, "preprocessor_config.json"])
def test_a_link_out_of_the_folder_is_not_followed(name, tmp_path):
    folder = copied("vit", tmp_path / "model")
    outside = tmp_path / "outside"
    outside.write_text("{}")
    (folder / name).unlink(missing_ok=True)
    (folder / name).symlink_to(outside)
    refusal = refused(folder)
    assert (refusal.code, refusal.fields["file"]) == ("outside_folder", name)


@for_all("target", [WEIGHTS, "nowhere", "x" * 300])
def test_a_link_to_nothing_is_named_as_a_link(target, tmp_path_factory):
    folder = copied("vit", tmp_path_factory.mktemp("link"))
    (folder / WEIGHTS).unlink()
    (folder / WEIGHTS).symlink_to(target)
    refusal = refused(folder)
    assert (refusal.code, refusal.fields["file"]) == ("outside_folder", WEIGHTS)


def test_a_link_within_the_folder_is_followed_and_so_is_one_to_the_folder(tmp_path):
    folder = copied("vit", tmp_path / "model")
    (folder / WEIGHTS).rename(folder / "numbers")
    (folder / WEIGHTS).symlink_to("numbers")
    (tmp_path / "link").symlink_to(folder)
    assert checkpoint.open(tmp_path / "link").layers == 3


@pytest.mark.parametrize("value", [np.nan, np.inf, 3e38])
@pytest.mark.parametrize("name", ["encoder.layer.0.output.dense.weight", "embeddings.cls_token"])
def test_numbers_that_are_or_grow_infinite_are_refused_when_they_are_met(name, value, tmp_path):
    def spoilt(tensors):
        return tensors | {name: np.full_like(tensors[name], value)}

    model = checkpoint.open(copied("vit", tmp_path, spoilt))
    for layer in (1, 2):
        with refuses("not_finite"):
            model.run(given("vit"), layer)


@pytest.mark.parametrize("layer", [0, -1, 4, 10**9])
def test_a_layer_that_does_not_exist_is_refused(layer, tmp_path):
    with refuses("out_of_range", allowed="1 … 3"):
        checkpoint.open(copied("vit", tmp_path)).run(given("vit"), layer)


def test_a_model_of_pictures_reads_no_text_and_takes_only_pixels(tmp_path):
    model = checkpoint.open(copied("vit", tmp_path))
    with pytest.raises(TypeError, match="patch"):
        model.run("爱", 1)
    for wrong in (np.zeros((15, 15), np.uint8), np.zeros((15, 15, 3)), np.zeros((9, 15, 3), "u1")):
        with refuses("shape_mismatch"):
            model.run(wrong, 1)
