r"""Which input mattered for one outcome: plain attention, rollout, and weights × gradient.

With A the weights of an attention, y the logit of the outcome and R = I in front of all layers:

    Ā = mean over heads of (A ⊙ ∂y/∂A)⁺,    R ← R + Ā R    behind each attention

"Generic Attention-model Explainability for Interpreting Bi-Modal and Encoder-Decoder Transformers"
(Chefer, Gur & Wolf, 2021), equations 5 and 6. Here the tokens of an encoder and of a decoder are on
one axis, and cross-attention is one more attention on it; the authors also norm the rows of R there
(equations 8 to 10). Rollout is that of ``core.experiments.rollout``: the weights alone.

The row of R − I for the token that gives the outcome says which tokens mattered.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from core.backward import backward
from core.experiments.rollout import rollout
from core.gradients import check_one_sample
from core.kinds import GRADIENT
from core.models.incremental import Passed
from core.models.model import Model
from core.models.one_layer import layer_trace
from core.nested import parts, subtrace
from core.trace import Trace


@dataclass(frozen=True, eq=False)
class Attended:
    """An attention on the way to an outcome.

    path: of its part. mean: of its heads' weights; raised: of (A ⊙ ∂y/∂A)⁺; both (query, key).
    behind: the gradient of what the part gives, (batch 1, token, d_model). query, key: where their
    tokens begin on the axis of all tokens.
    """

    path: str
    mean: np.ndarray
    raised: np.ndarray
    behind: np.ndarray
    query: int = 0
    key: int = 0

    @property
    def rows(self) -> slice:
        """Its queries on the axis of all tokens."""
        return slice(self.query, self.query + self.mean.shape[0])

    @property
    def columns(self) -> slice:
        """Its keys on the axis of all tokens."""
        return slice(self.key, self.key + self.mean.shape[1])

    def on_all(self, n: int) -> np.ndarray:
        """The mean of its heads for all n tokens, of which the others keep what they have."""
        mean = np.eye(n)
        mean[self.rows] = 0
        mean[self.rows, self.columns] = self.mean
        return mean


@dataclass(frozen=True, eq=False)
class Relevance:
    """attentions: in the order of the computation. n: tokens in all. row: of the outcome's token.

    Each of its three answers has a number for every token, (token,).
    """

    attentions: tuple[Attended, ...]
    n: int
    row: int

    def attention(self, path: str) -> Attended:
        """The attention at a path."""
        return next(one for one in self.attentions if one.path == path)

    @property
    def plain(self) -> np.ndarray:
        """The mean of the heads of the last layer; of a decoder's cross-attention too."""
        found = np.zeros(self.n)
        for one in self.attentions:
            if one.rows.start <= self.row < one.rows.stop:
                found[one.columns] = one.mean[self.row - one.query]
        return found

    @property
    def rolled(self) -> np.ndarray:
        """Attention rollout through all layers."""
        return rollout(one.on_all(self.n)[None] for one in self.attentions)[self.row]

    @property
    def by_gradient(self) -> np.ndarray:
        """Weights × gradient through all layers, as shares of their sum; all 0 without any."""
        R = np.eye(self.n)
        for one in self.attentions:
            R[one.rows] += one.raised @ R[one.columns]
        found: np.ndarray = R[self.row] - np.eye(self.n)[self.row]
        total = found.sum()
        return found / total if total > 0 else found


def of_trace(trace: Trace, row: int, outcome: int) -> Relevance:
    """Of one outcome of a whole model, for one sample.

    row: which of its rows of logits; outcome: which of these. Raises one_sample, and what
    ``backward`` raises.
    """
    logits = trace["prediction/logits"]
    check_one_sample(trace)
    seed = np.zeros(logits.tensor.shape)
    seed[0, row, outcome] = 1
    made = backward(trace, {logits.key: seed})
    found = tuple(_attended(made, path) for path in parts(trace) if f"{path}/weights" in trace)
    n = found[-1].rows.stop
    predicting = row + found[-1].query
    return Relevance(found, n, predicting)


def of_decoder(
    model: Model,
    embedded: Trace,
    prediction: Trace,
    passed: Passed,
    outcome: int,
    progress: Callable[[int, int], None] | None = None,
) -> Relevance:
    """Of a next token, layer by layer from the last one.

    model: with its norms in front. embedded: of the text. prediction: of its last token, as from
    ``core.models.prediction``. outcome: which of its logits. passed: of the text, by this model.
    progress: called after each layer with the number of layers done and in all. Raises what
    ``backward`` raises.
    """
    seed = np.zeros(prediction["logits"].tensor.shape)
    seed[..., outcome] = 1
    d = backward(prediction, {"logits": seed})[f"{GRADIENT}stream"].tensor
    found = list[Attended]()
    for number in range(model.config.layers, 0, -1):
        trace = layer_trace(model, embedded, passed.streams[number - 1], number, "checkpoint")
        made = backward(trace, {[*trace][-1]: d})
        path = f"encoder/{number}/self"
        found.append(_attended(made, path))
        d = made[f"{GRADIENT}{path}/stream"].tensor
        if progress:
            progress(len(found), model.config.layers)
    n = len(passed.ids)
    return Relevance(tuple(reversed(found)), n, n - 1)


def _attended(made: Trace, path: str) -> Attended:
    """The attention of a part. made: with its gradients."""
    used = made[f"{path}/head_output"].operands[0].stage
    last = [key for key in made if key.startswith(f"{path}/")][-1]
    source = made["source/tokens"].size("token") if "source/tokens" in made else 0
    weights, gradient = (made[key].tensor[0] for key in (used, GRADIENT + used))
    raised = np.maximum(weights * gradient, 0)
    in_decoder = path.startswith("decoder")
    query, key = source * in_decoder, source * (in_decoder and not path.endswith("cross"))
    behind = made[GRADIENT + last].tensor
    return Attended(path, weights.mean(axis=0), raised.mean(axis=0), behind, query, key)


def gradients(trace: Trace, attended: Attended) -> Trace:
    """The stages of an attention and behind them the gradients of the outcome, which open.

    trace: that has its part. What comes back to the part is given.
    """
    part = subtrace(trace, attended.path)
    return backward(part, {[*part][-1]: attended.behind})
