from math import fsum
from typing import Any

import numpy as np
import pytest
from claims import for_all
from page_reader import Open, changing, component_data, microscope, paragraphs, texts

from core.interventions import parse
from core.models import translator
from core.models.translator import LONGEST, gloss
from pages.see.translation.controls import Inputs
from pages.see.translation.decoding import sent
from views.navigation import PAGES
from views.text import numbers, words_beside

SAMPLES = [*words_beside(PAGES["translation"])["zh"].asked.samples]
MODEL = translator.load()
BEST = MODEL.stored.training["own_alignment"]
GIVEN = MODEL.stored.training["alignment"]
FIRST = [MODEL.target[piece] for piece in MODEL.translate(SAMPLES[0]).pieces]


def card(at) -> dict:
    (data,) = component_data(at, "decoding")
    return data


def test_the_first_run_shows_the_last_word_of_the_sample_in_the_best_head(open_page: Open) -> None:
    at = open_page("translation", lang="zh")
    assert not at.exception
    shown = card(at)
    assert shown["source"] == ["我", "爱", "北京"]
    assert shown["target"] == FIRST
    assert FIRST[:2] == ["I", "love"]
    assert (shown["position"], shown["by"], shown["forced"]) == (len(FIRST) - 1, "head", False)
    assert (shown["layer"] + 1, shown["head"] + 1) == (BEST["layer"], BEST["head"])
    assert shown["sentences"][-1] == MODEL.decode(MODEL.translate(SAMPLES[0]).pieces)
    assert shown["sentences"][:2] == ["", "I"]


@for_all(
    ("query", "names_one"),
    [({}, False), ({"text": "你想吃什么？"}, False), ({"word": "2"}, True), ({"layer": "1"}, True),
     ({"part": "prediction"}, True)],
)  # fmt: skip
def test_a_link_to_a_step_does_not_start_the_animation(
    follow_link: Open, query: dict[str, str], names_one: bool
) -> None:
    assert card(follow_link("translation", **query))["named"] is names_one


def test_the_english_page_has_pinyin_and_meanings(open_page: Open) -> None:
    at = open_page("translation", lang="en")
    assert card(at)["glosses"] == [["wǒ", "I"], ["ài", "love"], ["běijīng", "Beijing"]]
    assert "Pinyin: pypinyin" in texts(at)
    at = open_page("translation", lang="zh")
    assert card(at)["glosses"] == []
    assert "pypinyin" not in texts(at)


UNSURE, SURE = "天下兴亡匹夫有责", "我爱你"


def test_a_notice_stands_above_an_unlikely_translation(open_page: Open) -> None:
    confidence = MODEL.confidence(MODEL.translate(UNSURE))
    assert confidence.is_low
    text = texts(open_page("translation", lang="zh", text=UNSURE, word="0"))
    sentence = "模型没有把握"
    assert sentence in text
    assert str(confidence.close) in text[text.index(sentence) :][:200]
    assert sentence not in texts(open_page("translation", lang="zh", text=SURE))
    given = {"forced": "1", "target": "Every man is responsible."}
    assert sentence not in texts(open_page("translation", lang="zh", text=UNSURE, **given))


def test_the_viewer_starts_at_the_largest_weight_of_the_row_that_predicts_the_word(
    open_page: Open,
) -> None:
    for word, name in (("1", "[START]→I"), ("2", "I→love")):
        at = open_page(
            "translation", lang="en", word=word, part="decoder/3/cross", layer="3", head="2"
        )
        index = card(at)["position"]
        assert index == int(word) - 1
        assert microscope(at).label("weights", "query") == name
        row = card(at)["weights"][2][1][index]
        largest = card(at)["source"][row.index(max(row))]
        assert microscope(at).label("weights", "key") == largest
    assert "row I→love has read “I” and writes “love”" in texts(at)


