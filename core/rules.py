"""Rules: how one cell of a stage is computed, as data.

A rule is a small expression over the *named index* of the result's cell, such as
``{"batch": 0, "head": 1, "query": 2, "key": 0}``. It names the cells that are read and the
operation on them. One interpreter (``core.cell``) explains every stage from its rule; the browser
does the same with the JSON of ``as_data``.

An *index expression* gives one position along an operand's axis:

==================================  ==================================================
``"query"``                         the result's own index along its axis ``query``
``0``                               always this position (an axis of length 1)
``("join", a, n, b)``               a · n + b: two indices packed into one
``("div", a, n)``, ``("mod", a, n)``  the two halves of a packed index
``("minus", a, n)``                 a − n: after the n of an earlier part
``("look_up", stage, (a, …))``      the whole number in that cell of ``stage``
==================================  ==================================================
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any, get_args

import numpy as np

Index = str | int | tuple[Any, ...]
Position = int | np.ndarray


@dataclass(frozen=True)
class Given:
    """Computed from no other stage.

    what: ``input``, ``parameter`` (not trained), ``trained``, ``checkpoint`` (from a reader's own
        model), ``mask``, ``random``, ``sinusoid``, ``transform``, ``rotary``, ``earlier``
        (computed before this part of a model), ``cached`` (computed for earlier tokens), or
        ``elsewhere`` (computed by another program).
    """

    what: str

    @property
    def is_weight(self) -> bool:
        """Whether these are parameters that training sets."""
        return self.what in ("parameter", "trained", "checkpoint")


@dataclass(frozen=True)
class Operand:
    """One cell of another stage. As a rule by itself: a copy."""

    stage: str
    index: tuple[Index, ...]


@dataclass(frozen=True)
class Constant:
    """One number for all cells, with its LaTeX symbol."""

    value: float
    symbol: str


@dataclass(frozen=True)
class Dot:
    """Dot product: Σ left · right over the ``size`` values of the index ``over``."""

    left: Operand
    right: Operand
    over: str
    size: int


@dataclass(frozen=True)
class Sum:
    """The sum of the parts."""

    parts: tuple["Rule", ...]


@dataclass(frozen=True)
class Total:
    """The sum of a rule's values over the ``size`` values of the index ``over``."""

    of: "Rule"
    over: str
    size: int


@dataclass(frozen=True)
class Product:
    """The product of the factors."""

    factors: tuple["Rule", ...]


@dataclass(frozen=True)
class Mask:
    """``of`` where all of ``allowed`` are true, −∞ elsewhere."""

    of: "Rule"
    allowed: tuple[Operand, ...]


@dataclass(frozen=True)
class Softmax:
    """Softmax over the ``size`` cells along ``along``; 0 if all are −∞.

    sink: one more logit, whose weight is dropped: an attention sink, None without it.
    """

    of: Operand
    along: str
    size: int
    sink: Operand | None = None


@dataclass(frozen=True)
class Normalise:
    """(x − mean) / √(variance + epsilon), over the ``size`` cells along ``along``."""

    of: Operand
    along: str
    size: int
    epsilon: float


@dataclass(frozen=True)
class RMSNorm:
    """x / √(mean of x² + epsilon), over the ``size`` cells along ``along``.

    "Root Mean Square Layer Normalization" (Zhang & Sennrich, 2019), section 4.
    """

    of: Operand
    along: str
    size: int
    epsilon: float


@dataclass(frozen=True)
class Rotate:
    """One of two numbers that are rotated together: of · cos ∓ partner · sin.

    second: 0 for the first of the two, which has minus; 1 for the second. "RoFormer: Enhanced
    Transformer with Rotary Position Embedding" (Su et al., 2021), section 3.4.2.
    """

    of: Operand
    partner: Operand
    cos: Operand
    sin: Operand
    second: Index


@dataclass(frozen=True)
class Activation:
    """A function of one number, by its name in ``core.activations``."""

    function: str
    of: "Rule"


@dataclass(frozen=True)
class Stack:
    """A concatenation of parts along an axis, with these lengths: a copy of one cell."""

    along: str
    parts: tuple[Operand, ...]
    lengths: tuple[int, ...]


@dataclass(frozen=True)
class Round:
    """Rounded to a half precision, ``float16`` or ``bfloat16``."""

    of: "Rule"
    to: str


Rule = (
    Given | Operand | Constant | Dot | Sum | Total | Product | Mask | Softmax | Normalise | RMSNorm
    | Rotate | Activation | Stack | Round
)  # fmt: skip
# The fields of each rule in which there are other rules, or tuples of them.
INSIDE = {
    kind: tuple(one.name for one in fields(kind) if re.search("Rule|Operand", str(one.type)))
    for kind in get_args(Rule)
}


