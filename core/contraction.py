"""Sums of products over named indices: what a rule gives for all cells of a stage at once.

An index that some operand reads in two halves, ``("div", name, n)`` and ``("mod", name, n)``, is
two axes here; so heads that are packed, or shared by a group, need no copies.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np

from core import activations, rules
from core.rules import Index, Operand, Rule
from core.trace import Stage

Over = tuple[str, int]  # an index of a sum and its size
Part = tuple[str, str]  # an index by its name, and "" for all of it, or "div" or "mod"


@dataclass(frozen=True, eq=False)
class Named:
    """An array whose axes are parts of named indices."""

    array: np.ndarray
    parts: tuple[Part, ...]

    def along(self, parts: Sequence[Part]) -> np.ndarray:
        """The array with these axes, of length 1 where it has none."""
        ordered = self.array.transpose([self.parts.index(p) for p in parts if p in self.parts])
        shape = iter(ordered.shape)
        return ordered.reshape([next(shape) if p in self.parts else 1 for p in parts])


@dataclass(frozen=True, eq=False)
class Space:
    """Named indices, of these sizes; halves: the n of those that are read in two halves."""

    sizes: Mapping[str, int]
    halves: Mapping[str, int]

    @classmethod
    def of(cls, sizes: Mapping[str, int], read: Sequence[Rule]) -> "Space":
        """The space of these indices, as these rules read them."""
        indices = [index for rule in read for operand in rules.operands(rule)
                   for index in operand.index]  # fmt: skip
        halves = {i[1]: i[2] for i in indices if isinstance(i, tuple) and i[0] in ("div", "mod")}
        return cls(sizes, {name: n for name, n in halves.items() if isinstance(name, str)})

    def parts(self, name: str) -> tuple[Part, ...]:
        """The axes of an index."""
        return ((name, "div"), (name, "mod")) if name in self.halves else ((name, ""),)

    def size(self, part: Part) -> int:
        """The size of an axis."""
        name, half = part
        of = self.sizes[name]
        return {"": of, "div": of // self.halves.get(name, 1), "mod": self.halves.get(name, 1)}[
            half
        ]

    def read(self, tensor: np.ndarray, index: Sequence[Index]) -> Named:
        """A tensor by the indices with which it is read."""
        shape: list[int] = []
        parts: list[Part] = []
        cut: list[slice] = []
        for i, n in zip(index, tensor.shape, strict=True):
            match i:
                case str():
                    cut.append(slice(self.sizes[i]))
                    added = self.parts(i)
                case int():
                    cut.append(slice(i, i + 1))
                    added = ()
                case ("div" | "mod" as half, str(name), _):
                    cut.append(slice(n))
                    added = ((name, half),)
                case ("join", 1, int(first), str(name)):
                    cut.append(slice(first, first + self.sizes[name]))
                    added = self.parts(name)
                case _:
                    raise NotImplementedError(f"read by {i!r}")
            parts += added
            shape += [self.size(part) for part in added]
        return Named(tensor[tuple(cut)].reshape(shape), tuple(parts))

    def values(self, rule: Rule, tensors: Mapping[str, np.ndarray]) -> Named:
        """What a rule without softmax, norm and rotation gives for every index."""
        match rule:
            case Operand(stage, index):
                return self.read(tensors[stage], index)
            case rules.Constant(value):
                return Named(np.array(value), ())
            case rules.Sum(parts):
                return combined(np.add, [self.values(part, tensors) for part in parts])
            case rules.Product(factors):
                return combined(np.multiply, [self.values(f, tensors) for f in factors])
            case rules.Activation(function, of):
                inner = self.values(of, tensors)
                return Named(getattr(activations, function)(inner.array), inner.parts)
            case rules.Dot(left, right, over, size):
                inside = Space.of({**self.sizes, over: size}, [left, right])
                space = Space(inside.sizes, {**inside.halves, **self.halves})
                pair = [space.values(side, tensors) for side in (left, right)]
                kept = [p for p in dict.fromkeys(pair[0].parts + pair[1].parts) if p[0] != over]
                return Named(contracted(pair, kept), tuple(kept))
        raise NotImplementedError(f"not a sum of products: {rule!r}")


def combined(operation: np.ufunc, of: Sequence[Named]) -> Named:
    """Several arrays, axis by axis; numbers by themselves come last, together."""
    parts = tuple(dict.fromkeys(part for named in of for part in named.parts))
    arrays = [named.along(parts) for named in of if named.parts]
    numbers = [named.array.item() for named in of if not named.parts]  # which widen no float32
    made = reduce(operation, [*arrays, *([reduce(operation, numbers)] if numbers else [])])
    return Named(np.asarray(made), parts)


def contracted(factors: Sequence[Named], kept: Sequence[Part]) -> np.ndarray:
    """The product of the factors, summed over all axes but ``kept``, in their order."""
    arrays = [factor for factor in factors if factor.parts]
    numbers = [factor.array.item() for factor in factors if not factor.parts]
    *before, last = arrays
    if before:
        made = _product(combined(np.multiply, before), last, kept)
    else:
        made = _without(last, (), kept).along(kept)
    return made * math.prod(numbers) if numbers else made


def _product(one: Named, other: Named, kept: Sequence[Part]) -> np.ndarray:
    """A product of matrices along the axes that both have, for all that both keep."""
    a, b = _without(one, other.parts, kept), _without(other, one.parts, kept)
    both = [p for p in a.parts if p in b.parts and p in kept]
    summed = [p for p in a.parts if p in b.parts and p not in kept]
    rows, columns = ([p for p in x.parts if p not in both and p not in summed] for x in (a, b))
    if not summed:
        return combined(np.multiply, [a, b]).along(kept)
    left, right = a.along([*both, *rows, *summed]), b.along([*both, *summed, *columns])
    shape = left.shape[: len(both) + len(rows)] + right.shape[len(both) + len(summed) :]
    head, inner = shape[: len(both)], math.prod(left.shape[len(both) + len(rows) :])
    made = left.reshape(*head, -1, inner) @ right.reshape(*head, inner, -1)
    return Named(made.reshape(shape), (*both, *rows, *columns)).along(kept)


def _without(named: Named, other: Sequence[Part], kept: Sequence[Part]) -> Named:
    """Summed over the axes that neither the other factor nor the result has."""
    own = [i for i, part in enumerate(named.parts) if part not in other and part not in kept]
    if not own:
        return named
    parts = tuple(part for i, part in enumerate(named.parts) if i not in own)
    return Named(named.array.sum(axis=tuple(own)), parts)


def solved(
    target: Operand, of: Stage, sizes: Mapping[str, int]
) -> tuple[dict[Index, Index], Over | None, dict[str, int]]:
    """Which cells of a result read a cell of an operand: its indices by those of the operand.

    sizes: of the indices of the result. Returns each of them as an index expression of the roles of
    ``of``; the index, and its size, of the sum over those that the operand does not have; and
    the axes of which only one position is read. Raises NotImplementedError for a look-up.
    """
    where: dict[Index, Index] = {}
    packed: dict[str, dict[str, Index]] = {}
    divisor: dict[str, int] = {}
    only: dict[str, int] = {}
    for index, role, n in zip(target.index, of.roles, of.tensor.shape, strict=True):
        match index:
            case int():
                first, width = index, 1
            case str():
                first, width, where[index] = 0, sizes[index], role
            case ("join", 1, int(first), str(name)):
                width, where[name] = sizes[name], ("minus", role, first)
            case ("div" | "mod" as half, str(name), int(by)):
                packed.setdefault(name, {})[half], divisor[name] = role, by
                continue
            case _:
                raise NotImplementedError(f"read by {index!r}")
        if width < n:
            if width > 1:
                raise NotImplementedError(f"{n} positions, of which {width} are read")
            only[role] = first
            of_role = (role, ("minus", role, first))
            where |= dict.fromkeys([name for name, at in where.items() if at in of_role], 0)
    free = {(name, ""): n for name, n in sizes.items() if name not in where | packed}
    for name, known in packed.items():
        halves = {"div": sizes[name] // divisor[name], "mod": divisor[name]}
        free |= {(name, half): n for half, n in halves.items() if half not in known}
    summed = {part: n for part, n in free.items() if n > 1}
    names = [name for name, _ in summed]
    over = "·".join(names) + ("′" if set(of.roles) & set(names) else "")
    rest: Index = over
    position: dict[Part, Index] = dict.fromkeys(free, 0)
    for i, (part, n) in reversed(list(enumerate(summed.items()))):
        position[part] = ("mod", rest, n) if i else rest
        rest = ("div", rest, n)
    where |= {name: position[name, ""] for name, half in free if not half}
    for name, known in packed.items():
        high, low = (known.get(half, position.get((name, half), 0)) for half in ("div", "mod"))
        where[name] = ("join", high, divisor[name], low)
    return where, (over, math.prod(summed.values())) if summed else None, only


def sum_over(over: Over | None, factors: tuple[Rule, ...], roles: tuple[str, ...]) -> Rule:
    """The product of the factors, summed over an index if there is one. roles: of the result.

    Of two, the one that has the rows of the result stands first, as in a product of matrices.
    """
    if over is None:
        return factors[0] if len(factors) == 1 else rules.Product(factors)
    match factors:
        case Operand() as left, Operand() as right:
            rows = roles[-2] if len(roles) > 1 else ""
            turned = rows in right.index and rows not in left.index
            return rules.Dot(*((right, left) if turned else (left, right)), *over)
    return rules.Total(factors[0] if len(factors) == 1 else rules.Product(factors), *over)