def test_rows_of_the_decoder_are_named_by_the_word_read_and_the_word_written(
    open_page: Open,
) -> None:
    read, written = ["[START]", *FIRST], [*FIRST, "[END]"]
    for part in ("decoder/1/self", "decoder/3/cross", "decoder/2/feed_forward", "prediction"):
        scene = microscope(open_page("translation", lang="en", part=part)).header
        rows = {"[START]→I", "I→love", ".→[END]"}
        every = [{*names} for names in scene["names"]]
        assert {f"{r}→{w}" for r, w in zip(read, written, strict=True)} in every, part
        assert all(rows <= names for names in every if rows & names)
    scene = microscope(open_page("translation", lang="en", part="target")).header
    assert {*read} in [{*names} for names in scene["names"]]
    assert "→" not in str(scene["names"])


def test_beam_search_stays_in_the_link(open_page: Open) -> None:
    at = open_page("translation", lang="en", text="小猫在沙发上睡觉", search="beam")
    found = MODEL.translate("小猫在沙发上睡觉", 4)
    assert card(at)["target"] == [MODEL.target[piece] for piece in found.pieces]
    at.button_group(key="search").set_value("greedy").run()
    assert "search" not in at.query_params
    found = MODEL.translate("小猫在沙发上睡觉")
    assert card(at)["target"] == [MODEL.target[piece] for piece in found.pieces]


def test_the_best_head_is_the_measured_one(open_page: Open) -> None:
    vague = "no clear pattern"
    sentence = "finds {share} of the words aligned by hand in {of}"
    own = "100 of the model’s own translations"
    given = "100 sentences whose English was given"
    for sample in SAMPLES:
        at = open_page("translation", lang="en", text=sample)
        patterns = microscope(at).header["head_patterns"][BEST["head"] - 1]
        assert vague not in patterns, sample
        assert sentence.format(of=own, share=_best_share(BEST)) in texts(at), sample
    at = open_page("translation", lang="en", layer="1", head="1")
    assert "is layer {layer}, head {head}".format(**BEST) in texts(at)
    at = open_page("translation", lang="en", text="我爱北京", forced="1", target="I love it.")
    assert sentence.format(of=given, share=_best_share(GIVEN)) in texts(at)


def _best_share(measured: dict[str, Any]) -> str:
    return f"{100 * measured['heads'][measured['layer'] - 1][measured['head'] - 1]:.0f}\u00a0%"


def test_teacher_forcing_gives_the_rank_of_each_given_word_and_the_likeliest_one(
    open_page: Open,
) -> None:
    at = open_page("translation", lang="zh", forced="1", target="I love cats.", word="3")
    assert not at.exception
    shown = card(at)
    assert shown["forced"]
    assert "选词时，它主要看" in shown["words"]["looks"]
    assert shown["target"][:2] == ["I", "love"]
    pieces = MODEL.encode_target("I love cats.")
    row = MODEL.teacher_forced(("我", "爱", "北京"), pieces).probabilities[2]
    given = shown["ranks"][2]
    assert given["probability"] == pytest.approx(float(row[pieces[2]]), abs=1e-9)
    assert given["rank"] == 1 + int((row > row[pieces[2]]).sum())
    likeliest = MODEL.target[int(row.argmax())]
    assert given["best"] == likeliest
    assert f"会是“{likeliest}”" in texts(at)


def test_teacher_forcing_starts_with_the_models_own_translation(open_page: Open) -> None:
    at = open_page("translation", lang="en", text="你想吃什么？")
    at.toggle(key="forced").set_value(True).run()
    assert not at.exception
    own = MODEL.decode(MODEL.translate("你想吃什么？").pieces)
    assert at.text_input(key="target").value == own
    assert card(at)["forced"]
    at.toggle(key="forced").set_value(False).run()
    assert not card(at)["forced"]


def test_invalid_text_gives_an_error_and_keeps_the_last_translation(open_page: Open) -> None:
    expected = {
        "我爱🐊": "“🐊”",
        "I love Beijing": "这个模型读中文",
        "": "还没有文字",
        "我" * (LONGEST + 1): str(LONGEST),
    }
    at = open_page("translation", lang="zh", text="你想吃什么？")
    for written, words in expected.items():
        at.text_input(key="text").set_value(written).run()
        assert not at.exception
        assert words in texts(at)
        assert card(at)["source"] == ["你", "想", "吃", "什么", "？"]
    at = open_page("translation", lang="zh", forced="1", target="I love 北京")
    assert "“北”" in texts(at)
    assert card(at)["target"] == FIRST


