"""A simple recurrent network, the Jacobians of its states, and its cost beside attention.

Elman, "Finding Structure in Time" (1990). The influence of a word on a later state passes through
every step in between.
"""

from dataclasses import dataclass

import numpy as np

from core import finite, shapes
from core.errors import InputError, out_of_range, shape_mismatch
from core.weights import xavier_uniform


@dataclass(frozen=True, eq=False)
class RecurrentNet:
    """h_t = tanh(W_h h_{t−1} + W_x x_t + b), with h_0 = 0.

    W_h: (width, width). W_x: (width, d_model). b: (width,).
    has_tanh: whether there is a tanh; without it the network is linear.

    Raises shape_mismatch, not_real and not_finite.
    """

    W_h: np.ndarray
    W_x: np.ndarray
    b: np.ndarray
    has_tanh: bool = True

    def __post_init__(self) -> None:
        """Check the shapes of the matrices."""
        width = self.W_h.shape[0]
        expected = {
            "W_h": (width, width),
            "W_x": (width, self.W_x.shape[-1]),
            "b": (width,),
        }
        for name, shape in expected.items():
            array = getattr(self, name)
            if array.shape != shape:
                raise shape_mismatch(name, str(shape), array.shape)
            finite.check(name, finite.real(name, array))

    @classmethod
    def seeded(
        cls, d_model: int, width: int, spectral_radius: float, seed: int, *, has_tanh: bool = True
    ) -> "RecurrentNet":
        """Random matrices, deterministic for a seed; b = 0.

        ``xavier_uniform``, drawn in the order W_h, W_x; W_h is then scaled to the given
        ``spectral_radius``.

        Raises out_of_range.
        """
        for name, size in (("d_model", d_model), ("width", width)):
            if size < 1:
                raise out_of_range(name, size, "at least 1")
        if not 0 <= spectral_radius < np.inf:
            raise out_of_range("spectral_radius", spectral_radius, "at least 0 and finite")
        random = np.random.default_rng(seed)
        W_h, W_x = (xavier_uniform(random, width, columns) for columns in (width, d_model))
        W_h *= spectral_radius / np.abs(np.linalg.eigvals(W_h)).max()
        return cls(W_h, W_x, np.zeros(width), has_tanh)


def states(net: RecurrentNet, X: np.ndarray) -> np.ndarray:
    """The state after each word.

    X: (word, d_model). Returns (step, width): row t is h_t.
    Raises not_finite if a linear network overflows.
    """
    _check_words(net, X)
    h = np.zeros(net.W_h.shape[0])
    read = np.empty((len(X), len(h)))
    with np.errstate(over="ignore", invalid="ignore"):
        for t, x in enumerate(X):
            inner = net.W_h @ h + net.W_x @ x + net.b  # (width,)
            h = read[t] = np.tanh(inner) if net.has_tanh else inner
    finite.check("h", read)
    return read


def jacobians(net: RecurrentNet, X: np.ndarray) -> np.ndarray:
    """The Jacobian of every state with respect to every word, by the chain rule.

    ∂h_t/∂x_j = D_t W_h · D_{t−1} W_h · … · D_{j+1} W_h · D_j W_x,  D_t = diag(1 − h_t²)

    X: (word, d_model). Returns (step, word, width, d_model); exactly 0 for later words.
    Raises not_finite if the product overflows.
    """
    h = states(net, X)  # (step, width)
    slopes = 1 - h**2 if net.has_tanh else np.ones_like(h)
    n, width, d_model = len(X), *net.W_x.shape
    answers = np.zeros((n, n, width, d_model))
    with np.errstate(over="ignore", invalid="ignore"):
        for t in range(n):
            if t:
                answers[t, :t] = slopes[t][:, None] * (net.W_h @ answers[t - 1, :t])
            answers[t, t] = slopes[t][:, None] * net.W_x
    if not np.isfinite(answers).all():
        raise InputError("not_finite", name="∂h/∂x")
    return answers


def bound(net: RecurrentNet, distance: int) -> float:
    """An upper bound of ‖∂h_t/∂x_j‖ for the distance t − j: ‖W_h‖^(t−j) · ‖W_x‖.

    The slope of tanh is 1 at most (Pascanu, Mikolov & Bengio, 2013, section 2).
    """
    carried, taken_in = (float(np.linalg.norm(W, 2)) for W in (net.W_h, net.W_x))
    return carried**distance * taken_in


def gated_share(gate: float, steps: int) -> float:
    """The share of an LSTM's cell state that is left after ``steps`` with this forget gate.

    ∂c_T/∂c_1 = gate^steps along the cell state (Hochreiter & Schmidhuber,
    1997; the forget gate: Gers, Schmidhuber & Cummins, 2000). Raises out_of_range outside 0 … 1.
    """
    if not 0 <= gate <= 1:
        raise out_of_range("gate", gate, "between 0 and 1")
    return float(gate**steps)


def _check_words(net: RecurrentNet, X: np.ndarray) -> None:
    if X.ndim != 2 or X.shape[1] != net.W_x.shape[1]:
        raise shape_mismatch("X", f"(word, {net.W_x.shape[1]})", X.shape)
    finite.check("X", finite.real("X", X))


@dataclass(frozen=True)
class Layer:
    """One row of Table 1 of "Attention Is All You Need", counted for n words.

    path: maximum path length, from the first word to the result of the last. sequential: sequential
    operations. multiply_adds: of all matrix products.
    """

    path: int
    sequential: int
    multiply_adds: int


def recurrent_layer(n: int, d_model: int, width: int) -> Layer:
    """Path O(n), sequential O(n), n·width·(width + d_model) multiply-adds: O(n·d²)."""
    return Layer(n, n, n * width * (width + d_model))


def attention_layer(n: int, d_model: int, heads: int) -> Layer:
    """Path O(1), sequential O(1), 2·n²·d_model + 4·n·d_model² multiply-adds.

    The first summand is O(n²·d) of Table 1, which leaves out the second: the projections.
    """
    return Layer(1, 1, shapes.attention_cost(n, d_model, heads).multiply_adds)
