"""Elements of a Streamlit page as HTML: text is escaped, components are mounted in the browser."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from html import escape
from typing import Any
from urllib.parse import parse_qsl

from streamlit.testing.v1.element_tree import Block

from views.export.bundle import component_css
from views.export.pieces import Pieces
from views.scene.blob import parts, prepend_header, split_header
from views.text import MODEL_CARD, numbers
from views.widgets.component import is_json

LEFT_OUT = {
    "way_back",
    "pickers",
    "samples",
    "computing",
    "sheet_card",
    "early",
}  # blocks by key
SILENT = {  # show nothing
    "language", "connection", "classroom", "wall", "menu", "theme", "settings", "long_values",
    "weights",
}  # fmt: skip
SETTINGS = {
    "button_group", "slider", "select_slider", "selectbox", "text_input", "text_area",
    "number_input", "checkbox", "toggle", "radio",
}  # fmt: skip
_INLINE = re.compile(
    r"\\(?P<plain>[^\sA-Za-z0-9])|\$(?P<math>[^$]+)\$|\*\*(?P<strong>.+?)\*\*|`(?P<code>[^`]+)`"
    r"|:small\[(?P<small>(?:\\.|[^\]])*)\]|(?P<line>  \n)"
)
_ESCAPED = re.compile(r"\\([^\sA-Za-z0-9])")
_SCRIPT = re.compile(r"([\w)])([\^_])(?:\{([^{}]+)\}|(\w))")
_TEX = re.compile(r"\\(?:text|mathrm)\{([^{}]*)\}")

Link = Callable[[str, Mapping[str, str]], str]  # page and query -> address, or "" if there is none


@dataclass
class Markup:
    """Writes the elements of one file's pages.

    pieces: the data of components go there. titles: what the file's own headline says already.
    used: the names of components.
    """

    pieces: Pieces
    link: Link
    titles: frozenset[str] = frozenset()
    used: set[str] = field(default_factory=set)
    _photo: str = ""

    def page(self, main: Block, photo: str = "") -> str:
        """All elements of a page. photo: the data URL of the picture that it shows, if it does."""
        self._photo = photo
        return self._children(main)

    def _children(self, block: Block) -> str:
        return "".join(self._node(block.children[i]) for i in sorted(block.children))

    def _node(self, node: Any) -> str:
        return self._block(node) if isinstance(node, Block) else self._element(node)

    def _block(self, block: Block) -> str:
        key = block.key or ""
        if key in LEFT_OUT or block.type in ("popover", "dialog"):
            return ""
        inside = self._children(block)
        if not inside or (key.startswith("terms") and "<a " not in inside):
            return ""
        if block.type == "expander":
            label = block.proto.label
            is_card = label in {texts.title for texts in MODEL_CARD.values()}
            return (
                "" if is_card else f"<details><summary>{inline(label)}</summary>{inside}</details>"
            )
        if block.type == "column":
            return f'<div class="column" style="flex-grow: {block.proto.weight:.3g}">{inside}</div>'
        kinds = list(_kinds(block))
        return f'<div class="{" ".join([*kinds, key and f"st-key-{key}"]).strip()}">{inside}</div>'

    def _element(self, node: Any) -> str:
        if node.type == "bidi_component":
            return self._component(node.proto)
        if node.type in SETTINGS:
            value = shown_value(node)
            return value and f'<p class="setting">{inline(node.label)} <b>{escape(value)}</b></p>'
        match node.type:
            case "title":
                title = inline(node.value)
                return "" if title in self.titles else f"<h2>{title}</h2>"
            case "markdown":
                return markdown(node.value)
            case "caption":
                return f'<p class="caption">{inline(node.value)}</p>'
            case "image":
                return f'<img alt="" data-piece="{self.pieces.name(self._photo.encode())}">'
            case "code":
                return f"<pre><code>{escape(node.value)}</code></pre>"
            case "table":
                return _table(node.value)
            case "plotly_chart":
                return self._chart(node.proto)
            case "page_link":
                query = dict(parse_qsl(node.proto.query_string.lstrip("?")))
                address = self.link(node.proto.page, query)
                text = inline(node.proto.label)
                return address and f'<p class="link"><a href="{escape(address)}">{text}</a></p>'
        return ""

    def _component(self, proto: Any) -> str:
        name = proto.component_name
        if name in SILENT:
            return ""
        if name == "streamlit":
            return '<div class="slot"></div>'
        if name == "prose":
            return _prose(json.loads(proto.bytes))
        if name == "run":
            header, scene = split_header(proto.bytes)
            if "scene" not in header:  # the microscope's own, which has a slot
                return ""
            own = prepend_header(header | {"scene": 1}, b"")
            data, kind = [own, *(parts(scene) if scene else ())], "bytes"
        elif is_json(proto.bytes):
            data, kind = [self.pieces.packed(json.loads(proto.bytes or "null"))], "json"
        else:
            data, kind = parts(proto.bytes), "bytes"
        self.used.add(name)
        return self.pieces.component(name, data, kind, component_css(name))

    def _chart(self, proto: Any) -> str:
        """Plotly draws it in the browser, as in the app."""
        config = json.loads(proto.config) | {"responsive": True}
        piece = self.pieces.name(self.pieces.packed(json.loads(proto.spec) | {"config": config}))
        alt = escape(proto.alt)
        return f'<div class="chart" data-chart="{piece}" role="img" aria-label="{alt}"></div>'


def shown_value(node: Any) -> str:
    """The value of a control in words, as the page shows it."""
    if node.type in ("checkbox", "toggle"):
        return "✓" if node.value else "–"
    if node.type == "button_group":
        return _ESCAPED.sub(r"\1", ", ".join(node.formatted_values))
    if node.type == "selectbox":
        return str(node.options[node.index])
    return numbers.bare(node.value) if isinstance(node.value, float) else str(node.value)


def inline(text: str) -> str:
    """Streamlit's Markdown of one line, as far as the pages use it, as HTML."""
    result, start = "", 0
    for match in _INLINE.finditer(text):
        result += escape(text[start : match.start()])
        kind, inside = str(match.lastgroup), match[str(match.lastgroup)]
        match kind:
            case "plain":
                result += escape(inside)
            case "math":
                result += f'<span class="symbol">{_math(inside)}</span>'
            case "line":
                result += "<br>"
            case "code":
                result += f"<code>{escape(inside)}</code>"
            case _:
                result += f"<{kind}>{inline(inside)}</{kind}>"
        start = match.end()
    return result + escape(text[start:])


