"""Recorded runs: one head of a pretrained model on an input, in ``assets/recorded``.

``training/recorded.py`` makes the files. What the head was given, and its weights, are recorded in
float16, or in float32 where that is too small; of a text, in float32, also the vector from which
the next token follows, and the rows of the output matrix of the likeliest ones. Every other number
is computed from them again.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numpy as np

from core import layers, nested
from core.attention import multi_head_attention
from core.axis import Axis
from core.layers import Norm, RMSNorm
from core.models.block import AS_KEYS, IN, normed_stream
from core.nested import as_input
from core.notation import SYMBOLS, axes, given
from core.options import AttentionOptions
from core.rotary import Rotary
from core.trace import Stage, Trace
from core.weights import Weights

FOLDER = Path(__file__).parents[2] / "assets" / "recorded"
RUNS = FOLDER / "runs.json"
PARTS = ("W_Q", "W_K", "W_V", "b_Q", "b_K", "b_V", "gamma_Q", "gamma_K")
PATH, PREDICTION = "recorded/self", "prediction"
LAST, FINAL, ROWS = "last", "final_gamma", "rows"  # the arrays of a prediction


@dataclass(frozen=True, eq=False)
class Recorded:
    """A recorded run by its name, which is that of its file.

    model: of ``core.models.pretrained``, by its name there. text: what was given, or what was
    written down of a sound; empty for a picture. layer, layers, head, heads: which head it is, from
    1, of how many. query: the token, from 0, whose row the claim is about; keys: those that it
    takes ``share`` of its weights from. likeliest: the likeliest next tokens; others: the logsumexp
    of the logits of all other tokens, and their number; None where no token is predicted. tokens,
    memory: the axes of queries and of keys. settings: what else the head needs: causal, rotary and
    epsilon.
    """

    name: str
    model: str
    text: str
    layer: int
    layers: int
    head: int
    heads: int
    query: int
    keys: tuple[int, ...]
    share: float
    likeliest: tuple[str, ...]
    others: tuple[float, int] | None
    tokens: Mapping[str, Any]
    memory: Mapping[str, Any] | None
    settings: Mapping[str, Any]

    @property
    def file(self) -> Path:
        """The file of its arrays."""
        return FOLDER / f"{self.name}.npz"

    @cached_property
    def trace(self) -> Trace:
        """Every stage of the head: from the stream, or X and memory, to head_output."""
        with np.load(self.file) as arrays:
            return head_trace(self, {name: arrays[name] for name in arrays.files})

    @cached_property
    def prediction(self) -> Trace | None:
        """Every stage from the last vector to the probabilities of the next token."""
        if self.others is None:
            return None
        with np.load(self.file) as arrays:
            return prediction_trace(self, arrays[LAST], arrays[FINAL], arrays[ROWS], self.others)

    @property
    def predicted(self) -> tuple[tuple[str, float], ...]:
        """The likeliest next tokens with their probabilities."""
        if self.prediction is None:
            return ()
        shares = self.prediction["probabilities"].tensor[0, 0].tolist()
        return tuple(zip(self.likeliest, shares, strict=False))  # without all others


@cache
def runs() -> dict[str, Recorded]:
    """All recorded runs by name, in the order of the page."""
    listed = json.loads(RUNS.read_text("utf-8"))
    return {one["name"]: _from_json(one) for one in listed}


def _from_json(stated: Mapping[str, Any]) -> Recorded:
    listed = {name: tuple(stated[name]) for name in ("keys", "likeliest")}
    others = stated["others"] and tuple(stated["others"])
    return Recorded(**{**stated, **listed, "others": others})


def head_trace(run: Recorded, arrays: Mapping[str, np.ndarray]) -> Trace:
    """The trace of a recorded head.

    arrays: by name: stream (token, d_model), gamma, beta where the norm has it, the
    parameters of the head, and memory (key, d_model) for cross-attention.
    """
    numbers = {name: array.astype(np.float32) for name, array in arrays.items()}
    epsilon, stated = run.settings["epsilon"], run.settings["rotary"]
    norm: Norm | RMSNorm = (
        RMSNorm(numbers["gamma"], epsilon)
        if run.settings["rms"]
        else Norm(numbers["gamma"], numbers["beta"], epsilon)
    )
    stream = as_input(_sequence("stream", numbers["stream"], run.tokens), "stream", IN)
    source = Trace([stream, *normed_stream(stream, norm)])
    parameters: dict[str, Any] = {name: numbers.get(name) for name in PARTS}
    weights = Weights(W_O=None, heads=1, epsilon=epsilon, **parameters)
    options = AttentionOptions(
        causal=run.settings["causal"], rotary=Rotary(**stated) if stated else None
    )
    memory = None
    if run.memory is not None:
        memory = as_input(_sequence("memory", numbers["memory"], run.memory), "memory", AS_KEYS)
    attended = multi_head_attention(source, weights, options, memory=memory)
    stages = [_numbered(stage, run.head) for key, stage in attended.items() if key != "concat"]
    whole = nested.compose({PATH: Trace(stages)}, {}, "trained")
    return nested.subtrace(whole, PATH)


def prediction_trace(
    run: Recorded, last: np.ndarray, gamma: np.ndarray, rows: np.ndarray, others: tuple[float, int]
) -> Trace:
    """The trace of a recorded prediction.

    last: output of the last layer for the last token, (d_model,). gamma: of the final norm. rows:
    of the output matrix, (listed, d_model). others: see ``Recorded``.
    """
    kinds = run.tokens["kinds"]
    alone = {
        "labels": run.tokens["labels"][-1:],
        "kinds": kinds if isinstance(kinds, str) else kinds[-1:],
        "hops": run.tokens["hops"],
    }
    stream = as_input(_sequence("stream", last[None], alone), "stream", IN)
    normed = normed_stream(stream, RMSNorm(gamma, run.settings["epsilon"]))
    logsumexp, number = others
    head = layers.output_head(
        normed[-1], rows.T, None, "vocabulary", run.likeliest,
        (np.array([[logsumexp]]), f"+ {number}"),
    )  # fmt: skip
    whole = nested.compose({PREDICTION: Trace([stream, *normed, *head])}, {}, "trained")
    return nested.subtrace(whole, PREDICTION)


def _sequence(key: str, tensor: np.ndarray, stated: Mapping[str, Any]) -> Stage:
    """A sequence with the axis of its tokens. tensor: (token, d_model)."""
    labels, kinds = stated["labels"], stated["kinds"]
    token = Axis(
        "token", SYMBOLS["token"],
        None if labels is None else tuple(labels),
        kinds if isinstance(kinds, str) else tuple(kinds),
        hops=stated["hops"],
    )  # fmt: skip
    batch, d_model = axes("batch", "d_model")
    return given(key, tensor[None], (batch, token, d_model))


def _numbered(stage: Stage, head: int) -> Stage:
    """The stage with the head's own number, from 1, on its axis of one head."""
    named = tuple(
        replace(axis, labels=(str(head),)) if axis.role == "head" else axis for axis in stage.axes
    )
    return replace(stage, axes=named)
