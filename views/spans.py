"""Sentences in pieces, each with the role that colours it; a reader's words are never markup."""

import re
from collections.abc import Callable
from string import Formatter

Span = tuple[str, str]
SYMBOL = re.compile(r"(√?)\b([Wbdhnx])([\^_])([A-Zhkqtvx12]|ff|model)(?![A-Za-z])")
RAISED = re.compile("[Wb][A-Z]")  # what names a matrix or a bias stands above


def spans(template: str, **fields: str | Span) -> list[Span]:
    """A template's text cut at its ``{fields}``; a field's role colours it.

    A field is a string, or a string with the role of the axis that it belongs to.
    """
    found: list[Span] = []
    for text, name, _, _ in Formatter().parse(template):
        found += symbols(text)
        if name:
            field = fields[name]
            found.append((field, "number") if isinstance(field, str) else field)
    return found


def pieces(template: str) -> list[Span]:
    """A template whose ``{fields}`` are filled in elsewhere: such a piece has the role ``{}``."""
    names = [name for _, name, _, _ in Formatter().parse(template) if name]
    return spans(template, **{name: (name, "{}") for name in names})


def symbols(text: str) -> list[Span]:
    """``W^Q`` and ``d_k`` in the project's own words, set with a raised Q and a lowered k."""
    found: list[Span] = []
    start = 0
    for match in SYMBOL.finditer(text):
        root, base, mark, script = match.groups()
        found.append((text[start : match.start()] + root, ""))
        found += [(base, "symbol"), (script, _hung(base, mark, script))]
        start = match.end()
    found.append((text[start:], ""))
    return [span for span in found if span[0]]


def _hung(base: str, mark: str, script: str) -> str:
    return "sup" if mark == "^" or RAISED.fullmatch(base + script) else "sub"


def _roman(script: str) -> str:
    return rf"\text{{{script}}}"


def mathematics(text: str) -> str:
    """Markdown of a text with its symbols set as mathematics.

    For what is only read: headings, captions, tables. What can be pressed is read aloud by its
    label, and a formula has none: there ``plain``.
    """
    return _set(text, plain)


def mathematics_in(markdown: str) -> str:
    """Markdown with its symbols set as mathematics."""
    return _set(markdown, str)


def _set(text: str, between: Callable[[str], str]) -> str:
    found, start = "", 0
    for match in SYMBOL.finditer(text):
        root, base, mark, script = match.groups()
        hangs = "^" if _hung(base, mark, script) == "sup" else "_"
        symbol = f"{base}{hangs}{{{script if len(script) == 1 else _roman(script)}}}"
        found += between(text[start : match.start()])
        found += rf"$\sqrt{{{symbol}}}$" if root else f"${symbol}$"
        start = match.end()
    return found + between(text[start:])


def in_figure(text: str) -> str:
    """A text of the project's own with its symbols set as Plotly sets them."""

    def symbol(match: re.Match[str]) -> str:
        root, base, mark, script = match.groups()
        tag = _hung(base, mark, script)
        return f"{root}<i>{base}</i><{tag}>{script}</{tag}>"

    return SYMBOL.sub(symbol, text)


def plain(text: str) -> str:
    """Markdown that shows exactly this text: for Streamlit elements that know only Markdown.

    Only for the project's own words with numbers in them, not for a reader's text.
    """
    return "".join("\\" + c if c in "\\`*_{}[]()#+-.!|$~<>:" else c for c in text)
