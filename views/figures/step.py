"""One step as planes: its operands, its result, and their layout.

Derived from the stage's rule alone, so that a new stage needs no code here.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Literal

from core import Stage, Trace, rules
from views.figures.plane import (
    Plane,
    Side,
    drawn_roles,
    in_columns,
    operand_plane,
    plane_of,
)
from views.figures.symbols import Convention

MOST_JOINED = 64 * 64  # cells of all heads together up to which each head has its own plane
Layout = Literal["product", "beside", "alone"]


@dataclass(frozen=True)
class Step:
    """The planes of one step.

    layout: ``product`` for two operands, the left one beside and the right one above the result;
        ``beside`` in reading order; ``alone`` for inputs.
    """

    layout: Layout
    operands: tuple[Plane, ...]
    result: Plane


def step_of(trace: Trace, key: str, at: Mapping[str, int], convention: Convention = "rows") -> Step:
    """The step that computes a stage, with the operands of one cell marked.

    at: the cell's position for each role of the stage. convention: if tokens are columns, A B is
    drawn as Bᵀ Aᵀ.
    """
    step = _in_rows(trace, key, at)
    if convention == "rows":
        return step
    operands = tuple(in_columns(plane) for plane in step.operands)
    ordered = operands[::-1] if step.layout == "product" else operands
    return Step(step.layout, ordered, in_columns(step.result))


def _in_rows(trace: Trace, key: str, at: Mapping[str, int]) -> Step:
    stage = trace[key]
    row_role, column_role = drawn_roles(stage)
    result = plane_of(stage, at, at)
    if isinstance(stage.rule, rules.Given):
        return Step("alone", (), result)
    dot = _dot(stage.rule)
    if dot is not None and row_role and column_role:
        return Step("product", _factors(trace, stage, dot, at), result)
    if isinstance(stage.rule, rules.Operand | rules.Stack):
        return Step("beside", _sources(trace, stage.rule, at), result)
    sizes = {role: stage.size(role) for role in (row_role, column_role) if role}
    if row_role is None or column_role is None:
        return Step("alone", (), result)
    read_whole = _read_whole(stage.rule)
    operands = tuple(
        replace(
            plane,
            rows=_named(plane.rows, result.rows),
            columns=_named(plane.columns, result.columns),
            row=result.row,
            column=None if whole else result.column,
            mark=(row_role, None if whole else column_role),
        )
        for plane, whole in (
            (
                operand_plane(trace, operand, at, row_role, column_role, sizes),
                operand in read_whole,
            )
            for operand in dict.fromkeys(_read_at(stage.rule, stage.roles))
        )
    )
    return Step("beside", operands, result)


def _read_at(rule: rules.Rule, roles: tuple[str, ...]) -> Iterator[rules.Operand]:
    """The operands whose cells are found with the indices of the result alone."""
    match rule:
        case rules.Dot(_, _, over) | rules.Total(_, over) if over not in roles:
            return
        case rules.Sum(parts) | rules.Product(parts):
            for part in parts:
                yield from _read_at(part, roles)
        case rules.Total(of) | rules.Activation(_, of) | rules.Round(of):
            yield from _read_at(of, roles)
        case _:
            yield from rules.operands(rule)


def _read_whole(rule: rules.Rule) -> tuple[rules.Operand, ...]:
    """The operands of which each cell reads a whole row."""
    match rule:
        case rules.Softmax(of) | rules.Normalise(of) | rules.RMSNorm(of):
            return (of,)
        case rules.Dot() | rules.Total():
            return tuple(rules.operands(rule))
        case rules.Sum(parts) | rules.Product(parts):
            return tuple(operand for part in parts for operand in _read_whole(part))
        case rules.Activation(_, of) | rules.Round(of):
            return _read_whole(of)
    return ()


def _dot(rule: rules.Rule) -> rules.Dot | None:
    if isinstance(rule, rules.Activation | rules.Round):
        return _dot(rule.of)
    if isinstance(rule, rules.Dot):
        return rule
    if isinstance(rule, rules.Sum):
        return next((part for part in rule.parts if isinstance(part, rules.Dot)), None)
    return None


def _factors(
    trace: Trace, stage: Stage, dot: rules.Dot, at: Mapping[str, int]
) -> tuple[Plane, Plane]:
    row_role, column_role = drawn_roles(stage)
    assert row_role and column_role
    sizes = {role: stage.size(role) for role in (row_role, column_role)} | {dot.over: dot.size}
    left = operand_plane(trace, dot.left, at, row_role, dot.over, sizes)
    right = operand_plane(trace, dot.right, at, dot.over, column_role, sizes)
    shared = next((s for s in (left.columns, right.rows) if s.named), left.columns)
    return (
        replace(
            left,
            columns=_named(left.columns, shared),
            row=at.get(row_role),
            mark=(row_role, None),
        ),
        replace(
            right,
            rows=_named(right.rows, shared),
            column=at.get(column_role),
            mark=(None, column_role),
        ),
    )


def _named(side: Side, like: Side) -> Side:
    return side if side.named else replace(side, names=like.names, named=like.named)


def _sources(
    trace: Trace, rule: rules.Operand | rules.Stack, at: Mapping[str, int]
) -> tuple[Plane, ...]:
    """The planes that the result is copied from, with the source of the cell marked.

    For concatenated heads: every head, if they are small enough.
    """
    if isinstance(rule, rules.Stack):
        ends = [*accumulate(rule.lengths, initial=0)]
        return tuple(
            _source(trace, part, at, (rule.along, low, high))
            for part, low, high in zip(rule.parts, ends[:-1], ends[1:], strict=True)
        )
    stage = trace[rule.stage]
    head = rule.index[stage.roles.index("head")] if "head" in stage.roles else None
    too_large = stage.tensor.size > MOST_JOINED * stage.size("batch")
    if not isinstance(head, tuple) or too_large:
        return (_source(trace, rule, at, None),)
    return tuple(
        replace(_source(trace, rule, at, (head, i, i + 1), {"head": i}), head=i)
        for i in range(stage.size("head"))
    )


def _source(
    trace: Trace,
    operand: rules.Operand,
    at: Mapping[str, int],
    when: tuple[rules.Index, int, int] | None,
    fixed: Mapping[str, int] | None = None,
) -> Plane:
    stage = trace[operand.stage]
    read = dict(zip(stage.roles, operand.index, strict=True)) | dict(fixed or {})
    cell = {role: int(rules.resolve(i, at, trace.tensors)) for role, i in read.items()}
    row, column = drawn_roles(stage)
    marked = when is None or when[1] <= int(rules.resolve(when[0], at, trace.tensors)) < when[2]
    plane = plane_of(stage, cell, cell)
    return replace(
        plane if marked else replace(plane, row=None, column=None),
        index=tuple(role if role in (row, column) else read[role] for role in stage.roles),
        mark=(read[row] if row else None, read[column] if column else None),
        marked_when=when,
    )
