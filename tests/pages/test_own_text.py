"""The reader's own text goes along to every page that reads it."""

from claims import for_all
from page_reader import Open, goes, menu, paragraphs, text_box, write
from streamlit.testing.v1 import AppTest

from core.sources.text import is_chinese

CHINESE, ENGLISH = "小猫喜欢鱼", "she sings well"
EXPERIMENTS = {"heads", "order", "break_it", "around"}
READ_BOTH = {"story", "sentence", "writing", *EXPERIMENTS}


def texts_in_menu(at: AppTest) -> dict[str, str]:
    """The texts that the menu takes along."""
    return {page: query["text"] for page, query in menu(at).items() if "text" in query}


@for_all("page", ["sentence", "writing"])
def test_a_typed_text_is_in_the_links_to_all_pages_that_read_it(open_page: Open, page: str) -> None:
    at = open_page(page, lang="en")
    assert texts_in_menu(at) == {}
    shown = {name for name in menu(at) if name in READ_BOTH}
    found = texts_in_menu(write(at, CHINESE))
    assert found == dict.fromkeys(shown | {"translation"}, CHINESE)
    found = texts_in_menu(write(at, ENGLISH))
    assert found == dict.fromkeys(shown, ENGLISH)


def test_an_experiment_is_not_given_more_words_than_it_reads(open_page: Open) -> None:
    at = open_page("heads", lang="en")
    assert set(texts_in_menu(write(at, "one two three four five six seven"))) >= READ_BOTH
    at = write(open_page("order", lang="en"), "one two three four five six seven eight nine")
    assert READ_BOTH - set(texts_in_menu(at)) == {"heads"}


def test_the_text_stays_until_another_is_typed_and_a_link_with_its_own_wins(
    open_page: Open,
) -> None:
    at = goes(write(open_page("sentence", lang="en"), CHINESE), "translation")
    assert text_box(at).value == CHINESE
    at = goes(goes(at, "image"), "writing")
    assert text_box(at).value == CHINESE
    at.query_params["text"] = ENGLISH
    at = at.run()
    assert text_box(at).value == ENGLISH
    assert texts_in_menu(at)["sentence"] == CHINESE
    at = goes(write(goes(at, "translation"), "你好"), "writing")
    assert text_box(at).value == "你好"


def test_what_was_chosen_in_the_text_before_is_not_asked_of_the_new_one(open_page: Open) -> None:
    query = {"text": "我明天去上海", "word": "3", "forced": "1", "target": "I love cats."}
    at = goes(open_page("translation", lang="en", **query), "writing")
    at = goes(write(at, "你好"), "translation")
    assert not paragraphs(at, "notice")
    assert text_box(at).value == "你好"
    assert at.text_input(key="target").value == ""
    assert {*at.query_params} == {"lang", "text", "forced"}


def test_a_text_of_another_language_does_not_keep_the_model(open_page: Open) -> None:
    at = goes(open_page("sentence", lang="en", model="decoder", text=CHINESE), "writing")
    assert menu(write(at, "你好"))["sentence"]["model"] == "decoder"
    assert "model" not in menu(write(at, ENGLISH))["sentence"]


def switched(at: AppTest, language: str) -> AppTest:
    at.button_group(key="lang").set_value(language).run()
    assert not at.exception
    return at


@for_all("page", ["sentence", "kv_cache", "translation"])
def test_an_untouched_text_follows_the_language_and_a_typed_one_stays(
    open_page: Open, page: str
) -> None:
    at = open_page(page, lang="en")
    english = text_box(at).value
    chinese = text_box(switched(at, "zh")).value
    assert chinese == text_box(open_page(page, lang="zh")).value
    assert is_chinese(english) == (page == "translation")
    assert "text" not in at.query_params
    assert text_box(switched(at, "en")).value == english
    typed = write(open_page(page, lang="en"), CHINESE)
    assert text_box(switched(typed, "zh")).value == CHINESE
    assert typed.query_params["text"] == CHINESE