def test_every_sample_is_translated_to_its_end() -> None:
    found = {sample: MODEL.translate(sample) for sample in SAMPLES}
    assert {sample: one.ended for sample, one in found.items()} == dict.fromkeys(SAMPLES, True)


WRITTEN = "I love cats."
PIECES = MODEL.encode_target(WRITTEN)


def test_the_browser_gets_all_steps_layers_heads_and_their_mean():
    shown = Inputs("我爱北京", forced=True, given=WRITTEN).translated()
    data = sent(shown, MODEL, words_beside(PAGES["translation"])["en"].decoding)
    weights = data["weights"]
    sizes = [len(weights), len(weights[0]), len(weights[0][0]), len(weights[0][0][0])]
    assert sizes == [3, 9, len(PIECES) + 1, 3]
    tensor = shown.trace["decoder/2/cross/weights"].tensor[0]
    assert weights[1][3][2][2] == pytest.approx(tensor[3, 2, 2], abs=1e-6)
    assert weights[1][8][0][0] == pytest.approx(tensor[:, 0, 0].mean(), abs=1e-6)
    for index, piece in enumerate((*PIECES, MODEL.end)):
        row = shown.probabilities[index]
        likelier = sum(1 for one in row if one > row[piece])
        assert data["ranks"][index]["rank"] == 1 + likelier
        name, share = data["candidates"][index][0]
        assert (name, share) == (MODEL.target[int(row.argmax())], float(row.max()))
        lines = {*map(MODEL.target.index, (one for one, _ in data["candidates"][index])), piece}
        count, left = data["others"][index]
        assert count == len(MODEL.target) - len(lines)
        assert left == pytest.approx(fsum(x for i, x in enumerate(row) if i not in lines))
    assert data["sentences"][-1] == WRITTEN


def test_words_have_pinyin_and_meaning_and_punctuation_does_not():
    assert gloss("沙发") == ("shāfā", "sofa")
    assert gloss("的") == ("de", "of, ’s")
    assert gloss("。") == ("", "")


def test_a_change_of_cross_attention_is_translated_with_and_stands_beside_what_was(
    open_page: Open,
) -> None:
    model, text = translator.load(), "我爱北京"
    query = {"lang": "en", "text": text, "layer": "1", "head": "1", "word": "2"}
    at = changing(open_page("translation", **query))
    at.button(key="change_all_off").click().run()
    assert not at.exception and at.query_params["change"] == "off=cross.*"
    changed = model.changed(parse("off=cross.*"))
    both = [one.decode(one.translate(text).pieces) for one in (model, changed)]
    (table,) = at.table
    shown = [cell.replace("\\", "") for cell in table.value.iloc[0]]
    assert shown == both and both[0] != both[1]
    for page, is_measured in ((open_page("translation", lang="en", text=text), True), (at, False)):
        said = f"{microscope(page).header['sheets']['origin']}{paragraphs(page, 'quiet')}"
        assert [word in said for word in ("BLEU", "still finds")] == [is_measured] * 2
    at.button(key="mute_all").click().run()
    (board,) = component_data(at, "bars")
    assert [value for _, _, value, *_ in board["bars"]] == ["0.000"] * 24  # all is off already
    at.button(key="all_back").click().run()
    at.button(key="mute_all").click().run()
    (board,) = component_data(at, "bars")
    values = {at: value for at, _, value, *_ in board["bars"]}
    plain = model.translate(text)
    muted = model.changed(parse("mute=cross.3.2")).teacher_forced(plain.tokens, plain.pieces)
    after, before = (np.log(one.probabilities[1, plain.pieces[1]]) for one in (muted, plain))
    assert values["3/2"] == numbers.plain(float(after - before), 3)
