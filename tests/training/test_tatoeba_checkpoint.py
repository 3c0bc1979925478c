"""What the training on Tatoeba has left so far, read without PyTorch."""

import json
from functools import cache
from pathlib import Path

import numpy as np
from claims import for_all
from safetensors.numpy import load_file
from tatoeba_numpy import translator

from training.tatoeba.words import UNKNOWN, read_words

FOLDER = Path(__file__).parents[2] / "training" / "checkpoints" / "tatoeba"
ABOUT = json.loads((FOLDER / "run.json").read_text("utf-8"))
WORDS = read_words(FOLDER / "words.json")
WEIGHTS = load_file(FOLDER / "translator.safetensors")
VOCABULARY = json.loads((FOLDER / "pieces.json").read_text("utf-8"))["model"]["vocab"]
PIECES = tuple(sorted(VOCABULARY, key=VOCABULARY.__getitem__))
ENDED = PIECES.index("[END]")


@cache
def app():
    return translator(WEIGHTS, WORDS.tokens, PIECES, ABOUT["sizes"]["heads"])


def said(tokens):
    """The app's forward pass, and at each step the likeliest piece."""
    read = [token if token in WORDS.rows else UNKNOWN for token in tokens]
    written = []
    while len(written) < ABOUT["longest"]:
        logits = app().trace(read, written)["prediction/logits"].tensor
        if (likeliest := logits[0, -1].argmax()) == ENDED:
            break
        written.append(PIECES[likeliest])
    return "".join(written).replace("▁", " ").strip()


@for_all("sample", ABOUT["samples"][:7])
def test_the_app_computes_what_was_measured(sample):
    assert list(WORDS.cut(sample["source"])) == sample["tokens"]
    assert said(sample["tokens"]) == sample["said"]


def test_no_character_of_everyday_use_is_unknown():
    rows = (bytes((row, cell)) for row in range(0xB0, 0xD8) for cell in range(0xA1, 0xFF))
    everyday = [pair.decode("gb2312", "ignore") for pair in rows if pair < b"\xd7\xfa"]
    assert len(everyday) == 3755
    assert [one for one in everyday if one not in WORDS.rows] == []


def test_a_sentence_is_words_where_they_are_known():
    assert WORDS.cut("我爱北京") == ("我", "爱", "北京")
    assert WORDS.cut("小貓在沙發上睡覺。") == ("小猫", "在", "沙发", "上", "睡觉", "。")


def test_the_weights_are_finite_halves_of_the_sizes_that_are_named():
    sizes = ABOUT["sizes"]
    assert {str(tensor.dtype) for tensor in WEIGHTS.values()} == {"float16"}
    assert all(np.isfinite(tensor).all() for tensor in WEIGHTS.values())
    assert WEIGHTS["source/E"].shape == (len(WORDS.tokens), sizes["d_model"])
    assert WEIGHTS["target/E"].shape == (len(PIECES), sizes["d_model"])
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) <= 12_000_000
