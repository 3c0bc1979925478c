"""Where there is one of a kind, no English sentence speaks of several."""

import re
from collections.abc import Iterator
from typing import Any

from claims import for_all
from page_reader import Open
from sent_texts import data_of, strings

from views.navigation import PAGES
from views.text.load import Template
from views.text.spans import spans

# All that can be one is one.
ONE = {
    "text": "a", "memory": "a", "tokens": "a", "heads": "1", "d_model": "1", "batch": "1", "n": "1",
    "d_k": "1", "scores": "1", "pasted": "5", "length": "1",
}  # fmt: skip
CASES = [
    *((page, ONE) for page in PAGES),
    ("around", {"text": "a", "p": "0.9"}),
    ("around", {"text": "a", "p": "0.9", "draw": "3"}),
    ("before", {"text": "a b"}),
    ("by_hand", {"tokens": "a b [PAD]"}),
    ("heads", {"text": "a", "d_model": "2", "heads": "2"}),
    ("masks", {"text": "a b"}),
    ("sentence", {"model": "decoder", "text": "a"}),
    ("checkpoint", {"model": "decoder", "text": "a", "board": "1"}),
    ("grouped_query", {"text": "a", "kv_heads": "4"}),
    ("sliding_window", {"text": "a b", "window": "1"}),
]
# A number that is no part of another one, of a symbol or of a sum, before a word in the plural.
SEVERAL = re.compile(
    r"(?<![\w.,·−\-/(=+^] )(?<![\w.,·−\-/=+^])1 (?:[a-z]+ )?[a-z]+(?<!s)s\b(?! of)"
)
VERBS = {"is", "has", "was", "becomes", "gets", "adds", "leaves", "evens", "sharpens", "gives"}
UNFILLED = re.compile(r"\{\w+:[^{}]*\|")
CODE = "\n    "  # an indented line


def is_span(part: Any) -> bool:
    return isinstance(part, list) and [*map(type, part[:2])] == [str, str]


def sentences(part: Any) -> Iterator[str]:
    """Texts of data, each list of spans as one."""
    if isinstance(part, list):
        if part and all(map(is_span, part)):
            yield "".join(one[0] for one in part)
        for one in part:
            yield from sentences(one)
    elif isinstance(part, dict):
        for one in part.values():
            yield from sentences(one)
    elif isinstance(part, str):
        yield part


@for_all(("page", "query"), CASES)
def test_one_of_a_kind_is_not_called_several(
    follow_link: Open, page: str, query: dict[str, str]
) -> None:
    at = follow_link(page, lang="en", **query)
    assert not at.exception
    found = []
    for element in at:
        if getattr(element, "proto", None) is None:
            continue
        texts = [text for _, text in strings(element.proto) if CODE not in text]
        for data in data_of(element.proto):
            texts += sentences(data)
        for text in texts:
            matches = (m for m in SEVERAL.finditer(text) if not VERBS & {*m.group().split()})
            found += [text[max(0, m.start() - 40) : m.end() + 30] for m in matches]
            found += UNFILLED.findall(text)
    assert not found, "\n".join(sorted({*map(repr, found)}))


def test_words_agree_with_the_number_beside_them() -> None:
    text = Template("{n} {n:token is|tokens are} left of {all}{all:|, at W_Q}.")
    assert text.format(n=1, all="1") == "1 token is left of 1."
    assert text.format(n="1.0", all=12) == "1.0 tokens are left of 12, at W_Q."
    assert (
        "".join(part for part, _ in spans(text, n="1", all="2")) == "1 token is left of 2, at WQ."
    )
    assert ("Q", "sup") in spans(text, n=("3", "query"), all="2")
    assert Template("{a:.2f}|{b}").format(a=0.5, b="x") == "0.50|x"
