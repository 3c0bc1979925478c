import pytest
from claims import for_all
from page_reader import Open, component_data, microscope, texts
from streamlit.testing.v1 import AppTest

from core.models import translator

PARTS = [
    "source", "encoder/1/self", "encoder/1/feed_forward", "target", "decoder/1/self",
    "decoder/1/cross", "decoder/2/feed_forward", "prediction",
]  # fmt: skip
BEST = translator.load().stored.training["best_head"]


def card(at: AppTest) -> dict:
    (data,) = component_data(at, "decoding")
    return data


def test_a_first_look_shows_the_sample_translated_to_its_last_word_in_the_best_head(
    open_page: Open,
) -> None:
    at = open_page("translation", lang="zh")
    assert not at.exception
    seen = card(at)
    assert seen["source"] == ["我", "爱", "北京"]
    assert seen["target"] == ["I", "love", "Beijing"]
    assert (seen["place"], seen["by"], seen["forced"]) == (2, "head", False)
    assert (seen["layer"] + 1, seen["head"] + 1) == (BEST["layer"], BEST["head"])
    assert seen["weights"][seen["layer"]][seen["head"]][2][2] > 0.5
    assert "I → 我" in texts(at)
    assert "Beijing → 北京" in texts(at)


@for_all("lang", ["zh", "en"])
def test_every_figure_says_that_the_weights_were_trained_and_what_was_measured(
    open_page: Open, lang: str
) -> None:
    said = " ".join(texts(open_page("translation", lang=lang)).split())
    for measured in ("1 991", "99.1–99.8 %"):
        assert (
            said.count(measured) >= 3
        )  # below the numbers, below the viewer's step, in the model card
    assert {"zh": "训练好的权重", "en": "Trained weights"}[lang] in said
    assert "random" not in said.split("###")[0]


@for_all("part", PARTS)
def test_every_part_of_the_model_opens_in_the_stage_viewer(open_page: Open, part: str) -> None:
    at = open_page("translation", lang="zh", part=part)
    assert not at.exception
    assert at.query_params["part"] == part
    assert microscope(at).header["stages"]


@for_all("lang", ["zh", "en"])
def test_the_three_attentions_are_told_apart_by_where_q_k_and_v_come_from_and_by_the_mask(
    open_page: Open, lang: str
) -> None:
    said = {
        part: texts(open_page("translation", lang=lang, part=part))
        for part in ("encoder/1/self", "decoder/1/self", "decoder/1/cross")
    }
    for part, names in {
        "encoder/1/self": {"zh": "原文看自己", "en": "Source to itself"},
        "decoder/1/self": {"zh": "译文看自己", "en": "Target to itself"},
        "decoder/1/cross": {"zh": "译文看原文", "en": "Target to source"},
    }.items():
        assert [other for other in said if names[lang] in said[other]] == [part]
    causal = {"zh": "用因果掩码", "en": "Causal mask, because"}[lang]
    assert [part for part in said if causal in said[part]] == ["decoder/1/self"]


@for_all(
    ("part", "shape"),
    [
        ("encoder/1/self", (4, 5, 5)),
        ("decoder/1/self", (4, 8, 8)),
        ("decoder/1/cross", (4, 8, 5)),
    ],
)
def test_the_three_attentions_have_the_shapes_of_their_two_sides(
    open_page: Open, part: str, shape: tuple[int, ...]
) -> None:
    sentence = "他昨天没有去学校"  # five words, and seven English ones
    at = open_page("translation", lang="en", text=sentence, part=part)
    assert microscope(at).arrays["weights"].shape[1:] == shape
    assert ("masked" in microscope(at).header["stages"]) == (part == "decoder/1/self")


@for_all("lang", ["zh", "en"])
def test_the_viewer_opens_the_row_that_predicts_the_word_at_its_largest_weight(
    open_page: Open, lang: str
) -> None:
    at = open_page("translation", lang=lang, word="1")
    assert card(at)["place"] == 0
    assert microscope(at).label("weights", "query") == "[START]"
    assert microscope(at).label("weights", "key") == "我"
    at = open_page("translation", lang=lang, word="3")
    assert microscope(at).label("weights", "query") == "love"
    assert microscope(at).label("weights", "key") == "北京"
    named = {"zh": "上面选中的“Beijing”，出自“love”", "en": "“Beijing”, comes from the row “love”"}
    assert named[lang] in texts(at)


def test_the_prediction_opens_at_the_probability_of_the_chosen_word(open_page: Open) -> None:
    at = open_page("translation", lang="en", part="prediction", word="2")
    assert microscope(at).label("probabilities", "token") == "I"
    assert microscope(at).label("probabilities", "vocabulary") == "love"


def test_what_is_not_there_yet_is_not_told(open_page: Open) -> None:
    said = texts(open_page("translation", lang="en", word="1"))
    assert "I → 我" in said
    assert "love → 爱" not in said
    assert "END renders" not in said
    assert "END renders no word" in texts(open_page("translation", lang="en", word="4"))


def test_the_link_says_layer_head_and_mean(open_page: Open) -> None:
    at = open_page("translation", lang="en", layer="1", head="3", by="mean")
    seen = card(at)
    assert (seen["layer"], seen["head"], seen["by"]) == (0, 2, "mean")
    assert "the mean of all heads of layer 1" in texts(at)


