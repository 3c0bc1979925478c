"""From a text to X: how it is cut, what is refused, and where every number of X comes from."""

import hashlib
import json
import math
import os
import struct
import subprocess
import sys
import unicodedata
from pathlib import Path

import numpy as np
import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

import core
from core import Weights, explain, multi_head_attention
from core.errors import (
    EmptyText,
    InvisibleCharacters,
    OutOfRange,
    TextTooLong,
    TooManyLines,
    TooManyTokens,
)
from core.limits import LIMITS, Limits
from core.rules import Given, as_data, from_data
from core.sources.text import PAD, embed, read, vector

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
HEART = "\u2764\ufe0f"
VARIANT = "\u845b\U000e0100"
ENGLAND = "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"

UNSEEN = regex.compile(r"[\s\p{Default_Ignorable_Code_Point}]")

SHORT = ("我", "爱", "北京")
LONG = ("I", "love", "Beijing", "I", "love")
D_MODEL, SEED = 11, 7


def only_line(text, mode):
    (line,) = read(text, mode)
    return list(line)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("我爱北京", ["我", "爱", "北京"]),
        ("don't stop", ["don't", "stop"]),
        ("It\u2019s 3.14, ok?", ["It\u2019s", "3.14", ",", "ok", "?"]),
        (f"a{FAMILY}b", ["a", FAMILY, "b"]),
        (f"{HEART}{ENGLAND}", [HEART, ENGLAND]),
        (
            "\U0001f1e8\U0001f1f3\U0001f1fa\U0001f1f8",
            ["\U0001f1e8\U0001f1f3", "\U0001f1fa\U0001f1f8"],
        ),
        ("\U0001f44d\U0001f3fd1\ufe0f\u20e3", ["\U0001f44d\U0001f3fd", "1\ufe0f\u20e3"]),
        ("我爱Python3编程", ["我", "爱", "Python3", "编程"]),
        ("2024年，１２元", ["2024", "年", "，", "１２", "元"]),
        ("“你好”，（世界）！", ["“", "你好", "”", "，", "（", "世界", "）", "！"]),
        ("クルマは東京", ["クルマ", "は", "東京"]),
        ("안녕하세요 세계", ["안녕하세요", "세계"]),
        ("مرحبا بالعالم", ["مرحبا", "بالعالم"]),
        ("naïve café", ["naïve", "café"]),
        ("wait... what?!", ["wait", ".", ".", ".", "what", "?", "!"]),
        (f"{VARIANT}城市", [VARIANT, "城市"]),
        ("\u3000我 \t\u00a0爱\u2003", ["我", "爱"]),
        ("<b>$x$</b>", ["<", "b", ">", "$", "x", "$", "<", "/", "b", ">"]),
    ],
)
def test_words_are_cut_by_dictionary_and_by_word_boundaries(text, tokens):
    assert only_line(text, "word") == tokens


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("我爱北京", ["我", "爱", "北", "京"]),
        ("it's ok.", ["i", "t", "'", "s", "o", "k", "."]),
        (f"{FAMILY}{HEART}{VARIANT}", [FAMILY, HEART, VARIANT]),
        ("안녕", ["안", "녕"]),
        ("हि\tन", ["हि", "न"]),
        ("q\u0323\u0307x", ["q\u0323\u0307", "x"]),
    ],
)
def test_characters_are_what_a_reader_takes_for_one(text, tokens):
    assert only_line(text, "character") == tokens


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("我爱/北京", ["我爱", "北京"]),
        (" 我\u3000爱北京 / don't//stop/ ", ["我", "爱北京", "don't", "stop"]),
        (f"{FAMILY}!/。", [f"{FAMILY}!", "。"]),
    ],
)
def test_the_reader_cuts_with_spaces_and_slashes(text, tokens):
    assert only_line(text, "custom") == tokens


@pytest.mark.parametrize("mode", ["word", "character", "custom"])
def test_lines_are_samples_and_blank_ones_are_passed_over(mode):
    assert read("\n \t\na b\r\n\u3000\n\r\nc\n\n", mode) == (("a", "b"), ("c",))


