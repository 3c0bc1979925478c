"""What a control has to tell stands on the page itself: a phone's drawer is closed."""

import json

import pytest
from page_reader import Open
from streamlit.testing.v1.element_tree import Block

SMALL = {
    "image": {"model": "seeded", "size": "64", "d_model": "16", "heads": "2", "picture": "upload"},
    "audio": {"pool": "80", "d_model": "16", "heads": "2", "sound": "upload"},
}


def notices(part: Block) -> list[str]:
    told = [
        json.loads(element.proto.json)
        for element in part.get("bidi_component")
        if element.proto.component_name == "prose"
    ]
    return [one["paragraphs"][0][0][0] for one in told if one["style"] == "notice"]


@pytest.mark.parametrize("page", SMALL)
def test_that_an_upload_is_not_there_is_said_where_it_is_seen_on_a_phone(
    open_page: Open, page: str
) -> None:
    at = open_page(page, lang="zh", **SMALL[page])
    (told,) = notices(at.main)
    assert "重新" in told
    assert not notices(at.sidebar)


def test_what_cannot_be_read_of_a_link_is_quoted_with_its_invisible_characters(
    open_page: Open,
) -> None:
    (told,) = notices(open_page("softmax", lang="en", keys="\u202e3").main)
    assert told.endswith("keys=‹U+202E›3.")
