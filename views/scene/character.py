"""What each head does on this very input, in one line from its weights."""

from core import Trace
from core.experiments.head_patterns import Character, characters
from views import numbers
from views.naming import token_name
from views.text import Words


def said(trace: Trace, sample: int, words: Words) -> list[str]:
    """One line a head."""
    return [_line(trace, sample, character, words) for character in characters(trace, sample)]


def _line(trace: Trace, sample: int, character: Character | None, words: Words) -> str:
    text = words.character
    if character is None:
        return text.no_choice
    pattern, value = character.pattern
    if pattern == "broadly":
        return text.broadly.format(percent=numbers.whole(100 * value))
    favourite, _ = token_name(trace, trace["weights"], "key", character.favourite, sample, words)
    template = {"first": text.one}.get(pattern) or getattr(text, pattern)
    return template.replace("{value}", numbers.plain(value, 2)).replace("{key}", favourite)
