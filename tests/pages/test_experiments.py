"""Claims about several pages of *Understand*."""

from claims import for_all
from page_reader import Open, drawn, texts

Sentences = dict[str, tuple[str, ...]]  # by language

SHOWN: list[tuple[str, dict[str, str], Sentences]] = [
    ("before", {"text": "Hi"}, {"en": ("there is no distance yet",)}),
    ("by_hand", {}, {
        "en": ("3 × 5 = 15", "weight 0.56", "0.1065·10 + 0.1990·20 + 0.6945·30 = 25.88"),
        "zh": ("Beijing", "0.1065·10 + 0.1990·20 + 0.6945·30 = 25.88"),
    }),
    ("by_hand", {"mask": "causal"}, {
        "en": ("stays 10.00", "0.41 + 0.59 and becomes 15.93", "as without a mask"),
    }),
    ("by_hand", {"divisor": "1"}, {"en": ("almost nothing is left to share",)}),
    *(("by_hand", {"X": X}, {"en": ("W_Q is missing",)}) for X in ("1~2~3", "-1", "1_2~3_4")),
    ("glossary", {"find": "N"}, {"en": ("2 terms here have that name",)}),
    *(("glossary", {"find": name}, {"en": (f"No term here is called “{name}”",)})
      for name in ("zebra", "<b>x</b>", "$a$ *b*", "查无此词")),
    ("glossary", {"find": "c_attn"}, {"en": ("The shapes are those of",)}),
    ("heads", {"mute": "3,8", "heads": "2"}, {"en": ("No head is muted",)}),
    ("heads", {"heads": "1"}, {"en": ("Choose more heads",), "zh": ("多选几个头",)}),
    ("softmax", {"scores": "1,1,1", "temperature": "0.7"},
     {"en": ("All scores are equal",), "zh": ("所有分数都相等",)}),
    ("softmax", {"scores": "4,1,4,0", "temperature": "0.7"},
     {"en": ("2 keys share the largest score",), "zh": ("有 2 个键并列最高分",)}),
    ("softmax", {"scores": "10,-10", "temperature": "0.7"},
     {"en": ("more than a million",), "zh": ("超过一百万倍",)}),
]  # fmt: skip
NOT_SHOWN = [
    ("by_hand", {"mask": "causal"}, "translator"),
    ("by_hand", {"divisor": "1"}, "keeps who loves it"),
    ("glossary", {"find": "attention rollout"}, "The shapes are those of"),
]
SWITCHED = [  # a page, and inputs that are not its first ones
    ("before", {"text": "a b c", "radius": "1.5", "times": "2", "tanh": "0"}),
    ("by_hand", {"preset": "d4_h2", "divisor": "1", "matrix": "W_K", "convention": "columns"}),
    ("cross", {"text": "a b", "memory": "c d e", "stage": "weights", "seed": "9"}),
    ("masks", {"text": "a b", "on": "window", "near": "2", "convention": "added", "way": "zero"}),
    ("order", {"text": "a b c", "order": "2,0,1", "seed": "3", "compared": "weights"}),
    ("predict", {"preset": "d4_h2", "stage": "scores", "cover": "cells", "head": "2"}),
    ("scaling", {"d_k": "256", "divisor": "d_k", "seed": "3"}),
]
SOURCES = {
    "scaling": ("def spread(scores", "def jacobian(weights"),
    "softmax": ("def softmax(scores", "def entropy(weights"),
}


@for_all(("page", "query", "sentences"), SHOWN)
def test_the_page_shows_the_sentence_for_its_input(
    open_page: Open, page: str, query: dict[str, str], sentences: Sentences
) -> None:
    for lang, expected in sentences.items():
        at = open_page(page, lang=lang, **query)
        assert not at.exception
        assert [one for one in expected if one not in texts(at)] == []
        assert not any("<b>" in element.value for element in at.markdown)


@for_all(("page", "query", "sentence"), NOT_SHOWN)
def test_the_page_does_not_show_a_sentence_that_is_false_for_its_input(
    open_page: Open, page: str, query: dict[str, str], sentence: str
) -> None:
    assert sentence not in texts(open_page(page, lang="en", **query))


@for_all(("page", "query"), SWITCHED)
def test_the_language_switch_keeps_every_input(
    open_page: Open, page: str, query: dict[str, str]
) -> None:
    at = open_page(page, lang="en", **query)
    at.button_group(key="lang").set_value("zh").run()
    assert not at.exception
    linked = open_page(page, lang="zh", **query)
    bound = query.keys() - {"stage"}  # which the browser writes
    assert {name: at.query_params[name] for name in bound} == {name: query[name] for name in bound}
    assert drawn(at) == drawn(linked)
    assert texts(at) == texts(linked)


@for_all(("page", "functions"), SOURCES.items())
def test_the_source_code_of_the_functions_is_shown(
    open_page: Open, page: str, functions: tuple[str, ...]
) -> None:
    shown = "\n".join(code.value for code in open_page(page, lang="en").code)
    assert [name for name in functions if name not in shown] == []
