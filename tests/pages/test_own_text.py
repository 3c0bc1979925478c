"""The reader's own text goes along to every page that reads it."""

from urllib.parse import parse_qsl, urlsplit

from claims import for_all
from page_reader import Open, component_data, paragraphs, text_box
from streamlit.testing.v1 import AppTest

from core.sources.text import is_chinese

CHINESE, ENGLISH = "小猫喜欢鱼", "she sings well"
EXPERIMENTS = {"heads", "order", "break_it", "around"}
READ_BOTH = {"story", "sentence", "writing", *EXPERIMENTS}


def types(at: AppTest, written: str) -> AppTest:
    text_box(at).set_value(written).run()
    assert not at.exception
    return at


def menu(at: AppTest) -> dict[str, dict[str, str]]:
    """The query of each page in the sidebar."""
    (sent,) = component_data(at, "menu")
    found = [urlsplit(page["address"]) for one in sent["chapters"] for page in one["pages"]]
    return {one.path: dict(parse_qsl(one.query)) for one in found}


def texts_in_menu(at: AppTest) -> dict[str, str]:
    """The texts that the menu takes along."""
    return {page: query["text"] for page, query in menu(at).items() if "text" in query}


def goes(at: AppTest, page: str) -> AppTest:
    """The page that a link in the sidebar leads to."""
    query = menu(at)[page]
    for name in [*at.query_params]:
        del at.query_params[name]
    for name, value in query.items():
        at.query_params[name] = value
    folder = "understand" if page in EXPERIMENTS else "see"
    at.switch_page(f"../pages/{folder}/{page}/page.py").run()
    assert not at.exception
    return at


@for_all("page", ["sentence", "writing"])
def test_a_typed_text_is_in_the_links_to_all_pages_that_read_it(open_page: Open, page: str) -> None:
    at = open_page(page, lang="en")
    assert texts_in_menu(at) == {}
    shown = {name for name in menu(at) if name in READ_BOTH}
    found = texts_in_menu(types(at, CHINESE))
    assert found == dict.fromkeys(shown | {"translation"}, CHINESE)
    found = texts_in_menu(types(at, ENGLISH))
    assert found == dict.fromkeys(shown, ENGLISH)


def test_an_experiment_is_not_given_more_words_than_it_reads(open_page: Open) -> None:
    at = open_page("heads", lang="en")
    assert set(texts_in_menu(types(at, "one two three four five six seven"))) >= READ_BOTH
    at = types(open_page("order", lang="en"), "one two three four five six seven eight nine")
    assert READ_BOTH - set(texts_in_menu(at)) == {"heads"}


def test_the_text_stays_until_another_is_typed_and_a_link_with_its_own_wins(
    open_page: Open,
) -> None:
    at = goes(types(open_page("sentence", lang="en"), CHINESE), "translation")
    assert text_box(at).value == CHINESE
    at = goes(goes(at, "image"), "writing")
    assert text_box(at).value == CHINESE
    at.query_params["text"] = ENGLISH
    at = at.run()
    assert text_box(at).value == ENGLISH
    assert texts_in_menu(at)["sentence"] == CHINESE
    at = goes(types(goes(at, "translation"), "你好"), "writing")
    assert text_box(at).value == "你好"


def test_what_was_chosen_in_the_text_before_is_not_asked_of_the_new_one(open_page: Open) -> None:
    query = {"text": "我明天去上海", "word": "3", "forced": "1", "target": "I love cats."}
    at = goes(open_page("translation", lang="en", **query), "writing")
    at = goes(types(at, "你好"), "translation")
    assert not paragraphs(at, "notice")
    assert text_box(at).value == "你好"
    assert at.text_input(key="target").value == ""
    assert {*at.query_params} == {"lang", "text", "forced"}


def test_a_text_of_another_language_does_not_keep_the_model(open_page: Open) -> None:
    at = goes(open_page("sentence", lang="en", model="decoder", text=CHINESE), "writing")
    assert menu(types(at, "你好"))["sentence"]["model"] == "decoder"
    assert "model" not in menu(types(at, ENGLISH))["sentence"]


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
    typed = types(open_page(page, lang="en"), CHINESE)
    assert text_box(switched(typed, "zh")).value == CHINESE
    assert typed.query_params["text"] == CHINESE
