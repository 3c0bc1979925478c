"""A simple recurrent net, and how much of each word is left in each of its states.

Elman, "Finding Structure in Time" (1990). What came before is carried from step to step in one
vector, and whatever a word has to say later on must pass through every step in between.
"""

from dataclasses import dataclass

import numpy as np

from core import finite
from core.errors import NotFinite, OutOfRange, ShapeMismatch
from core.weights import xavier_uniform


@dataclass(frozen=True, eq=False)
class RecurrentNet:
    """h_t = tanh(W_h h_{t−1} + W_x x_t + b), beginning with h_0 = 0.

    W_h: (width, width). W_x: (width, d_model). b: (width,).
    has_tanh: whether there is a tanh; without it the net is linear.

    Raises ShapeMismatch, NotReal and NotFinite.
    """

    W_h: np.ndarray
    W_x: np.ndarray
    b: np.ndarray
    has_tanh: bool = True

    def __post_init__(self) -> None:
        """Check that the matrices fit one another."""
        width = self.W_h.shape[0]
        expected = {
            "W_h": (width, width),
            "W_x": (width, self.W_x.shape[-1]),
            "b": (width,),
        }
        for name, shape in expected.items():
            array = getattr(self, name)
            if array.shape != shape:
                raise ShapeMismatch(name, str(shape), array.shape)
            finite.check(name, finite.real(name, array))

    @classmethod
    def seeded(
        cls, d_model: int, width: int, spectral_radius: float, seed: int, *, has_tanh: bool = True
    ) -> "RecurrentNet":
        """Random matrices that are the same for the same seed; b = 0.

        Each ``xavier_uniform``, drawn as W_h, W_x; W_h is then stretched so that its largest
        eigenvalue has the size ``spectral_radius``.

        Raises OutOfRange.
        """
        for name, size in (("d_model", d_model), ("width", width)):
            if size < 1:
                raise OutOfRange(name, size, "at least 1")
        if not 0 <= spectral_radius < np.inf:
            raise OutOfRange("spectral_radius", spectral_radius, "at least 0 and finite")
        random = np.random.default_rng(seed)
        W_h, W_x = (xavier_uniform(random, width, columns) for columns in (width, d_model))
        W_h *= spectral_radius / np.abs(np.linalg.eigvals(W_h)).max()
        return cls(W_h, W_x, np.zeros(width), has_tanh)


def states(net: RecurrentNet, X: np.ndarray) -> np.ndarray:
    """Read the words one after the other: the state behind each of them.

    X: (word, d_model). Returns (step, width): row t is h_t, which has read the words up to t.
    Raises NotFinite where a linear net grows beyond all numbers.
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
    """How every state answers to a small change of every word, by the chain rule.

    ∂h_t/∂x_j = D_t W_h · D_{t−1} W_h · … · D_{j+1} W_h · D_j W_x,  D_t = diag(1 − h_t²)

    X: (word, d_model). Returns (step, word, width, d_model); exactly 0 for words still to come.
    Raises NotFinite where the product grows beyond all numbers.
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
        raise NotFinite("∂h/∂x")
    return answers


def bound(net: RecurrentNet, distance: int) -> float:
    """Set a limit to ‖∂h_t/∂x_j‖ where t − j is the distance: ‖W_h‖^(t−j) · ‖W_x‖.

    The slope of tanh is 1 at most (Pascanu, Mikolov & Bengio, 2013, section 2).
    """
    carried, taken_in = (float(np.linalg.norm(W, 2)) for W in (net.W_h, net.W_x))
    return carried**distance * taken_in


def gated_share(gate: float, steps: int) -> float:
    """Give the share of a memory cell that is left behind a gate which stays open this wide.

    ∂c_T/∂c_1 = gate^steps, straight along the cell of an LSTM (Hochreiter & Schmidhuber,
    1997; the forget gate: Gers, Schmidhuber & Cummins, 2000). Raises OutOfRange outside 0 … 1.
    """
    if not 0 <= gate <= 1:
        raise OutOfRange("gate", gate, "between 0 and 1")
    return float(gate**steps)


def _check_words(net: RecurrentNet, X: np.ndarray) -> None:
    if X.ndim != 2 or X.shape[1] != net.W_x.shape[1]:
        raise ShapeMismatch("X", f"(word, {net.W_x.shape[1]})", X.shape)
    finite.check("X", finite.real("X", X))
