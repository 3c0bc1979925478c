import math

import pytest
from claims import for_all
from page_reader import Open, component_data, headed, texts

LANGUAGES = ("zh", "en")
SCENES = 7


def sent(at) -> dict:
    [(header, _)] = headed(at, "run")
    return header


@for_all("lang", LANGUAGES)
def test_every_scene_has_a_link_and_the_sums_of_the_example(open_page: Open, lang: str) -> None:
    for scene in range(1, SCENES + 1):
        at = open_page("story", lang=lang, scene=str(scene))
        assert not at.exception, scene
        assert sent(at)["scene"] == scene
    scenes = sent(at)["scenes"]
    assert len(scenes) == SCENES
    assert "(10 + 20 + 30) / 3 = 20" in scenes[0]["answer"]
    assert "(1, 2)" in scenes[2]["question"]
    assert "(0, 2)" in scenes[2]["question"]
    assert "1·0 + 2·2 = 4" in scenes[2]["answer"]


def test_the_printed_terms_add_up_to_the_printed_sum(open_page: Open) -> None:
    # e² , e³ and e⁴ of one unit, by hand: 2, 3 and 4 are the scores of the word that asks.
    unit = math.e**2 + math.e**3 + math.e**4
    shares = [math.e**score / unit for score in (2, 3, 4)]
    total = sum(share * value for share, value in zip(shares, (10, 20, 30), strict=True))
    answer = sent(open_page("story", lang="en"))["scenes"][4]["answer"]
    printed, found = answer.split(". Mostly")[0].split(" = ")
    terms = [term.split("·") for term in printed.split(" + ")]
    assert found == f"{total:.2f}"
    assert [float(share) for share, _ in terms] == pytest.approx(shares, abs=5e-4)
    assert sum(float(share) * float(value) for share, value in terms) == pytest.approx(
        float(found), abs=0.005
    )


def test_the_right_choices_follow_from_the_example(open_page: Open) -> None:
    scenes = sent(open_page("story", lang="en"))["scenes"]
    right = [scene["choices"][scene["right"] - 1] for scene in scenes if scene["choices"]]
    assert right == ["all the same", "4", "no, everyone gets a share", "30", "no"]


def test_the_last_scene_shows_the_typed_sentence_and_links_on_with_it(
    open_page: Open,
) -> None:
    at = open_page("story", lang="zh", scene="7", text="我喜欢喝茶")
    (glance,) = component_data(at, "glance")
    assert "".join(glance["keys"]) == "我喜欢喝茶"
    assert [sum(row) for row in glance["weights"]] == pytest.approx([1] * len(glance["weights"]))
    queries = [link.proto.query_string for link in at.get("page_link")]
    assert sum("%E6%88%91%E5%96%9C%E6%AC%A2%E5%96%9D%E8%8C%B6" in query for query in queries) == 2


@for_all("lang", LANGUAGES)
def test_the_last_scene_has_samples(open_page: Open, lang: str) -> None:
    at = open_page("story", lang=lang, scene="7", text="I love tea")
    assert {"zh": "例句", "en": "samples"}[lang] in texts(at)
    for number, sentence in enumerate(("我爱北京", "小猫在沙发上睡觉", "她在图书馆看书")):
        button = at.button(key=f"sample_{number}")
        assert button.label.startswith(sentence)
        button.click().run()
        (glance,) = component_data(at, "glance")
        assert "".join(glance["keys"]) == sentence


def test_a_sentence_in_english_is_linked_to_the_page_sentence_alone(
    open_page: Open,
) -> None:
    at = open_page("story", lang="en", scene="7", text="I love tea")
    queries = {
        link.proto.page: link.proto.query_string
        for link in at.get("page_link")
        if "text=" in link.proto.query_string
    }
    assert queries.keys() == {"sentence", "translation"}
    assert "text=I+love+tea" in queries["sentence"]
    assert "%E6%88%91%E7%88%B1%E5%8C%97%E4%BA%AC" in queries["translation"]


def test_an_empty_sentence_shows_an_example(open_page: Open) -> None:
    at = open_page("story", lang="en", scene="7")
    at.text_input(key="text").set_value("   ").run()
    assert not at.exception
    assert len(component_data(at, "glance")) == 1
    assert "我爱北京" in texts(at)


def test_the_typed_sentence_stays_in_the_link_while_other_scenes_are_shown(
    open_page: Open,
) -> None:
    at = open_page("story", lang="en", scene="7")
    at.text_input(key="text").set_value("我喜欢喝茶").run()
    assert at.query_params["text"] == "我喜欢喝茶"
    at.session_state["scene"] = 6
    at.run()
    assert at.query_params["scene"] == "6"
    at.session_state["scene"] = 7
    at.run()
    assert at.text_input(key="text").value == "我喜欢喝茶"
