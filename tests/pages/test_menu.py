"""The menu of the sidebar, the same on every page."""

import pytest
from claims import for_all
from page_reader import Open

from views.navigation import CHAPTERS, PAGE_INFO, TABLE, chapter_of
from views.text import LANGUAGES


@pytest.mark.parametrize("lang", LANGUAGES)
@for_all("page", ["home", "softmax", "tiles"])
def test_the_menu_lists_every_page_once_in_order_and_opens_the_chapter_of_this_one(
    open_page: Open, page: str, lang: str
) -> None:
    at = open_page(page, lang=lang)
    assert not at.exception
    info, text = PAGE_INFO[lang], LANGUAGES[lang].menu
    listed = [(link.proto.page or "home", link.proto.label) for link in at.sidebar.get("page_link")]
    assert listed == [
        (one.name, text.overview if one.name in CHAPTERS else info[one.name].title) for one in TABLE
    ]
    chapters = {block.label: block.proto.expanded for block in at.sidebar.expander}
    assert chapters == {
        text.start: True,
        text.see: True,
        **{info[name].title: name == chapter_of(page) for name in CHAPTERS},
    }
