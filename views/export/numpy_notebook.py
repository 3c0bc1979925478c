"""A trace as a Jupyter notebook of plain NumPy: its given numbers, and a line for each rule."""

import itertools
import json
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from core import Stage, Trace, rules
from core.limits import NOTEBOOK_NUMBERS
from views.export.reduced import attention_of, one_head_note, reduced, title_of
from views.text import EXPORT, Words
from views.text.spans import plain

HELPERS = {
    "softmax": '''\
def softmax(x, axis, sink=None):
    """Each row's exponentials divided by their sum; 0 where all of a row is -inf."""
    largest = x.max(axis, keepdims=True)
    if sink is not None:
        largest = np.maximum(largest, sink)
    largest = np.where(np.isneginf(largest), 0, largest)
    e = np.exp(x - largest)
    total = e.sum(axis, keepdims=True)
    if sink is not None:
        total = total + np.exp(sink - largest)
    return np.divide(e, total, out=np.zeros_like(e), where=total > 0)''',
    "normalise": """\
def normalise(x, axis, epsilon):
    centred = x - x.mean(axis, keepdims=True)
    return centred / np.sqrt((centred**2).mean(axis, keepdims=True) + epsilon)""",
    "rms_norm": """\
def rms_norm(x, axis, epsilon):
    return x / np.sqrt((x**2).mean(axis, keepdims=True) + epsilon)""",
    "bfloat16": '''\
def bfloat16(x):
    """Rounded to the nearest number of 16 bits, to an even one in the middle of two."""
    bits = np.asarray(x, np.float32).view(np.uint32)
    bits = bits + 0x7FFF + ((bits >> 16) & 1)
    return (bits & 0xFFFF0000).astype(np.uint32).view(np.float32)''',
    "relu": "def relu(x):\n    return np.maximum(x, 0)",
    "gelu": """\
def gelu(x):
    from math import erf
    return x * (1 + np.vectorize(erf)(x / np.sqrt(2))) / 2""",
    "gelu_tanh": """\
def gelu_tanh(x):
    return x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3))) / 2""",
    "quick_gelu": "def quick_gelu(x):\n    return x / (1 + np.exp(-1.702 * x))",
    "silu": "def silu(x):\n    return x / (1 + np.exp(-x))",
}
IN_NUMPY = ("log", "cos", "sin", "tanh")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_SIGNS = {"div": "//", "mod": "%", "minus": "-"}