@pytest.mark.parametrize("mode", ["word", "character", "custom"])
def test_a_composed_letter_and_a_letter_with_its_accent_are_one_token(mode):
    assert read("e\u0301", mode) == read("\u00e9", mode) == (("\u00e9",),)


@pytest.mark.parametrize("mode", ["word", "character", "custom"])
@pytest.mark.parametrize("mark", ["\ufeff", "\u200e", "\u200f", "\u061c", "\u2060", "\u00ad"])
def test_marks_of_direction_and_line_breaking_make_no_difference(mark, mode):
    assert read(f"{mark}ab{mark} c{mark}", mode) == read("ab c", mode)


@pytest.mark.parametrize("mode", ["word", "character", "custom"])
@pytest.mark.parametrize("unseen", ["\u200b", " \u200d ", " \ufe0f ", " \u3164 "])
def test_what_cannot_be_seen_is_no_token(unseen, mode):
    assert read(f"a{unseen}b", mode) == (("a", "b"),)
    with pytest.raises(EmptyText):
        read(unseen, mode)


@pytest.mark.parametrize("mode", ["word", "character"])
def test_a_space_that_carries_an_accent_leaves_the_accent_alone(mode):
    assert only_line("x \u0301y", mode) == ["x", "\u0301", "y"]


@pytest.mark.parametrize("mode", ["word", "character"])
@given(st.text(st.characters(exclude_categories=["Cc", "Cs", "Cf"]), max_size=40))
def test_nothing_that_can_be_seen_is_lost_or_moved(mode, text):
    visible = UNSEEN.sub("", unicodedata.normalize("NFC", f"我{text}"))
    tokens = only_line(f"我{text}", mode)
    assert UNSEEN.sub("", "".join(tokens)) == visible
    assert all(token == token.strip() != "" for token in tokens)


@pytest.mark.parametrize("mode", ["word", "character", "custom"])
@pytest.mark.parametrize("blank", ["", " ", "\n\r\n\t \u3000", "\ufeff"])
def test_a_text_without_tokens_is_refused(blank, mode):
    with pytest.raises(EmptyText):
        read(blank, mode)


def test_a_text_of_slashes_alone_has_no_tokens_of_the_readers_own():
    with pytest.raises(EmptyText):
        read(" / //\n/", "custom")


def test_a_text_over_the_limit_is_refused_with_both_numbers():
    assert len(read("ab " * 4, "word", Limits(text=12))[0]) == 4
    with pytest.raises(TextTooLong) as refusal:
        read("ab " * 4 + "c", "word", Limits(text=12))
    assert (refusal.value.characters, refusal.value.limit) == (13, 12)


def test_lines_over_the_limit_are_refused_and_blank_ones_do_not_count():
    assert len(read("a\n\nb\n\nc\n", "word", Limits(lines=3))) == 3
    with pytest.raises(TooManyLines) as refusal:
        read("a\n\nb\nc\nd", "word", Limits(lines=3))
    assert (refusal.value.lines, refusal.value.limit) == (4, 3)


def test_a_line_with_too_many_tokens_is_refused_by_its_number_in_the_text():
    limits = Limits(tokens=3)
    assert read("a b c\nd", "word", limits) == (("a", "b", "c"), ("d",))
    with pytest.raises(TooManyTokens) as refusal:
        read("a b c\n\na b c d e\na b c d", "word", limits)
    assert (refusal.value.line, refusal.value.tokens, refusal.value.limit) == (3, 5, 3)


def test_the_limits_of_the_app_hold_where_none_are_given():
    assert len(only_line("a " * LIMITS.tokens, "word")) == LIMITS.tokens
    for text, error in (
        ("a " * (LIMITS.tokens + 1), TooManyTokens),
        ("a\n" * (LIMITS.lines + 1), TooManyLines),
        ("a" * (LIMITS.text + 1), TextTooLong),
    ):
        with pytest.raises(error):
            read(text, "word")


@pytest.mark.parametrize("mode", ["word", "character", "custom"])
@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("a\x00b", "U+0000"),
        ("a\rb", "U+000D"),
        ("a\x1bb\x7f\x1b", "U+001B, U+007F"),
        ("a\x85b", "U+0085"),
        ("a\u202eb", "U+202E"),
        ("\u2066a\u2069", "U+2066, U+2069"),
        ("a\ud83d", "U+D83D"),
        ("\udc68我", "U+DC68"),
    ],
)
def test_controls_overrides_and_half_characters_are_refused_by_name(text, named, mode):
    with pytest.raises(InvisibleCharacters) as refusal:
        read(text, mode)
    assert refusal.value.characters == named


