"""A file that is no GGUF, damaged or hostile is refused quickly, with a known error."""

import pickle
import struct
import time
import tracemalloc

import numpy as np
import pytest
from checkpoint_folders import FOLDERS
from claims import for_all
from model_files import write_gguf

from core.errors import InputError
from core.models import checkpoint
from core.models.formats import gguf as gguf_format
from core.models.formats import gguf_tokenizer
from core.sources.tokenizer import Tokenizer
from views.text import LANGUAGES
from views.widgets.errors import error_sentence

U32, STRING, ARRAY, U64 = 4, 8, 9, 10
MANY = 2**60


def number(value: int) -> bytes:
    return struct.pack("<Q", value)


def text(written: str) -> bytes:
    return number(len(written.encode())) + written.encode()


def field(name: str, kind: int, *value: bytes) -> bytes:
    return text(name) + struct.pack("<I", kind) + b"".join(value)


def tensor(name: str, shape: tuple[int, ...], kind: int = 0, offset: int = 0) -> bytes:
    sizes = b"".join(map(number, shape))
    return text(name) + struct.pack("<I", len(shape)) + sizes + struct.pack("<IQ", kind, offset)


def file(fields: list[bytes], tensors: list[bytes], **counts: int) -> bytes:
    header = number(counts.get("of_tensors", len(tensors)))
    header += number(counts.get("of_fields", len(fields)))
    return b"GGUF" + struct.pack("<I", 3) + header + b"".join(fields + tensors) + bytes(64)


LLAMA = field("general.architecture", STRING, text("llama"))
TOKENS = "tokenizer.ggml.tokens"
WEIGHTS = "token_embd.weight"
DAMAGED = {
    "other bytes": b"\1\2\3\4" * 20,
    "four bytes": b"GGUF",
    "another version": b"GGUF" + struct.pack("<I", 9) + bytes(60),
    "many fields": file([LLAMA], [], of_fields=MANY),
    "many tensors": file([LLAMA], [], of_tensors=MANY),
    "a long name": file([number(MANY) + b"a"], []),
    "many texts": file([field(TOKENS, ARRAY, struct.pack("<I", STRING), number(MANY))], []),
    "many numbers": file([field("a", ARRAY, struct.pack("<I", U64), number(MANY))], []),
    "a list of lists": file([field("a", ARRAY, struct.pack("<I", ARRAY), number(1))], []),
    "an unknown type of field": file([field("a", 99, number(1))], []),
    "an alignment of 0": file([LLAMA, field("general.alignment", U32, struct.pack("<I", 0))], []),
    "many axes": file([LLAMA], [text("a") + struct.pack("<I", 2**31) + bytes(12_000_000)]),
    "an empty header": file([LLAMA], []),
}
MAMBA = field("general.architecture", STRING, text("mamba"))
FILES = {name: (content, "damaged_checkpoint") for name, content in DAMAGED.items()} | {
    "an empty file": (b"", "empty_file"),
    "a Git LFS pointer": (b"version https://git-lfs.github.com/spec/v1\n", "wrong_file_type"),
    "a web page": (b"<!DOCTYPE html><html><body>Sign in</body></html>", "wrong_file_type"),
    "a zip": (b"PK\3\4" + bytes(60), "wrong_file_type"),
    "a pickle": (pickle.dumps({"a": [1.0]}, 4), "wrong_file_type"),
    "ONNX": (b"\x08\x08\x12\x07pytorch" + bytes(60), "wrong_file_type"),
    "another library's": (file([LLAMA], [tensor(WEIGHTS, (32, 4), 200)]), "wrong_number_type"),
    "whole numbers": (file([LLAMA], [tensor(WEIGHTS, (32, 4), 26)]), "wrong_number_type"),
    "another architecture": (file([MAMBA], []), "unknown_architecture"),
    "no architecture": (file([], []), "unknown_architecture"),
}


def refused(path) -> InputError:
    """The refusal; it comes within a second and with little memory, and has its sentence."""
    tracemalloc.start()
    began = time.process_time()
    with pytest.raises(InputError) as refusal:
        checkpoint.open(path)
    lasted = time.process_time() - began
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert lasted < 1
    assert peak < 50_000_000
    for words in LANGUAGES.values():
        assert error_sentence(refusal.value, words)
    return refusal.value


@for_all("name", FILES)
def test_what_is_no_model_is_refused_by_what_is_wrong(name, tmp_path_factory):
    path = tmp_path_factory.mktemp("refused") / "model.gguf"
    content, code = FILES[name]
    path.write_bytes(content)
    assert refused(path).code == code


@for_all("shape", [(), (MANY, 32), (4, 33), (33, 31)])
def test_a_tensor_has_a_size_and_rows_of_whole_blocks(shape):
    with pytest.raises(ValueError):
        gguf_format._entry(WEIGHTS, shape, 3, 0)
    assert gguf_format._entry(WEIGHTS, (33, 64), 3, 7).offset == 7


