"""Multi-head attention one head at a time, for sequences too long to hold all heads in memory.

The same numbers as ``multi_head_attention``, with the (query, key) stages of one head in memory.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from core import around, notation, steps
from core.attention import scaled_dot_product_attention
from core.errors import shape_mismatch
from core.inputs import before_q, filled, in_floating_point
from core.nested import EARLIER
from core.notation import axes, given
from core.options import DEFAULT, AttentionOptions, checked_key_mask
from core.rules import Operand, Stack
from core.trace import Stage, Trace
from core.weights import Weights

_NOT_BY_HEAD = ("alibi", "relative", "sinks", "past", "precision")


@dataclass(frozen=True, eq=False)
class Heads:
    """Q, K and V of all heads, and the stages of any single head.

    source: stages that end in X, (batch, token, d_model), and may hold a stage ``key_mask``.
    options: as for multi_head_attention, the masks and the bias the same for all heads, without
        ``alibi``, ``relative``, ``sinks``, ``past`` and ``precision``. Where the options have no
        ``key_mask``, the stage ``key_mask`` of the source is used.

    weights: without shared key and value heads.

    X in float32 is computed in float32, everything else in float64.
    Raises shape_mismatch, not_real, not_finite, and ValueError for options that it does not take.
    """

    source: Trace
    weights: Weights
    options: AttentionOptions = DEFAULT
    _projected: list[Stage] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Check that the matrices fit the vectors, and compute Q, K and V."""
        refused = [name for name in _NOT_BY_HEAD if getattr(self.options, name) is not None]
        if refused:
            raise ValueError(f"one head at a time goes without {', '.join(refused)}")
        x, of = self._x, self.weights
        if of.kv_heads < of.heads or of.gamma_Q is not None or of.gamma_K is not None:
            raise shape_mismatch("W_K", f"of {of.heads} heads, without γ", of.W_K.shape)
        object.__setattr__(self, "weights", self.weights.in_precision(x.tensor.dtype))
        if x.size("d_model") != self.weights.d_model:
            raise shape_mismatch("X", f"(batch, token, {self.weights.d_model})", x.tensor.shape)
        sides = {"Q": "query", "K": "key", "V": "key"}
        projected = [steps.projection(key, x, self.weights, side) for key, side in sides.items()]
        object.__setattr__(self, "_projected", projected)

    @cached_property
    def _x(self) -> Stage:
        return in_floating_point(self._source["X"])

    def outputs(self) -> Iterator[np.ndarray]:
        """Yields the output of each head, (batch, query, d_v).

        As an iterator, so that a caller can report progress or stop between heads.
        """
        for head in range(self.weights.heads):
            yield _outputs(self._attended(head)).tensor[:, 0]

    def head_trace(self, head: int, outputs: Iterable[np.ndarray] | None = None) -> Trace:
        """Every stage from the source to head_output of one head, counted from 0.

        outputs: head_output of all heads, from ``outputs``; the trace then goes on to concat,
            output and beyond, with the columns of the other heads as *given* stages.

        The axis ``head`` has length 1; its ``first`` and ``of`` are the index of the head and the
        number of heads.
        Raises IndexError for a head that does not exist.
        """
        if not 0 <= head < self.weights.heads:
            raise IndexError(f"no head {head}: there are {self.weights.heads}, counted from 0")
        # First, so that no other head's stages are in memory together with this head's.
        of_all = None if outputs is None else list(outputs)
        attended = self._attended(head)
        parameters = steps.parameters(replace(self.weights, W_O=None, b_O=None))
        stages = [
            *before_q(self._source, self._x),
            *(self._of_head(stage, head) for stage in (*parameters, *self._projected)),
            *(
                self._numbered(stage, head)
                for stage in attended.values()
                if stage.key not in ("Q", "K", "V")
            ),
        ]
        if of_all is not None:
            stages += _mixed(stages[-1], of_all, head, self.weights)
            if self.options.residual:
                residual = around.residual(self._x, stages[-1])
                stages += [residual, around.normalised(residual)]
        return Trace(stages)

    def _attended(self, head: int) -> Trace:
        Q, K, V = (stage.tensor[:, head : head + 1] for stage in self._projected)
        labels = dict.fromkeys(("query", "key"), self._source["X"].axes[1])
        of_heads = self.options.head_mask
        changes = self.options.changes
        options = replace(
            self.options, key_mask=self._key_mask,
            head_mask=None if of_heads is None else of_heads[head : head + 1],
            changes=None if changes is None else changes.of_heads(head),
        )  # fmt: skip
        among = head, self.weights.heads
        return scaled_dot_product_attention(Q, K, V, options, labels=labels, among=among)

    @cached_property
    def _key_mask(self) -> np.ndarray | None:
        if self.options.key_mask is None and "key_mask" in self.source:
            return self.source["key_mask"].tensor
        return self.options.key_mask

    @cached_property
    def _source(self) -> Trace:
        """The source, with padded tokens marked as filling."""
        if self._key_mask is None:
            return self.source
        batch, n = self.source["X"].tensor.shape[:2]
        return filled(self.source, checked_key_mask(self._key_mask, batch, n))

    def _of_head(self, stage: Stage, head: int) -> Stage:
        """One head of a stage, with a rule that reads one head of its operands."""
        at = stage.roles.index("head")
        part = stage.tensor.take([head], axis=at)
        return self._numbered(replace(stage, tensor=part), head)

    def _numbered(self, stage: Stage, head: int) -> Stage:
        """The stage with its head's index and the number of heads on its axis."""
        if "head" not in stage.roles:
            return stage
        at, of = stage.roles.index("head"), self.weights.heads
        one = replace(stage.axes[at], labels=(str(head + 1),), first=head, of=of)
        return replace(stage, axes=(*stage.axes[:at], one, *stage.axes[at + 1 :]))


