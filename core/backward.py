r"""Backpropagation: how one number changes with every number before it.

The chain rule turns each line of the paper round; dA is the gradient of A, the stage ``grad/A``:

====================================  =====================================================
output = concat W^O                   dconcat = doutput W^Oᵀ, dW^O = concatᵀ doutput
head_output = weights V               dweights = dhead_output Vᵀ, dV = weightsᵀ dhead_output
weights = softmax(masked)             dmasked = weights ⊙ (dweights − Σ_k weights · dweights)
masked = scaled, −∞ if not allowed    dscaled = dmasked, 0 if not allowed
scaled = scores / √d_k                dscores = dscaled / √d_k
scores = Q Kᵀ                         dQ = dscores K, dK = dscoresᵀ Q
Q = X W^Q                             dX = dQ W^Qᵀ + …, dW^Q = Xᵀ dQ
x̂ = (x − mean) / σ                    dx = (dx̂ − mean(dx̂) − x̂ · mean(x̂ · dx̂)) / σ
====================================  =====================================================

No line is written twice: ``backward`` reads the *rule* of each stage and turns that round, so all
that has a rule goes backwards too, whole models among them. "Learning representations by
back-propagating errors" (Rumelhart, Hinton & Williams, 1986).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from core import finite, notation, ops
from core.axis import Axis
from core.contraction import Space, contracted, solved, sum_over
from core.errors import InputError, shape_mismatch
from core.limits import LIMITS, Limits
from core.notation import latex
from core.rules import (
    Activation,
    Constant,
    Dot,
    Given,
    Index,
    Mask,
    Normalise,
    Operand,
    Product,
    RMSNorm,
    Rotate,
    Round,
    Rule,
    Softmax,
    Stack,
    Sum,
    Total,
    resolve,
    substituted,
)
from core.trace import Stage, Trace

PREFIX = "grad/"
SHORT = {"weights": ("A", "dA"), "probabilities": ("p", "dp")}
FIXED = ("mask", "random", "sinusoid", "transform", "rotary")  # nothing that could be learnt


def backward(trace: Trace, gradients: Mapping[str, np.ndarray], limits: Limits = LIMITS) -> Trace:
    """The trace and behind it the gradient of every stage, from the last to the first.

    gradients: of one stage or of some, by key, of their shape: how the number whose gradients are
        wanted changes with each of theirs. 1 for one cell and 0 for the others: of that cell.
    Each gradient is a stage ``grad/…`` with the axes of its own and a rule. Masks, positions and
    what is random have none, nor has what is looked up in a table, nor the logits of sinks.

    Raises UnknownStage, shape_mismatch, not_real, not_finite, gradients_too_large before anything
    is computed, and ValueError if one of the stages is computed from another of them.
    """
    needed = sum(of.tensor.nbytes for of in trace.values() if has_gradient(of))
    if needed > limits.gradient_bytes:
        raise InputError("gradients_too_large", needed=needed, limit=limits.gradient_bytes)
    made = _Backward(trace, trace.tensors)
    for key, given in gradients.items():
        of = trace[key]
        tensor = finite.in_precision(key, finite.real(key, given), of.tensor.dtype)
        if tensor.shape != of.tensor.shape:
            raise shape_mismatch(PREFIX + key, str(of.tensor.shape), tensor.shape)
        made.receive(key, Given("input"), tensor, "")
    for key in reversed(tuple(trace)):
        if key in made.received and key not in made.stopped:
            if key in gradients and len(made.received[key]) > 1:
                raise ValueError(f"another stage with a gradient is computed from {key}")
            made.gradient(trace[key])
    return Trace([*trace.values(), *made.stages])


@dataclass(frozen=True, eq=False)
class _Part:
    """What one reader of a stage adds to its gradient."""

    rule: Rule
    tensor: np.ndarray
    formula: str


@dataclass(frozen=True, eq=False)
class _Flow:
    """The gradient of what a part of a stage's rule gives: d times factors.

    of: the stage. d: read with the indices of the result, which have these sizes.
    """

    of: Stage
    d: Operand
    sizes: Mapping[str, int]
    factors: tuple[Rule, ...] = ()

    def times(self, *factors: Rule) -> "_Flow":
        return replace(self, factors=(*self.factors, *factors))


@dataclass(frozen=True, eq=False)
class _Backward:
    """received: what the readers of each stage, by key, add to its gradient.

    stages: those that were made; tensors: of these and of the trace. stopped: the stages that are
    read in a way that is not turned round.
    """

    trace: Trace
    tensors: dict[str, np.ndarray]
    received: dict[str, list[_Part]] = field(default_factory=dict)
    stages: list[Stage] = field(default_factory=list)
    stopped: set[str] = field(default_factory=set)

    def gradient(self, of: Stage) -> None:
        """Add the gradient of a stage, the sum of what its readers add, and send it on."""
        parts = self.received.pop(of.key)
        rule = parts[0].rule if len(parts) == 1 else Sum(tuple(part.rule for part in parts))
        tensor = parts[0].tensor
        for part in parts[1:]:
            tensor = tensor + part.tensor
        formula = " + ".join(part.formula for part in parts)
        d = self.add(PREFIX + of.key, formula, tensor, of.axes, rule)
        if not isinstance(of.rule, Given):
            self.turn(of.rule, _Flow(of, d, dict(zip(of.roles, of.tensor.shape, strict=True))))

    def keep(self, stage: Stage) -> Operand:
        """Add a stage."""
        self.stages.append(stage)
        self.tensors[stage.key] = stage.tensor
        return stage.operand

    def add(
        self, key: str, formula: str, tensor: np.ndarray, named: tuple[Axis, ...], rule: Rule
    ) -> Operand:
        """Add a stage. Raises not_finite."""
        finite.check(key, tensor)
        formula = f"{latex(key)} = {formula}" if formula else latex(key)
        return self.keep(Stage(key, formula, tensor, named, rule))

    def turn(self, rule: Rule, flow: _Flow) -> None:
        """Send the gradient of what a rule gives to all that the rule reads."""
        match rule:
            case Operand():
                self.send(rule, flow)
            case Sum(parts):
                for part in parts:
                    self.turn(part, flow)
            case Product(factors):
                values = [
                    self.standardised(factor, flow)
                    if isinstance(factor, Normalise | RMSNorm)
                    else factor
                    for factor in factors
                ]
                for i, factor in enumerate(factors):
                    self.turn(factor, flow.times(*values[:i], *values[i + 1 :]))
            case Dot(left, right, over, size):
                inside = replace(self.at_once(flow), sizes={**flow.sizes, over: size})
                d, a, b = (latex(key) for key in (inside.d.stage, left.stage, right.stage))
                of_rows = right.index[-1] == over  # left · rightᵀ
                times = f"{d} {b}" if of_rows else rf"{d} {{{b}}}^\top"
                self.send(left, inside.times(right), times)
                times = rf"{{{d}}}^\top {a}" if of_rows else rf"{{{a}}}^\top {d}"
                self.send(right, inside.times(left), times)
            case Mask(of, allowed):
                self.turn(of, flow.times(*allowed))
            case Activation(function, of):
                flow = flow.times(Activation(f"{function}_slope", of))
                self.turn(of, self.at_once(flow) if isinstance(of, Dot | Sum) else flow)
            case Round(of):
                self.turn(of, flow)
            case Stack(along, parts, lengths):
                first = 0
                for part, length in zip(parts, lengths, strict=True):
                    here: Index = ("join", 1, first, along) if first else along
                    d_part = Operand(flow.d.stage, tuple(
                        here if index == along else index for index in flow.d.index
                    ))  # fmt: skip
                    own = Operand(part.stage, tuple(
                        along if index == ("minus", along, first) else index
                        for index in part.index
                    ))  # fmt: skip
                    self.send(own, replace(flow, d=d_part, sizes={**flow.sizes, along: length}))
                    first += length
            case Softmax(of, along, size):
                A, dA = flow.of.operand, flow.d
                total = Product((Constant(-1.0, "-"), Dot(A, dA, along, size)))
                weights, d_weights = self.tensors[A.stage], self.tensors[dA.stage]
                mean = (weights * d_weights).sum(axis=-1, keepdims=True)
                a, d = SHORT.get(A.stage.rpartition("/")[2], (latex(A.stage), latex(dA.stage)))
                formula = rf"{a} \odot ({d} - \sum {a} \odot {d})"
                rule = Product((A, Sum((dA, total))))
                self.receive(of.stage, rule, weights * (d_weights - mean), formula)
            case Normalise() | RMSNorm():
                self.norm(rule, self.at_once(flow))
            case Rotate():
                self.rotation(rule, flow)

    def send(self, target: Operand, flow: _Flow, formula: str = "") -> None:
        """Add d times the factors, over all cells that read it, to the gradient of the target."""
        of = self.trace[target.stage]
        if not has_gradient(of):
            return
        try:
            where, over, only = solved(target, of, flow.sizes)
        except NotImplementedError:
            self.stopped.add(of.key)
            return
        read = (flow.d, *flow.factors)
        rule = sum_over(over, tuple(substituted(part, where) for part in read), of.roles)
        # The same for all cells at once.
        space = Space.of(flow.sizes, (target, *read))
        kept = space.read(of.tensor, target.index).parts
        tensor = contracted([space.values(part, self.tensors) for part in read], kept)
        shape = [1 if role in only else of.size(role) for role in of.roles]
        tensor = tensor.reshape(shape)
        for role, position in only.items():  # the others are not read
            rule, tensor = self.alone(of, role, position, rule, tensor)
        formula = formula or r" \odot ".join(map(_written, read))
        self.receive(of.key, rule, tensor, formula)

    def alone(
        self, of: Stage, role: str, position: int, rule: Rule, tensor: np.ndarray
    ) -> tuple[Rule, np.ndarray]:
        """The gradient at the only position of an axis that is read, and 0 at the others."""
        read = np.arange(of.size(role)) == position
        stage = notation.given(f"{PREFIX}{of.key}/read", read, (of.axis(role),), "mask")
        along = tuple(slice(None) if other == role else None for other in of.roles)
        return Product((rule, self.keep(stage))), tensor * read[along]

    def at_once(self, flow: _Flow) -> _Flow:
        """The same with d times the factors as a stage of its own, if there are factors."""
        if not flow.factors:
            return flow
        read = (flow.d, *flow.factors)
        values = Space.of(flow.sizes, read).values(Product(read), self.tensors).array
        formula = r" \odot ".join(map(_written, read))
        d = self.add(f"{PREFIX}{flow.of.key}/inside", formula, values, flow.of.axes, Product(read))
        return replace(flow, d=d, factors=())

    def standardised(self, rule: Normalise | RMSNorm, flow: _Flow) -> Operand:
        """x̂ = (x − mean) / σ: the stage itself, or a new one where γ and β follow."""
        if flow.of.rule == rule:
            return flow.of.operand
        key = f"{PREFIX}{flow.of.key}/standardised"
        if key not in self.tensors:
            x = self.tensors[rule.of.stage]
            norm = ops.layer_norm if isinstance(rule, Normalise) else ops.rms_norm
            name = "LayerNorm" if isinstance(rule, Normalise) else "RMSNorm"
            formula = rf"\operatorname{{{name}}}({latex(rule.of.stage)})"
            self.add(key, formula, norm(x, rule.epsilon), flow.of.axes, rule)
        return Operand(key, flow.of.roles)

    def norm(self, rule: Normalise | RMSNorm, flow: _Flow) -> None:
        """(dx̂ − mean(dx̂) − x̂ · mean(x̂ · dx̂)) / σ; of RMSNorm, whose mean is 0, without it."""
        of, along, share = rule.of, rule.along, Constant(1 / rule.size, "1/n")
        less, key = (Constant(-1.0, "-"), share), f"{PREFIX}{flow.of.key}/"
        x_hat, d = self.standardised(rule, flow), flow.d
        x, g, normed = (self.tensors[operand.stage] for operand in (of, d, x_hat))
        terms: list[Rule] = [d]
        tensor = g - normed * (normed * g).mean(axis=-1, keepdims=True)
        named, centred, means = flow.of.axes, of, ""
        if isinstance(rule, Normalise):
            terms.append(Product((*less, Total(d, along, rule.size))))
            tensor -= g.mean(axis=-1, keepdims=True)
            minus_mean = Sum((of, Product((*less, Total(of, along, rule.size)))))
            x = x - x.mean(axis=-1, keepdims=True)
            formula = rf"{latex(of.stage)} - \operatorname{{mean}}({latex(of.stage)})"
            centred = self.add(f"{key}centred", formula, x, named, minus_mean)
            means = rf" - \operatorname{{mean}}({latex(d.stage)})"
        terms.append(Product((*less, x_hat, Dot(x_hat, d, along, rule.size))))
        variance = Sum((Product((share, Dot(centred, centred, along, rule.size))),
                        Constant(rule.epsilon, "ε")))  # fmt: skip
        root = 1 / np.sqrt(np.square(x).mean(axis=-1, keepdims=True) + x.dtype.type(rule.epsilon))
        formula = rf"1 / \sqrt{{\operatorname{{mean}}({latex(centred.stage)}^2) + \epsilon}}"
        inverse = self.add(f"{key}inverse_deviation", formula, root[..., 0], named[:-1],
                           Activation("inverse_root", variance))  # fmt: skip
        own = latex(x_hat.stage)
        by_itself = rf"{own} \odot \operatorname{{mean}}({own} \odot {latex(d.stage)})"
        formula = rf"{latex(inverse.stage)} \odot ({latex(d.stage)}{means} - {by_itself})"
        self.receive(of.stage, Product((inverse, Sum(tuple(terms)))), root * tensor, formula)

    def rotation(self, rule: Rotate, flow: _Flow) -> None:
        """A rotation by minus the angle."""
        of, width = flow.of, flow.of.roles[-1]
        position = {width: np.arange(of.size(width))}
        partner, pair, second = (
            np.broadcast_to(resolve(index, position, {}), of.size(width))
            for index in (rule.partner.index[-1], rule.cos.index[-1], rule.second)
        )
        x, cos, sin = (self.tensors[key] for key in (flow.d.stage, rule.cos.stage, rule.sin.stage))
        turned = x[..., partner] * sin[:, pair]
        tensor = x * cos[:, pair] + np.where(second, -turned, turned)
        back = Rotate(
            Operand(flow.d.stage, rule.of.index),
            Operand(flow.d.stage, rule.partner.index),
            rule.cos,
            rule.sin,
            ("mod", ("join", 1, 1, rule.second), 2),
        )
        d = latex(flow.d.stage)
        formula = rf"{d} \odot \text{{cos}} - \operatorname{{rotate\_half}}({d}) \odot \text{{sin}}"
        self.receive(rule.of.stage, back, tensor, formula)

    def receive(self, key: str, rule: Rule, tensor: np.ndarray, formula: str) -> None:
        """Add to the gradient of a stage, if it has one."""
        of = self.trace[key]
        if has_gradient(of):
            tensor = tensor.astype(of.tensor.dtype, copy=False)
            self.received.setdefault(key, []).append(_Part(rule, tensor, formula))


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
        case Activation(function, of):
            slope = function.removesuffix("_slope").replace("_", r"\_")
            return rf"\operatorname{{{slope}}}'({_written(of)})"
        case Dot(left, right):
            return f"{_written(left)} {_written(right)}"
        case Sum(parts):
            return " + ".join(map(_written, parts))
    raise TypeError(f"no factor of a gradient: {rule!r}")
