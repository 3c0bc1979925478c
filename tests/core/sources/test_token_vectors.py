"""The vector of a token follows from its letters and a seed alone."""

import hashlib
import math
import struct

import numpy as np
from text_inputs import D_MODEL, FAMILY, SEED

from core.sources.text import PAD, embed, read, vector


def test_a_vector_is_drawn_from_the_bytes_of_shake_256():
    for token, d_model, seed in (("北京", 5, 7), (FAMILY, 3, 0), (PAD, 2, 12345678901)):
        written = str(seed).encode("ascii") + b"\x00" + token.encode("utf-8")
        words = struct.unpack(f"<{d_model}Q", hashlib.shake_256(written).digest(8 * d_model))
        expected = [(2 * ((word // 2048) / 2.0**53) - 1) * math.sqrt(3) for word in words]
        assert vector(token, d_model, seed).tolist() == expected


def test_another_token_or_another_seed_gives_another_vector():
    drawn = [("a", 1), ("a", 11), ("b", 1), ("1a", 1), ("A", 1), ("", 11), ("1", 1)]
    assert len({vector(token, 4, seed).tobytes() for token, seed in drawn}) == len(drawn)


def test_a_word_has_the_same_vector_in_every_sentence_and_at_every_position():
    one = embed(read("我爱北京", "word"), D_MODEL, SEED)
    other = embed(read("北京 我\n我 去 北京 看 我", "word"), D_MODEL, SEED)
    beijing = one["embedding"].tensor[0, 2]
    for sample, index in ((0, 0), (1, 2)):
        np.testing.assert_array_equal(other["embedding"].tensor[sample, index], beijing)
    np.testing.assert_array_equal(beijing, vector("北京", D_MODEL, SEED))
