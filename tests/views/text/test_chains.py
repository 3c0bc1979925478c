"""Every text that the code reads exists, and every text is read."""

import ast

import pytest
from chains import english, find, of_the_app

TEXTS = {
    "pages/see/own/words": {"title": "Own", "card": {"help": "Look", "kinds": {"one": "One"}}},
    "views/text/words": {"code": "en", "viewer": {"head": "Head"}, "mask": {"label": "Mask"}},
}
CODE = {
    "pages.see.own.page": """
from pages.see.own import cards
texts = in_language(words_beside(__file__))
st.title(texts.title)
cards.card(texts.card, words())
""",
    "pages.see.own.cards": """
def card(texts: Words, words: Words) -> None:
    st.write(texts.help, [texts.kinds[kind] for kind in KINDS], words.code)
    viewer_texts = words.viewer
    st.write(viewer_texts.head.format(n=1), words.mask.get("label"))
""",
}


def found(**changes: str):
    (name, code), *_ = [*changes.items(), ("page", CODE["pages.see.own.page"])]
    sources = CODE | {f"pages.see.own.{name}": code}
    return find({module: ast.parse(code) for module, code in sources.items()}, TEXTS)


def test_chains_are_followed_through_calls_and_names():
    assert (found().wrong, found().unread) == ([], [])


@pytest.mark.parametrize(
    ("module", "old", "new", "wrong"),
    [
        ("page", "texts.title", "texts.titel", "titel is not in pages/see/own/words"),
        ("cards", "texts.help", "texts.hint", "hint is not in pages/see/own/words.card"),
        (
            "cards",
            "viewer_texts.head",
            "viewer_texts.heads",
            "viewer.heads.format is not in views/text/words",
        ),
        ("page", "texts.card, words()", "words(), texts.card", "help is not in views/text/words"),
    ],
)
def test_an_unknown_field_is_reported_with_its_line(module, old, new, wrong):
    code = CODE[f"pages.see.own.{module}"]
    assert old in code
    assert any(wrong in line for line in found(**{module: code.replace(old, new)}).wrong)


def test_an_unread_text_is_reported():
    code = CODE["pages.see.own.cards"].replace("texts.help, ", "")
    assert found(cards=code).unread == ["pages/see/own/words.card.help"]


def test_every_text_that_is_read_exists_and_every_text_is_read():
    app = find(of_the_app(), english())
    assert app.followed > 2000
    assert app.wrong == []
    assert app.unread == []
