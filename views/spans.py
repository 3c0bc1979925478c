"""Sentences in pieces, each with the role that colours it; a reader's words are never markup."""

import re
from string import Formatter

Span = tuple[str, str]
_SCRIPT = re.compile(r"\b([Wbd])([\^_])([A-Zkv12]|ff|model)")


def spans(template: str, **fields: str | Span) -> list[Span]:
    """A template's text cut at its ``{fields}``; a field's role colours it.

    A field is a string, or a string with the role of the axis that it belongs to.
    """
    found: list[Span] = []
    for text, name, _, _ in Formatter().parse(template):
        found += _mathematics(text)
        if name:
            field = fields[name]
            found.append((field, "number") if isinstance(field, str) else field)
    return found


def _mathematics(text: str) -> list[Span]:
    """``W^Q`` and ``d_k`` in the project's own words, set with a raised Q and a lowered k."""
    found: list[Span] = []
    start = 0
    for match in _SCRIPT.finditer(text):
        base, mark, script = match.groups()
        found.append((text[start : match.start()], ""))
        found += [(base, "symbol"), (script, "sup" if mark == "^" else "sub")]
        start = match.end()
    found.append((text[start:], ""))
    return [span for span in found if span[0]]


def plain(text: str) -> str:
    """Markdown that shows exactly this text: for Streamlit elements that know only Markdown.

    Only for the project's own words with numbers in them, not for a reader's text.
    """
    return "".join("\\" + c if c in "\\`*_{}[]()#+-.!|$~<>:" else c for c in text)
