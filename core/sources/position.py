"""Where a token stands, as numbers that can be added to its vector."""

import numpy as np

from core import notation, ops
from core.rules import Given, Operand, Rule, Sum
from core.trace import Stage

ANGLE = r"\frac{p}{10000^{2i / d_{\text{model}}}}"
FORMULA = (
    r"\begin{aligned} PE_{p, 2i} &= \sin " + ANGLE + r" \\ "
    r"PE_{p, 2i + 1} &= \cos " + ANGLE + r" \end{aligned}"
)


def sinusoids(n: int, d_model: int) -> np.ndarray:
    r"""Give each place a row of sines and cosines, from fast waves to slow ones.

    PE[p, 2i] = sin(p / 10000^(2i/d_model)),  PE[p, 2i + 1] = cos(p / 10000^(2i/d_model))

    Returns (n, d_model) float64; places p count from 0. An odd d_model ends with a sine.
    "Attention Is All You Need" (Vaswani et al., 2017), section 3.5.
    """
    even = np.arange(0, d_model, 2)  # 2i
    angle = np.arange(n)[:, None] / 10000 ** (even / d_model)  # (n, ⌈d_model / 2⌉)
    position = np.empty((n, d_model))
    position[:, 0::2] = np.sin(angle)
    position[:, 1::2] = np.cos(angle[:, : d_model // 2])
    return position


def input_stages(tokens: Stage, position: bool) -> list[Stage]:
    """X, the vectors that attention reads, and before it the place that is added to each.

    tokens: (batch, token or patch, d_model). Without position, X is the tokens themselves.
    """
    named = notation.axes("batch", "token", "d_model", labels={"token": tokens.axes[1].labels})
    rule: Rule = Operand(tokens.key, ("batch", "token", "d_model"))
    if not position:
        return [Stage("X", rf"X = \text{{{tokens.key}}}", tokens.tensor, named, rule)]
    n, d_model = tokens.tensor.shape[1:]
    places = sinusoids(n, d_model).astype(tokens.tensor.dtype)
    alike = tuple(axis.for_all_samples() for axis in named[1:])
    return [
        Stage("position", FORMULA, places, alike, Given("sinusoid")),
        Stage(
            "X",
            rf"X = \text{{{tokens.key}}} + \text{{position}}",
            ops.add(tokens.tensor, places),
            named,
            Sum((rule, Operand("position", ("token", "d_model")))),
        ),
    ]
