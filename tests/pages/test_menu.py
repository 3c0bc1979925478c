"""The menu of the sidebar, the same on every page."""

from claims import for_all
from page_reader import Open, component_data

from views.navigation import CHAPTERS, PAGE_INFO, TABLE, chapter_of
from views.text import LANGUAGES


@for_all(("page", "lang"), [("home", "zh"), ("softmax", "en"), ("tiles", "zh")])
def test_the_menu_lists_every_page_once_in_order_and_opens_the_chapter_of_this_one(
    open_page: Open, page: str, lang: str
) -> None:
    at = open_page(page, lang=lang)
    assert not at.exception
    info, text = PAGE_INFO[lang], LANGUAGES[lang].menu
    (menu,) = component_data(at, "menu")
    listed = [(link["name"], link["label"]) for one in menu["chapters"] for link in one["pages"]]
    assert listed == [
        (one.name, text.overview if one.name in CHAPTERS else info[one.name].title) for one in TABLE
    ]
    assert menu["here"] == page
    assert {one["title"]: one["open"] for one in menu["chapters"]} == {
        text.start: True,
        text.see: True,
        **{info[name].title: name == chapter_of(page) for name in CHAPTERS},
    }