def test_a_part_without_heads_keeps_the_head_of_the_lines(open_page: Open) -> None:
    at = open_page("translation", lang="en", part="prediction", head="3")
    assert card(at)["head"] == 2
    assert "head=3" not in texts(at)


@for_all("lang", ["zh", "en"])
def test_teacher_forcing_says_how_likely_each_given_word_was_and_what_it_would_have_said(
    open_page: Open, lang: str
) -> None:
    at = open_page("translation", lang=lang, forced="1", target="we love Shanghai", word="3")
    assert not at.exception
    seen = card(at)
    assert seen["forced"]
    assert seen["target"] == ["we", "love", "Shanghai"]
    model = translator.load()
    trace = model.trace(("我", "爱", "北京"), ("we", "love", "Shanghai"))
    row = trace["prediction/probabilities"].tensor[0, 2]
    given = seen["standings"][2]
    assert given["probability"] == pytest.approx(row[model.target.index("Shanghai")], abs=1e-12)
    assert given["rank"] == 1 + int((row > given["probability"]).sum())
    assert seen["outcomes"][given["best"]] == "Beijing"
    assert {"zh": "会是“Beijing”", "en": "would have said “Beijing”"}[lang] in texts(at)


def test_the_switch_begins_with_the_models_own_words(open_page: Open) -> None:
    at = open_page("translation", lang="en", text="我明天去北京")
    at.toggle(key="forced").set_value(True).run()
    assert not at.exception
    assert at.text_input(key="target").value == "I will go to Beijing tomorrow"
    assert card(at)["forced"]
    at.toggle(key="forced").set_value(False).run()
    assert not card(at)["forced"]


def test_an_unknown_word_is_named_and_the_last_translation_stays(open_page: Open) -> None:
    at = open_page("translation", lang="zh", text="你爱谁")
    at.text_input(key="text").set_value("我爱鳄鱼").run()
    assert not at.exception
    assert "“鳄”" in texts(at)
    assert card(at)["source"] == ["你", "爱", "谁"]
    at = open_page("translation", lang="zh", forced="1", target="I love crocodiles")
    assert "“crocodiles”" in texts(at)
    assert card(at)["target"] == ["I", "love", "Beijing"]


@for_all("written", ["", "。？", "我" * 25])
def test_what_cannot_be_translated_is_answered_by_a_sentence(open_page: Open, written: str) -> None:
    at = open_page("translation", lang="en")
    at.text_input(key="text").set_value(written).run()
    assert not at.exception
    assert "Below is the last input" in texts(at)
    assert card(at)["target"] == ["I", "love", "Beijing"]


def test_one_word_alone_has_nothing_to_choose_from(open_page: Open) -> None:
    at = open_page("translation", lang="en", text="谢谢")
    assert not at.exception
    assert "There is only one Chinese word" in texts(at)
    assert {w for heads in card(at)["weights"] for rows in heads for row in rows for w in row} == {
        1
    }


def test_where_no_head_is_clear_it_is_said(open_page: Open) -> None:
    said = texts(open_page("translation", lang="en", text="吗" * 24))
    assert "No head is clear for this sentence" in said
    assert "No head is clear" not in texts(open_page("translation", lang="en", text="你好"))


def test_chips_write_the_sentence_and_take_words_back(open_page: Open) -> None:
    at = open_page("translation", lang="en", word="1")
    at.button_group(key="chips_asking").set_value("吗").run()
    assert at.text_input(key="text").value == "我爱北京吗"
    assert card(at)["source"] == ["我", "爱", "北京", "吗"]
    assert card(at)["place"] == len(card(at)["target"]) - 1
    for left in ("我爱北京", "我爱", "我"):
        at.button(key="shorter").click().run()
        assert at.text_input(key="text").value == left
    at.button(key="sample_1").click().run()
    assert card(at)["source"] == ["你", "爱", "谁"]


@for_all(
    "query",
    [
        {"word": "77"}, {"word": "-1"}, {"layer": "3"}, {"head": "5"}, {"by": "all"},
        {"part": "decoder/3/cross"}, {"forced": "yes"}, {"stage": "score"}, {"model": "other"},
    ],
)  # fmt: skip
def test_nonsense_in_the_link_is_named_and_the_page_is_whole(
    open_page: Open, query: dict[str, str]
) -> None:
    at = open_page("translation", lang="en", **query)
    assert not at.exception
    ((name, value),) = query.items()
    assert f"{name}={value}" in texts(at)
    assert card(at)["place"] == 2
    assert (card(at)["layer"] + 1, card(at)["head"] + 1) == (BEST["layer"], BEST["head"])


def test_a_head_that_is_not_there_is_named_in_a_part_without_heads_too(open_page: Open) -> None:
    at = open_page("translation", lang="en", part="prediction", head="99")
    assert "head=99" in texts(at)
    assert card(at)["head"] + 1 == BEST["head"]


def test_the_language_switch_keeps_everything(open_page: Open) -> None:
    at = open_page("translation", lang="en", text="你爱谁", word="2", layer="1", part="prediction")
    before = card(at)
    at.button_group(key="lang").set_value("zh").run()
    after = card(at)
    assert not at.exception
    for name in ("source", "target", "place", "layer", "head", "by", "weights"):
        assert after[name] == before[name]
    assert after["words"] != before["words"]
