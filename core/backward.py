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
====================================  =====================================================

No line is written twice: ``backward`` reads the *rule* of each stage and turns that round, so all
that has a rule goes backwards too, whole models among them; ``core.gradients`` has the rules of
what stands around attention. "Learning representations by back-propagating errors" (Rumelhart,
Hinton & Williams, 1986).
"""

from collections.abc import Mapping

import numpy as np

from core import finite
from core.errors import InputError, shape_mismatch
from core.gradients import AROUND, Flow, Gradients, Numbers, Turned, has_gradient
from core.kinds import GRADIENT
from core.limits import LIMITS, Limits
from core.notation import latex
from core.rules import Constant, Dot, Given, Mask, Operand, Product, Rule, Softmax, Sum
from core.trace import Trace

SHORT = {"weights": ("A", "dA"), "probabilities": ("p", "dp")}


def product_of_matrices(made: Gradients, rule: Dot, flow: Flow) -> None:
    """C = A B: dA = dC Bᵀ, dB = Aᵀ dC. And C = A Bᵀ: dA = dC B, dB = dCᵀ A.

    The output of attention, that of the heads, the scores, and Q, K and V. What several read adds
    up over them: matrices over all tokens, keys and values over the heads that share them.
    """
    inside = made.at_once(flow)._replace(sizes=(*flow.sizes, (rule.over, rule.size)))
    d, a, b = (latex(key) for key in (inside.d.stage, rule.left.stage, rule.right.stage))
    if rule.right.index[-1] == rule.over:  # its rows: A Bᵀ
        d_left, d_right = f"{d} {b}", rf"{{{d}}}^\top {a}"
    else:
        d_left, d_right = rf"{d} {{{b}}}^\top", rf"{{{a}}}^\top {d}"
    made.send(rule.left, inside.times(rule.right), d_left)
    made.send(rule.right, inside.times(rule.left), d_right)


def softmax(made: Gradients, rule: Softmax, flow: Flow) -> None:
    """A = softmax(S): dS = A ⊙ (dA − Σ_k A · dA), with the sum over the row."""
    A, dA = flow.of.operand, flow.d
    weights, d_weights = made.tensors[A.stage], made.tensors[dA.stage]
    mean = (weights * d_weights).sum(axis=-1, keepdims=True)
    a, d = SHORT.get(A.stage.rpartition("/")[2], (latex(A.stage), latex(dA.stage)))
    less: Rule = Product((Constant(-1.0, "-"), Dot(A, dA, rule.along, rule.size)))
    formula = rf"{a} \odot ({d} - \sum {a} \odot {d})"
    turned = Product((A, Sum((dA, less))))
    made.receive(rule.of.stage, turned, weights * (d_weights - mean), formula)


def mask(made: Gradients, rule: Mask, flow: Flow) -> None:
    """S if allowed, else −∞: dS = d if allowed, else 0."""
    made.turn(rule.of, flow.times(*rule.allowed))


def scale(made: Gradients, rule: Product, flow: Flow) -> None:
    """S / √d_k: dS = d / √d_k; and of any product a · b: da = d · b, db = d · a."""
    values = [made.value(factor, flow) for factor in rule.factors]
    for i, factor in enumerate(rule.factors):
        made.turn(factor, flow.times(*values[:i], *values[i + 1 :]))


def add(made: Gradients, rule: Sum, flow: Flow) -> None:
    """A + B, such as a bias or the residual: dA = dB = d."""
    for part in rule.parts:
        made.turn(part, flow)


ATTENTION: dict[type[Rule], Turned] = {
    Dot: product_of_matrices, Softmax: softmax, Mask: mask, Product: scale, Sum: add,
    Operand: Gradients.send,
}  # fmt: skip


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
    made = Gradients(trace, Numbers(trace), ATTENTION | AROUND)
    for key, given in gradients.items():
        of = trace[key]
        tensor = finite.in_precision(key, finite.real(key, given), of.tensor.dtype)
        if tensor.shape != of.tensor.shape:
            raise shape_mismatch(GRADIENT + key, str(of.tensor.shape), tensor.shape)
        made.receive(key, Given("input"), tensor, "")
    for key in reversed(tuple(trace)):
        if key in made.received and key not in made.stopped:
            if key in gradients and len(made.received[key]) > 1:
                raise ValueError(f"another stage with a gradient is computed from {key}")
            made.gradient(trace[key])
    return trace.followed_by(made.stages)
