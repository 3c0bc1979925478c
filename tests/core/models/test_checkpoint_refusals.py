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


DAMAGED = [(WEIGHTS, BROKEN, name) for name in BROKEN]
DAMAGED += [
    (file, SETTINGS, name)
    for file in ("config.json", "preprocessor_config.json")
    for name in SETTINGS
]


@for_all(("file", "contents", "name"), DAMAGED)
def test_a_file_that_contradicts_itself_is_damaged(file, contents, name, tmp_path_factory):
    folder = written(tmp_path_factory.mktemp("damaged"), file, contents[name])
    with refuses("damaged_checkpoint", file=file):
        checkpoint.open(folder)


@for_all(
    ("name", "begin", "size"),
    [(WEIGHTS, (10**10).to_bytes(8, "little") + b"{}", 10**10), ("config.json", b"{", 10**9)],
)
def test_what_claims_to_be_gigabytes_long_is_refused_before_it_is_read(
    name, begin, size, tmp_path_factory
):
    folder = written(tmp_path_factory.mktemp("long"), name, begin)
    os.truncate(folder / name, size + 100 * (name == WEIGHTS))  # holes: they take no room
    tracemalloc.start()
    with refuses("checkpoint_file_too_large", size=size):
        checkpoint.open(folder)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 1_000_000


@for_all("encoding", ["utf-8-sig", "utf-16"])
@for_all("name", ["config.json", "tokenizer.json"])
def test_a_file_that_begins_with_a_byte_order_mark_is_read(name, encoding, tmp_path_factory):
    folder = copied("bert", tmp_path_factory.mktemp("marked"))
    text = (folder / name).read_text("utf-8")
    (folder / name).write_text(text, encoding)
    assert checkpoint.open(folder).layers == 2


@for_all("name", ["config.json", "tokenizer.json", WEIGHTS])
@for_all("kind", [*WRONG_TYPES, None])
def test_a_file_that_is_empty_or_of_a_wrong_type_is_refused_as_what_it_is(
    name, kind, tmp_path_factory
):
    folder = written(tmp_path_factory.mktemp("wrong"), name, WRONG_TYPES.get(kind, b""), "bert")
    with refuses("wrong_file_type" if kind else "empty_file", file=name, name=kind):
        checkpoint.open(folder)


def test_a_file_that_was_truncated_while_open_is_damaged(tmp_path):
    folder = copied("vit", tmp_path)
    model = checkpoint.open(folder)
    weights = folder / "model.safetensors"
    with weights.open("r+b") as file:
        file.truncate(weights.stat().st_size // 2)
    with refuses("damaged_checkpoint", file=WEIGHTS):
        model.run(given("vit"), 1)


@for_all(
    ("kind", "setting", "code", "name", "others"),
    [
        ("vit", {"num_attention_heads": 3}, "heads_do_not_divide", "d_model", (14, 3)),
        ("vit", {"patch_size": 4}, "patches_do_not_fit", 15, (4,)),
        ("vit", {"num_hidden_layers": 4}, "missing_tensor", "encoder.layer.3.", ()),
        *(
            (kind, setting, "tensor_does_not_fit", name, shapes)
            for kind, setting, name, *shapes in (
                ("vit", {"hidden_size": 16}, "embeddings.patch_e", "16 × 3 × 5 × 5", "14 × 3"),
                ("vit", {"image_size": 20}, "embeddings.position_e", "1 × 17 × 14", "1 × 10 × 14"),
                ("vit", {"intermediate_size": 29}, "encoder.layer.0.int", "29 × 14", "31 × 14"),
                ("gpt2", {"vocab_size": 10**7}, "transformer.wte.", "10000000 × 10", "263 × 10"),
                (
                    "bert",
                    {"max_position_embeddings": 29},
                    "bert.embeddings.p",
                    "29 × 15",
                    "19 × 15",
                ),
            )
        ),
    ],
)
def test_settings_that_do_not_fit_one_another_or_the_weights_are_named(
    kind, setting, code, name, others, tmp_path_factory
):
    refusal = refused(copied(kind, tmp_path_factory.mktemp(kind), **setting))
    found = [*refusal.fields.values()]
    assert refusal.code == code
    for one, expected in zip(found[: 1 + len(others)], (name, *others), strict=True):
        assert str(one).startswith(str(expected)), found


@pytest.mark.parametrize(("kind", "of"), [("I64", np.int64), ("U8", np.uint8), ("BOOL", bool)])
def test_numbers_that_are_no_weights_are_refused(kind, of, tmp_path):
    def whole(tensors):
        return tensors | {"embeddings.cls_token": tensors["embeddings.cls_token"].astype(of)}

    with refuses("wrong_number_type", found=kind):
        checkpoint.open(copied("vit", tmp_path, whole))


@for_all(
    ("kind", "name"),
    [
        *(("vit", name) for name in ("config.json", WEIGHTS)),
        *((kind, "tokenizer.json") for kind in ("bert", "gpt2", "t5")),
    ],
)
def test_a_file_that_is_not_there_is_named(kind, name, tmp_path_factory):
    folder = copied(kind, tmp_path_factory.mktemp(kind))
    (folder / name).unlink()
    with refuses("missing_file", file=name):
        checkpoint.open(folder)


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


@for_all(
    ("name", "target"),
    [
        *((name, "../outside") for name in ("config.json", WEIGHTS, "preprocessor_config.json")),
        *((WEIGHTS, target) for target in (WEIGHTS, "nowhere", "x" * 300)),
    ],
)
def test_a_link_out_of_the_folder_or_to_nothing_is_not_followed(name, target, tmp_path_factory):
    folder = copied("vit", tmp_path_factory.mktemp("link") / "model")
    (folder.parent / "outside").write_text("{}")
    (folder / name).unlink(missing_ok=True)
    (folder / name).symlink_to(target)
    with refuses("outside_folder", file=name):
        checkpoint.open(folder)


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


def test_a_model_of_pictures_reads_no_text_and_takes_only_pixels_and_its_layers():
    model = checkpoint.open(FOLDERS / "vit")
    for layer in (0, -1, 4, 10**9):
        with refuses("out_of_range", allowed="1 … 3"):
            model.run(given("vit"), layer)
    with pytest.raises(TypeError, match="patch"):
        model.run("爱", 1)
    for wrong in (np.zeros((15, 15), np.uint8), np.zeros((15, 15, 3)), np.zeros((9, 15, 3), "u1")):
        with refuses("shape_mismatch"):
            model.run(wrong, 1)
