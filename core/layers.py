r"""The other parts of a Transformer: norms, feed-forward layers and the output head.

"Attention Is All You Need" (Vaswani et al., 2017), sections 3.1, 3.3 and 3.4.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core import activations, around, finite, ops
from core.activations import FUNCTIONS
from core.errors import shape_mismatch
from core.nested import EARLIER
from core.notation import axes, given, latex, parameter
from core.rules import Activation, Operand, Product, Softmax, Stack
from core.trace import Stage


@dataclass(frozen=True, eq=False)
class Norm:
    """LayerNorm with learnt γ and β (d_model,), and ε (Ba et al., 2016). beta: None for 0."""

    gamma: np.ndarray
    beta: np.ndarray | None
    epsilon: float

    def stages(self, of: Stage, key: str = "normalised", kind: str = "learnt_norm") -> list[Stage]:
        """The stages gamma, beta if there is one, and the normalised stage, with this key and kind.

        Raises shape_mismatch if γ or β does not have the width of ``of``, not_real, and not_finite
        if a variance overflows.
        """
        learnt = {
            name: parameter(name, _of_shape(name, array, of.tensor.shape[-1:], of), "d_model")
            for name, array in (("gamma", self.gamma), ("beta", self.beta))
            if array is not None
        }
        return [*learnt.values(), around.normalised(of, self.epsilon, **learnt, key=key, kind=kind)]


@dataclass(frozen=True, eq=False)
class RMSNorm:
    """RMSNorm with learnt γ (d_model,), and ε (Zhang & Sennrich, 2019)."""

    gamma: np.ndarray
    epsilon: float

    def stages(self, of: Stage, key: str, kind: str, name: str = "gamma") -> list[Stage]:
        """The stages gamma, under this name, and the normalised stage, with this key and kind.

        Raises shape_mismatch if γ does not have the width of ``of``, not_real, and not_finite if a
        mean of squares overflows.
        """
        numbers = _of_shape("gamma", self.gamma, of.tensor.shape[-1:], of)
        kind_of_gamma = "rms_gamma" if name == "gamma" else ""
        gamma = parameter(name, numbers, "d_model", kind=kind_of_gamma)
        return [gamma, around.rms_normed(of, self.epsilon, gamma, key, kind)]


@dataclass(frozen=True, eq=False)
class NoNorm:
    """Identity, for layers without a norm where others have one."""

    def stages(self, of: Stage, key: str, kind: str) -> list[Stage]:
        """The stage, copied under this key and kind."""
        formula = f"{latex(key)} = {latex(of.key)}"
        return [Stage(key, formula, of.tensor, of.axes, of.operand, kind)]


AnyNorm = Norm | RMSNorm | NoNorm


@dataclass(frozen=True, eq=False)
class FeedForward:
    """W_1 (d_model, d_ff), b_1 (d_ff,), W_2 (d_ff, d_model), b_2 (d_model,): section 3.3.

    b_1, b_2: None for 0. activation: its name in ``core.activations``. Raises ValueError for
    another name.
    """

    W_1: np.ndarray
    b_1: np.ndarray | None
    W_2: np.ndarray
    b_2: np.ndarray | None
    activation: str = "relu"

    def __post_init__(self) -> None:
        """Check the name of the activation."""
        _check_known(self.activation)

    def stages(self, x: Stage) -> list[Stage]:
        """FFN(x) = f(x W_1 + b_1) W_2 + b_2: the stages W_1, b_1, hidden, W_2, b_2 and output.

        Applied to each token separately. x: (batch, token, d_model).
        Raises shape_mismatch, not_real and not_finite.
        """
        d_model, d_ff = x.size("d_model"), self.W_1.shape[-1]
        learnt = {
            key: parameter(key, _of_shape(key, array, shape, x), *roles)
            for key, array, shape, roles in (
                ("W_1", self.W_1, (d_model, d_ff), ("d_model", "d_ff")),
                ("b_1", self.b_1, (d_ff,), ("d_ff",)),
                ("W_2", self.W_2, (d_ff, d_model), ("d_ff", "d_model")),
                ("b_2", self.b_2, (d_model,), ("d_model",)),
            )
            if array is not None
        }
        b_1, b_2 = learnt.get("b_1"), learnt.get("b_2")
        before = around.linear(x, learnt["W_1"], b_1, "hidden")
        function = getattr(activations, self.activation)
        added = " + b_1" if b_1 else ""
        hidden = Stage(
            "hidden",
            rf"\text{{hidden}} = \operatorname{{{_WRITTEN[self.activation]}}}(X W_1{added})",
            function(before.tensor),
            before.axes,
            Activation(self.activation, before.rule),
            "" if b_1 else "bias_free_hidden",
        )
        kind = "feed_forward_output" if b_2 else "bias_free_output"
        output = around.linear(hidden, learnt["W_2"], b_2, "output", kind)
        made = [learnt["W_1"], b_1, hidden, learnt["W_2"], b_2, output]
        return [stage for stage in made if stage is not None]


@dataclass(frozen=True, eq=False)
class GatedFeedForward:
    """W_gate, W_up (d_model, d_ff) and W_down (d_ff, d_model), with or without biases.

    "GLU Variants Improve Transformer" (Shazeer, 2020), equations 5 and 6: GEGLU with f = GELU,
    SwiGLU with f = SiLU. activation: f, its name in ``core.activations``.
    b_gate, b_up (d_ff,) and b_down (d_model,): None for 0.
    Raises ValueError for another activation.
    """

    W_gate: np.ndarray
    W_up: np.ndarray
    W_down: np.ndarray
    activation: str = "silu"
    b_gate: np.ndarray | None = None
    b_up: np.ndarray | None = None
    b_down: np.ndarray | None = None

    def __post_init__(self) -> None:
        """Check the name of the activation."""
        _check_known(self.activation)

    def stages(self, x: Stage) -> list[Stage]:
        """FFN(x) = (f(x W_gate + b_gate) ⊙ (x W_up + b_up)) W_down + b_down.

        The stages are W_gate, gate, W_up, up, hidden = gate ⊙ up, W_down and output, with b_gate,
        b_up and b_down behind the matrices if there are biases.
        x: (batch, token, d_model). Raises shape_mismatch, not_real and not_finite.
        """
        is_gelu = self.activation.startswith("gelu")
        W_gate, b_gate = self._parameters("gate", x)
        before = around.linear(x, W_gate, b_gate, "gate")
        added = f" + {b_gate.formula}" if b_gate else ""
        gate = Stage(
            "gate",
            rf"\text{{gate}} = \operatorname{{{_WRITTEN[self.activation]}}}"
            rf"({latex(x.key)} {W_gate.formula}{added})",
            getattr(activations, self.activation)(before.tensor),
            before.axes,
            Activation(self.activation, before.rule),
            "gelu_gate" if is_gelu else "",
        )
        W_up, b_up = self._parameters("up", x)
        up = around.linear(x, W_up, b_up, "up")
        hidden = _gated(gate, up, "geglu" if is_gelu else "gated")
        W_down, b_down = self._parameters("down", x)
        output = around.linear(hidden, W_down, b_down, "output", "gated_output")
        made = [W_gate, b_gate, gate, W_up, b_up, up, hidden, W_down, b_down, output]
        return [stage for stage in made if stage is not None]

    def _parameters(self, part: str, x: Stage) -> tuple[Stage, Stage | None]:
        """The matrix of a part, and its bias if it has one. x: a stage of the same precision."""
        roles = ("d_ff", "d_model") if part == "down" else ("d_model", "d_ff")
        size = {"d_model": x.size("d_model"), "d_ff": self.W_gate.shape[-1]}

        def stage(key: str, array: np.ndarray, *roles: str) -> Stage:
            shape = tuple(size[role] for role in roles)
            return parameter(key, _of_shape(key, array, shape, x), *roles)

        W, b = getattr(self, f"W_{part}"), getattr(self, f"b_{part}")
        bias = None if b is None else stage(f"b_{part}", b, roles[1])
        return stage(f"W_{part}", W, *roles), bias


def layer_scale(output: Stage, scale: np.ndarray) -> list[Stage]:
    """LayerScale: what a sublayer adds, each column times its own learnt λ.

    "Going deeper with Image Transformers" (Touvron et al., 2021), section 2, equation 4.

    output: (batch, token or query, d_model). scale: (d_model,).
    The stages are lambda and layer_scaled = λ ⊙ output.
    Raises shape_mismatch, not_real and not_finite.
    """
    numbers = _of_shape("lambda", scale, output.tensor.shape[-1:], output)
    learnt = parameter("lambda", numbers, "d_model")
    tensor = finite.computed("layer_scaled", ops.multiply, output.tensor, numbers)
    rule = Product((learnt.operand, output.operand))
    formula = rf"\text{{layer\_scaled}} = {learnt.formula} \odot {latex(output.key)}"
    return [learnt, Stage("layer_scaled", formula, tensor, output.axes, rule)]


def _gated(gate: Stage, up: Stage, kind: str) -> Stage:
    """The stage hidden = gate ⊙ up. Raises not_finite."""
    tensor = finite.computed("hidden", ops.multiply, gate.tensor, up.tensor)
    rule = Product((gate.operand, up.operand))
    formula = r"\text{hidden} = \text{gate} \odot \text{up}"
    return Stage("hidden", formula, tensor, gate.axes, rule, kind)


def _check_known(activation: str) -> None:
    if activation not in FUNCTIONS:
        known = ", ".join(FUNCTIONS)
        raise ValueError(f"activation {activation!r} is none of {known}")


_WRITTEN = {
    "relu": "ReLU",
    "gelu": "GELU",
    "gelu_tanh": r"GELU\_tanh",
    "quick_gelu": r"quick\_GELU",
    "silu": "SiLU",
    "log": "ln",
    "cos": "cos",
    "sin": "sin",
}


def output_head(
    x: Stage,
    W: np.ndarray,
    b: np.ndarray | None,
    over: str,
    names: Sequence[str],
    others: tuple[np.ndarray, str] | None = None,
) -> list[Stage]:
    r"""Logits for every word or class, and their softmax (section 3.4).

    x: (batch, token, d_model). W: (d_model, m). b: (m,), or None. over: the role of the axis of
    size m, with these names as labels.
    others: if m outcomes of more are listed, the logsumexp of all other logits, (batch, token), and
    a label for them.
    The stages are W_P, b_P, logits and probabilities, (batch, token, m); with others, before
    probabilities, ``others`` (batch, token, 1) and ``outcomes`` (batch, token, m + 1).
    Raises shape_mismatch, not_real and not_finite.
    """
    m = len(names)
    named = axes("d_model", over, labels={over: tuple(names)})
    W_stage = given("W_P", _of_shape("W_P", W, (x.size("d_model"), m), x), named, "parameter")
    b_stage = None
    if b is not None:
        b_stage = given("b_P", _of_shape("b_P", b, (m,), x), named[1:], "parameter")
    logits = around.linear(x, W_stage, b_stage, "logits", "" if b_stage else "plain_logits")
    stages = [W_stage, *([b_stage] if b_stage else []), logits]
    if others is not None:
        stages += _outcomes(logits, *others)
    last = stages[-1]
    rule = Softmax(last.operand, over, last.size(over))
    formula = rf"\text{{probabilities}} = \operatorname{{softmax}}(\text{{{last.key}}})"
    return [*stages, Stage("probabilities", formula, ops.softmax(last.tensor), last.axes, rule)]


def _outcomes(logits: Stage, others: np.ndarray, name: str) -> list[Stage]:
    """The stages others and outcomes: the listed logits, then that of all others."""
    *along, axis = logits.axes
    m = len(axis.names() or ())
    (rest,) = axes(axis.role, labels={axis.role: (name,)})
    (every,) = axes(axis.role, labels={axis.role: (*(axis.names() or ()), name)})
    tensor = others[..., None].astype(logits.tensor.dtype)  # (batch, token, 1)
    formula = r"\text{others} = \operatorname{logsumexp}(\text{logits}_{\text{others}})"
    one = Stage("others", formula, tensor, (*along, rest), EARLIER)
    rule = Stack(
        axis.role,
        (
            logits.operand,
            Operand("others", (*logits.roles[:2], ("minus", axis.role, m))),
        ),
        (m, 1),
    )
    formula = r"\text{outcomes} = [\text{logits};\ \text{others}]"
    both = np.concatenate([logits.tensor, tensor], axis=-1)  # (batch, token, m + 1)
    return [one, Stage("outcomes", formula, both, (*along, every), rule)]


def first_token(x: Stage, key: str) -> Stage:
    """The vector of the first token: (batch, 1, d_model)."""
    token = x.axes[1]
    rule = Operand(x.key, ("batch", token.role, "d_model"))
    formula = f"{latex(key)} = {latex(x.key)}_0"
    return Stage(key, formula, x.tensor[:, :1], (x.axes[0], token.alone(0, "1"), x.axes[2]), rule)


def last_token(x: Stage, key: str) -> Stage:
    """The vector of the last token: (batch, 1, d_model)."""
    token, before = x.axes[1], x.tensor.shape[1] - 1
    rule = Operand(x.key, ("batch", ("join", 1, before, token.role), "d_model"))
    formula = f"{latex(key)} = {latex(x.key)}_n"
    alone = token.alone(before, "1")
    return Stage(key, formula, x.tensor[:, before:], (x.axes[0], alone, x.axes[2]), rule)


def _of_shape(name: str, array: np.ndarray, shape: tuple[int, ...], like: Stage) -> np.ndarray:
    """The array with the dtype of a stage. Raises shape_mismatch, not_real and not_finite."""
    if array.shape != shape:
        raise shape_mismatch(name, str(shape), array.shape)
    numbers, dtype = finite.real(name, array), like.tensor.dtype
    return numbers if numbers.dtype == dtype else finite.in_precision(name, numbers, dtype)
