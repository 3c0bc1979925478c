"""The attention pattern of each head on this input, as one line of text."""

from core import Trace
from core.experiments.head_patterns import HeadPattern, head_patterns
from views.scene.naming import token_name
from views.text import Words, numbers


def head_lines(trace: Trace, sample: int, words: Words) -> list[str]:
    """One line per head."""
    return [_line(trace, sample, head, words) for head in head_patterns(trace, sample)]


def _line(trace: Trace, sample: int, head: HeadPattern | None, words: Words) -> str:
    text = words.head_pattern
    if head is None:
        return text.no_choice
    pattern, value = head.pattern
    if pattern == "broadly":
        return text.broadly.format(percent=numbers.whole(100 * value))
    if pattern == "along":
        peak = numbers.plain(value)
        return text.along.format(value=peak, reached=head.reached, keys=head.keys)
    favourite, _ = token_name(trace, trace["weights"], "key", head.favourite, sample, words)
    template = {"first": text.one}.get(pattern) or text[pattern]
    return template.replace("{value}", numbers.plain(value)).replace("{key}", favourite)
