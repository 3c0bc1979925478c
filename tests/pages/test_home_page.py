import pytest
from claims import for_all
from page_reader import Open, component_data, texts

from views.doors import DOORS
from views.menu import FRONT_DOORS
from views.text import LANGUAGES


@for_all("lang", ["zh", "en"])
def test_home_shows_real_weights_that_sum_to_one(open_page: Open, lang: str) -> None:
    at = open_page("home", lang=lang)
    assert not at.exception
    (glance,) = component_data(at, "glance")
    assert " ".join(glance["keys"]) == "我 明天 去 北京"
    assert " ".join(glance["queries"]) == "I will go to Beijing tomorrow"
    assert [sum(row) for row in glance["weights"]] == pytest.approx([1] * 6, abs=1e-12)
    looks = dict(zip(glance["queries"], glance["weights"], strict=True))
    for word, key in {"I": 0, "go": 2, "Beijing": 3, "tomorrow": 1}.items():
        assert looks[word][key] > 0.5
    words = {"zh": "没有人告诉过它", "en": "Nobody told it"}[lang]
    assert words in texts(at)


def test_home_leads_to_every_page_in_the_readers_language(open_page: Open) -> None:
    at = open_page("home", lang="en")
    links = [element.proto for element in at.get("page_link")]
    assert {"Home", "Sentence", "Image"} < {link.label for link in links}
    for door in (
        "Type a sentence",
        "Watch it translate",
        "Bring a picture",
        "Record a sound",
        "Open your own model",
        "Change a number",
    ):
        assert sum(door in link.label for link in links) == 1
    assert {link.query_string for link in links} == {"lang=en"}


@for_all("lang", LANGUAGES)
def test_what_a_token_is_stands_there_for_every_front_door(lang: str) -> None:
    words = LANGUAGES[lang]
    doors = {DOORS[words.code][name].title for name in FRONT_DOORS if name != "home"}
    assert {row[0] for row in words.home.token_rows} == doors
