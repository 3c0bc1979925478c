"""A two-dimensional slice of a stage: two axes are drawn, all others are indexed."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from core import Axis, Stage, Trace, rules
from views.figures.symbols import Convention

INDEXED = ("batch", "head", "kv_head", "patch", "channel")


@dataclass(frozen=True)
class Side:
    """The rows or columns of a plane: their axis role, labels and kinds.

    named: whether the axis has labels of its own, and not only numbers from 1.
    """

    role: str
    names: tuple[str, ...]
    named: bool
    kinds: str | tuple[str, ...] = ""

    def kind(self, i: int) -> str:
        """The kind of one position, as in ``Axis.kind``."""
        return self.kinds if isinstance(self.kinds, str) else self.kinds[i]

    @property
    def counted(self) -> bool:
        """Whether the labels are consecutive numbers, apart from [CLS] and the like in front."""
        kinds = {self.kinds} if isinstance(self.kinds, str) else {*self.kinds}
        return not self.named or ("patch" in kinds and kinds <= {"patch", "cls", "special"})


@dataclass(frozen=True, eq=False)
class Plane:
    """A matrix of one stage with labelled rows and columns.

    values: (row, column). index: the index of a cell in the stage, one expression per axis over the
        roles of ``rows`` and ``columns`` and those of the step's result.
    mark: the row and the column that a cell of the result reads, as expressions over its roles;
        None for all of them.
    marked_when: (expression, low, high): the mark applies only if low ≤ expression < high.
    transposed: drawn with rows and columns swapped against the stage, as K is in Q Kᵀ.
    row, column: the index to mark along each side, or None.
    head: the head, from 0, if a figure has planes of several heads.
    turned: drawn with tokens as columns.
    """

    stage: str
    values: np.ndarray
    rows: Side
    columns: Side
    index: tuple[rules.Index, ...] = ()
    row: int | None = None
    column: int | None = None
    mark: tuple[rules.Index | None, rules.Index | None] = (None, None)
    marked_when: tuple[rules.Index, int, int] | None = None
    transposed: bool = False
    head: int | None = None
    turned: bool = False


def drawn_roles(stage: Stage) -> tuple[str | None, str | None]:
    """The roles of the axes that are drawn as rows and columns; None for a missing one.

    These are the last two axes except batch, heads and channel, and except the patch if a patch has
    rows and columns of its own.
    """
    inner = [role for role in stage.roles if role not in INDEXED]
    if len(inner) < 2 and "patch" in stage.roles:
        inner.insert(0, "patch")
    if not inner:
        return None, stage.roles[-1] if stage.roles else None
    return (inner[-2] if len(inner) > 1 else None), inner[-1]


def roles_in(stage: Stage, convention: Convention) -> tuple[str, ...]:
    """The roles of a stage in the order of the convention, rows and columns swapped for columns."""
    row, column = drawn_roles(stage)
    turned = {row: column, column: row} if row and column and convention == "columns" else {}
    return tuple(turned.get(role) or role for role in stage.roles)


def sizes_of(stage: Stage, convention: Convention) -> tuple[tuple[str, int], ...]:
    """Role and size of each axis, in the order of the convention."""
    return tuple((role, stage.size(role)) for role in roles_in(stage, convention))


def shown_plane(stage: Stage, at: Mapping[str, int], convention: Convention) -> Plane:
    """The plane of a stage in a convention: transposed if tokens are columns."""
    plane = plane_of(stage, at)
    return in_columns(plane) if convention == "columns" else plane


def plane_of(stage: Stage, at: Mapping[str, int], mark: Mapping[str, int] | None = None) -> Plane:
    """The plane of a stage at the positions ``at`` of the axes that are not drawn.

    mark: the positions of the marked row and column, by role.
    """
    row_role, column_role = drawn_roles(stage)
    index = tuple(
        slice(None) if role in (row_role, column_role) else at.get(role, 0) for role in stage.roles
    )
    values = stage.tensor[index]
    sample = at.get("batch", 0)
    mark = mark or {}
    return Plane(
        stage.key,
        values[(None,) * (2 - values.ndim)] if values.ndim < 2 else values,
        side_of(stage, row_role, sample),
        side_of(stage, column_role, sample),
        stage.roles,
        mark.get(row_role or "", 0 if row_role is None else None),
        mark.get(column_role or ""),
        (row_role, column_role),
    )


def in_columns(plane: Plane) -> Plane:
    """The plane with rows and columns swapped, for tokens as columns.

    A vector is unchanged, and so is ``transposed``, since Q then has d_k rows.
    """
    if not plane.rows.role:
        return plane
    return replace(
        plane,
        values=plane.values.T,
        rows=plane.columns,
        columns=plane.rows,
        row=plane.column,
        column=plane.row,
        mark=plane.mark[::-1],
        turned=True,
    )


@lru_cache(maxsize=64)
def numbered(size: int) -> tuple[str, ...]:
    """The labels 1, 2, 3 … of an axis that has none of its own."""
    return tuple(str(i + 1) for i in range(size))


def side_of(stage: Stage, role: str | None, sample: int) -> Side:
    """The labels along one axis of a stage."""
    if role is None:
        return Side("", ("",), False)
    axis, size = stage.axis(role), stage.size(role)
    names = axis.names(sample)
    return Side(role, names or numbered(size), names is not None, axis.kinds_of(sample))


def tokens_of(trace: Trace) -> tuple[Axis, int] | None:
    """The axis of the tokens that are queries, and its size; None if the trace has none."""
    for stage in trace.values():
        for axis in stage.axes:
            if axis.role in ("token", "query") and "batch" in stage.roles:
                return axis, stage.size(axis.role)
    return None


def padding_positions(trace: Trace, role: str, sample: int) -> np.ndarray | None:
    """Which positions along a query axis are [PAD], as (size,) booleans; None if none is."""
    tokens = tokens_of(trace) if role in ("query", "token") else None
    if tokens is None:
        return None
    axis, size = tokens
    positions = axis.positions("filling", size=size, sample=sample)
    return np.isin(np.arange(size), positions) if positions else None


def masked_cells(trace: Trace, plane: Plane, at: Mapping[str, int]) -> np.ndarray | None:
    """Which cells of a plane of weights are masked, as (row, column); None for other stages."""
    if plane.stage not in ("weights", "dropped") or "masked" not in trace:
        return None
    scores = plane_of(trace["masked"], at)
    masked: np.ndarray = np.isneginf((in_columns(scores) if plane.turned else scores).values)
    return masked if masked.any() and masked.shape == plane.values.shape else None


def operand_plane(
    trace: Trace, operand: rules.Operand, at: Mapping[str, int], rows: str, columns: str,
    sizes: Mapping[str, int],
) -> Plane:  # fmt: skip
    """The cells of an operand as a matrix over two named indices.

    rows, columns: the names of the indices. sizes: of each. Other indices have their values in
    ``at``.
    """
    positions: dict[str, rules.Position] = {
        **at,
        rows: np.arange(sizes[rows])[:, None],
        columns: np.arange(sizes[columns])[None, :],
    }
    tensors = trace.tensors
    both = [part for part in operand.index if part in (rows, columns)]
    if both == [rows, columns] and operand.index[-2:] == (rows, columns):  # all of a plane
        front = tuple(rules.resolve(i, positions, tensors) for i in operand.index[:-2])
        values = tensors[operand.stage][(*front, slice(None), slice(None))]
    else:
        index = tuple(rules.resolve(i, positions, tensors) for i in operand.index)
        values = np.broadcast_to(tensors[operand.stage][index], (sizes[rows], sizes[columns]))
    sample = at.get("batch", 0)
    stage = trace[operand.stage]
    row_axis, column_axis = (_axis_read_by(operand, stage, name) for name in (rows, columns))
    in_order = [role for role in stage.roles if role in (row_axis, column_axis)]
    return Plane(
        operand.stage,
        values,
        _side(stage, row_axis, rows, sizes[rows], sample),
        _side(stage, column_axis, columns, sizes[columns], sample),
        operand.index,
        transposed=len(in_order) == 2 and in_order[0] == column_axis,
    )


def _axis_read_by(operand: rules.Operand, stage: Stage, name: str) -> str | None:
    for index, axis in zip(operand.index, stage.axes, strict=True):
        if index == name:
            return axis.role
    return None


def _side(stage: Stage, axis: str | None, name: str, size: int, sample: int) -> Side:
    if axis is None:
        return Side(name, numbered(size), False)
    side = side_of(stage, axis, sample)
    return replace(side, role=name)
