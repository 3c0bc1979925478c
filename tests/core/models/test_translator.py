"""The shipped translator: what PyTorch computed, what it reads, and what it hands to the pages."""

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from refuses import refuses
from safetensors import safe_open
from safetensors.numpy import load_file

from core.limits import LISTED_PIECES
from core.models import translator
from core.models.stored import FOLDER
from core.models.translator import LONGEST, Translation

REFERENCE = Path(__file__).parent / "data" / "translator_reference.safetensors"
MODEL = translator.load()
ABOUT = json.loads((FOLDER / "translator" / "run.json").read_text("utf-8"))


def test_every_number_is_what_pytorch_computed_of_the_same_weights():
    recorded = load_file(REFERENCE)
    with safe_open(REFERENCE, "np") as file:
        about = file.metadata()
    found = MODEL.teacher_forced(
        MODEL.tokenize(about["source"]), MODEL.encode_target(about["target"])
    )
    last = MODEL.layers
    memory = found.trace[f"encoder/{last}/feed_forward/normalised"].tensor[0]
    decoded = found.trace[f"decoder/{last}/feed_forward/normalised"].tensor[0]
    np.testing.assert_allclose(memory, recorded["memory"], atol=2e-5)
    np.testing.assert_allclose(decoded, recorded["decoded"], atol=2e-5)
    np.testing.assert_allclose(found.probabilities, recorded["probabilities"], atol=1e-5)


def test_samples_are_translated_as_pytorch_recorded_them():
    translated = {zh: MODEL.decode(MODEL.translate(zh).pieces) for zh in ABOUT["samples"]}
    assert translated == ABOUT["samples"]


def test_what_was_computed_for_a_step_is_the_same_before_and_after_the_next_words():
    whole = MODEL.translate("我明天去北京。")
    apart = {}
    for read in range(len(whole.pieces)):
        step = MODEL.teacher_forced(whole.tokens, whole.pieces[:read]).trace
        for key, stage in step.items():
            if not key.startswith(("target/X", "decoder/")) or stage.tensor.dtype == bool:
                continue
            first = tuple(slice(0, size) for size in stage.tensor.shape)
            apart[read, key] = np.abs(
                np.nan_to_num(stage.tensor, neginf=0)
                - np.nan_to_num(whole.trace[key].tensor[first], neginf=0)
            ).max()
    assert len(apart) > 300
    assert {key: one for key, one in apart.items() if one > 2e-4} == {}


def test_a_beam_finds_no_worse_score_than_greedy_decoding():
    for sentence in ("他昨天没有来学校。", "我的朋友不喜欢喝咖啡。"):
        worth = []
        for beam in (1, 4):
            found = MODEL.translate(sentence, beam)
            wanted = [*found.pieces, MODEL.end]
            log_p = sum(np.log(row[i]) for row, i in zip(found.probabilities, wanted, strict=True))
            worth.append(log_p / len(wanted) ** 0.6)
        assert worth[1] >= worth[0] - 1e-4


def test_the_listed_outcomes_are_those_of_all_pieces_and_the_rest_is_one():
    found = MODEL.translate("我爱北京。")
    shares = found.trace["prediction/probabilities"]
    names = shares.axis("vocabulary").names()
    rows = {name: row for row, name in enumerate(MODEL.target)}
    for position, row in enumerate(found.probabilities):
        listed = [rows[name] for name in names[:-1]]
        np.testing.assert_allclose(shares.tensor[0, position, :-1], row[listed], atol=1e-6)
        left = 1 - row[listed].astype(float).sum()
        assert shares.tensor[0, position, -1] == pytest.approx(left, abs=1e-5)
        assert set(np.argsort(-row)[:LISTED_PIECES].tolist()) <= set(listed)
    assert names[-1] == f"+ {len(MODEL.target) - len(names) + 1}"


def test_embeddings_are_rows_of_the_table_times_the_root_of_the_width():
    trace = MODEL.encoder(MODEL.tokenize("北京"))
    (row,) = MODEL.source.ids(("北京",))
    table = MODEL.stored.tensors["source/E"]
    for column in (0, 7, 255):
        expected = table[row, column] * 256**0.5
        assert trace["source/embedding"].tensor[0, 0, column] == pytest.approx(expected, rel=1e-6)
        assert trace["source/X"].tensor[0, 0, column] == pytest.approx(
            expected + (column % 2), rel=1e-5, abs=1e-6
        )  # at position 0 the sines are 0 and the cosines 1


SHORTENED = {
    "我爱北京。": "我 爱 北京 。",
    "小貓在沙發上睡覺": "小猫 在 沙发 上 睡觉",
    "他开了门": "他 开 了 门",
    "我打了个电话": "我 打 了 个 电话",
    "他们打篮球": "他们 打 篮球",
    "今天天气很好": "今天 天气 很 好",
    "注意力机制": "注意力 机制",
    "深圳在广东": "深圳 在 广东",
    "他1998年去了北京": "他 1 9 9 8 年 去 了 北京",
}


def test_a_sentence_is_split_into_its_words():
    found = {written: " ".join(MODEL.tokenize(written)) for written in SHORTENED}
    assert found == SHORTENED
    assert len(MODEL.tokenize("我" * LONGEST)) == LONGEST


def test_common_english_words_names_and_single_digits_are_whole_pieces():
    sentence = "Xiaoming likes Shenzhen and Xi'an because the weather is nice."
    pieces = [MODEL.target[piece] for piece in MODEL.encode_target(sentence)]
    assert pieces == [*sentence[:-1].split(), "."]
    years = [MODEL.target[piece] for piece in MODEL.encode_target("in 1998")]
    assert [one.strip("\u2011▁") for one in years if one.strip("\u2011▁")] == ["in", *"1998"]


