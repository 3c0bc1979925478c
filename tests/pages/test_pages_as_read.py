"""What stands on every page as text: symbols as mathematics, Chinese marks without a space."""

import re
from collections.abc import Iterator

from claims import for_all
from page_reader import Open, texts
from streamlit.testing.v1 import AppTest

from views.navigation import PAGES
from views.spans import SYMBOL

GAP = re.compile(r".*[\u3001\u3002\u3008-\u301b\uff01-\uff1f] +(?=[^\s|]).*")
MATHEMATICS = re.compile(r"\$[^$]+\$|`[^`]+`")


def raw(markdown: str) -> list[str]:
    """The symbols that a Markdown text shows as they are typed."""
    shown = MATHEMATICS.sub(" ", markdown).replace("\\", "")
    return [match[0] for match in SYMBOL.finditer(shown)]


def markdown(at: AppTest) -> Iterator[str]:
    """Headers and cells of every table, and every text below."""
    for table in at.table:
        yield from map(str, table.value.columns)
        yield from map(str, table.value.to_numpy().flat)
    yield from (element.value for element in (*at.caption, *at.markdown))


def test_what_is_set_and_what_is_not_are_told_apart() -> None:
    assert raw(r"$d_{k}$ and `d_k`") == []
    assert raw(r"d\_k, $d_{k}$, W^O") == ["d_k", "W^O"]


@for_all("lang", ["zh", "en"])
@for_all("page", PAGES)
def test_no_symbol_stands_raw_and_no_chinese_mark_has_a_gap(
    open_page: Open, page: str, lang: str
) -> None:
    at = open_page(page, lang=lang, below="shapes")
    assert not at.exception
    found = {text: symbols for text in markdown(at) if (symbols := raw(text))}
    assert not found
    assert not (GAP.findall(texts(at)) if lang == "zh" else [])
