"""Messages of controls are on the page itself, since a phone's drawer is closed."""

import json

import pytest
from page_reader import SMALL, Open
from streamlit.testing.v1.element_tree import Block

UPLOADED = {"image": {"picture": "upload"}, "audio": {"sound": "upload"}}


def notices(part: Block) -> list[str]:
    prose = [
        json.loads(element.proto.bytes)
        for element in part.get("bidi_component")
        if element.proto.component_name == "prose"
    ]
    return [one["paragraphs"][0][0][0] for one in prose if one["style"] == "notice"]


@pytest.mark.parametrize("page", UPLOADED)
def test_a_missing_upload_is_reported_where_a_phone_shows_it(open_page: Open, page: str) -> None:
    at = open_page(page, lang="zh", **SMALL[page], **UPLOADED[page])
    (notice,) = notices(at.main)
    assert "重新" in notice
    assert not notices(at.sidebar)


def test_what_cannot_be_read_of_a_link_is_quoted_with_its_invisible_characters(
    open_page: Open,
) -> None:
    (notice,) = notices(open_page("softmax", lang="en", keys="\u202e3").main)
    assert notice.endswith("keys=‹U+202E›3.")
