"""Reads the trained weights that ship with the project."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import safe_open

from core.errors import InputError
from core.interventions import NONE, Change, Interventions, LayerChanges
from core.layers import FeedForward, Norm
from core.trace import Trace
from core.weights import Weights

FOLDER = Path(__file__).parents[2] / "assets" / "models"
WEIGHTS, RUN = "model.safetensors", "run.json"  # of a folder
PROJECTIONS = ("W_Q", "W_K", "W_V", "W_O", "b_Q", "b_K", "b_V", "b_O")


@dataclass(frozen=True, eq=False)
class Stored:
    """A trained model: its tensors by path, its configuration and its training.

    tensors: ``encoder/1/self/W_Q`` (d_model, h·d_k), … as ``X @ W`` takes them, read-only.
    training: seed, data and all metrics on held-out data. interventions: what is changed.
    patches: what those among them put in place.
    attentions: the parameters by path, checked when they are first read, also of changed models.
    """

    tensors: dict[str, np.ndarray]
    config: dict[str, Any]
    training: dict[str, Any]
    interventions: Interventions = NONE
    patches: Mapping[Change, np.ndarray] = field(default_factory=dict, repr=False)
    attentions: dict[str, Weights] = field(default_factory=dict, repr=False)

    def changes(self, path: str) -> LayerChanges | None:
        """The changes of the attention at a path; None if there are none."""
        stack, layer, kind = path.split("/")
        part = "cross" if kind == "cross" else stack
        return self.interventions.of(int(layer), part, self.patches)

    def changed(
        self, interventions: Interventions, trace_of: Callable[[int], Trace] | None = None
    ) -> "Stored":
        """The model with changes. trace_of: as for ``patched_from``; None if it takes no patches.

        Raises out_of_range, not_a_change, no_other_text, and what trace_of raises.
        """
        parts = ("encoder", "decoder", "cross") if "source/E" in self.tensors else ("encoder",)
        interventions.check(self.config["layers"], self.config["heads"], parts=parts)
        if interventions.patches and trace_of is None:
            raise InputError("not_a_change", text=str(interventions))
        patches = interventions.patched_from(trace_of) if trace_of else {}
        return replace(self, interventions=interventions, patches=patches)

    def attention(self, path: str) -> Weights:
        """The parameters of the attention at a path, with biases if the model has them."""
        if path not in self.attentions:
            parameters = {name: self.tensors.get(f"{path}/{name}") for name in PROJECTIONS}
            heads = self.config["heads"]
            self.attentions[path] = Weights(heads=heads, **parameters)  # type: ignore[arg-type]
        return self.attentions[path]

    def norm(self, path: str) -> Norm:
        """The LayerNorm of the sublayer at a path."""
        gamma, beta = (self.tensors[f"{path}/{name}"] for name in ("gamma", "beta"))
        return Norm(gamma, beta, self.config["epsilon"])

    def feed_forward(self, path: str, activation: str) -> FeedForward:
        """The feed-forward layer at a path."""
        W_1, b_1, W_2, b_2 = (
            self.tensors[f"{path}/{name}"] for name in ("W_1", "b_1", "W_2", "b_2")
        )
        return FeedForward(W_1, b_1, W_2, b_2, activation)


@cache
def read_folder(folder: Path, precision: type[np.floating[Any]]) -> Stored:
    """Read ``model.safetensors`` and ``run.json``, which a training writes."""
    run_data = json.loads((folder / RUN).read_text("utf-8"))
    with safe_open(folder / WEIGHTS, framework="np") as file:
        tensors = {key: file.get_tensor(key).astype(precision) for key in file.keys()}  # noqa: SIM118
    for tensor in tensors.values():
        tensor.setflags(write=False)
    return Stored(tensors, run_data["sizes"], run_data)