@pytest.fixture(scope="module")
def whole(tmp_path_factory) -> bytes:
    path = tmp_path_factory.mktemp("whole") / "model.gguf"
    write_gguf(FOLDERS / "llama", path)
    return path.read_bytes()


def test_a_file_is_damaged_wherever_it_is_cut_off(whole, tmp_path):
    path = tmp_path / "model.gguf"
    end = len(whole) - 32  # behind which nothing but padding may be left out
    for length in (*range(1, 4_000, 97), *range(4_000, end, 1_999), end):
        path.write_bytes(whole[:length])
        with pytest.raises(InputError) as refusal:
            checkpoint.open(path)
        assert refusal.value.code == "damaged_checkpoint", length
        assert refusal.value.fields["file"] == "model.gguf"


def test_a_file_with_any_byte_changed_opens_or_is_refused(whole, tmp_path):
    """Nothing else than an InputError comes of it, at opening or at the first run."""
    path, random = tmp_path / "model.gguf", np.random.default_rng(13)
    refusals = set()
    for offset in random.integers(0, 12_000, 150).tolist():
        changed = bytearray(whole)
        changed[offset] ^= int(random.integers(1, 256))
        path.write_bytes(changed)
        try:
            checkpoint.open(path).predict("love")
        except InputError as refusal:
            refusals.add(refusal.code)
    assert len(refusals) > 2


SETTINGS = {
    "tokenizer__ggml__pre": ("tokenizer.ggml.pre", "viking"),
    "tokenizer__ggml__model": ("tokenizer.ggml.model", "rwkv"),
    "llama__expert_count": ("llama.expert_count", 8),
    "split__count": ("split.count", 3),
}


@for_all("name", SETTINGS)
def test_what_would_be_computed_differently_is_refused_by_its_name(name, tmp_path_factory):
    path = tmp_path_factory.mktemp("settings") / "model.gguf"
    written, value = SETTINGS[name]
    write_gguf(FOLDERS / "llama", path, **{name: value})
    refusal = refused(path)
    assert (refusal.code, refusal.fields["name"]) == ("wrong_setting", written)
    assert refusal.fields["value"] == str(value)


def test_weights_of_another_size_than_the_settings_say_are_named(tmp_path):
    write_gguf(FOLDERS / "llama", tmp_path / "model.gguf", llama__feed_forward_length=7)
    refusal = refused(tmp_path / "model.gguf")
    assert (refusal.code, refusal.fields["file"]) == ("contradicts_itself", "model.gguf")
    assert "mlp" in refusal.fields["name"]


def test_merges_are_all_pairs_that_give_a_token_the_best_score_first():
    random = np.random.default_rng(5)
    tokens = sorted({"".join(random.choice([*"ab▁"], random.integers(1, 6))) for _ in range(120)})
    random.shuffle(tokens)
    vocabulary = {token: number for number, token in enumerate(tokens)}
    scores = random.integers(-9, 0, len(tokens)).astype(np.float32)
    expected = [
        (-scores[number], number, vocabulary[token[:cut]], vocabulary[token[cut:]])
        for token, number in vocabulary.items()
        for cut in range(1, len(token))
        if token[:cut] in vocabulary and token[cut:] in vocabulary
    ]
    assert len(expected) > 50
    found = gguf_tokenizer._merges(tokens, vocabulary, scores)
    assert found == [(tokens[left], tokens[right]) for _, _, left, right in sorted(expected)]


@for_all("tokens", [["a" * length for length in range(1, 3_000)], ["ab" * 3_000_000]])
def test_a_vocabulary_whose_merges_would_take_long_is_refused(tokens):
    began = time.process_time()
    with pytest.raises(ValueError):
        gguf_tokenizer._merges(
            tokens, {token: i for i, token in enumerate(tokens)}, np.zeros(len(tokens))
        )
    assert time.process_time() - began < 2


def test_a_text_is_cut_by_the_scores_of_sentencepiece():
    """By hand: ▁ab is made of ▁ and ab, as ab has the better score than ▁a; 爱 falls to bytes."""
    tokens = ["<unk>", "<s>", "▁", "a", "b", "ab", "▁a", "▁ab", "<end>"]
    tokens += [f"<0x{byte:02X}>" for byte in range(256)]
    fields = {
        "tokenizer.ggml.model": "llama", "tokenizer.ggml.tokens": tokens,
        "tokenizer.ggml.token_type": np.array([2, 3, 1, 1, 1, 1, 1, 1, 4] + [6] * 256),
        "tokenizer.ggml.scores": -np.arange(len(tokens), dtype=np.float32),
        "tokenizer.ggml.unknown_token_id": 0, "tokenizer.ggml.bos_token_id": 1,
    }  # fmt: skip
    reader = Tokenizer(gguf_tokenizer.read(fields))
    encoded = reader.encode("ab a爱<end>", 99)
    assert encoded.ids == (1, 7, 6, *(9 + byte for byte in "爱".encode()), 8)
    assert encoded.special == (0,)
    assert reader.text_of(encoded.ids[1:]) == " ab a爱<end>"
