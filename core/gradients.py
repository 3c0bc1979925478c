"""The gradients of a trace, as stages with rules: collected, and sent on by what each rule says.

Beside it the rules of what stands around attention, whose own lines are in ``core.backward``.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import reduce
from typing import Any, NamedTuple

import numpy as np

from core import finite, notation, ops, rules
from core.contraction import Sizes, Space, contracted, sum_over, way_back
from core.errors import InputError
from core.kinds import GRADIENT
from core.notation import latex
from core.rules import Constant, Dot, Given, Index, Operand, Product, Rule, Sum
from core.trace import Stage, Trace

FIXED = ("mask", "random", "sinusoid", "transform", "rotary")  # nothing that could be learnt


Part = tuple[Rule, np.ndarray, str]  # what one reader of a stage adds: by which formula


class Flow(NamedTuple):
    """The gradient of what a part of a stage's rule gives: d times factors.

    of: the stage. d: read with the indices of the result, which have these sizes.
    """

    of: Stage
    d: Operand
    sizes: Sizes
    factors: tuple[Rule, ...] = ()

    def times(self, *factors: Rule) -> "Flow":
        """The same, times more factors."""
        return Flow(self.of, self.d, self.sizes, (*self.factors, *factors))


class Numbers(dict[str, np.ndarray]):
    """The tensors of a trace by key; one that is computed in blocks is computed once."""

    def __init__(self, trace: Trace) -> None:
        super().__init__()
        self._trace = trace

    def __missing__(self, key: str) -> np.ndarray:
        """All numbers of a stage that is read for the first time."""
        self[key] = tensor = np.asarray(self._trace[key].tensor)
        return tensor


# Sends the gradient of what a rule gives to all that the rule reads.
Turned = Callable[["Gradients", Any, Flow], None]


@dataclass(frozen=True, eq=False)
class Gradients:
    """received: what the readers of each stage, by key, add to its gradient.

    rules: how each is turned round. stages: those that were made; tensors: of these and of the
    trace. stopped: the stages that are read in a way that is not turned round.
    """

    trace: Trace
    tensors: Numbers
    rules: Mapping[type[Rule], Turned]
    received: dict[str, list[Part]] = field(default_factory=dict)
    stages: list[Stage] = field(default_factory=list)
    stopped: set[str] = field(default_factory=set)

    def gradient(self, of: Stage) -> None:
        """Add the gradient of a stage, the sum of what its readers add, and send it on."""
        parts, tensors, formulas = zip(*self.received.pop(of.key), strict=True)
        rule = parts[0] if len(parts) == 1 else Sum(parts)
        d = self.add(GRADIENT + of.key, " + ".join(formulas), reduce(np.add, tensors), of, rule)
        self.turn(of.rule, Flow(of, d, tuple(zip(of.roles, of.tensor.shape, strict=True))))

    def keep(self, stage: Stage) -> Operand:
        """Add a stage."""
        self.stages.append(stage)
        self.tensors[stage.key] = stage.tensor
        return stage.operand

    def add(self, key: str, formula: str, tensor: np.ndarray, of: Stage, rule: Rule) -> Operand:
        """Add a stage with the axes of this one. Raises not_finite."""
        finite.check(key, tensor)
        formula = f"{latex(key)} = {formula}" if formula else latex(key)
        return self.keep(of.alike(key, formula, tensor, rule))

    def turn(self, rule: Rule, flow: Flow) -> None:
        """Send the gradient of what a rule gives to all that the rule reads."""
        if type(rule) in self.rules:
            self.rules[type(rule)](self, rule, flow)

    def send(self, target: Operand, flow: Flow, formula: str = "") -> None:
        """Add d times the factors, over all cells that read it, to the gradient of the target."""
        of = self.trace[target.stage]
        if not has_gradient(of):
            return
        read = (flow.d, *flow.factors)
        by = tuple([operand.index for part in read for operand in rules.operands(part)])
        try:
            way = way_back(target.index, of.roles, of.tensor.shape, flow.sizes, by)
        except NotImplementedError:
            self.stopped.add(of.key)
            return
        rule = sum_over(way.over, rules.reindexed(read, way.indices), of.roles)
        # The same for all cells at once.
        factors = [way.space.values(part, self.tensors) for part in read]
        shape = zip(of.roles, of.tensor.shape, strict=True)
        tensor = contracted(factors, way.kept).reshape(
            [1 if role in way.only else n for role, n in shape]
        )
        for role, position in way.only.items():  # the others are not read
            rule, tensor = self.alone(of, role, position, rule, tensor)
        formula = formula or r" \odot ".join(map(_written, read))
        self.receive(of.key, rule, tensor, formula)

    def alone(
        self, of: Stage, role: str, position: int, rule: Rule, tensor: np.ndarray
    ) -> tuple[Rule, np.ndarray]:
        """The gradient at the only position of an axis that is read, and 0 at the others."""
        read = np.arange(of.size(role)) == position
        stage = notation.given(f"{GRADIENT}{of.key}/read", read, (of.axis(role),), "mask")
        along = tuple(slice(None) if other == role else None for other in of.roles)
        return Product((rule, self.keep(stage))), tensor * read[along]

    def at_once(self, flow: Flow) -> Flow:
        """The same with d times the factors as a stage of its own, if there are factors."""
        if not flow.factors:
            return flow
        read = (flow.d, *flow.factors)
        by = [operand.index for operand in rules.operands(Product(read))]
        values = Space.of(flow.sizes, by).values(Product(read), self.tensors).array
        formula = r" \odot ".join(map(_written, read))
        d = self.add(f"{GRADIENT}{flow.of.key}/inside", formula, values, flow.of, Product(read))
        return flow._replace(d=d, factors=())

    def value(self, rule: Rule, flow: Flow) -> Rule:
        """What a rule gives, to be read: of a norm x̂, the stage itself or one before γ and β."""
        if not isinstance(rule, rules.Normalise | rules.RMSNorm):
            return rule
        if flow.of.rule == rule:
            return flow.of.operand
        key = f"{GRADIENT}{flow.of.key}/standardised"
        if key not in self.tensors:
            x = self.tensors[rule.of.stage]
            norm = ops.layer_norm if isinstance(rule, rules.Normalise) else ops.rms_norm
            name = "LayerNorm" if isinstance(rule, rules.Normalise) else "RMSNorm"
            formula = rf"\operatorname{{{name}}}({latex(rule.of.stage)})"
            self.add(key, formula, norm(x, rule.epsilon), flow.of, rule)
        return Operand(key, flow.of.roles)

    def receive(self, key: str, rule: Rule, tensor: np.ndarray, formula: str) -> None:
        """Add to the gradient of a stage, if it has one."""
        of = self.trace[key]
        if has_gradient(of):
            tensor = tensor.astype(of.tensor.dtype, copy=False)
            self.received.setdefault(key, []).append((rule, tensor, formula))


def activation(made: Gradients, rule: rules.Activation, flow: Flow) -> None:
    """f(x): its slope."""
    flow = flow.times(rules.Activation(f"{rule.function}_slope", rule.of))
    made.turn(rule.of, made.at_once(flow) if isinstance(rule.of, Dot | Sum) else flow)


def rounded(made: Gradients, rule: rules.Round, flow: Flow) -> None:
    """As if it were not rounded."""
    made.turn(rule.of, flow)


def stack(made: Gradients, rule: rules.Stack, flow: Flow) -> None:
    """Each part gets what is in its place."""
    along, first = rule.along, 0
    for part, length in zip(rule.parts, rule.lengths, strict=True):
        here: Index = ("join", 1, first, along) if first else along
        in_place = tuple(here if index == along else index for index in flow.d.index)
        shifted = ("minus", along, first)
        own = tuple(along if index == shifted else index for index in part.index)
        sizes = (*flow.sizes, (along, length))
        d = Operand(flow.d.stage, in_place)
        made.send(Operand(part.stage, own), flow._replace(d=d, sizes=sizes))
        first += length


def norm(made: Gradients, rule: rules.Normalise | rules.RMSNorm, flow: Flow) -> None:
    """(dx̂ − mean(dx̂) − x̂ · mean(x̂ · dx̂)) / σ; of RMSNorm, whose mean is 0, without it."""
    flow = made.at_once(flow)
    of, along, share = rule.of, rule.along, Constant(1 / rule.size, "1/n")
    less, key = (Constant(-1.0, "-"), share), f"{GRADIENT}{flow.of.key}/"
    x_hat, d = made.value(rule, flow), flow.d
    assert isinstance(x_hat, Operand)
    x, g, normed = (made.tensors[operand.stage] for operand in (of, d, x_hat))
    terms: list[Rule] = [d]
    tensor = g - normed * (normed * g).mean(axis=-1, keepdims=True)
    centred, means = of, ""
    if isinstance(rule, rules.Normalise):
        terms.append(Product((*less, rules.Total(d, along, rule.size))))
        tensor -= g.mean(axis=-1, keepdims=True)
        minus_mean = Sum((of, Product((*less, rules.Total(of, along, rule.size)))))
        x = x - x.mean(axis=-1, keepdims=True)
        formula = rf"{latex(of.stage)} - \operatorname{{mean}}({latex(of.stage)})"
        centred = made.add(f"{key}centred", formula, x, flow.of, minus_mean)
        means = rf" - \operatorname{{mean}}({latex(d.stage)})"
    terms.append(Product((*less, x_hat, Dot(x_hat, d, along, rule.size))))
    variance = Sum((Product((share, Dot(centred, centred, along, rule.size))),
                    Constant(rule.epsilon, "ε")))  # fmt: skip
    root = 1 / np.sqrt(np.square(x).mean(axis=-1, keepdims=True) + x.dtype.type(rule.epsilon))
    key = f"{key}inverse_deviation"
    finite.check(key, root)
    formula = rf"1 / \sqrt{{\operatorname{{mean}}({latex(centred.stage)}^2) + \epsilon}}"
    inverse = made.keep(Stage(key, f"{latex(key)} = {formula}", root[..., 0], flow.of.axes[:-1],
                              rules.Activation("inverse_root", variance)))  # fmt: skip
    own = latex(x_hat.stage)
    by_itself = rf"{own} \odot \operatorname{{mean}}({own} \odot {latex(d.stage)})"
    formula = rf"{latex(inverse.stage)} \odot ({latex(d.stage)}{means} - {by_itself})"
    made.receive(of.stage, Product((inverse, Sum(tuple(terms)))), root * tensor, formula)


def rotation(made: Gradients, rule: rules.Rotate, flow: Flow) -> None:
    """A rotation by minus the angle."""
    of, width = flow.of, flow.of.roles[-1]
    position = {width: np.arange(of.size(width))}
    partner, pair, second = (
        np.broadcast_to(rules.resolve(index, position, {}), of.size(width))
        for index in (rule.partner.index[-1], rule.cos.index[-1], rule.second)
    )
    x, cos, sin = (made.tensors[key] for key in (flow.d.stage, rule.cos.stage, rule.sin.stage))
    turned = x[..., partner] * sin[:, pair]
    tensor = x * cos[:, pair] + np.where(second, -turned, turned)
    back = rules.Rotate(
        Operand(flow.d.stage, rule.of.index),
        Operand(flow.d.stage, rule.partner.index),
        rule.cos,
        rule.sin,
        ("mod", ("join", 1, 1, rule.second), 2),
    )
    d = latex(flow.d.stage)
    formula = rf"{d} \odot \text{{cos}} - \operatorname{{rotate\_half}}({d}) \odot \text{{sin}}"
    made.receive(rule.of.stage, back, tensor, formula)


AROUND: dict[type[Rule], Turned] = {
    rules.Normalise: norm, rules.RMSNorm: norm, rules.Activation: activation,
    rules.Rotate: rotation, rules.Stack: stack, rules.Round: rounded,
}  # fmt: skip


def check_one_sample(trace: Trace) -> None:
    """Raises one_sample for a batch: the gradients of what samples share add up over all of them.

    Numbers of other samples are then among the terms of a cell, and one sample alone is shown.
    """
    samples = max(stage.size("batch") for stage in trace.values())
    if samples > 1:
        raise InputError("one_sample", samples=samples)


def has_gradient(of: Stage) -> bool:
    """Whether the numbers of a stage could be others: not masks, positions and what is random."""
    return of.tensor.dtype.kind == "f" and not (
        isinstance(of.rule, Given) and of.rule.what in FIXED
    )


def _written(rule: Rule) -> str:
    match rule:
        case Operand(stage):
            return latex(stage)
        case Constant(_, symbol):
            return symbol
        case Product(factors):
            return r" \odot ".join(map(_written, factors))
        case rules.Activation(function, of):
            slope = function.removesuffix("_slope").replace("_", r"\_")
            return rf"\operatorname{{{slope}}}'({_written(of)})"
        case Dot(left, right):
            return f"{_written(left)} {_written(right)}"
        case Sum(parts):
            return " + ".join(map(_written, parts))
    raise TypeError(f"no factor of a gradient: {rule!r}")