def ipynb(trace: Trace, words: Words, at: Mapping[str, int] | None = None) -> bytes:
    """The notebook, in this language; of a trace of several parts that of the first attention.

    Of more than ``NOTEBOOK_NUMBERS`` given numbers it holds one head, from Q, K and V on. at: that
    head and its sample, from 0. Raises too_many_numbers.
    """
    whole = attention_of(trace)
    trace = reduced(whole, NOTEBOOK_NUMBERS, at or {}, given=True)
    says = [EXPORT[words.code].notebook_says]
    if trace is not whole:
        says.append(one_head_note(trace, whole, words))
    writer = _Writer(trace)
    lines = {key: writer.line(stage) for key, stage in trace.items()}
    head = [
        "import numpy as np",
        "np.set_printoptions(precision=3, suppress=True)",
        *(HELPERS[name] for name in HELPERS if name in writer.called),
    ]
    cells = [
        _cell("markdown", "\n\n".join((f"# {words.product}", *says))),
        _cell("code", "\n\n\n".join(["\n".join(head[:2]), *head[2:]])),
    ]
    for key, stage in trace.items():
        title = title_of(trace, key, words, plain, "${}$".format)
        cells += [
            _cell("markdown", f"## {title}\n\n$${stage.formula}$$"),
            _cell("code", f"{lines[key]}\n{_name(key)}"),
        ]
    about = {"language_info": {"name": "python"}}
    for number, cell in enumerate(cells):
        cell["id"] = f"cell-{number}"
    book = {"cells": cells, "metadata": about, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(book, ensure_ascii=False, indent=1).encode()


def _cell(kind: str, source: str) -> dict[str, Any]:
    of_code = {"execution_count": None, "outputs": list[str]()} if kind == "code" else {}
    return {
        "cell_type": kind,
        "metadata": {},
        "source": source.splitlines(keepends=True),
        **of_code,
    }


def _name(key: str) -> str:
    return key.replace("/", "_")


class _Writer:
    """Writes rules in NumPy. called: the helpers that they call."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.called: set[str] = set()

    def line(self, stage: Stage) -> str:
        """The assignment of a stage."""
        name = _name(stage.key)
        if isinstance(stage.rule, rules.Given):
            return f"{name} = {_literal(stage.tensor)}"
        sizes = dict(zip(stage.roles, stage.tensor.shape, strict=True))
        written = self._rule(stage.rule, stage.roles, sizes)
        return f"{name} = {written}"

    def _rule(self, rule: rules.Rule, roles: tuple[str, ...], sizes: dict[str, int]) -> str:
        """An expression that broadcasts to the axes of these roles."""
        match rule:
            case rules.Operand():
                return self._read(rule, roles, sizes)
            case rules.Constant(value):
                return repr(float(value))
            case rules.Dot(left, right, over, size):
                return self._dot((left, right), roles, {**sizes, over: size})
            case rules.Sum(parts):
                return " + ".join(self._rule(part, roles, sizes) for part in parts)
            case rules.Total(of, over, size):
                return f"({self._rule(of, (*roles, over), {**sizes, over: size})}).sum(-1)"
            case rules.Product(factors):
                return " * ".join(self._factor(factor, roles, sizes) for factor in factors)
            case rules.Mask(of, allowed):
                masks = " & ".join(self._read(mask, roles, sizes) for mask in allowed)
                return f"np.where({masks}, {self._rule(of, roles, sizes)}, -np.inf)"
            case rules.Softmax(of, along, _, sink):
                last = "" if sink is None else f", {self._read(sink, roles, sizes)}"
                if sink is not None and along in sink.index:
                    raise ValueError("a sink is one for all keys")
                return self._call("softmax", of, roles, sizes, along, last)
            case rules.Normalise(of, along, _, epsilon):
                return self._call("normalise", of, roles, sizes, along, f", {epsilon!r}")
            case rules.RMSNorm(of, along, _, epsilon):
                return self._call("rms_norm", of, roles, sizes, along, f", {epsilon!r}")
            case rules.Rotate(of, partner, cos, sin, second):
                a, b, c, s = (self._read(part, roles, sizes) for part in (of, partner, cos, sin))
                sign = f"np.where({self._index(second, roles, sizes)}, 1, -1)"
                return f"{a} * {c} + {sign} * {b} * {s}"
            case rules.Activation(function, of):
                if function not in IN_NUMPY:
                    self.called.add(function)
                name = f"np.{function}" if function in IN_NUMPY else function
                return f"{name}({self._rule(of, roles, sizes)})"
            case rules.Stack():
                return self._stack(rule, roles, sizes)
            case rules.Round(of, to):
                inner = self._rule(of, roles, sizes)
                if to == "float16":
                    return f"({inner}).astype(np.float16).astype(np.float32)"
                self.called.add(to)
                return f"{to}({inner})"
        raise TypeError(f"not a rule for a computed cell: {rule!r}")

    def _factor(self, rule: rules.Rule, roles: tuple[str, ...], sizes: dict[str, int]) -> str:
        written = self._rule(rule, roles, sizes)
        return f"({written})" if isinstance(rule, rules.Sum | rules.Rotate) else written

    def _call(
        self, function: str, of: rules.Operand, roles: tuple[str, ...], sizes: dict[str, int],
        along: str, last: str,
    ) -> str:  # fmt: skip
        self.called.add(function)
        return (
            f"{function}({self._read(of, roles, sizes)}, {roles.index(along) - len(roles)}{last})"
        )

    def _dot(
        self, both: Iterable[rules.Operand], roles: tuple[str, ...], sizes: dict[str, int]
    ) -> str:
        letters = dict(zip(sizes, _LETTERS, strict=False))
        axes, read = [], []
        for operand in both:
            used = tuple(dict.fromkeys(self._named(operand.index)))
            axes.append("".join(letters[role] for role in used))
            is_plain = used == operand.index
            read.append(_name(operand.stage) if is_plain else self._grid(operand, used, sizes))
        result = "".join(letters[role] for role in roles)
        return f'np.einsum("{",".join(axes)}->{result}", {", ".join(read)})'

    def _stack(self, rule: rules.Stack, roles: tuple[str, ...], sizes: dict[str, int]) -> str:
        axis, parts, first = roles.index(rule.along), [], 0
        for part, length in zip(rule.parts, rule.lengths, strict=True):
            shape = tuple(length if role == rule.along else sizes[role] for role in roles)
            read = self._grid(part, roles, sizes, {rule.along: (first, first + length)})
            parts.append(f"np.broadcast_to({read}, {shape})")
            first += length
        return f"np.concatenate([{', '.join(parts)}], {axis})"

    def _read(self, operand: rules.Operand, roles: tuple[str, ...], sizes: dict[str, int]) -> str:
        """A stage, its axes moved to where they are in the result."""
        index, name = operand.index, _name(operand.stage)
        if any(not isinstance(i, str) for i in index) or [*index] != [
            role for role in roles if role in index
        ]:
            return self._grid(operand, roles, sizes)
        if index == roles[len(roles) - len(index) :]:
            return name
        rest = roles[roles.index(str(index[0])) :]
        return f"{name}[{', '.join(':' if role in index else 'None' for role in rest)}]"

    def _grid(
        self, operand: rules.Operand, roles: tuple[str, ...], sizes: dict[str, int],
        parts: dict[str, tuple[int, int]] | None = None,
    ) -> str:  # fmt: skip
        """A stage at index arrays, one along each axis of the result."""
        written = (self._index(i, roles, sizes, parts) for i in operand.index)
        return f"{_name(operand.stage)}[{', '.join(written)}]"

    def _index(
        self, index: rules.Index, roles: tuple[str, ...], sizes: dict[str, int],
        parts: dict[str, tuple[int, int]] | None = None,
    ) -> str:  # fmt: skip
        match index:
            case str():
                first, end = (parts or {}).get(index, (0, sizes[index]))
                after = len(roles) - 1 - roles.index(index)
                span = f"{first}, {end}" if first else f"{end}"
                return f"np.arange({span}){'[:' + ', None' * after + ']' if after else ''}"
            case int():
                return str(index)
            case ("look_up", stage, inner):
                written = (self._index(i, roles, sizes, parts) for i in inner)
                return f"{_name(stage)}[{', '.join(written)}]"
            case ("join", high, size, low):
                a, b = (self._index(i, roles, sizes, parts) for i in (high, low))
                return f"({a} * {size} + {b})"
            case (kind, of, size):
                return f"({self._index(of, roles, sizes, parts)} {_SIGNS[kind]} {size})"
        raise TypeError(f"not an index expression: {index!r}")

    def _named(self, index: Any) -> Iterable[str]:
        """The roles that index expressions name, in order."""
        if isinstance(index, str):
            return [index]
        if not isinstance(index, tuple):
            return []
        if index and index[0] == "look_up":
            index = index[2]
        elif index and index[0] in ("join", *_SIGNS):
            index = index[1:]
        return itertools.chain.from_iterable(map(self._named, index))


def _literal(tensor: np.ndarray) -> str:
    """A tensor as NumPy reads it."""
    with np.printoptions(threshold=tensor.size + 1, linewidth=100, floatmode="unique"):
        written = np.array2string(tensor, separator=", ", prefix="np.array(", precision=None)
    kind = {"b": "bool", "i": "np.int64", "u": "np.int64"}.get(tensor.dtype.kind)
    kind = kind or ("np.float32" if tensor.dtype == np.float32 else "np.float64")
    return f"np.array({written}, {kind})".replace("inf", "np.inf").replace("nan", "np.nan")
