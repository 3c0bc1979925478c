"""From the tokens of a text to X: where every number of X comes from."""

import hashlib
import math
import struct

import numpy as np
import pytest
from claims import for_all
from refuses import refuses
from text_inputs import D_MODEL, FAMILY, SEED

from core import explain
from core.sources.text import PAD, embed, read, vector

SHORT = ("我", "爱", "北京")
LONG = ("I", "love", "Beijing", "I", "love")


def test_a_vector_is_drawn_from_the_bytes_of_shake_256():
    for token, d_model, seed in (("北京", 5, 7), (FAMILY, 3, 0), (PAD, 2, 12345678901)):
        written = str(seed).encode("ascii") + b"\x00" + token.encode("utf-8")
        words = struct.unpack(f"<{d_model}Q", hashlib.shake_256(written).digest(8 * d_model))
        expected = [(2 * ((word // 2048) / 2.0**53) - 1) * math.sqrt(3) for word in words]
        assert vector(token, d_model, seed).tolist() == expected


def test_every_stage_names_its_axes():
    trace = embed([SHORT, LONG], D_MODEL, SEED)
    whole = {"batch": 2, "token": 5, "d_model": D_MODEL}
    expected = {
        "tokens": {"batch": 2, "token": 5},
        "E": {"vocabulary": 7, "d_model": D_MODEL},
        "embedding": whole,
        "position": {"token": 5, "d_model": D_MODEL},
        "key_mask": {"batch": 2, "token": 5},
        "X": whole,
    }
    shapes = {k: dict(zip(s.roles, s.tensor.shape, strict=True)) for k, s in trace.items()}
    assert shapes == expected
    for key in ("E", "embedding", "position", "X"):
        assert trace[key].tensor.dtype == np.float64


def test_E_has_one_row_for_each_token_in_order_of_appearance():
    trace = embed([SHORT, LONG], D_MODEL, SEED)
    assert trace["E"].axis("vocabulary").labels == (*SHORT, PAD, "I", "love", "Beijing")
    assert trace["tokens"].tensor.tolist() == [[0, 1, 2, 3, 3], [4, 5, 6, 4, 5]]
    for row, token in enumerate(trace["E"].axis("vocabulary").labels):
        np.testing.assert_array_equal(trace["E"].tensor[row], vector(token, D_MODEL, SEED))


def test_there_is_no_key_mask_where_no_line_is_shorter():
    trace = embed([SHORT, LONG[:3]], D_MODEL, SEED)
    assert "key_mask" not in trace
    assert PAD not in trace["E"].axis("vocabulary").labels


def test_short_lines_are_filled_up_and_the_key_mask_says_so():
    trace = embed([SHORT, LONG], D_MODEL, SEED)
    assert trace["key_mask"].tensor.tolist() == [[True] * 3 + [False] * 2, [True] * 5]
    for key in ("tokens", "embedding", "key_mask", "X"):
        assert trace[key].axis("token").labels == ((*SHORT, PAD, PAD), LONG)


def test_a_pad_that_the_reader_typed_is_a_token_like_any_other():
    trace = embed(read(f"a {PAD} b\nc d", "custom"), D_MODEL, SEED)
    assert trace["key_mask"].tensor.tolist() == [[True, True, True], [True, True, False]]


def test_positions_have_tokens_as_labels_only_where_all_samples_agree():
    assert embed([SHORT], D_MODEL, SEED)["position"].axis("token").labels == SHORT
    assert embed([SHORT, LONG], D_MODEL, SEED)["position"].axis("token").labels is None


@pytest.mark.parametrize("position", [True, False])
def test_X_is_the_vector_of_the_token_plus_the_sine_or_cosine_of_its_position(position):
    X = embed([SHORT, LONG], D_MODEL, SEED, position=position)["X"].tensor
    for sample, line in enumerate(((*SHORT, PAD, PAD), LONG)):
        for p, token in enumerate(line):
            for j in range(D_MODEL):
                angle = p / 10000 ** ((j - j % 2) / D_MODEL)
                added = (math.cos(angle) if j % 2 else math.sin(angle)) if position else 0
                expected = vector(token, D_MODEL, SEED)[j] + added
                assert X[sample, p, j] == pytest.approx(expected, rel=1e-12, abs=1e-15)


@pytest.mark.parametrize("position", [True, False])
def test_every_cell_of_X_can_be_explained_down_to_its_row_of_E(position):
    trace = embed([SHORT, LONG], D_MODEL, SEED, position=position)
    for index in np.ndindex(trace["X"].tensor.shape):
        sample, p, j = index
        token = trace["X"].axis("token").label(p, sample)
        X = explain(trace, "X", index)
        assert X.made_by.value == X.value
        parts = X.made_by.parts if position else (X.made_by,)
        read_cells = [(part.address.stage, part.address.index) for part in parts]
        assert read_cells == [("embedding", index), ("position", (p, j))][: len(parts)]

        embedding = explain(trace, *read_cells[0])
        E = embedding.made_by
        assert (E.operation, E.address.stage) == ("cell", "E")
        assert E.address.labels == (token, str(j + 1))
        assert E.value == embedding.value == vector(token, D_MODEL, SEED)[j]
        assert explain(trace, "E", E.address.index).made_by.symbol == "random"


@pytest.mark.parametrize(("d_model", "seed", "name"), [(0, 1, "d_model"), (4, -1, "seed")])
def test_a_model_without_width_and_a_negative_seed_are_refused(d_model, seed, name):
    with refuses("out_of_range", name=name):
        embed([SHORT], d_model, seed)


@for_all("lines", [[], [[]], [SHORT, ()]])
def test_a_sample_without_tokens_is_refused(lines):
    with refuses("empty_text"):
        embed(lines, D_MODEL, SEED)
