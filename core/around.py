"""The steps around attention, each as a Stage: linear layers, the residual connection, norms."""

from core import finite, ops
from core.errors import shape_mismatch
from core.notation import latex
from core.rules import Dot, Normalise, Operand, Product, RMSNorm, Rule, Sum
from core.trace import Stage

LAYER_NORM_EPSILON = 1e-5


def linear(x: Stage, W: Stage, b: Stage | None, key: str, kind: str = "") -> Stage:
    """A linear layer: x W + b. x: (batch, token, width); W: (width, m); b: (m,).

    Raises not_finite.
    """
    rule = linear_rule(x.operand, W.operand, len(W.tensor), None if b is None else b.operand)
    formula = rf"{latex(key)} = {latex(x.key)} \cdot {W.formula}"
    formula += "" if b is None else f" + {b.formula}"
    bias = None if b is None else b.tensor
    tensor = finite.computed(key, ops.linear, x.tensor, W.tensor, bias)
    return Stage(key, formula, tensor, (*x.axes[:2], W.axes[1]), rule, kind)


def linear_rule(x: Operand, W: Operand, size: int, b: Operand | None) -> Rule:
    """The rule Σ x W + b over the last axis of x, which has this size."""
    over = x.index[-1]
    assert isinstance(over, str)
    product = Dot(x, W, over, size)
    return product if b is None else Sum((product, b))


def residual(x: Stage, added: Stage, kind: str = "") -> Stage:
    """The residual connection x + added (section 3.1). Raises shape_mismatch and not_finite."""
    if added.tensor.shape != x.tensor.shape:
        raise shape_mismatch(added.key, f"{x.tensor.shape}, as X is", added.tensor.shape)
    along = added.roles[1]
    at = ("batch", along, "d_model")
    rule = Sum((Operand(x.key, at), Operand(added.key, at)))
    named = (*added.axes[:2], x.axes[2])
    formula = rf"\text{{residual}} = {latex(x.key)} + {latex(added.key)}"
    tensor = finite.computed("residual", ops.add, x.tensor, added.tensor)
    return Stage("residual", formula, tensor, named, rule, kind)


def normalised(
    of: Stage,
    epsilon: float = LAYER_NORM_EPSILON,
    gamma: Stage | None = None,
    beta: Stage | None = None,
    key: str = "normalised",
    kind: str = "",
) -> Stage:
    """LayerNorm (section 3.1; Ba et al., 2016); γ = 1 and β = 0 by default.

    Raises not_finite, also if a variance overflows.
    """
    rule: Rule = Normalise(of.operand, "d_model", of.size("d_model"), epsilon)
    formula = rf"\operatorname{{LayerNorm}}({latex(of.key)})"
    if gamma is not None:
        rule = Product((rule, gamma.operand))
        formula = rf"\gamma \odot {formula}"
    if beta is not None:
        rule = Sum((rule, beta.operand))
        formula += r" + \beta"
    learnt = (None if stage is None else stage.tensor for stage in (gamma, beta))
    tensor = finite.computed(key, ops.layer_norm, of.tensor, epsilon, *learnt)
    return Stage(key, f"{latex(key)} = {formula}", tensor, of.axes, rule, kind)


def rms_normed(
    of: Stage, epsilon: float, gamma: Stage, key: str = "normalised", kind: str = ""
) -> Stage:
    """RMSNorm over the last axis (Zhang & Sennrich, 2019, section 4).

    Raises not_finite, also if a mean of squares overflows.
    """
    along = of.roles[-1]
    norm = RMSNorm(of.operand, along, of.size(along), epsilon)
    rule = Product((norm, gamma.operand))
    formula = rf"{gamma.formula} \odot \operatorname{{RMSNorm}}({latex(of.key)})"
    tensor = finite.computed(key, ops.rms_norm, of.tensor, epsilon, gamma.tensor)
    return Stage(key, f"{latex(key)} = {formula}", tensor, of.axes, rule, kind)
