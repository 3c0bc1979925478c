r"""Parses a stage's LaTeX formula into a MathML tree, each symbol linked to a stage or axis.

Only the subset of LaTeX that stages use is supported. Adjacent letters are one name: ``PE`` is not
P times E. ``\text`` contains the key of a stage.
"""

import re
from functools import lru_cache
from typing import NamedTuple

BEGIN, BREAK, END = r"\begin{aligned}", r"\\", r"\end{aligned}"
NAMED = re.compile(r"\\(?P<how>text|operatorname)\{(?P<name>(?:[A-Za-z0-9]|\\_)+)\}")
ALIGNED = r"\\(?:begin|end)\{aligned\}"
TOKEN = re.compile(rf"{NAMED.pattern}|{ALIGNED}|\\[A-Za-z]+|\\.|[A-Za-z]+|[0-9]+|\S")

SCRIPTS = {"_": "sub", "^": "sup"}
NAMED_OPERATORS = {r"\cdot": "⋅", r"\odot": "⊙", r"\div": "÷"}
OPERATORS = {sign: sign for sign in "+=,;()[]"} | {"-": "−"} | NAMED_OPERATORS
FUNCTIONS = {r"\sin": "sin", r"\cos": "cos", r"\ln": "ln", r"\tanh": "tanh"}
# As operators these would have space around them.
NAMES = FUNCTIONS | {
    "/": "/", r"\top": "⊤", r"\dots": "…", r"\gamma": "γ", r"\beta": "β", r"\pi": "π",
    r"\theta": "θ", r"\lambda": "λ", r"\epsilon": "ε", r"\sum": "∑", "'": "′",
}  # fmt: skip
BUILT = ("{", r"\frac", r"\sqrt", BEGIN, r"\,", "\\ ")

# Indices (i, p, …), the patch size P and scalars (s, T) are not drawn in a figure.
MEANINGS = {
    **{key: key for key in "XQKVE"},
    "A": "weights",
    "dA": "grad/weights",
    "dp": "grad/probabilities",
    **{f"W^{of}": f"W_{of}" for of in "QKVOEP"},
    **{f"b^{of}": f"b_{of}" for of in "QKVOEP"},
    **{f"d{key}": f"grad/{key}" for key in "XQKV"},
    **{f"d{letter}^{of}": f"grad/{letter}_{of}" for letter in "Wb" for of in "QKVOEP"},
    **{f"{letter}_{{{of}}}": f"{letter}_{of}" for letter in "Wb" for of in ("gate", "up", "down")},
    **{f"W^{{{of}}}": f"W_{of}" for of in ("DKV", "UK", "UV")},
    "c^{KV}": "latent",
    **{rf"\gamma^{of}": f"gamma_{of}" for of in "QK"},
    r"\gamma^{post}": "gamma_post",
    **{f"{letter}_{{C{n}}}": f"{letter}_C{n}" for letter in "Wb" for n in "12"},
    r"\theta": "inv_freq",
    **{name: name for name in ("W_1", "b_1", "W_2", "b_2")},
    r"\gamma": "gamma",
    r"\beta": "beta",
    r"\lambda": "lambda",
    "x": "stream",
    "M": "memory",
    "B": "bias",
    "PE": "position",
    r"\text{position}_0": "trained_position",
    r"x_{\text{CLS}}": "cls",
    r"x_{\text{DIST}}": "distillation",
    "d_k": "d_k",
    r"d_{\text{model}}": "d_model",
    "h": "head",
    "W": "width",
    "C": "channel",
}
MASK = "mask"  # key_mask, causal, sliding_window and allowed together
MEANINGS_OF_MASKED = MEANINGS | {"M": MASK}


SWAPPED = (
    (re.compile(r"Q ?K\^\\top"), r"K^\\top Q"),
    (re.compile(r"([XM]) (W\^[QKV])"), r"\2 \1"),
    (re.compile(r"A V"), "V A"),
    (re.compile(r"(\\text\{(?:weights|dropped)\}) \\cdot V"), r"V \\cdot \1"),
    (re.compile(r"(\\text\{(?:concat|flattened)\}) \\cdot (W\^[OE])"), r"\2 \\cdot \1"),
)


class Node(NamedTuple):
    """A MathML element; in JSON ``[tag, children, means]``.

    children: nodes; one string in mi, mn and mo; none in a (thin) ``mspace``.
    means: the stage key or axis role of the element, ``"mask"`` for all masks, or None. For nested
        symbols the innermost counts.
    """

    tag: str
    children: "tuple[Node | str, ...]"
    means: str | None = None


def in_columns(latex: str) -> str:
    """A formula, or a text with formulas, for tokens as columns: the factors of A B swap to B A."""
    for pattern, swapped in SWAPPED:
        latex = pattern.sub(swapped, latex)
    return latex


@lru_cache(maxsize=256)
def formula(latex: str) -> Node:
    """Parse a formula; the root is an ``mrow``.

    M is the memory, and in the formula of ``masked`` the masks. Raises ValueError with the command
    or sign that is not in the supported subset.
    """
    is_masked = latex.startswith(r"\text{masked}")
    reader = _Reader(latex, MEANINGS_OF_MASKED if is_masked else MEANINGS)
    root = Node("mrow", reader.row())
    reader.take("")
    return root


