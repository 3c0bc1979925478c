"""Text with visible replacements of invisible characters."""

import regex
from hypothesis import given
from hypothesis import strategies as st

from core.sources.visible import visible

UNSEEN = regex.compile(r"[\s\p{C}\p{Default_Ignorable_Code_Point}--[\p{Cn}]]", regex.V1)
SHOWN = {
    "a b\n\t": "a␣b↵⇥", "a\r": "a‹U+000D›", "caf\u200be": "caf‹U+200B›e",
    "so\u00adft": "so‹U+00AD›ft", "\u202eabc\u2066": "‹U+202E›abc‹U+2066›",
    "\u00a0\u3000\u2800\u3164": "‹U+00A0›‹U+3000›‹U+2800›‹U+3164›",
    "\x00\x7f\x85": "‹U+0000›‹U+007F›‹U+0085›", "\ud800": "‹U+D800›", "\ue000": "‹U+E000›",
    "x\u200dy\u200c": "x‹U+200D›y‹U+200C›", "葛\U000e0100": "葛‹U+E0100›", "\u0301": "◌\u0301",
    " \u0301": "␣◌\u0301", "##\u0301": "##◌\u0301", "e\u0301": "e\u0301", "हि": "हि",
    "👩\u200d👧❤\ufe0f👍🏽": "👩\u200d👧❤\ufe0f👍🏽", "1\ufe0f\u20e3": "1\ufe0f\u20e3",
    "我爱 “北京”": "我爱␣“北京”",
}  # fmt: skip


def test_invisible_characters_are_shown_by_their_code_points():
    assert {text: visible(text) for text in SHOWN} == SHOWN


@given(st.text(st.characters(exclude_categories=["So", "Sk", "Cn"]), max_size=20))
def test_no_invisible_character_is_left(text):
    rest = regex.sub(r"[\u0600-\u0605\u06DD\u070F\u0890\u0891\u08E2\U000110BD\U000110CD]", "", text)
    assert not UNSEEN.search(visible(rest))
