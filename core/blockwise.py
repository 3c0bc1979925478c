"""Arrays (…, query, key) that are computed, some queries at a time, when they are read.

A row of attention depends on one query alone, so that no (query, key) matrix need be in memory
("Self-attention Does Not Need O(n²) Memory", Rabe & Staats, 2021, section 2). What is small is: Q,
K, V and head_output. The rest is computed again from it.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Any

import numpy as np

from core.axis import Axis
from core.limits import LIMITS
from core.options import Rows
from core.rules import Round, Softmax
from core.trace import Stage

SINGLE = 64  # rows that are cached

Computed = tuple[dict[str, Stage], Iterator[Stage]]  # the stages so far, and the rest
Attend = Callable[[Stage, Rows], Iterator[Stage]]


def is_large(Q: Stage, K: Stage) -> bool:
    """Whether a (query, key) stage of all heads has too many bytes to be in memory."""
    return Q.tensor.nbytes // Q.size("d_k") * K.size("key") > LIMITS.stage_bytes


def attention(attend: Attend, Q: Stage, K: Stage) -> list[Stage]:
    """The stages of attention of which those with the axes query and key are blockwise.

    attend: yields the stages for some rows of Q, from the masks to head_output.
    """
    n = Q.size("query")
    of_row = Q.tensor.nbytes // Q.tensor.size * Q.tensor.shape[0] * Q.size("head") * K.size("key")
    count = -(-n * of_row // LIMITS.block_bytes)
    ends = [n * i // count for i in range(count + 1)]
    slices = [slice(*pair) for pair in pairwise(ends)]

    def stages_of(queries: slice) -> Iterator[Stage]:
        axis = replace(Q.axes[2], labels=None, kinds="")
        part = replace(Q, tensor=Q.tensor[:, :, queries], axes=(*Q.axes[:2], axis, *Q.axes[3:]))
        return attend(part, Rows(queries.start, n))

    blocks = QueryBlocks(stages_of)
    parts: dict[str, list[np.ndarray]] = defaultdict(list)
    for queries in slices:
        found = blocks.of(queries)
        for key, stage in found.items():
            parts[key].append(_summary(stage, found))
    return [_whole(stage, Q.axes[2], slices, blocks, parts[stage.key]) for stage in found.values()]


def _summary(stage: Stage, block: Mapping[str, Stage]) -> np.ndarray:
    """What is held of a stage of one block: all of it, or of (query, key) stages what a row gives.

    That is what ``of_rows`` gives and, of a softmax, log Σ e^x: (…, query, 4).
    """
    if "key" not in stage.roles:
        return stage.tensor
    if stage.tensor.dtype.kind != "f":
        return np.empty((1,) * stage.tensor.ndim)
    rows = of_rows(stage.tensor)
    total = np.zeros_like(rows[0])
    rule = stage.rule.of if isinstance(stage.rule, Round) else stage.rule
    if isinstance(rule, Softmax):
        total = logsumexp(block[rule.of.stage].tensor, stage.tensor)
    return np.stack([*rows, total], axis=-1)


def _whole(
    stage: Stage,
    query: Axis,
    slices: list[slice],
    blocks: "QueryBlocks",
    parts: list[np.ndarray],
) -> Stage:
    """The stage for all queries, from that of one block and the summaries of all."""
    if "query" not in stage.roles:
        return stage
    at, key = stage.roles.index("query"), stage.key
    tensor: Any
    if "key" not in stage.roles:
        tensor = np.concatenate(parts, axis=at)
    else:
        shape = (*stage.tensor.shape[:at], slices[-1].stop, *stage.tensor.shape[at + 1 :])
        rows = np.concatenate(parts, axis=at) if stage.tensor.dtype.kind == "f" else None
        tensor = BlockwiseArray(
            shape, stage.tensor.dtype, slices, lambda queries: blocks.read(queries, key), rows
        )
    axis = query if "batch" in stage.roles else query.for_all_samples()
    return replace(stage, tensor=tensor, axes=(*stage.axes[:at], axis, *stage.axes[at + 1 :]))


class QueryBlocks:
    """The stages for any consecutive queries, each computed when it is read.

    Those of the last block and of the last rows are cached.
    """

    def __init__(self, compute: Callable[[slice], Iterator[Stage]]) -> None:
        """compute: yields the stages for some queries."""
        self._compute = compute
        self._last: tuple[slice, Computed] | None = None

        @lru_cache(SINGLE)
        def single(query: int) -> Computed:
            return {}, compute(slice(query, query + 1))

        self._single = single

    def of(self, queries: slice) -> dict[str, Stage]:
        """All stages for these queries, by key."""
        stages, rest = self._begun(queries)
        stages.update((stage.key, stage) for stage in rest)
        return stages

    def read(self, queries: slice, key: str) -> np.ndarray:
        """The tensor of one stage for these queries; no stage behind it is computed."""
        stages, rest = self._begun(queries)
        while key not in stages:
            stage = next(rest)
            stages[stage.key] = stage
        return stages[key].tensor

    def _begun(self, queries: slice) -> Computed:
        if queries.stop - queries.start == 1:
            return self._single(queries.start)
        if self._last is None or self._last[0] != queries:
            self._last = queries, ({}, self._compute(queries))
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
        summary: np.ndarray | None = None,
    ) -> None:
        """rows: (…, query, key) for some queries. slices: the queries of each block.

        summary: of each row what ``of_rows`` gives and the logarithm of the sum that a softmax
        divides by, (…, query, 4).
        """
        self.shape, self.dtype = shape, dtype
        self.ndim, self.size = len(shape), int(np.prod(shape))
        self.itemsize, self.nbytes = dtype.itemsize, self.size * dtype.itemsize
        self._slices, self._rows, self._summary = slices, rows, summary

    def __len__(self) -> int:
        """The length of the first axis."""
        return self.shape[0]

    def blocks(self) -> Iterator[tuple[slice, np.ndarray]]:
        """The queries and the numbers of each block, (…, query, key)."""
        return ((queries, self._rows(queries)) for queries in self._slices)

    @cached_property
    def summary(self) -> np.ndarray:
        """Of each row what ``of_rows`` and ``logsumexp`` give: (…, query, 4)."""
        if self._summary is None:
            found = [np.stack(of_rows(rows), axis=-1) for _, rows in self.blocks()]
            rows = np.concatenate(found, axis=-2)
            self._summary = np.concatenate([rows, np.zeros_like(rows[..., :1])], axis=-1)
        return self._summary

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
        wanted, place = np.unique(np.asarray(query) % n, return_inverse=True)
        runs = np.split(wanted, np.flatnonzero(np.diff(wanted) > 1) + 1)
        rows = [self._rows(slice(int(run[0]), int(run[-1]) + 1)) for run in runs]
        among = place.reshape(np.shape(query))  # without axes in some versions, flat in others
        index = (*front, among if among.ndim else int(among), key)
        return np.concatenate(rows, axis=-2)[index]

    def _sliced(self, front: list[Any], query: slice, key: Any, n: int) -> Any:
        basic = all(isinstance(part, int | np.integer | slice) for part in front)
        if query == slice(None) and isinstance(key, slice) and basic:
            at = (*front, slice(None), key)
            shape = np.broadcast_to(np.empty((), bool), self.shape)[at].shape
            summary = None
            if self._summary is not None and key == slice(None):
                summary = self._summary[(*front, slice(None))]
            return BlockwiseArray(
                shape, self.dtype, self._slices, lambda queries: self._rows(queries)[at], summary
            )
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


def of_rows(tensor: "np.ndarray | BlockwiseArray") -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The smallest and the largest finite number of each row, and how many are: (…, query) each.

    ±∞ if none is. No number is NaN or +∞.
    """
    if isinstance(tensor, BlockwiseArray):
        low, high, count, _ = np.moveaxis(tensor.summary, -1, 0)
        return low, high, count
    low, high = tensor.min(axis=-1), tensor.max(axis=-1)
    count = np.full_like(low, tensor.shape[-1])
    if np.isneginf(low).any():
        finite = tensor > -np.inf
        low = np.where(finite, tensor, np.inf).min(axis=-1)
        count = finite.sum(axis=-1, dtype=low.dtype)
    return low, high, count


def logsumexp(logits: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """log Σ e^x of each row of logits, from the softmax weights: (…, query); 0 if all are −∞.

    That of the largest logit is e^(max − log Σ e^x).
    """
    if isinstance(weights, BlockwiseArray):
        return weights.summary[..., 3]
    most = weights.max(axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(most > 0, logits.max(axis=-1) - np.log(most), 0)
