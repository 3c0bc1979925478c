"""Notes on a text that is tokenized otherwise than it was typed."""

from claims import for_all
from page_reader import Open, captions, component_data, microscope, texts

from views.widgets.tokenization_notes import changed

BY_WORD = ("sentence", "order", "cross", "masks", "before", "heads", "around", "break_it")


@for_all("page", BY_WORD)
def test_a_note_names_scripts_without_known_words_wherever_a_text_is_split_into_words(
    open_page: Open, page: str
) -> None:
    found = captions(open_page(page, lang="zh", text="ฉันรัก"))
    assert "泰文" in found
    assert "词典" in found
    assert "泰文" not in captions(open_page(page, lang="zh"))


def test_characters_and_tokens_of_the_readers_own_need_no_dictionary(open_page: Open) -> None:
    for mode in ("character", "custom"):
        assert "Thai" not in captions(open_page("sentence", lang="en", mode=mode, text="ฉันรัก"))


@for_all(
    ("mode", "name", "is_left_out"),
    [("word", "我", True), ("character", "我‹U+200D›", False), ("custom", "我‹U+200D›爱", False)],
)
def test_a_joiner_is_visible_in_its_token_or_named_beside_the_text(
    open_page: Open, mode: str, name: str, is_left_out: bool
) -> None:
    at = open_page("sentence", lang="en", mode=mode, text="我\u200d爱")
    assert name in microscope(at).names("Q", "query")
    assert ("‹U\\+200D›" in captions(at)) is is_left_out


@for_all(
    ("page", "more"),
    [("sentence", {"model": "translator"}), ("translation", {}), ("story", {"scene": "9"})],
)
def test_a_note_names_characters_that_a_model_reads_in_another_script(
    open_page: Open, page: str, more: dict[str, str]
) -> None:
    assert "“東京”读作“东京”" in texts(open_page(page, lang="zh", text="我去東京", **more))
    unchanged = open_page(page, lang="zh", **more)
    assert "”读作“" not in str(component_data(unchanged, "prose"))


def test_tokens_are_compared_with_what_was_typed_at_their_position():
    assert changed("我去東京", ("我", "去", "东京")) == [("東京", "东京")]
    assert changed(" 我 \u200e去?\nＡ東京", ("我", "去", "？", "a", "东京")) == [("東京", "东京")]
    assert changed("我去", ("我", "去")) == changed("ﬁ", ("fi",)) == []
