"""What each step of a trace costs: learnt numbers, multiply-adds and bytes."""

from dataclasses import dataclass

from core.errors import TraceTooLarge
from core.limits import LIMITS
from core.rules import Activation, Dot, Given, Mask, Product, Rotate, Rule, Sum
from core.trace import Stage, Trace


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


def check_bytes(needed: int, limit: int = LIMITS.trace_bytes) -> None:
    """Refuse a computation whose steps would not fit. Raises TraceTooLarge."""
    if needed > limit:
        raise TraceTooLarge(needed, limit)
