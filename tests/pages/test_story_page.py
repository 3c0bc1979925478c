import math
import re
import sys
from urllib.parse import parse_qs

import numpy as np
import pytest
from claims import for_all
from page_reader import Open, component_data, headed

from core.models import pretrained
from core.models.pretrained import GEMMA

LANGUAGES = ("zh", "en")
SCENES = 9
WITH_INPUT = str(SCENES)


def sent(at) -> dict:
    [(header, rest)] = headed(at, "run")
    assert not rest
    return header


def test_every_scene_has_a_link(open_page: Open) -> None:
    for scene in range(1, SCENES + 1):
        at = open_page("story", lang="zh", scene=str(scene))
        assert not at.exception, scene
        assert sent(at)["scene"] == scene
    assert len(sent(at)["scenes"]) == SCENES


@for_all("lang", LANGUAGES)
def test_the_right_choices_are_what_the_numbers_say(open_page: Open, lang: str) -> None:
    header = sent(open_page("story", lang=lang))
    trained, query = header["steps"][-1], header["query"]
    fish, money = trained["sentences"]
    # Scene 5: every word has a weight, and the clue the largest.
    for sentence in (fish, money):
        powers = [math.e**score for score in sentence["scores"][0]]
        shares = [power / sum(powers) for power in powers]
        assert shares == pytest.approx(sentence["weights"][0])
        assert min(shares) > 0
        assert shares.index(max(shares)) == 0
    # Scene 6: by head 1 the word goes to the first meaning, and in the other sentence away from it.
    landed = [
        row["X"][query][0]
        + sum(w * v[0] for w, v in zip(row["weights"][0], row["V"][0], strict=True))
        for row in (fish, money)
    ]
    assert landed[0] > 1
    assert landed[1] < -1
    # Scene 8: head 2 looks at another word, and moves it along the other axis.
    for row, sign in ((fish, 1), (money, -1)):
        assert row["weights"][1].index(max(row["weights"][1])) == query - 1
        assert abs(row["mixed"][0][1]) < 0.5 < abs(row["mixed"][0][0])
        assert sign * row["mixed"][1][1] > 1 > abs(row["mixed"][1][0])
    [asks] = [scene for scene in header["scenes"] if "choices" in scene]
    assert (asks["title"], asks["right"]) == (header["scenes"][5]["title"], 2)


@for_all("lang", LANGUAGES)
def test_the_short_way_meets_score_weight_and_head_in_as_many_scenes(
    open_page: Open, lang: str
) -> None:
    scenes = sent(open_page("story", lang=lang))["scenes"]
    first, why, *between, last = [scene for scene in scenes if scene.get("short")]
    assert (first, why, last) == (scenes[0], scenes[1], scenes[-1])
    said = [scene[name] for scene in between for name in ("term", "bridge") if name in scene]
    terms = [re.findall(r"\*(.+?)\*", text)[0] for text in said]
    assert terms == {"en": ["score", "weights", "head"], "zh": ["分数", "权重", "头"]}[lang]
    assert sum("term" in scene for scene in scenes) == sum("term" in scene for scene in between)


@for_all("lang", LANGUAGES)
def test_without_attention_two_beginnings_have_the_same_next_words(
    open_page: Open, lang: str
) -> None:
    recorded = sent(open_page("story", lang=lang))["meanings"]
    one, other = recorded["next"]
    assert one[0][0] != other[0][0]
    assert min(one[0][1], other[0][1]) > 0.6
    assert recorded["next_without"][0][0] not in (one[0][0], other[0][0])
    assert {text[-1] for text in recorded["beginnings"]} in ({"、"}, {"s"})  # of "is"
    assert all(text.endswith(recorded["word"]) for text in recorded["sentences"])


def test_the_last_scene_shows_the_typed_sentence_and_links_on_with_it(
    open_page: Open,
) -> None:
    at = open_page("story", lang="zh", scene=WITH_INPUT, text="我喜欢喝茶")
    (glance,) = component_data(at, "glance")
    assert "".join(glance["keys"]) == "我喜欢喝茶"
    assert [sum(row) for row in glance["weights"]] == pytest.approx([1] * len(glance["weights"]))
    queries = [link.proto.query_string for link in at.main.get("page_link")]
    assert sum("%E6%88%91%E5%96%9C%E6%AC%A2%E5%96%9D%E8%8C%B6" in query for query in queries) == 2


