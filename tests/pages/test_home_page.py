import pytest
from claims import for_all
from page_reader import Open, component_data, texts

from views.navigation import MAIN_PAGES, PAGE_INFO
from views.server import classroom
from views.text import LANGUAGES


def test_it_begins_with_a_word_of_the_readers_language_and_its_numbers(open_page: Open) -> None:
    for lang, word in (("zh", "苹果"), ("en", "bank")):
        at = open_page("home", lang=lang)
        (data,) = component_data(at, "same_word")
        assert data["meanings"]["word"] == word
        assert all(sentence.endswith(word) for sentence in data["meanings"]["sentences"])
        assert word in texts(at)


def test_links_lead_to_every_page_in_the_chosen_language(open_page: Open) -> None:
    at = open_page("home", lang="en")
    links = [element.proto for element in at.get("page_link")]
    for title in (
        "Why attention at all",
        "Type a sentence",
        "Watch it translate",
        "Bring a picture",
        "Record a sound",
        "Look into real models",
        "Open your own model",
        "Change a number",
    ):
        assert sum(title in link.label for link in links) == 1
    assert all("lang=en" in link.query_string.split("&") for link in links)
    # The story's first scene is what this page begins with.
    (story,) = [link for link in links if "Why attention at all" in link.label]
    assert "scene=2" in story.query_string.split("&")


@for_all("lang", LANGUAGES)
def test_the_table_of_tokens_has_a_row_for_every_kind_of_input(lang: str) -> None:
    words = LANGUAGES[lang]
    without = ("home", "story", "class", "recorded")
    titles = {PAGE_INFO[words.code][name].title for name in MAIN_PAGES if name not in without}
    assert {row[0] for row in words.home.token_rows} == titles


def test_with_host_the_home_page_shows_the_address_and_its_qr_code(open_page: Open) -> None:
    words = LANGUAGES["zh"].classroom
    with pytest.MonkeyPatch.context() as patch:
        for named in ("", "https://am.school.example"):
            patch.setenv(classroom.VARIABLE, named)
            at = open_page("home", lang="zh")
            shown = component_data(at, "class_address")
            assert [one["address"] for one in shown] == ([named] if named else [])
        assert shown[0]["words"]["qr"] == words.qr.format(address=named)
        assert tuple(shown[0]["modules"]) == classroom.modules(named)
        patch.setenv(classroom.VARIABLE, classroom.FIND)
        patch.setattr(classroom, "own_address", lambda: None)
        patch.setattr(classroom, "loopback_only", lambda: None)
        assert words.no_network in texts(open_page("home", lang="zh"))
        patch.setattr(classroom, "loopback_only", lambda: "::1")
        assert words.loopback.format(setting="::1") in texts(open_page("home", lang="zh"))