def test_a_confidence_is_that_of_the_fifth_with_this_mean_log_probability():
    found = MODEL.translate("我爱北京。")
    wanted = [*found.pieces, MODEL.end]
    total = sum(math.log(row[i]) for row, i in zip(found.probabilities, wanted, strict=True))
    assert found.mean_log_probability(MODEL.end) == pytest.approx(total / len(wanted), rel=1e-5)
    given = Translation((), (0,), False, found.trace, np.array([[0.25, 0.75]]))
    assert given.mean_log_probability(1) == pytest.approx(math.log(0.25))
    fifths = ABOUT["calibration"]
    assert [one["below"] for one in fifths] == [*sorted(one["below"] for one in fifths[:-1]), None]
    for fifth, below in zip(fifths, [-9.0, *(one["below"] for one in fifths[:-1])], strict=True):
        p = math.exp(below + 1e-4)
        confidence = MODEL.confidence(replace(given, probabilities=np.array([[p, 1 - p]])))
        assert (confidence.close, confidence.sentences) == (fifth["close"], fifth["sentences"])
        assert confidence.is_low is (fifth["close"] / fifth["sentences"] < 1 / 3)


def test_first_sentences_and_names_are_translated_as_the_card_says():
    """Of the sentences every tenth."""
    lists = ABOUT["first_sentences"]
    assert {name: len(sentences) for name, sentences in lists.items()} == {
        "development": 100,
        "test": 98,
    }
    every = [item for sentences in lists.values() for item in sentences.items()]
    assert [source for source, one in every if one["right"] is None] == []
    made = {source: MODEL.decode(MODEL.translate(source).pieces) for source, _ in every[::10]}
    assert made == {source: one["translation"] for source, one in every[::10]}
    lost = {source for one in ABOUT["names"].values() for source in one["lost"]}
    for city in ("上海", "广州", "深圳"):
        for written, english in ((f"我想念{city}", "I miss {}."), (f"我爱{city}", "I love {}.")):
            name = {"上海": "Shanghai", "广州": "Guangzhou", "深圳": "Shenzhen"}[city]
            assert written not in lost
            assert MODEL.decode(MODEL.translate(written).pieces) == english.format(name)


def test_no_character_of_everyday_use_is_unknown():
    rows = (bytes((row, cell)) for row in range(0xB0, 0xD8) for cell in range(0xA1, 0xFF))
    everyday = [pair.decode("gb2312", "ignore") for pair in rows if pair < b"\xd7\xfa"]
    assert len(everyday) == 3755
    assert [one for one in everyday if one not in MODEL.source.rows] == []


REFUSED = {
    "": "empty_text",
    " \n ": "empty_text",
    "hello world": "not_chinese",
    "。。。": "not_chinese",
    "123": "not_chinese",
    "我" * (LONGEST + 1): "too_many_tokens",
    "我爱🐊": "unknown_words",
    "𠮷abc": "unknown_words",  # Chinese, but rare
    "我\u202e爱": "invisible_characters",
    "我" * 100_000: "text_too_long",
}


@pytest.mark.parametrize(("sentence", "error"), REFUSED.items())
def test_what_it_cannot_read_is_refused_by_name(sentence, error):
    with refuses(error):
        MODEL.tokenize(sentence)


def test_english_pieces_decode_to_the_sentence():
    for sentence in ("I love Beijing.", "He didn't go to school, did he?", "A quizzical zebra!"):
        assert MODEL.decode(MODEL.encode_target(sentence)) == sentence
    assert MODEL.decode(MODEL.encode_target("  It’s   fine ")) == "It's fine"
    with refuses("unknown_words", words=("北", "京")):
        MODEL.encode_target("I love 北京")
    for sentence, error in {" ": "empty_text", "word " * 50: "too_many_tokens"}.items():
        with refuses(error):
            MODEL.encode_target(sentence)


def test_a_piece_that_continues_a_word_differs_from_one_that_starts_it():
    assert len(set(MODEL.target)) == len(MODEL.target)
    first, *more, last = [MODEL.target[piece] for piece in MODEL.encode_target("Hangzhouish.")]
    assert "Hangzhouish".startswith(first)
    assert first + "".join(one.removeprefix("\u2011") for one in more) == "Hangzhouish"
    assert last == "."


SHORT, LONG = ("我", "爱", "北京"), ("我们", "明天", "去", "上海", "学习", "中文", "吗")


@pytest.fixture(scope="module")
def together():
    return MODEL.encoder(SHORT, LONG)


@pytest.mark.parametrize(("sample", "line"), [(0, SHORT), (1, LONG)])
def test_a_padded_sample_has_in_every_stage_the_rows_that_it_has_alone(together, sample, line):
    n, compared = len(line), 0
    for key, alone in MODEL.encoder(line).items():
        if "batch" not in alone.roles or key == "source/tokens":
            continue  # tokens: rows of the table of what occurs, which is another
        of_sample = together[key].tensor[sample]
        for axis, role in enumerate(alone.roles[1:]):
            if role in ("token", "query", "key"):
                of_sample = of_sample.take(range(n), axis=axis)
        np.testing.assert_allclose(of_sample, alone.tensor[0], rtol=0, atol=2e-4)
        compared += 1
    # embedding, X; in each layer 12 of attention and 5 of feed-forward
    assert compared == 2 + MODEL.layers * (12 + 5)
