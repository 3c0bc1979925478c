"""Sums of products over named indices: what a rule gives for all cells of a stage at once.

An index that some operand reads in two halves, ``("div", name, n)`` and ``("mod", name, n)``, is
two axes here; so heads that are packed, or shared by a group, need no copies.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache, reduce
from typing import NamedTuple

import numpy as np

from core import activations, rules
from core.rules import Index, Operand, Rule

Over = tuple[str, int]  # an index of a sum and its size
Sizes = tuple[Over, ...]  # of two with one name, the later counts
Part = tuple[str, str]  # an index by its name, and "" for all of it, or "div" or "mod"
Parts = tuple[Part, ...]
CACHED = 1024  # ways of reading tensors: those of a layer are the same in all layers


class Named(NamedTuple):
    """An array whose axes are parts of named indices."""

    array: np.ndarray
    parts: Parts

    def along(self, parts: Parts) -> np.ndarray:
        """The array with these axes, of length 1 where it has none."""
        if parts == self.parts:
            return self.array
        order, spread = _order(self.parts, parts)
        return self.array.transpose(order)[spread]


class Space(NamedTuple):
    """Named indices, of these sizes; halves: the n of those that are read in two halves."""

    sizes: Sizes
    halves: Sizes

    @classmethod
    def of(cls, sizes: Sizes, read: Iterable[tuple[Index, ...]]) -> "Space":
        """The space of these indices, as operands are read by them."""
        halves = {index[1]: index[2] for indices in read for index in indices
                  if isinstance(index, tuple) and index[0] in ("div", "mod")
                  and isinstance(index[1], str)}  # fmt: skip
        return cls(sizes, tuple(halves.items()))

    def read(self, tensor: np.ndarray, index: tuple[Index, ...]) -> Named:
        """A tensor by the indices with which it is read."""
        cut, shape, parts = reading(self, index, tensor.shape)
        return Named(tensor[cut].reshape(shape), parts)

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
                inside = Space.of((*self.sizes, (over, size)), (left.index, right.index))
                space = Space(inside.sizes, inside.halves + self.halves)
                pair = [space.values(side, tensors) for side in (left, right)]
                axes = dict.fromkeys(pair[0].parts + pair[1].parts)
                kept = tuple(part for part in axes if part[0] != over)
                return Named(contracted(pair, kept), kept)
        raise NotImplementedError(f"not a sum of products: {rule!r}")


@lru_cache(CACHED)
def reading(
    space: Space, index: tuple[Index, ...], shape: tuple[int, ...]
) -> tuple[tuple[slice, ...], tuple[int, ...], Parts]:
    """How a tensor of this shape is read by indices: what is cut out, its new shape, its axes."""
    sizes, halves = dict(space.sizes), dict(space.halves)
    size = {(name, ""): n for name, n in sizes.items()}
    for name, n in halves.items():
        size |= {(name, "div"): sizes.get(name, 0) // n, (name, "mod"): n}
    cut: list[slice] = []
    parts: list[Part] = []
    for i, n in zip(index, shape, strict=True):
        match i:
            case str(name):
                cut.append(slice(sizes[name]))
            case int():
                cut.append(slice(i, i + 1))
                continue
            case ("div" | "mod" as half, str(name), _):
                cut.append(slice(n))
                parts.append((name, half))
                continue
            case ("join", 1, int(first), str(name)):
                cut.append(slice(first, first + sizes[name]))
            case _:
                raise NotImplementedError(f"read by {i!r}")
        parts += [(name, "div"), (name, "mod")] if name in halves else [(name, "")]
    return tuple(cut), tuple(size[part] for part in parts), tuple(parts)


@lru_cache(CACHED)
def _order(own: Parts, wanted: Parts) -> tuple[tuple[int, ...], tuple[slice | None, ...]]:
    """The axes in another order, and the index that adds those that are missing."""
    order = tuple(own.index(part) for part in wanted if part in own)
    return order, tuple(slice(None) if part in own else None for part in wanted)


def combined(operation: np.ufunc, of: Sequence[Named]) -> Named:
    """Several arrays, axis by axis; numbers by themselves come last, together."""
    parts = tuple(dict.fromkeys(part for named in of for part in named.parts))
    arrays = [named.along(parts) for named in of if named.parts]
    numbers = [named.array.item() for named in of if not named.parts]  # which widen no float32
    made = reduce(operation, [*arrays, *([reduce(operation, numbers)] if numbers else [])])
    return Named(np.asarray(made), parts)


def contracted(factors: Sequence[Named], kept: Parts) -> np.ndarray:
    """The product of the factors, summed over all axes but ``kept``, in their order."""
    arrays = [factor for factor in factors if factor.parts]
    numbers = [factor.array.item() for factor in factors if not factor.parts]
    *before, last = arrays
    if before:
        one = before[0] if len(before) == 1 else combined(np.multiply, before)
        made = _product(one, last, kept)
    else:
        made = _only(last, kept).array
    return made * math.prod(numbers) if numbers else made


def _product(one: Named, other: Named, kept: Parts) -> np.ndarray:
    """A product of matrices along the axes that both have, for all that both keep."""
    left, right, result, both, summed = _matrices(one.parts, other.parts, kept)
    a, b = _only(one, left), _only(other, right)
    if not summed:
        return combined(np.multiply, [a, b]).along(kept)
    shape = a.array.shape[:-summed] + b.array.shape[both + summed :]
    head, inner = shape[:both], math.prod(a.array.shape[-summed:])
    made = a.array.reshape(*head, -1, inner) @ b.array.reshape(*head, inner, -1)
    return Named(made.reshape(shape), result).along(kept)


@lru_cache(CACHED)
def _matrices(a: Parts, b: Parts, kept: Parts) -> tuple[Parts, Parts, Parts, int, int]:
    """The axes of two factors and of their product, each in the order of matrices.

    Last the number of axes that both have and keep, which are first, and of those that are summed.
    """
    both = tuple(part for part in a if part in b and part in kept)
    summed = tuple(part for part in a if part in b and part not in kept)
    rows, columns = (tuple(p for p in x if p in kept and p not in both) for x in (a, b))
    left, right = both + rows + summed, both + summed + columns
    return left, right, both + rows + columns, len(both), len(summed)


def _only(named: Named, parts: Parts) -> Named:
    """Along these axes, summed over the others."""
    if named.parts == parts:
        return named
    others = tuple(i for i, part in enumerate(named.parts) if part not in parts)
    if others:
        kept = tuple(part for part in named.parts if part in parts)
        named = Named(named.array.sum(axis=others), kept)
    return Named(named.along(parts), parts)


class Way(NamedTuple):
    """How a sum over all cells of a result that read an operand is made for all of its cells.

    over: the index of the sum and its size, if there is one. only: the axes of which one position
    is read. indices: with which the factors are read, by the roles of the operand's stage. space:
    in which they are multiplied, and kept: its axes that are those of the operand.
    """

    over: Over | None
    only: Mapping[str, int]
    indices: tuple[tuple[Index, ...], ...]
    space: Space
    kept: Parts


@lru_cache(CACHED)
def way_back(
    index: tuple[Index, ...],
    roles: tuple[str, ...],
    shape: tuple[int, ...],
    sizes: Sizes,
    read: tuple[tuple[Index, ...], ...],
) -> Way:
    """From a result to an operand, a stage of these roles and this shape that is read by an index.

    sizes: of the indices of the result; read: with which the factors are read. Raises
    NotImplementedError for a look-up.
    """
    where, over, only = _solved(index, roles, shape, dict(sizes))
    indices = tuple(tuple(rules.replaced(one, where) for one in factor) for factor in read)
    space = Space.of(sizes, (index, *read))
    return Way(over, only, indices, space, reading(space, index, shape)[2])


def _solved(
    index: tuple[Index, ...],
    roles: tuple[str, ...],
    shape: tuple[int, ...],
    sizes: Mapping[str, int],
) -> tuple[Mapping[Index, Index], Over | None, Mapping[str, int]]:
    """Which cells of a result read a cell of an operand: its indices by those of the operand.

    Returns each of them as an index expression of the roles; the index, and its size, of the sum
    over those that the operand does not have; and the axes of which only one position is read.
    """
    where: dict[Index, Index] = {}
    packed: dict[str, dict[str, Index]] = {}
    divisor: dict[str, int] = {}
    only: dict[str, int] = {}
    for read, role, n in zip(index, roles, shape, strict=True):
        match read:
            case int():
                first, width = read, 1
            case str():
                first, width, where[read] = 0, sizes[read], role
            case ("join", 1, int(first), str(name)):
                width, where[name] = sizes[name], ("minus", role, first)
            case ("div" | "mod" as half, str(name), int(by)):
                packed.setdefault(name, {})[half], divisor[name] = role, by
                continue
            case _:
                raise NotImplementedError(f"read by {read!r}")
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
    over = "·".join(names) + ("′" if set(roles) & set(names) else "")
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
