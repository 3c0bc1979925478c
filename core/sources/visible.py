"""Text with visible replacements for invisible characters."""

import regex

SIGNS = {" ": "␣", "\n": "↵", "\t": "⇥"}
NUMBERED = r"‹U\+[0-9A-F]{4,6}›"
_CARRIER = "◌"  # the base of a combining mark in Unicode's charts

# In an emoji the selector, the joiner and the tags have a visible effect.
_EMOJI = r"\p{Extended_Pictographic}(?:\uFE0F|\p{Emoji_Modifier}|[\U000E0020-\U000E007F]+)*"
_PARTS = regex.compile(
    rf"(?P<emoji>[0-9#*]\uFE0F\u20E3|{_EMOJI}(?:\u200D{_EMOJI})*)"
    r"|(?P<unseen>[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Z}\p{Default_Ignorable_Code_Point}\u2800"
    r"--\p{Prepended_Concatenation_Mark}])"
    r"|(?P<mark>(?<![\p{L}\p{M}\p{N}\p{S}])\p{M})",
    flags=regex.V1,
)


def visible(text: str) -> str:
    """The text with ␣, ↵ and ⇥ for white space, and ‹U+200B› for other invisible characters.

    Control and format characters (such as bidirectional overrides), blank characters and lone
    surrogates are replaced by their code point; a combining mark without a base gets ◌.
    """
    return _PARTS.sub(_shown, text)


def as_word(token: str) -> str:
    """A visible token as a word of a text: without the mark of a space before it."""
    return token.lstrip(SIGNS[" "]) or token


def _shown(found: regex.Match[str]) -> str:
    text = found.group()
    if found["unseen"]:
        return SIGNS.get(text, f"‹U+{ord(text):04X}›")
    return _CARRIER + text if found["mark"] else text