def test_every_override_and_isolate_is_refused():
    for code in (*range(0x202A, 0x202F), *range(0x2066, 0x206A)):
        with pytest.raises(InvisibleCharacters, match=rf"U\+{code:X}$"):
            read(chr(code), "word")


def test_a_mode_that_does_not_exist_is_refused():
    with pytest.raises(KeyError, match="syllable"):
        read("a", "syllable")


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


def test_a_word_has_the_same_vector_in_every_sentence_and_at_every_place():
    one = embed(read("我爱北京", "word"), D_MODEL, SEED)
    other = embed(read("北京 我\n我 去 北京 看 我", "word"), D_MODEL, SEED)
    beijing = one["embedding"].tensor[0, 2]
    for sample, place in ((0, 0), (1, 2)):
        np.testing.assert_array_equal(other["embedding"].tensor[sample, place], beijing)
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


def test_the_stages_stand_in_order_and_end_in_X():
    always = ["tokens", "E", "embedding"]
    assert list(embed([SHORT], D_MODEL, SEED, position=False)) == [*always, "X"]
    assert list(embed([SHORT], D_MODEL, SEED)) == [*always, "position", "X"]
    assert list(embed([SHORT, SHORT], D_MODEL, SEED)) == [*always, "position", "X"]
    assert list(embed([SHORT, LONG], D_MODEL, SEED)) == [*always, "position", "padding", "X"]


def test_every_stage_names_its_axes():
    trace = embed([SHORT, LONG], D_MODEL, SEED)
    whole = {"batch": 2, "token": 5, "d_model": D_MODEL}
    expected = {
        "tokens": {"batch": 2, "token": 5},
        "E": {"vocabulary": 7, "d_model": D_MODEL},
        "embedding": whole,
        "position": {"token": 5, "d_model": D_MODEL},
        "padding": {"batch": 2, "token": 5},
        "X": whole,
    }
    shapes = {k: dict(zip(s.roles, s.tensor.shape, strict=True)) for k, s in trace.items()}
    assert shapes == expected
    for key in ("E", "embedding", "position", "X"):
        assert trace[key].tensor.dtype == np.float64


def test_what_is_given_says_as_what():
    trace = embed([SHORT, LONG], D_MODEL, SEED)
    origins = {"tokens": "input", "E": "random", "position": "sinusoid", "padding": "mask"}
    for key, what in origins.items():
        assert trace[key].rule == Given(what)


def test_E_has_one_row_for_each_token_in_order_of_appearance():
    trace = embed([SHORT, LONG], D_MODEL, SEED)
    assert trace["E"].axis("vocabulary").labels == (*SHORT, PAD, "I", "love", "Beijing")
    assert trace["tokens"].tensor.tolist() == [[0, 1, 2, 3, 3], [4, 5, 6, 4, 5]]
    for row, token in enumerate(trace["E"].axis("vocabulary").labels):
        np.testing.assert_array_equal(trace["E"].tensor[row], vector(token, D_MODEL, SEED))


def test_there_is_no_padding_where_no_line_is_shorter():
    trace = embed([SHORT, LONG[:3]], D_MODEL, SEED)
    assert "padding" not in trace
    assert PAD not in trace["E"].axis("vocabulary").labels


def test_short_lines_are_filled_up_and_the_padding_mask_says_so():
    trace = embed([SHORT, LONG], D_MODEL, SEED)
    assert trace["padding"].tensor.tolist() == [[True] * 3 + [False] * 2, [True] * 5]
    for key in ("tokens", "embedding", "padding", "X"):
        assert trace[key].axis("token").labels == ((*SHORT, PAD, PAD), LONG)


def test_a_pad_that_the_reader_typed_is_a_token_like_any_other():
    trace = embed(read(f"a {PAD} b\nc d", "custom"), D_MODEL, SEED)
    assert trace["padding"].tensor.tolist() == [[True, True, True], [True, True, False]]


