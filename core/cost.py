"""What each step costs: learnt numbers, multiply-adds and bytes, counted and foretold."""

from collections.abc import Collection
from dataclasses import dataclass
from math import prod

from core.errors import HeadsDoNotDivide, TraceTooLarge
from core.limits import LIMITS
from core.rules import Activation, Dot, Given, Mask, Product, Rotate, Rule, Sum
from core.trace import Stage, Trace

MATRICES = ("W_Q", "W_K", "W_V", "W_O")


@dataclass(frozen=True)
class Cost:
    """The price of a step, or of several together.

    parameters: learnt numbers. multiply_adds: multiplications, each with the addition that takes
    its product up. bytes: of the step's own tensor as far as it is named: a view counts in full.
    """

    parameters: int
    multiply_adds: int
    bytes: int

    def __add__(self, other: "Cost") -> "Cost":
        """Both together."""
        return Cost(
            self.parameters + other.parameters,
            self.multiply_adds + other.multiply_adds,
            self.bytes + other.bytes,
        )


def stage_cost(stage: Stage) -> Cost:
    """What one step costs, read from its rule.

    multiply_adds = cells · those of one cell: a dot product has as many as places, a product one
    for each factor beyond the first; a sum adds up those of its parts, a mask has those of what it
    or an activation covers, and a rotation two. Exponentials, quotients, lone additions and copies
    are not counted.
    """
    cells = int(stage.tensor.size)
    is_learnt = isinstance(stage.rule, Given) and stage.rule.is_weight
    return Cost(cells if is_learnt else 0, cells * _per_cell(stage.rule), int(stage.tensor.nbytes))


def per_stage(trace: Trace) -> dict[str, Cost]:
    """What each step of a trace costs, by its key."""
    return {key: stage_cost(stage) for key, stage in trace.items()}


def trace_cost(trace: Trace) -> Cost:
    """What all steps of a trace cost together."""
    return sum(per_stage(trace).values(), Cost(0, 0, 0))


def _per_cell(rule: Rule) -> int:
    match rule:
        case Dot():
            return rule.size
        case Product(factors):
            return len(factors) - 1 + sum(map(_per_cell, factors))
        case Sum(parts):
            return sum(map(_per_cell, parts))
        case Mask(of, _) | Activation(_, of):
            return _per_cell(of)
        case Rotate():
            return 2
        case _:
            return 0


@dataclass(frozen=True)
class HeadsCost:
    """One self-attention of n tokens with a given number of heads: a column of a comparison.

    d_k: the width of one head. parameters: W^Q, W^K, W^V and W^O. Multiply-adds: projections
    (Q, K and V), scores, weighted_sum (head_output) and output. weights: how many of them there
    are, one for each head, query and key.
    """

    heads: int
    d_k: int
    parameters: int
    projections: int
    scores: int
    weighted_sum: int
    output: int
    weights: int

    @property
    def attention(self) -> int:
        """Multiply-adds between Q, K, V and head_output."""
        return self.scores + self.weighted_sum

    @property
    def multiply_adds(self) -> int:
        """Multiply-adds of all four matrix products."""
        return self.projections + self.attention + self.output


def attention_cost(n: int, d_model: int, heads: int) -> HeadsCost:
    """What self-attention of n tokens costs when its width is shared out among the heads.

    With d_k = d_v = d_model / h ("Attention Is All You Need", section 3.2.2) the heads cancel out:
    4·d_model² parameters, 3·n·d_model² multiply-adds for Q, K and V, n²·d_model for the scores and
    as many for the weighted sum, n·d_model² for the output. Only the weights grow: h·n² of them.
    Without biases. Raises HeadsDoNotDivide.
    """
    if heads < 1 or d_model % heads:
        raise HeadsDoNotDivide("d_model", d_model, heads)
    d_k = d_model // heads
    matrix = d_model * heads * d_k
    return HeadsCost(
        heads=heads,
        d_k=d_k,
        parameters=4 * matrix,
        projections=3 * n * matrix,
        scores=heads * n * n * d_k,
        weighted_sum=heads * n * n * d_k,
        output=n * matrix,
        weights=heads * n * n,
    )


def expected_bytes(
    *,
    batch: int,
    query: int,
    key: int,
    d_model: int,
    heads: int,
    d_k: int,
    d_v: int,
    itemsize: int,
    kv_heads: int | None = None,
    memory_width: int | None = None,
    parameters: Collection[str] = MATRICES,
    padding: bool = False,
    causal: bool = False,
    allowed: tuple[int, ...] | None = None,
    bias: tuple[int, ...] | None = None,
    dropout: bool = False,
    residual: bool = False,
) -> int:
    """How many bytes the steps of ``multi_head_attention`` will hold, before any is computed.

    Exact: the sum of ``trace_cost(…).bytes`` for a trace that begins at X. What a source has before
    X comes on top.

    itemsize: bytes of one number: 4 for float32, 8 for float64. kv_heads: how many heads of keys
    and values there are; None: as many as heads. memory_width: that of the vectors
    of a memory; None where key is query and all three projections are made from X.
    parameters: keys of the matrices and biases that there are; W_O leads back to d_model.
    allowed, bias: their shapes as given, before they are broadcast; None where there is none.
    padding, causal, dropout, residual: whether the option is on.
    """
    width = d_model if memory_width is None else memory_width
    shared = heads if kv_heads is None else kv_heads
    learnt = {
        "W_Q": d_model * heads * d_k,
        "W_K": width * shared * d_k,
        "W_V": width * shared * d_v,
        "W_O": heads * d_v * d_model,
        "b_Q": heads * d_k,
        "b_K": shared * d_k,
        "b_V": shared * d_v,
        "b_O": d_model,
    }
    X = batch * query * d_model
    per_key = batch * heads * query * key  # the cells of scores
    is_masked = padding or causal or allowed is not None or bias is not None
    numbers = [
        X,
        0 if memory_width is None else batch * key * memory_width,
        *(learnt[name] for name in parameters),
        batch * (heads * query * d_k + shared * key * (d_k + d_v)),  # Q, K, V
        per_key * 3,  # scores, scaled, weights
        per_key * is_masked,  # masked
        per_key * dropout,  # dropped
        0 if bias is None else prod(bias),
        batch * heads * query * d_v * 2,  # head_output, concat
        X * ("W_O" in parameters),  # output
        X * 2 * residual,  # residual, normalised
    ]
    truths = [  # one byte each
        batch * key * padding,
        query * key * causal,
        0 if allowed is None else prod(allowed),
        per_key * dropout,  # keep
    ]
    return itemsize * sum(numbers) + sum(truths)


def check_bytes(needed: int, limit: int = LIMITS.trace_bytes) -> None:
    """Refuse a computation whose steps would not fit. Raises TraceTooLarge."""
    if needed > limit:
        raise TraceTooLarge(needed, limit)
