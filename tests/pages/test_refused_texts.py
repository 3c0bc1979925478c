"""A text that a page cannot read gives one error, and the last result stays."""

from claims import for_all
from page_reader import Open, drawn, paragraphs
from streamlit.testing.v1 import AppTest

HOSTILE = {
    " ": "There is no text yet",
    "a\u202eb": "U+202E",
    "字" * 50_000: "50000 characters",
}  # all read alike
PAGES = [  # a page, its link, the box that is written into, and what is refused there
    ("around", {"text": "她 爱 海 啊"}, "text", {"字 " * 70: "70 tokens"}),
    ("before", {"text": "我爱北京"}, "text", {"a " * 70: "70 tokens"} | HOSTILE),
    ("break_it", {"text": "她 爱 海"}, "text", {"字 " * 70: "70 tokens"}),
    ("cross", {"text": "x y z", "memory": "u v"}, "text", {"a " * 13: "13 tokens"}),
    ("cross", {"text": "x y z", "memory": "u v"}, "memory", {"a " * 13: "13 tokens"}),
    ("heads", {"text": "a b", "mute": "2", "seed": "3"}, "text", {"a " * 9: "9 tokens"}),
    ("masks", {"text": "a b", "on": "window", "seed": "9"}, "text",
     {"a " * 11: "11 tokens", "a\nb": "2 lines"}),
    ("order", {"text": "x y z", "order": "1,0,2"}, "text", {"a " * 13: "13 tokens"}),
    # Of the pages with the small decoder, which share one box and its refusals, one.
    ("rotary", {"text": "Tom doesn't know"}, "text", {"word " * 40: "at most 24"}),
]  # fmt: skip
CASES = ("page", "query", "box", "refused")


def refusal(at: AppTest) -> str:
    """The error, and the line below it."""
    return "\n".join(paragraphs(at, "error"))


@for_all(CASES, PAGES)
def test_a_refused_text_stays_in_its_box_above_what_was_last_computed(
    open_page: Open, page: str, query: dict[str, str], box: str, refused: dict[str, str]
) -> None:
    at = open_page(page, lang="en", **query)
    before = drawn(at)
    for typed, why in refused.items():
        at.text_input(key=box).set_value(typed).run()
        sentence, below = refusal(at).splitlines()
        assert why in sentence
        assert below == "Still showing your previous input."
        assert at.text_input(key=box).value == typed
        assert drawn(at) == before
    at.text_input(key=box).set_value(query[box]).run()
    assert (refusal(at), drawn(at)) == ("", before)
    assert [name for name in query if at.query_params[name] != query[name]] == []


@for_all(CASES, PAGES)
def test_a_refused_text_of_a_link_stands_above_an_example(
    open_page: Open, page: str, query: dict[str, str], box: str, refused: dict[str, str]
) -> None:
    long, why = next(iter(refused.items()))
    at = open_page(page, lang="en", **{box: long})
    sentence, below = refusal(at).splitlines()
    assert why in sentence
    assert below == "Below is an example."
    assert at.text_input(key=box).value == long
    assert drawn(at) == drawn(open_page(page, lang="en"))
