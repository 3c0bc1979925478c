"""A text that cannot be read is refused by name and with its numbers."""

import pytest
from claims import for_all
from refuses import refuses

from core.limits import LIMITS, Limits
from core.sources.text import read


@for_all("mode", ["word", "character", "custom"])
@for_all("blank", ["", " ", "\n\r\n\t \u3000", "\ufeff"])
def test_a_text_without_tokens_is_refused(blank, mode):
    with refuses("empty_text"):
        read(blank, mode)


def test_a_text_of_slashes_alone_has_no_tokens_of_the_readers_own():
    with refuses("empty_text"):
        read(" / //\n/", "custom")


def test_a_text_over_the_limit_is_refused_with_both_numbers():
    assert len(read("ab " * 4, "word", Limits(text=12))[0]) == 4
    with refuses("text_too_long", characters=13, limit=12):
        read("ab " * 4 + "c", "word", Limits(text=12))


def test_lines_over_the_limit_are_refused_and_blank_ones_do_not_count():
    assert len(read("a\n\nb\n\nc\n", "word", Limits(lines=3))) == 3
    with refuses("too_many_lines", lines=4, limit=3):
        read("a\n\nb\nc\nd", "word", Limits(lines=3))


def test_a_line_with_too_many_tokens_is_refused_by_its_number_in_the_text():
    limits = Limits(tokens=3)
    assert read("a b c\nd", "word", limits) == (("a", "b", "c"), ("d",))
    with refuses("too_many_tokens", line=3, tokens=5, limit=3):
        read("a b c\n\na b c d e\na b c d", "word", limits)


def test_the_limits_of_the_app_hold_where_none_are_given():
    (line,) = read("a " * LIMITS.tokens, "word")
    assert len(line) == LIMITS.tokens
    for text, error in (
        ("a " * (LIMITS.tokens + 1), "too_many_tokens"),
        ("a\n" * (LIMITS.lines + 1), "too_many_lines"),
        ("a" * (LIMITS.text + 1), "text_too_long"),
    ):
        with refuses(error):
            read(text, "word")


@for_all("mode", ["word", "character", "custom"])
@for_all(
    ("text", "named"),
    [
        ("a\x00b", "U+0000"), ("a\rb", "U+000D"), ("a\x1bb\x7f\x1b", "U+001B, U+007F"),
        ("a\x85b", "U+0085"), ("\u2066a\u2067", "U+2066, U+2067"),
        *((chr(code), f"U+{code:X}") for code in range(0x202A, 0x202F)),  # directions
        ("a\ud83d", "U+D83D"), ("\udc68我", "U+DC68"),
    ],
)  # fmt: skip
def test_control_characters_overrides_and_surrogates_are_refused_by_name(text, named, mode):
    with refuses("invisible_characters", characters=named):
        read(text, mode)


def test_a_mode_that_does_not_exist_is_refused():
    with pytest.raises(KeyError, match="syllable"):
        read("a", "syllable")