def markdown(text: str) -> str:
    """Headings, lists, tables and paragraphs of Streamlit's Markdown as HTML."""
    lines = text.strip().split("\n")
    if lines[0].startswith("|"):
        rows = [[inline(cell.strip()) for cell in line.strip("|").split("|")] for line in lines]
        return _rows(rows[0], rows[2:])
    if all(line.startswith("- ") for line in lines):
        return f"<ul>{''.join(f'<li>{inline(line[2:])}</li>' for line in lines)}</ul>"
    if heading := re.fullmatch(r"(#{2,4}) (.+)", text.strip()):
        level = len(heading[1]) + 1  # the page's own headline is one above
        return f"<h{level}>{inline(heading[2])}</h{level}>"
    return f"<p>{inline(text)}</p>"


def _math(tex: str) -> str:
    """The little LaTeX that the pages have: letters, super- and subscripts, a root."""
    text = escape(_TEX.sub(r"\1", tex).replace(r"\tanh", "tanh"))
    text = re.sub(r"\\sqrt\{(\w[_^](?:\{\w+\}|\w))\}", r"√\1", text)

    def script(match: re.Match[str]) -> str:
        tag = "sup" if match[2] == "^" else "sub"
        return f"{match[1]}<{tag}>{match[3] or match[4]}</{tag}>"

    return _SCRIPT.sub(script, text)


def _kinds(block: Block) -> Iterator[str]:
    container = block.proto.flex_container if block.proto and block.type != "form" else None
    columns = any(getattr(child, "type", "") == "column" for child in block.children.values())
    if columns:
        yield "columns"
    elif container and container.direction == container.Direction.HORIZONTAL:
        yield "row"
    if container and container.border:
        yield "card"


def _prose(data: Mapping[str, Any]) -> str:
    paragraphs = "".join(
        f"<p>{''.join(_span(text, role) for text, role in spans)}</p>"
        for spans in data["paragraphs"]
    )
    return f'<div class="prose {data["style"]}">{paragraphs}</div>'


def _span(text: str, role: str) -> str:
    if role in ("sup", "sub"):
        return f"<{role}>{escape(text)}</{role}>"
    return f'<span class="{role}">{escape(text)}</span>' if role else escape(text)


def _table(frame: Any) -> str:
    rows = [[inline(str(cell)) for cell in row] for row in frame.itertuples(index=False)]
    return _rows([inline(str(name)) for name in frame.columns], rows)


def _rows(names: list[str], rows: list[list[str]]) -> str:
    head = "".join(f"<th>{name}</th>" for name in names)
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    return f'<div class="wide">{table}</div>'