def test_every_sample_of_the_last_scene_is_shown(open_page: Open) -> None:
    at = open_page("story", lang="zh", scene=WITH_INPUT, text="我喜欢喝茶")
    samples = [button.key for button in at.button if str(button.key).startswith("sample_")]
    assert len(samples) == 5
    for key in samples:
        at.button(key=key).click().run()
        assert not at.exception, key
        sentence, own = at.text_input(key="text").value, sent(at)["own"]
        glances = component_data(at, "glance")
        if own is None:
            assert "".join(glances[0]["keys"]) == sentence
        else:
            assert not glances
            assert sentence.replace(" ", "") in "".join(own["names"])
            names, touch = own["names"], own["touch"]
            if touch:
                largest = int(np.argmax(own["rows"][names.index(touch)]))
                assert largest not in (0, names.index(touch)) and names[largest].isalpha()
            assert touch != names[own["query"]]
            assert [sum(row) for row in own["rows"]] == pytest.approx(
                [1] * len(own["names"]), abs=1e-3
            )


def test_a_sentence_in_english_goes_on_in_a_model_that_reads_it(open_page: Open) -> None:
    at = open_page("story", lang="en", scene=WITH_INPUT, text="I love tea")
    own = sent(at)["own"]
    assert own["names"][-1] == "tea"
    assert all("layer" in head for head in own["heads"])
    assert own["now"][1].startswith("“") and "decoder (" in own["now"][0]
    tried = [name for name, one in zip(own["names"], own["hidden"], strict=True) if one]
    assert tried == ["I", "love", "tea"]
    of_all = [name for name, head in zip(own["names"], own["heads"], strict=True) if "all" in head]
    assert of_all == ["tea"]  # what links to no other word says whose head it shows
    queries = {
        link.proto.page: parse_qs(link.proto.query_string)
        for link in at.main.get("page_link")
        if "text=" in link.proto.query_string
    }
    assert queries.keys() == {"sentence", "writing"}
    for query in queries.values():
        assert (query["text"], query["model"]) == (["I love tea"], ["decoder"])


def test_a_chinese_sentence_goes_on_in_gemma_where_it_is_installed_and_lacks_a_word_that_is_hidden(
    monkeypatch: pytest.MonkeyPatch, open_page: Open
) -> None:
    for file in GEMMA.files:
        monkeypatch.delitem(sys.modules, file.partition("/")[0])
    if not pretrained.is_there(GEMMA):
        pytest.skip("Gemma is not installed")
    at = open_page("story", lang="zh", scene=WITH_INPUT)
    assert at.text_input(key="text").value == "冬天很冷，夏天很"
    own = sent(at)["own"]
    (_, now), (without, then) = own["now"], own["hidden"][own["query"]]
    assert "“热” 40" in now and "“冷”" in without and "“热” 1\u00a0%" in then
    assert (
        own["names"][int(np.argmax(own["rows"][own["query"]]))] == "冷"
    )  # what is hidden is drawn
    others = dict(zip(own["names"], own["hidden"], strict=True))
    assert "“冬天”" in others["冬天"][0] and others["，"] is None
    assert not component_data(at, "glance")
    links = {link.proto.page: link.proto.query_string for link in at.main.get("page_link")}
    assert {page for page, query in links.items() if "model=gemma" in query} == {
        "sentence",
        "writing",
    }
    assert "text=" in links["translation"]


def test_the_typed_sentence_stays_in_the_link_while_other_scenes_are_shown(
    open_page: Open,
) -> None:
    at = open_page("story", lang="en", scene=WITH_INPUT)
    at.text_input(key="text").set_value("我喜欢喝茶").run()
    assert at.query_params["text"] == "我喜欢喝茶"
    at.session_state["scene"] = 6
    at.run()
    assert at.query_params["scene"] == "6"
    at.session_state["scene"] = SCENES
    at.run()
    assert at.text_input(key="text").value == "我喜欢喝茶"


def test_the_language_changes_where_no_sentence_is_typed_yet(follow_link: Open) -> None:
    at = follow_link("story", lang="zh")
    at.button_group(key="lang").set_value("en").run()
    assert not at.exception
