"""Streamlit's own texts on a page are replaced by translations."""

from typing import Any

from claims import for_all
from in_node import evaluate

from views.text import STREAMLIT
from views.text.streamlit import FAILED, ORIGINAL, failures, translations

MODULES = ["language/translate.js"]
REPHRASED = """
  const known = translate.phrasesOf(given.translations);
  return given.texts.map((text) => translate.inOtherWords(text, known));
"""


def rephrased(*texts: str, code: str = "zh") -> list[str | None]:
    given: Any = {"translations": translations(code), "texts": texts}
    found: list[str | None] = evaluate(MODULES, REPHRASED, given)
    return found


@for_all(
    ("text", "instead"),
    [
        ("Upload", "选文件"),
        ("  Upload\n", "  选文件\n"),
        ("20MB per file", "每个文件最多 20MB"),
        ("Help for 温度 T (?)", "温度 T (?)：说明"),
        ("Press Ctrl+Enter to apply", "按 Ctrl+Enter 生效"),
        ("Press ⌘+Enter to apply", "按 ⌘+Enter 生效"),
        ("Remove $& {name}.png", "去掉 $& {name}.png"),
        ("Delete row(s)", "删除这些行"),
        ("Upload it", None),
        ("Uploads", None),
        ("My Upload", None),
        ("选文件", None),
        ("", None),
    ],
)
def test_a_text_is_replaced_where_it_is_streamlits_as_a_whole(
    text: str, instead: str | None
) -> None:
    assert rephrased(text) == [instead]


def test_in_its_own_language_streamlit_speaks_for_itself() -> None:
    assert translations(ORIGINAL) == []


def test_the_error_of_an_uploader_is_a_sentence_in_every_language() -> None:
    for code in STREAMLIT:
        assert {*STREAMLIT[code].failed} == FAILED.keys()
        assert dict(failures(code)).keys() == {*FAILED.values()}


def test_every_phrase_is_found_and_no_replacement_is_a_phrase() -> None:
    texts = {code: STREAMLIT[code].says for code in ("zh", "en")}
    assert rephrased(*texts["en"].values()) == list(texts["zh"].values())
    assert rephrased(*texts["zh"].values()) == [None] * len(texts["zh"])