def test_places_carry_the_tokens_only_where_all_samples_agree():
    assert embed([SHORT], D_MODEL, SEED)["position"].axis("token").labels == SHORT
    assert embed([SHORT, LONG], D_MODEL, SEED)["position"].axis("token").labels is None


@pytest.mark.parametrize("position", [True, False])
def test_X_is_the_vector_of_the_token_plus_the_sine_or_cosine_of_its_place(position):
    X = embed([SHORT, LONG], D_MODEL, SEED, position=position)["X"].tensor
    for sample, line in enumerate(((*SHORT, PAD, PAD), LONG)):
        for place, token in enumerate(line):
            for j in range(D_MODEL):
                angle = place / 10000 ** ((j - j % 2) / D_MODEL)
                added = (math.cos(angle) if j % 2 else math.sin(angle)) if position else 0
                expected = vector(token, D_MODEL, SEED)[j] + added
                assert X[sample, place, j] == pytest.approx(expected, rel=1e-12, abs=1e-15)


@pytest.mark.parametrize("position", [True, False])
def test_every_cell_of_X_opens_down_to_the_row_of_its_token_in_E(position):
    trace = embed([SHORT, LONG], D_MODEL, SEED, position=position)
    for index in np.ndindex(trace["X"].tensor.shape):
        sample, place, j = index
        token = trace["X"].axis("token").label(place, sample)
        X = explain(trace, "X", index)
        assert X.made_by.value == X.value
        parts = X.made_by.parts if position else (X.made_by,)
        read_cells = [(part.address.stage, part.address.index) for part in parts]
        assert read_cells == [("embedding", index), ("position", (place, j))][: len(parts)]

        embedding = explain(trace, *read_cells[0])
        E = embedding.made_by
        assert (E.operation, E.address.stage) == ("cell", "E")
        assert E.address.labels == (token, str(j + 1))
        assert E.value == embedding.value == vector(token, D_MODEL, SEED)[j]
        assert explain(trace, "E", E.address.index).made_by.symbol == "random"


def test_the_rules_survive_json():
    for stage in embed([SHORT, LONG], D_MODEL, SEED).values():
        assert from_data(json.loads(json.dumps(as_data(stage.rule)))) == stage.rule


def test_attention_takes_the_trace_and_the_tokens_name_its_queries_and_keys():
    source = embed([SHORT, LONG], 12, SEED)
    trace = multi_head_attention(source, Weights.seeded(12, 3, SEED))
    filled = ((*SHORT, PAD, PAD), LONG)
    assert list(trace)[:4] == ["tokens", "E", "embedding", "position"]
    assert trace["Q"].axis("query").labels == filled
    for key in ("K", "V"):
        assert trace[key].axis("key").labels == filled
    for key in ("scores", "weights"):
        assert trace[key].axis("query").labels == trace[key].axis("key").labels == filled


def test_no_query_gives_weight_to_padding():
    trace = multi_head_attention(embed([SHORT, LONG], 12, SEED), Weights.seeded(12, 3, SEED))
    weights = trace["weights"].tensor  # (batch, head, query, key)
    assert weights.shape == (2, 3, 5, 5)
    assert (weights[0, :, :, 3:] == 0).all()
    assert (weights[0, :, :, :3] > 0).all()
    assert (weights[1] > 0).all()


def test_a_padded_line_is_attended_to_as_it_would_be_alone():
    model = Weights.seeded(12, 3, SEED)
    alone = multi_head_attention(embed([SHORT], 12, SEED), model)["output"].tensor
    padded = multi_head_attention(embed([SHORT, LONG], 12, SEED), model)["output"].tensor
    np.testing.assert_allclose(padded[0, :3], alone[0], rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize(("d_model", "seed", "name"), [(0, 1, "d_model"), (4, -1, "seed")])
def test_a_model_without_width_and_a_negative_seed_are_refused(d_model, seed, name):
    with pytest.raises(OutOfRange) as refusal:
        embed([SHORT], d_model, seed)
    assert refusal.value.name == name


@pytest.mark.parametrize("lines", [[], [[]], [SHORT, ()]])
def test_a_sample_without_tokens_is_refused(lines):
    with pytest.raises(EmptyText):
        embed(lines, D_MODEL, SEED)
