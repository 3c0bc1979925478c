"""Explains one cell of a stage: the cells and the operation that it was computed from."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from core import ops, rules
from core.activations import FUNCTIONS
from core.trace import Stage, Trace


@dataclass(frozen=True)
class Address:
    """The position of a number: its stage, its index (from 0) and the labels of that index."""

    stage: str
    index: tuple[int, ...]
    labels: tuple[str, ...]


@dataclass(frozen=True)
class Term:
    """A value and the operation that computes it from its parts.

    operation: ``given`` (``symbol``: its origin), ``cell`` (of another stage, at ``address``),
        ``constant`` (``symbol``), ``dot`` (a sum of products), ``sum``, ``product``, ``mask`` (the
        value, then 1 or 0 of each mask), ``softmax`` (an ``exponential`` for each cell of the
        row, and one for the sink if there is one), ``normalise`` and ``rmsnorm`` (each ``cell`` of
        the row), ``activation`` (``symbol``: its name, of one part), ``round`` (``symbol``: the
        precision).
    chosen: for softmax, normalise and rmsnorm, the index of the explained part.
    facts: intermediate numbers of the operation: ``maximum`` and ``total`` of a softmax;
        ``mean``, ``variance`` and ``epsilon`` of a normalisation; ``mean_square`` and ``epsilon``
        of an RMS normalisation.
    """

    operation: str
    value: float
    parts: tuple["Term", ...] = ()
    address: Address | None = None
    symbol: str = ""
    chosen: int = 0
    facts: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Cell:
    """A number of a stage (``value``, as stored) and the term that computes it."""

    address: Address
    value: float
    made_by: Term

    def __repr__(self) -> str:
        """The number and what it is made by, without the parts."""
        at, made = ", ".join(self.address.labels), self.made_by
        parts = f" of {len(made.parts)} parts" if made.parts else ""
        return f"<{self.address.stage}[{at}] = {self.value:.6g}: {made.operation}{parts}>"


def explain(trace: Trace, key: str, index: tuple[int, ...]) -> Cell:
    """Explain one cell of a stage as the sum, quotient, copy or mask that computes it.

    key: the stage. index: one whole number from 0 for each of its axes.
    The terms are evaluated in float64 from the stored operands.

    Raises UnknownStage for an unknown key and IndexError for an index out of range.
    """
    stage = trace[key]
    shape = stage.tensor.shape
    fits = len(index) == len(shape) and all(0 <= i < n for i, n in zip(index, shape, strict=True))
    if not fits:
        named = ", ".join(f"{role} {n}" for role, n in zip(stage.roles, shape, strict=True))
        raise IndexError(f"{key} has no cell {index}: its axes are ({named})")
    at = dict(zip(stage.roles, index, strict=True))
    interpreter = _Interpreter(trace, trace.tensors)
    value = float(stage.tensor[index])
    if isinstance(stage.rule, rules.Given):
        made_by = Term("given", value, symbol=stage.rule.what)
    else:
        made_by = interpreter.term(stage.rule, at)
    return Cell(_address(stage, index), value, made_by)


@dataclass(frozen=True)
class _Interpreter:
    """Evaluates rules for one cell at a time, for any stage."""

    trace: Trace
    tensors: Mapping[str, np.ndarray]

    def term(self, rule: rules.Rule, at: dict[str, int]) -> Term:
        match rule:
            case rules.Operand():
                return self._operand(rule, at)
            case rules.Constant(value, symbol):
                return Term("constant", value, symbol=symbol)
            case rules.Dot(left, right, over, size):
                cells = (at | {over: i} for i in range(size))
                products = tuple(self._product((left, right), cell) for cell in cells)
                return Term("dot", math.fsum(p.value for p in products), products)
            case rules.Sum(parts):
                terms = tuple(self.term(part, at) for part in parts)
                return Term("sum", sum(t.value for t in terms), terms)
            case rules.Total(of, over, size):
                terms = tuple(self.term(of, at | {over: i}) for i in range(size))
                return Term("sum", math.fsum(t.value for t in terms), terms)
            case rules.Product(factors):
                return self._product(factors, at)
            case rules.Mask(of, allowed):
                inner = self.term(of, at)
                masks = tuple(self._operand(mask, at) for mask in allowed)
                value = inner.value if all(m.value for m in masks) else -math.inf
                return Term("mask", value, (inner, *masks))
            case rules.Softmax():
                return self._softmax(rule, at)
            case rules.Normalise():
                return self._normalise(rule, at)
            case rules.RMSNorm():
                return self._rms_norm(rule, at)
            case rules.Rotate():
                return self.term(rules.sum_of(rule, at), at)
            case rules.Activation(function, of):
                inner = self.term(of, at)
                value = FUNCTIONS[function](inner.value)
                return Term("activation", value, (inner,), symbol=function)
            case rules.Stack():
                return self._operand(rules.part_at(rule, at[rule.along]), at)
            case rules.Round(of, to):
                inner = self.term(of, at)
                value = float(ops.round_to(np.array(inner.value), to))
                return Term("round", value, (inner,), symbol=to)
        raise TypeError(f"not a rule for a computed cell: {rule!r}")

    def _operand(self, operand: rules.Operand, at: Mapping[str, int]) -> Term:
        index = tuple(int(rules.resolve(i, at, self.tensors)) for i in operand.index)
        address = _address(self.trace[operand.stage], index)
        return Term("cell", float(self.tensors[operand.stage][index]), address=address)

    def _product(self, factors: tuple[rules.Rule, ...], at: dict[str, int]) -> Term:
        terms = tuple(self.term(factor, at) for factor in factors)
        return Term("product", math.prod(t.value for t in terms), terms)

    def _row(
        self, rule: rules.Softmax | rules.Normalise | rules.RMSNorm, at: Mapping[str, int]
    ) -> list[Term]:
        return [self._operand(rule.of, {**at, rule.along: i}) for i in range(rule.size)]

    def _softmax(self, rule: rules.Softmax, at: Mapping[str, int]) -> Term:
        row = self._row(rule, at)
        if rule.sink is not None:
            row.append(self._operand(rule.sink, at))
        maximum = max(cell.value for cell in row)
        shift = maximum if maximum > -math.inf else 0.0
        exponentials = tuple(
            Term("exponential", math.exp(cell.value - shift), (cell,)) for cell in row
        )
        total = math.fsum(e.value for e in exponentials)
        chosen = at[rule.along]
        value = exponentials[chosen].value / total if total else 0.0
        facts = {"maximum": maximum, "total": total}
        return Term("softmax", value, exponentials, chosen=chosen, facts=facts)

    def _normalise(self, rule: rules.Normalise, at: Mapping[str, int]) -> Term:
        row = self._row(rule, at)
        chosen = at[rule.along]
        mean = math.fsum(cell.value for cell in row) / rule.size
        rounding = math.fsum(cell.value - mean for cell in row) / rule.size
        centred = [cell.value - mean - rounding for cell in row]
        variance = math.fsum(deviation * deviation for deviation in centred) / rule.size
        value = centred[chosen] / math.sqrt(variance + rule.epsilon)
        facts = {"mean": mean + rounding, "variance": variance, "epsilon": rule.epsilon}
        return Term("normalise", value, tuple(row), chosen=chosen, facts=facts)

    def _rms_norm(self, rule: rules.RMSNorm, at: Mapping[str, int]) -> Term:
        row = self._row(rule, at)
        chosen = at[rule.along]
        mean_square = math.fsum(cell.value * cell.value for cell in row) / rule.size
        value = row[chosen].value / math.sqrt(mean_square + rule.epsilon)
        facts = {"mean_square": mean_square, "epsilon": rule.epsilon}
        return Term("rmsnorm", value, tuple(row), chosen=chosen, facts=facts)


def _address(stage: Stage, index: tuple[int, ...]) -> Address:
    sample = index[stage.roles.index("batch")] if "batch" in stage.roles else 0
    labels = tuple(axis.label(i, sample) for axis, i in zip(stage.axes, index, strict=True))
    return Address(stage.key, index, labels)