def as_text(latex: str) -> str:
    """A formula where nothing can be typeset: ``W^Q``, ``√d_k``, ``QK⊤``."""

    def text(node: Node | str) -> str:
        if isinstance(node, str):
            return node
        parts = [text(child) for child in node.children]
        match node.tag:
            case "msup":
                return "".join(parts) if parts[1] == NAMES[r"\top"] else "^".join(parts)
            case "msub":
                return "_".join(parts)
            case "msqrt":
                return f"√{''.join(parts)}"
            case "mspace":
                return " "
        return "".join(parts)

    return text(formula(latex))


class _Reader:
    """A recursive-descent parser; ``next`` is the next token, "" at the end."""

    def __init__(self, latex: str, meanings: dict[str, str]) -> None:
        self.latex, self.meanings = latex, meanings
        self.tokens = [*(match[0] for match in TOKEN.finditer(latex)), ""]
        self.position = 0

    @property
    def next(self) -> str:
        return self.tokens[self.position]

    def take(self, expected: str | None = None) -> str:
        if expected not in (None, self.next):
            raise self.error(f"is found where {expected or 'the end'} is expected")
        self.position += 1
        return self.tokens[self.position - 1]

    def error(self, why: str) -> ValueError:
        return ValueError(f"{self.next or 'the end'} {why} in {self.latex}")

    def row(self) -> tuple[Node, ...]:
        """A sequence of symbols up to the token that closes it."""
        nodes = []
        while self.next not in ("", "}", "&", BREAK, END):
            is_function = self.next in FUNCTIONS
            nodes.append(self.scripted())
            if is_function and self.next != "(":
                nodes.append(Node("mspace", ()))
        return tuple(nodes)

    def scripted(self) -> Node:
        """One symbol with its sub- and superscript.

        A known combination, such as W^Q, has one meaning. Otherwise the base has a meaning, and a
        script may have its own, such as tokens in E_tokens.
        """
        start, base = self.position, self.atom()
        attached: dict[str, Node] = {}
        while self.next in SCRIPTS and self.next not in attached:
            sign = self.take()
            attached[sign] = self.script()
        if not attached:
            return base
        whole = self.meanings.get("".join(self.tokens[start : self.position]))
        scripts = {sign: attached[sign] for sign in SCRIPTS if sign in attached}
        tag = "m" + "".join(SCRIPTS[sign] for sign in scripts)
        parts = (_without_meaning(part) if whole else part for part in scripts.values())
        return Node(tag, (_without_meaning(base), *parts), whole or base.means)

    def script(self) -> Node:
        if len(self.next) > 1 and self.next.isalnum():
            raise self.error("needs braces around it")  # TeX would move its first sign only
        return self.atom()

    def group(self) -> Node:
        self.take("{")
        nodes = self.row()
        self.take("}")
        return nodes[0] if len(nodes) == 1 else Node("mrow", nodes)

    def atom(self) -> Node:
        if self.next not in BUILT:
            return self.leaf()
        if self.next == "{":
            return self.group()
        command = self.take()
        if command == r"\frac":
            return Node("mfrac", (self.group(), self.group()))
        if command == r"\sqrt":
            under = self.group()
            return Node("msqrt", (_without_meaning(under),), under.means)
        return self.aligned() if command == BEGIN else Node("mspace", ())

    def leaf(self) -> Node:
        if self.next == "d" and self.tokens[self.position + 1].startswith(r"\text{"):
            self.take()
            of = self.leaf()  # d and the stage that it is a gradient of are one symbol
            return Node(of.tag, (f"d{of.children[0]}",), of.means and f"grad/{of.means}")
        named = NAMED.fullmatch(self.next)
        if not (named or self.next in OPERATORS | NAMES or re.fullmatch("[A-Za-z0-9]+", self.next)):
            raise self.error("cannot be set")
        token = self.take()
        if named:
            name = named["name"].replace(r"\_", "_")
            # Not mtext: browsers treat it as space, so the next operator would be set as a prefix.
            return Node("mi", (name,), name if named["how"] == "text" else None)
        if token in OPERATORS:
            return Node("mo", (OPERATORS[token],))
        tag = "mn" if token.isdecimal() else "mi"
        return Node(tag, (NAMES.get(token, token),), self.meanings.get(token))

    def aligned(self) -> Node:
        """Equations below one another, aligned in columns."""
        rows = [[Node("mtd", self.row())]]
        while self.next in ("&", BREAK):
            if self.take() == BREAK:
                rows.append([])
            rows[-1].append(Node("mtd", self.row()))
        self.take(END)
        return Node("mtable", tuple(Node("mtr", tuple(cells)) for cells in rows))


def _without_meaning(node: Node) -> Node:
    """The node without any meaning, because the element around it has one."""
    children = (
        child if isinstance(child, str) else _without_meaning(child) for child in node.children
    )
    return Node(node.tag, tuple(children))