def as_data(rule: Rule) -> dict[str, Any]:
    """The rule as plain dicts, lists, strings and numbers, ready for JSON."""
    return {"rule": type(rule).__name__.lower()} | {
        field.name: plain(getattr(rule, field.name)) for field in fields(rule)
    }


def plain(value: Any) -> Any:
    """A rule, an index expression or a tuple of them, ready for JSON."""
    if type(value) in INSIDE:
        return as_data(value)
    if isinstance(value, tuple):
        return [plain(part) for part in value]
    return value


def from_data(data: Any) -> Any:
    """The inverse of ``as_data`` and ``plain``, also after JSON."""
    if isinstance(data, Mapping):
        kinds = {kind.__name__.lower(): kind for kind in get_args(Rule)}
        return kinds[data["rule"]](**{n: from_data(v) for n, v in data.items() if n != "rule"})
    return tuple(map(from_data, data)) if isinstance(data, list) else data


def operands(rule: Rule) -> list[Operand]:
    """Every operand of the rule, in order."""
    if isinstance(rule, Operand):
        return [rule]
    found: list[Operand] = []
    for name in INSIDE[type(rule)]:
        value = getattr(rule, name)
        for part in value if isinstance(value, tuple) else (value,):
            if isinstance(part, Operand):
                found.append(part)
            elif part is not None:  # no sink
                found += operands(part)
    return found


def with_operands(rule: Rule, change: Callable[[Operand], Operand]) -> Rule:
    """The rule with each operand changed."""
    if isinstance(rule, Operand):
        return change(rule)
    if not INSIDE[type(rule)]:
        return rule
    inside: dict[str, Any] = {}
    for name in INSIDE[type(rule)]:
        value = getattr(rule, name)
        if isinstance(value, tuple):
            inside[name] = tuple([with_operands(part, change) for part in value])
        else:
            inside[name] = value and with_operands(value, change)
    return type(rule)(**(vars(rule) | inside))


def reindexed(read: tuple[Rule, ...], indices: Iterable[tuple[Index, ...]]) -> tuple[Rule, ...]:
    """The rules whose operands, in order, are read by these indices."""
    following = iter(indices)
    return tuple(
        [with_operands(rule, lambda one: Operand(one.stage, next(following))) for rule in read]
    )


def replaced(index: Index, where: Mapping[Index, Index]) -> Index:
    """The index expression with others for these."""
    if index in where:
        return where[index]
    if not isinstance(index, tuple):
        return index
    kind, *inner = index
    if kind == "look_up":
        stage, indices = inner
        return (kind, stage, tuple(replaced(part, where) for part in indices))
    return (kind, *(replaced(part, where) for part in inner))


def sum_of(rotate: Rotate, at: Mapping[str, Position]) -> Sum:
    """A rotation as a sum, for the cell at this index."""
    sign = () if resolve(rotate.second, at, {}) else (Constant(-1.0, "-"),)
    turned = Product((*sign, rotate.partner, rotate.sin))
    return Sum((Product((rotate.of, rotate.cos)), turned))


def part_at(stack: Stack, index: int) -> Operand:
    """The part of a stack with this index along its axis. Raises IndexError beyond the end."""
    for part, length in zip(stack.parts, stack.lengths, strict=True):
        if index < length:
            return part
        index -= length
    raise IndexError(f"index {index} beyond the end of {stack.along}")


def stages_read(read: Iterable[Operand]) -> tuple[str, ...]:
    """Keys of all stages that these operands are of, including look-ups, without repetitions."""
    keys: dict[str, None] = {}
    for operand in read:
        for index in operand.index:
            if isinstance(index, tuple):
                for key in _looked_up(index):
                    keys[key] = None
        keys[operand.stage] = None
    return tuple(keys)


def resolve(
    index: Index, at: Mapping[str, Position], tensors: Mapping[str, np.ndarray]
) -> Position:
    """Evaluate an index expression.

    at: a position for each name that the expression uses: whole numbers for one cell, or arrays
        that broadcast together for many at once.
    tensors: the tensor of each stage that a ``look_up`` reads.
    """
    match index:
        case str():
            return at[index]
        case int():
            return index
        case ("join", high, size, low):
            return resolve(high, at, tensors) * size + resolve(low, at, tensors)
        case ("div", packed, size):
            return resolve(packed, at, tensors) // size
        case ("mod", packed, size):
            return resolve(packed, at, tensors) % size
        case ("minus", position, offset):
            return resolve(position, at, tensors) - offset
        case ("look_up", stage, indices):
            value: np.ndarray = tensors[stage][tuple(resolve(i, at, tensors) for i in indices)]
            return value
    raise TypeError(f"not an index expression: {index!r}")


def _looked_up(index: tuple[Any, ...]) -> Iterator[str]:
    kind, *inner = index
    if kind == "look_up":
        stage, inner = inner
        yield stage
    for part in inner:
        if isinstance(part, tuple):
            yield from _looked_up(part)
