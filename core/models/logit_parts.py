"""The logits of the next token as sums: what each part of a decoder has added to them.

"A Mathematical Framework for Transformer Circuits" (Elhage et al., 2021): *direct logit
attribution*. The residual stream is the embedding plus what every head and every feed-forward
layer adds. With the scale of the norms fixed at what it is for this text, the way from the stream
to a logit is linear: every part has its share, and the shares add up to the logit.
"""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from core.layers import RMSNorm
from core.models import forward
from core.models.incremental import Passed
from core.models.model import Layer, Model
from core.nested import EARLIER
from core.notation import axes, given
from core.rules import Constant, Dot, Product
from core.trace import Stage, Trace

Part = tuple[int, int]  # layer and head, each from 1; head 0: feed-forward; (0, 0): the embedding
PATCH = -1  # in place of a head: what a patch of the stream puts in


def can_be_taken_apart(model: Model) -> bool:
    """Whether the shares are of this simple form: RMSNorm at the end, heads without a bias b_O."""
    return model.config.rms and not model.config.output_bias and model.output_bias is None


def parts_added(model: Model, passed: Passed) -> Iterator[tuple[Part, np.ndarray]]:
    """Yields each part, and what it adds to the last token's vector: (d_model,)."""
    before = passed.streams[0][-1]
    yield (0, 0), before
    for number in range(1, model.config.layers + 1):
        layer, x = model.layer(number), passed.streams[number - 1]
        enters = forward.entering(x[-1:], layer, len(x) - 1)[0]
        if not np.array_equal(enters, before):
            yield (number, PATCH), enters - before
        made = _of_heads(layer, enters[None], passed, number)
        yield from (((number, head), one) for head, one in enumerate(made, start=1))
        behind = passed.streams[number][-1]
        yield (number, 0), behind - enters - made.sum(axis=0)
        before = behind


def _of_heads(layer: Layer, x: np.ndarray, passed: Passed, number: int) -> np.ndarray:
    """What each head adds to the last vector: (head, d_model). x: it, (1, d_model)."""
    X = forward.normed(x, layer.attention_norm)
    outputs = forward.head_outputs(X, layer, True, cache=passed.caches[number - 1])
    W_O = layer.attention["W_O"]
    made: np.ndarray = (outputs @ W_O.reshape(layer.heads, -1, W_O.shape[1]))[:, 0]
    if layer.post_norms:
        norm, whole = layer.post_norms[0], made.sum(axis=0)
        made = made * (norm.gamma * _one_over_rms(whole, norm))
    return made * layer.scales[0] if layer.scales else made


def _one_over_rms(vector: np.ndarray, norm: RMSNorm) -> np.float32:
    return np.float32(1 / np.sqrt(np.square(vector, dtype=np.float64).mean() + norm.epsilon))


def shares(
    model: Model, passed: Passed, numbers: Sequence[int], name_of: Callable[[int], str]
) -> tuple[tuple[Part, ...], Trace]:
    """The parts, and the stages up to the share of each in the logit of some next tokens.

    model: as from ``can_be_taken_apart``. numbers: ids of the tokens. name_of: the text of one.
    The stages are added (part, d_model), gamma, W_P (d_model, vocabulary), direction, which is
    γ ⊙ W_P / r with the rms r of the stream, and shares (part, vocabulary) = added · direction.
    """
    found = list(parts_added(model, passed))
    norm, parts = model.final_norm(), tuple(part for part, _ in found)
    assert isinstance(norm, RMSNorm)
    labels = {
        "part": tuple(map(label, parts)),
        "vocabulary": tuple(name_of(number) for number in numbers),
    }
    added = given("added", np.array([one for _, one in found]),
                  axes("part", "d_model", labels=labels))  # fmt: skip
    added = Stage(added.key, added.formula, added.tensor, added.axes, EARLIER)
    gamma = given("gamma", norm.gamma, axes("d_model"), "parameter", "rms_gamma")
    W_P = np.ascontiguousarray(model.output_rows(numbers).T)  # (d_model, vocabulary)
    W = given("W_P", W_P, axes("d_model", "vocabulary", labels=labels), "parameter")
    scale = _one_over_rms(passed.streams[-1][-1], norm)
    direction = Stage(
        "direction",
        r"\text{direction} = \frac{1}{r} \cdot \gamma \odot W^P",
        (float(scale) * norm.gamma[:, None].astype(np.float64) * W_P).astype(W_P.dtype),
        W.axes,
        Product((Constant(float(scale), "1/r"), gamma.operand, W.operand)),
    )
    rule = Dot(added.operand, direction.operand, "d_model", len(norm.gamma))
    tensor = added.tensor @ direction.tensor
    formula = r"\text{shares} = \text{added} \cdot \text{direction}"
    named = (added.axes[0], direction.axes[1])
    made = Stage("shares", formula, tensor, named, rule)
    return parts, Trace([added, gamma, W, direction, made])


def label(part: Part) -> str:
    """The label of a part, such as 3·7 for head 7 of layer 3."""
    layer, head = part
    if not layer:
        return "E"
    return f"{layer}·" + {0: "FFN", PATCH: "′"}.get(head, str(head))
