"""What the first view of a page begins with, and which links open the machine."""

from claims import for_all
from page_reader import Open, choose_source, component_data, microscope, sent, texts, write

from core.models.installed import shipped
from core.sources.text import FUNCTION_WORDS
from views.text import CHECKPOINT, LANGUAGES


@for_all(
    ("model", "text"),
    [
        ("translator", "一年有四个季节：春、夏、秋、冬。"),
        ("translator", "，我爱北京"),
        ("decoder", "The cat, the dog, and the bird: all of them slept."),
        ("decoder", "我们去上海，他们去北京。"),
    ],
)
def test_the_first_word_and_what_it_looks_at_have_a_content(
    follow_link: Open, model: str, text: str
) -> None:
    seen = microscope(follow_link("sentence", lang="en", model=model, text=text))
    words = [seen.label("weights", role) for role in ("query", "key")]
    bare = ["".join(filter(str.isalnum, word)).lower() for word in words]
    assert all(bare), words
    assert not FUNCTION_WORDS & {*bare}, words


@for_all(
    ("query", "opens"),
    [
        ({}, False),
        ({"row": "2", "head": "3"}, False),
        ({"stage": "scores"}, True),
        ({"row": "2", "column": "1"}, True),
        ({"part": "encoder/1/self"}, True),
        ({"present": "1"}, False),
        ({"present": "1", "stage": "weights"}, True),
        ({"below": "code"}, True),
    ],
)
def test_a_link_that_names_a_step_or_a_cell_opens_the_machine(
    follow_link: Open, query: dict[str, str], opens: bool
) -> None:
    at = follow_link("sentence", lang="en", model="translator", **query)
    assert sent(at)["opens"] == opens
    arrived = sent(at)["arrival"]
    assert sent(at.run())["arrival"] == arrived  # for which the browser opens it once


def test_a_head_that_does_something_is_shown_and_what_it_does_is_said(follow_link: Open) -> None:
    known = CHECKPOINT["en"].known
    at = follow_link("sentence", lang="en", model="translator", text="我爱北京")
    assert known.says in texts(at)
    head = microscope(at).chosen["head"]
    assert sent(at)["texts"]["heads"][str(head)]["text"] == known.helps.previous
    names = [f"known_{name}" for name in known.names]
    for name in [button.key for button in at.button if button.key in names]:
        at.button(key=name).click().run()
        head = microscope(at).chosen["head"]
        assert (
            known.helps[name.removeprefix("known_")]
            in sent(at)["texts"]["heads"][str(head)]["text"]
        )


def test_where_attention_is_off_the_weights_of_all_heads_are_said_to_be_unused(
    follow_link: Open,
) -> None:
    said = LANGUAGES["en"].microscope.tokens_unused
    for change, muted in (("off=*", range(8)), ("off=3", range(8)), ("mute=3.1", [0]), ("", [])):
        at = follow_link("sentence", lang="en", model="translator", text="我爱北京", change=change)
        assert sent(at)["texts"]["unused"].keys() == {str(head) for head in muted}, change
        assert (said in texts(at)) == (change == "off=*"), change


def test_a_word_is_linked_to_another_by_the_head_that_a_link_of_it_opens(follow_link: Open) -> None:
    given = {"lang": "en", "model": "decoder", "text": "the cat saw the dog and the bird"}
    links = sent(follow_link("sentence", **given))["texts"]["links"]
    assert links
    for query, one in links.items():
        assert one["model"] == given["model"]  # or else the link would mean an older model
        at = follow_link(
            "sentence",
            **given,
            layer=str(one["layer"]),
            head=str(one["head"]),
            row=str(int(query) + 1),
        )
        assert not sent(at)["opens"]
        assert (at.session_state["layer"], microscope(at).chosen["head"] + 1) == (
            one["layer"], one["head"]
        )  # fmt: skip
        assert microscope(at).chosen["positions"]["query"] == int(query) != one["key"]


def test_a_new_sentence_begins_in_the_layer_of_a_head_that_does_something_with_it(
    follow_link: Open,
) -> None:
    assert "decoder" in shipped()
    text, other = "the cat and the cat", "the dog saw the dog and the dog"
    at = follow_link("sentence", lang="en", model="decoder", text=text, layer="2")
    assert write(at, other).session_state["layer"] == 2  # a link has named it
    direct = follow_link("sentence", lang="en", model="decoder", text=other)
    same = follow_link("sentence", lang="en", model="decoder", text=text)
    again = choose_source(
        follow_link("sentence", lang="en", model="decoder", text=text), "translator"
    )
    found = [write(same, other), choose_source(write(again, other), "decoder")]
    assert [at.session_state["layer"] for at in found] == [direct.session_state["layer"]] * 2
    assert microscope(same).chosen["head"] == microscope(direct).chosen["head"]


def test_the_words_of_the_first_view_are_those_of_the_kind_of_input(follow_link: Open) -> None:
    assert sent(follow_link("image", lang="en", model="seeded"))["texts"] is None
    for page, noun, query in (
        ("sentence", "words", {"model": "seeded"}), ("translation", "words", {}),
        ("image", "patches", {"model": "vision"}),
    ):  # fmt: skip
        says = sent(follow_link(page, lang="en", **query))["texts"]["says"]
        assert says.keys() == {*LANGUAGES["en"].first_view} - {"special", "nouns"}
        assert f" more {noun}: " in "".join(text for text, _ in says["others"]), page


@for_all("text", ["我爱北京", "你想吃什么？"])
def test_a_translation_begins_with_a_word_that_it_writes_and_not_with_its_full_stop(
    follow_link: Open, text: str
) -> None:
    at = follow_link("translation", lang="en", text=text)
    header = sent(at)
    written = header["texts"]["rows"]
    begins = microscope(at).chosen["positions"]["query"]
    assert written[begins].isalpha() and written[begins].lower() not in FUNCTION_WORDS
    (shown,) = component_data(at, "decoding")
    assert (shown["begins"], shown["position"]) == (begins, len(shown["target"]) - 1)
    at = follow_link("translation", lang="en", text=text, word="1")
    assert microscope(at).chosen["positions"]["query"] == 0