def _outputs(attended: Trace) -> Stage:
    """The stage of a head's outputs: the last one."""
    return list(attended.values())[-1]


def _mixed(
    head_output: Stage, outputs: list[np.ndarray], head: int, weights: Weights
) -> list[Stage]:
    """The stages concat and output, from all heads' outputs (section 3.2.2)."""
    d_v = weights.d_v
    names = tuple(f"{i + 1}·{j + 1}" for i in range(len(outputs)) for j in range(d_v))
    tensor = np.concatenate(outputs, axis=2)  # (batch, query, h·d_v)
    first, behind = head * d_v, (head + 1) * d_v
    named = (*(head_output.axes[i] for i in (0, 2)), *axes("concat", labels={"concat": names}))

    def others(key: str, columns: slice) -> Stage:
        labels = {"concat": names[columns]}
        part = (*named[:2], *axes("concat", labels=labels))
        return replace(given(key, tensor[:, :, columns], part), rule=EARLIER)

    before, after = others("heads_before", slice(first)), others("heads_after", slice(behind, None))
    parts = (
        Operand("heads_before", ("batch", "query", "concat")),
        Operand(head_output.key, ("batch", 0, "query", ("minus", "concat", first))),
        Operand("heads_after", ("batch", "query", ("minus", "concat", behind))),
    )
    lengths = (first, d_v, len(names) - behind)
    present = [i for i in range(3) if lengths[i]]
    rule = Stack("concat", tuple(parts[i] for i in present), tuple(lengths[i] for i in present))
    side_by_side = r";\ ".join(notation.latex(parts[i].stage) for i in present)
    formula = rf"\text{{concat}} = [{side_by_side}]"
    concat = Stage("concat", formula, tensor, named, rule)
    stages = [stage for stage in (before, after) if stage.size("concat")]
    return [*stages, concat, *_output(concat, weights)]


def _output(concat: Stage, weights: Weights) -> list[Stage]:
    """The stages W_O, b_O and output; empty without W_O."""
    if weights.W_O is None:
        return []
    named = (concat.axes[2], *axes("d_model"))
    W_O = given("W_O", weights.W_O, named, "parameter")
    b_O = None if weights.b_O is None else given("b_O", weights.b_O, named[1:], "parameter")
    return [W_O, *([] if b_O is None else [b_O]), around.linear(concat, W_O, b_O, "output")]
