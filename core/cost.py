"""The cost of each stage of a trace: parameters, multiply-adds and bytes."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from core.errors import InputError
from core.limits import LIMITS
from core.rules import Activation, Dot, Given, Mask, Product, Rotate, Round, Rule, Sum
from core.trace import Stage, Trace


@dataclass(frozen=True)
class Cost:
    """The cost of one stage, or of several together.

    parameters: learnt numbers. multiply_adds: multiplications, each with its addition.
    bytes: of the stage's tensor; a view counts in full.
    """

    parameters: int
    multiply_adds: int
    bytes: int

    def __add__(self, other: "Cost") -> "Cost":
        """The sum of both costs."""
        return Cost(
            self.parameters + other.parameters,
            self.multiply_adds + other.multiply_adds,
            self.bytes + other.bytes,
        )


def stage_cost(stage: Stage) -> Cost:
    """The cost of one stage, derived from its rule.

    multiply_adds = cells · those of one cell: the size of a dot product; one less than the factors
    of a product; the total of the parts of a sum; those of the argument of a mask or an activation;
    two for a rotation. Exponentials, quotients, single additions and copies are not counted.
    """
    cells = int(stage.tensor.size)
    is_learnt = isinstance(stage.rule, Given) and stage.rule.is_weight
    return Cost(cells if is_learnt else 0, cells * per_cell(stage.rule), int(stage.tensor.nbytes))


def per_stage(trace: Trace) -> dict[str, Cost]:
    """The cost of each stage of a trace, by its key."""
    return {key: stage_cost(stage) for key, stage in trace.items()}


def trace_cost(trace: Trace) -> Cost:
    """The total cost of all stages of a trace."""
    return sum(per_stage(trace).values(), Cost(0, 0, 0))


def product_multiply_adds(trace: Trace, *, projected: bool = True) -> int:
    """The multiply-adds of the matrix products of a causal attention, as papers count them.

    Of the projections, Q Kᵀ, the weighted sum and W^O. Of Q Kᵀ and the weighted sum, only pairs of
    a query and a key that it may attend to: what is masked need not be computed. projected:
    whether the projections and W^O are counted.
    """
    masked = trace["masked"].tensor if "masked" in trace else trace["scaled"].tensor
    seen, spent = int((masked > -np.inf).sum()), 0
    for stage in trace.values():
        if isinstance(stage.rule, Dot):
            whole = stage_cost(stage).multiply_adds
            by_pair = "key" in (*stage.roles, stage.rule.over) and "query" in stage.roles
            spent += whole * seen // masked.size if by_pair else projected * whole
    return spent


def per_cell(rule: Rule, size: Callable[[int], int] = int) -> int:
    """The multiply-adds of one cell. size: maps the length of a dot product to the one to count."""
    match rule:
        case Dot():
            return size(rule.size)
        case Product(factors):
            return len(factors) - 1 + sum(per_cell(factor, size) for factor in factors)
        case Sum(parts):
            return sum(per_cell(part, size) for part in parts)
        case Mask(of, _) | Activation(_, of) | Round(of, _):
            return per_cell(of, size)
        case Rotate():
            return 2
        case _:
            return 0


def check_bytes(needed: int, limit: int = LIMITS.trace_bytes) -> None:
    """Raises trace_too_large if the stages need more bytes than the limit."""
    if needed > limit:
        raise InputError("trace_too_large", needed=needed, limit=limit)
