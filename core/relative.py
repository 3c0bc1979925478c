"""Relative position bias: a learnt number for each head and each bucket of distances.

"Exploring the Limits of Transfer Learning with a Unified Text-to-Text Transformer" (Raffel et al.,
2020), section 2.1. How distances fall into buckets is in ``core.ops``.
"""

from dataclasses import dataclass

import numpy as np

from core import finite, masks, notation, ops
from core.axis import Axis
from core.errors import shape_mismatch
from core.rules import Operand
from core.trace import Stage


@dataclass(frozen=True, eq=False)
class RelativeBias:
    """A table of biases, (head, bucket), and how distances fall into its buckets.

    bidirectional: whether keys behind a query have buckets of their own, the second half; else they
    share bucket 0 with the query's own position. furthest: from this distance on, all share one.
    """

    table: np.ndarray
    bidirectional: bool
    furthest: int

    def bucket_of(self, apart: np.ndarray) -> np.ndarray:
        """The bucket of each distance, key position − query position: the same shape."""
        return ops.relative_buckets(apart, self.table.shape[1], self.furthest, self.bidirectional)

    def buckets(self, query: int, key: int, offset: int = 0) -> np.ndarray:
        """The bucket of every query and key: (query, key). offset: position of query 0."""
        return self.bucket_of(masks.distance(query, key, offset))

    @property
    def names(self) -> tuple[str, ...]:
        """The distances of each bucket: ``0``, ``−3``, ``+8…11``, ``≤−91``; ``–`` for none."""
        last = self.furthest if self.bidirectional else 0
        apart = np.arange(-self.furthest, last + 1)
        of = self.bucket_of(apart)
        count = self.table.shape[1]
        return tuple(self._name(apart[of == bucket]) for bucket in range(count))

    def _name(self, apart: np.ndarray) -> str:
        """The name of these distances, which are neighbours."""
        if not len(apart):
            return "–"
        near, far = sorted((int(apart[0]), int(apart[-1])), key=abs)
        sign = "" if not far else "−" if far < 0 else "+"
        if abs(far) == self.furthest:
            return f"{'≤' if far < 0 else '≥'}{sign}{abs(near)}"
        return f"{sign}{abs(near)}" + (f"…{abs(far)}" if far != near else "")

    def bias(self, query: int, key: int, offset: int = 0, heads: slice = slice(None)) -> np.ndarray:
        """The bias of these heads, by query and key: (head, query, key)."""
        return ops.relative_bias(self.table[heads], self.buckets(query, key, offset))

    def stages(
        self, axes: tuple[Axis, ...], shape: tuple[int, ...], dtype: np.dtype, offset: int
    ) -> list[Stage]:
        """The stages bias_table, bucket and bias. axes, shape: of (head, query, key).

        Raises shape_mismatch, not_real and not_finite.
        """
        table = finite.in_precision("bias_table", finite.real("bias_table", self.table), dtype)
        if table.ndim != 2 or len(table) != shape[0]:
            raise shape_mismatch("bias_table", f"({shape[0]}, bucket)", table.shape)
        finite.check("bias_table", table)
        named = tuple(axis.for_all_samples() for axis in axes)
        sides = (named[0], *notation.axes("bucket", labels={"bucket": self.names}))
        learnt = notation.given("bias_table", table, sides, "parameter")
        buckets = self.buckets(shape[1], shape[2], offset)
        of_distance = notation.given("bucket", buckets, named[1:], "transform")
        tensor = ops.relative_bias(table, buckets)  # (head, query, key)
        row = ("look_up", of_distance.key, ("query", "key"))
        rule = Operand(learnt.key, ("head", row))
        formula = r"B = \text{bias\_table}[\text{bucket}]"
        return [learnt, of_distance, Stage("bias", formula, tensor, named, rule, "relative_bias")]
