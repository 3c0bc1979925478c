"""Rich text as spans: pieces of text, each with a role that sets its colour or position.

Text from the user is only ever the text of a span, so it is never parsed as markup.
"""

import re
from collections.abc import Callable
from string import Formatter

Span = tuple[str, str]
ISOLATES = "\u2068", "\u2069"  # FIRST STRONG ISOLATE, POP DIRECTIONAL ISOLATE
RIGHT_TO_LEFT = re.compile(
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
SYMBOL = re.compile(r"(√?)\b([Wbdhnx])([\^_])([A-Zchkqtvx12]|ff|model)(?![A-Za-z])")
SUPERSCRIPT = re.compile("[Wb][A-Z]")  # W_Q, b_O: the letter of a matrix or bias is raised


def spans(template: str, **fields: str | Span) -> list[Span]:
    """The spans of a template whose ``{fields}`` are filled in.

    fields: a string, which gets the role ``number``, or a (text, axis role) pair. Of
    ``{n:token|tokens}`` the first word is taken if the field is 1, else the second.
    """
    result: list[Span] = []
    for text, name, spec, _ in Formatter().parse(template):
        result += symbols(text)
        if name:
            field = fields[name]
            text, role = (field, "number") if isinstance(field, str) else field
            one, mark, many = (spec or "").partition("|")
            result += symbols(one if text == "1" else many) if mark else [(isolated(text), role)]
    return result


def isolated(text: str) -> str:
    """The text between U+2068 and U+2069 if it has letters that are written from right to left.

    Quoted in a sentence without these, it would change the order of the words beside it.
    ``assets/microscope/engine/names.js`` follows the same rule.
    """
    if text.startswith(ISOLATES[0]) or not RIGHT_TO_LEFT.search(text):
        return text
    return text.join(ISOLATES)


def pieces(template: str) -> list[Span]:
    """The spans of a template whose fields the browser fills in: those have the role ``{}``."""
    names = [name for _, name, _, _ in Formatter().parse(template) if name]
    return spans(template, **{name: (name, "{}") for name in names})


def symbols(text: str) -> list[Span]:
    """The spans of a text in which ``W^Q`` and ``d_k`` are split into base and super- or subscript.

    Only for the project's own texts, not for text from the user.
    """
    result: list[Span] = []
    start = 0
    for match in SYMBOL.finditer(text):
        root, base, mark, script = match.groups()
        result.append((text[start : match.start()] + root, ""))
        result += [(base, "symbol"), (script, _script_tag(base, mark, script))]
        start = match.end()
    result.append((text[start:], ""))
    return [span for span in result if span[0]]


def _script_tag(base: str, mark: str, script: str) -> str:
    return "sup" if mark == "^" or SUPERSCRIPT.fullmatch(base + script) else "sub"


def mathematics(text: str) -> str:
    """Markdown of a plain text, its symbols as LaTeX.

    For headings, captions and tables. Labels of controls use ``plain``: a screen reader reads them,
    and LaTeX has no accessible text.
    """
    return _latex(text, plain)


def mathematics_in(markdown: str) -> str:
    """Markdown with its symbols as LaTeX; the rest of the markup is kept."""
    return _latex(markdown, str)


def _latex(text: str, between: Callable[[str], str]) -> str:
    result, start = "", 0
    for match in SYMBOL.finditer(text):
        root, base, mark, script = match.groups()
        sign = "^" if _script_tag(base, mark, script) == "sup" else "_"
        written = script if len(script) == 1 else rf"\text{{{script}}}"
        symbol = f"{base}{sign}{{{written}}}"
        result += between(text[start : match.start()])
        result += rf"$\sqrt{{{symbol}}}$" if root else f"${symbol}$"
        start = match.end()
    return result + between(text[start:])


def in_figure(text: str) -> str:
    """A text of the project with its symbols in Plotly's HTML subset."""

    def symbol(match: re.Match[str]) -> str:
        root, base, mark, script = match.groups()
        tag = _script_tag(base, mark, script)
        return f"{root}<i>{base}</i><{tag}>{script}</{tag}>"

    return SYMBOL.sub(symbol, text)


def plain(text: str) -> str:
    """Markdown that shows exactly this text, every special character escaped.

    Only for the project's own texts and numbers, not for text from the user.
    """
    return "".join("\\" + c if c in "\\`*_{}[]()#+-.!|$~<>:" else c for c in text)
