"""A token that is written from right to left is isolated wherever a page quotes it."""

import re

from claims import for_all
from page_reader import Open
from sent_texts import strings

from views.navigation import PAGES
from views.text.spans import RIGHT_TO_LEFT

TEXT = "שלום 42 עולם مرحبا 123"
QUERY = {"text": TEXT, "memory": TEXT, "tokens": "שלום 42 عالم", "find": "שלום"}
CASES = [
    *((page, {}) for page in PAGES),
    ("sentence", {"model": "seeded"}),
    ("sentence", {"model": "seeded", "stage": "concat", "row": "3"}),
    ("sentence", {"model": "decoder", "next": "1"}),
    ("checkpoint", {"model": "decoder", "board": "1"}),
    ("by_hand", {"convention": "columns"}),
    ("by_hand", {"X": "שלום"}),
    ("translation", {"forced": "1"}),
]
ISOLATED = re.compile("\u2068[^\u2069]*\u2069")


@for_all(("page", "more"), CASES)
def test_a_quoted_token_is_isolated(follow_link: Open, page: str, more: dict[str, str]) -> None:
    at = follow_link(page, lang="en", **QUERY, **more)
    assert not at.exception
    elements = [element for element in at if hasattr(element, "proto")]
    texts = [text for element in elements for text in strings(element.proto)]
    bare = [
        f"{name}: {text[:150]!r}"
        for name, text in texts
        if RIGHT_TO_LEFT.search(ISOLATED.sub("", text))
    ]
    assert not bare, "\n".join(bare)
