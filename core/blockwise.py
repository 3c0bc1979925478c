"""Arrays (…, query, key) that are computed, some queries at a time, when they are read.

A row of attention depends on one query alone, so that no (query, key) matrix need be in memory
("Self-attention Does Not Need O(n²) Memory", Rabe & Staats, 2021, section 2). What is small is: Q,
K, V and head_output. The rest is computed again from it.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from core.axis import Axis
from core.limits import LIMITS
from core.options import Rows
from core.trace import Stage

Attend = Callable[[Stage, Rows], list[Stage]]


def is_large(Q: Stage, K: Stage) -> bool:
    """Whether a (query, key) stage of all heads has too many bytes to be in memory."""
    return Q.tensor.nbytes // Q.size("d_k") * K.size("key") > LIMITS.stage_bytes


def attention(attend: Attend, Q: Stage, K: Stage) -> list[Stage]:
    """The stages of attention of which those with the axes query and key are blockwise.

    attend: the stages for some rows of Q, from the masks to head_output.
    """
    n = Q.size("query")
    of_row = Q.tensor.nbytes // Q.tensor.size * Q.tensor.shape[0] * Q.size("head") * K.size("key")
    count = -(-n * of_row // LIMITS.block_bytes)
    ends = [n * i // count for i in range(count + 1)]
    slices = [slice(*pair) for pair in pairwise(ends)]

    def stages_of(queries: slice) -> dict[str, Stage]:
        axis = replace(Q.axes[2], labels=None, kinds="")
        part = replace(Q, tensor=Q.tensor[:, :, queries], axes=(*Q.axes[:2], axis, *Q.axes[3:]))
        return {stage.key: stage for stage in attend(part, Rows(queries.start, n))}

    blocks = QueryBlocks(stages_of)
    small: dict[str, list[np.ndarray]] = {}
    for queries in slices:
        for key, stage in blocks.of(queries).items():
            if "key" not in stage.roles:
                small.setdefault(key, []).append(stage.tensor)
    return [
        _whole(stage, Q.axes[2], slices, blocks, small.get(stage.key, []))
        for stage in blocks.of(slices[-1]).values()
    ]


def _whole(
    stage: Stage,
    query: Axis,
    slices: list[slice],
    blocks: "QueryBlocks",
    small: list[np.ndarray],
) -> Stage:
    """The stage for all queries, from that of one block. small: its tensors if they are held."""
    if "query" not in stage.roles:
        return stage
    at = stage.roles.index("query")
    if small:
        tensor = np.concatenate(small, axis=at)
    else:
        shape = (*stage.tensor.shape[:at], slices[-1].stop, *stage.tensor.shape[at + 1 :])
        key = stage.key
        tensor = BlockwiseArray(
            shape, stage.tensor.dtype, slices, lambda queries: blocks.of(queries)[key].tensor
        )
    axis = query if "batch" in stage.roles else query.for_all_samples()
    return replace(stage, tensor=tensor, axes=(*stage.axes[:at], axis, *stage.axes[at + 1 :]))


class QueryBlocks:
    """The stages for any consecutive queries; those of the last ones are cached."""

    def __init__(self, compute: Callable[[slice], dict[str, Stage]]) -> None:
        """compute: the stages by key, for some queries."""
        self._compute = compute
        self._last: tuple[slice, dict[str, Stage]] | None = None

    def of(self, queries: slice) -> dict[str, Stage]:
        """The stages for these queries, by key."""
        if self._last is None or self._last[0] != queries:
            self._last = queries, self._compute(queries)
        return self._last[1]


class BlockwiseArray(np.lib.mixins.NDArrayOperatorsMixin):
    """An array with the axes query and key at the end, computed when it is read.

    An index computes the rows that it names; ``blocks`` goes through all of them. Whatever else
    NumPy does with an array computes the whole of it.
    """

    def __init__(
        self,
        shape: tuple[int, ...],
        dtype: np.dtype,
        slices: list[slice],
        rows: Callable[[slice], np.ndarray],
    ) -> None:
        """rows: (…, query, key) for some queries. slices: the queries of each block."""
        self.shape, self.dtype = shape, dtype
        self.ndim, self.size = len(shape), int(np.prod(shape))
        self.itemsize = dtype.itemsize
        self._slices, self._rows = slices, rows

    def __len__(self) -> int:
        """The length of the first axis."""
        return self.shape[0]

    def blocks(self) -> Iterator[tuple[slice, np.ndarray]]:
        """The queries and the numbers of each block, (…, query, key)."""
        return ((queries, self._rows(queries)) for queries in self._slices)

    @cached_property
    def range(self) -> tuple[float, float]:
        """The smallest and the largest finite number; 0 and 0 if there is none."""
        return _range(rows for _, rows in self.blocks())

    def __getitem__(self, index: Any) -> Any:
        """The numbers at this index; without numbers for a slice that takes all queries."""
        parts = list(index) if isinstance(index, tuple) else [index]
        at = next((i for i, part in enumerate(parts) if part is Ellipsis), None)
        if at is not None:
            parts[at : at + 1] = [slice(None)] * (self.ndim + 1 - len(parts))
        parts += [slice(None)] * (self.ndim - len(parts))
        if len(parts) > self.ndim or not all(isinstance(part, _POSITIONS) for part in parts):
            return np.asarray(self)[index]
        *front, query, key = parts
        n = self.shape[-2]
        if isinstance(query, slice):
            return self._sliced(front, query, key, n)
        wanted = np.asarray(query) % n
        first = int(wanted.min())
        rows = self._rows(slice(first, int(wanted.max()) + 1))
        return rows[(*front, wanted - first if wanted.ndim else int(wanted) - first, key)]

    def _sliced(self, front: list[Any], query: slice, key: Any, n: int) -> Any:
        basic = all(isinstance(part, int | np.integer | slice) for part in front)
        if query == slice(None) and isinstance(key, slice) and basic:
            at = (*front, slice(None), key)
            shape = np.broadcast_to(np.empty((), bool), self.shape)[at].shape
            return BlockwiseArray(shape, self.dtype, self._slices, lambda of: self._rows(of)[at])
        first, behind, step = query.indices(n)
        rows = self._rows(slice(first, behind))
        return rows[(*front, slice(None, None, step), key)]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        """All numbers."""
        return np.concatenate([rows for _, rows in self.blocks()], axis=-2, dtype=dtype)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        """The result of an operation on all numbers."""
        read = [np.asarray(one) if isinstance(one, BlockwiseArray) else one for one in inputs]
        return getattr(ufunc, method)(*read, **options)

    def __getattr__(self, name: str) -> Any:
        """An attribute or a method of the array of all numbers."""
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(np.asarray(self), name)


_POSITIONS = (int, np.integer, np.ndarray, slice)


def blocks(tensor: np.ndarray) -> Iterator[tuple[slice, np.ndarray]]:
    """The queries and the numbers of each block of a tensor; one block of one that is computed."""
    if isinstance(tensor, BlockwiseArray):
        return tensor.blocks()
    return iter([(slice(None), tensor)])


def finite_range(tensor: np.ndarray) -> tuple[float, float]:
    """The smallest and the largest finite number of a tensor; 0 and 0 if there is none."""
    return tensor.range if isinstance(tensor, BlockwiseArray) else _range([tensor])


def _range(arrays: Iterable[np.ndarray]) -> tuple[float, float]:
    low, high = np.inf, -np.inf
    for array in arrays:
        finite = np.isfinite(array)
        low = min(low, array.min(initial=np.inf, where=finite))
        high = max(high, array.max(initial=-np.inf, where=finite))
    return (float(low), float(high)) if low <= high else (0.0, 0.0)
