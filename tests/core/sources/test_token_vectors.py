"""The vector of a token follows from its letters and a seed alone."""

import hashlib
import json
import math
import os
import struct
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from text_inputs import D_MODEL, FAMILY, SEED

import core
from core.sources.text import PAD, embed, read, vector


def test_a_vector_is_drawn_from_the_bytes_of_shake_256():
    for token, d_model, seed in (("北京", 5, 7), (FAMILY, 3, 0), (PAD, 2, 12345678901)):
        written = str(seed).encode("ascii") + b"\x00" + token.encode("utf-8")
        words = struct.unpack(f"<{d_model}Q", hashlib.shake_256(written).digest(8 * d_model))
        expected = [(2 * ((word // 2048) / 2.0**53) - 1) * math.sqrt(3) for word in words]
        assert vector(token, d_model, seed).tolist() == expected


def test_a_vector_agrees_with_another_programs_shake_256():
    # printf '7\0我' | openssl dgst -shake256 -xoflen 24
    digest = "36590bdd7826f6b8eb84f31af2e3e6068e9ae39c578f231b"
    words = [int.from_bytes(bytes.fromhex(digest[i : i + 16]), "little") for i in (0, 16, 32)]
    expected = [(2 * word / 2**64 - 1) * 3**0.5 for word in words]
    assert vector("我", 3, 7).tolist() == pytest.approx(expected, abs=1e-15)


def test_a_narrow_vector_is_the_beginning_of_a_wide_one():
    np.testing.assert_array_equal(vector("我", 5, 3), vector("我", 13, 3)[:5])


def test_another_token_or_another_seed_gives_another_vector():
    drawn = [("a", 1), ("a", 11), ("b", 1), ("1a", 1), ("A", 1), ("", 11), ("1", 1)]
    assert len({vector(token, 4, seed).tobytes() for token, seed in drawn}) == len(drawn)


def test_vectors_have_mean_0_and_variance_1_within_the_square_root_of_3():
    drawn = vector("我", 20_000, 1)
    assert np.abs(drawn).max() <= math.sqrt(3)
    assert drawn.mean() == pytest.approx(0, abs=0.03)
    assert drawn.var() == pytest.approx(1, abs=0.03)


def test_a_word_has_the_same_vector_in_every_sentence_and_at_every_position():
    one = embed(read("我爱北京", "word"), D_MODEL, SEED)
    other = embed(read("北京 我\n我 去 北京 看 我", "word"), D_MODEL, SEED)
    beijing = one["embedding"].tensor[0, 2]
    for sample, index in ((0, 0), (1, 2)):
        np.testing.assert_array_equal(other["embedding"].tensor[sample, index], beijing)
    np.testing.assert_array_equal(beijing, vector("北京", D_MODEL, SEED))


def test_a_word_has_the_same_vector_in_every_process():
    script = (
        "import json; from core.sources.text import embed, read;"
        "print(json.dumps(embed(read('我爱北京', 'word'), 11, 7)['E'].tensor.tolist()))"
    )
    here = embed(read("我爱北京", "word"), 11, 7)["E"].tensor.tolist()
    root = str(Path(core.__file__).parents[1])
    for seed in ("1", "2"):
        environment = os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": root, "PYTHONUTF8": "1"}
        command = [sys.executable, "-W", "error", "-c", script]
        run = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        assert json.loads(run.stdout) == here
