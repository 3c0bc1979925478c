"""Relative position bias: a learnt number for each head and each bucket of distances.

"Exploring the Limits of Transfer Learning with a Unified Text-to-Text Transformer" (Raffel et al.,
2020), section 2.1, and its code: half of the buckets are one distance each, the others grow
logarithmically, and all that is further away than ``furthest`` shares the last one.
"""

import math
from dataclasses import dataclass

import numpy as np

from core import finite, masks, notation
from core.axis import Axis
from core.errors import shape_mismatch
from core.rules import Operand
from core.trace import Stage


@dataclass(frozen=True, eq=False)
class RelativeBias:
    """A table of biases, (bucket, head), and how distances fall into its buckets.

    bidirectional: whether keys behind a query have buckets of their own, the second half; else they
    share bucket 0 with the query's own position. furthest: from this distance on, all share one.
    """

    table: np.ndarray
    bidirectional: bool
    furthest: int

    def buckets(self, query: int, key: int, offset: int = 0) -> np.ndarray:
        """The bucket of every query and key: (query, key) int32. offset: position of query 0.

        In float32, as the models were trained.
        """
        apart = masks.distance(query, key, offset)  # (query, key), below 0 for earlier keys
        count = len(self.table)
        behind = np.zeros_like(apart)
        if self.bidirectional:
            count //= 2
            behind = np.where(apart > 0, count, 0)
            apart = np.abs(apart)
        else:
            apart = np.maximum(-apart, 0)
        exact = count // 2
        growth = np.log(np.maximum(apart, 1).astype(np.float32) / np.float32(exact))
        growth = growth / np.float32(math.log(self.furthest / exact)) * np.float32(count - exact)
        far = np.minimum(exact + growth.astype(np.int64), count - 1)
        found: np.ndarray = (behind + np.where(apart < exact, apart, far)).astype(np.int32)
        return found

    def bias(self, query: int, key: int, offset: int = 0, heads: slice = slice(None)) -> np.ndarray:
        """The bias of these heads, by query and key: (head, query, key)."""
        of_heads: np.ndarray = self.table.T[heads]
        return of_heads[:, self.buckets(query, key, offset)]

    def stages(
        self, axes: tuple[Axis, ...], shape: tuple[int, ...], dtype: np.dtype, offset: int
    ) -> list[Stage]:
        """The stages bias_table, bucket and bias. axes, shape: of (head, query, key).

        Raises shape_mismatch, not_real and not_finite.
        """
        table = finite.in_precision("bias_table", finite.real("bias_table", self.table), dtype)
        if table.ndim != 2 or table.shape[1] != shape[0]:
            raise shape_mismatch("bias_table", f"(bucket, {shape[0]})", table.shape)
        finite.check("bias_table", table)
        named = tuple(axis.for_all_samples() for axis in axes)
        sides = (*notation.axes("bucket"), named[0])
        learnt = notation.given("bias_table", table, sides, "parameter")
        buckets = self.buckets(shape[1], shape[2], offset)
        of_distance = notation.given("bucket", buckets, named[1:], "transform")
        tensor = np.ascontiguousarray(table[buckets].transpose(2, 0, 1))  # (head, query, key)
        row = ("look_up", of_distance.key, ("query", "key"))
        rule = Operand(learnt.key, (row, "head"))
        formula = r"B = \text{bias\_table}[\text{bucket}]"
        return [learnt, of_distance, Stage("bias", formula, tensor, named, rule, "relative_bias")]
