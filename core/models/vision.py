"""A small vision transformer that was trained on drawn shapes: which one is this, and where?

"An Image is Worth 16x16 Words" (Dosovitskiy et al., 2021), section 3.1. How it was trained, on
what, and what it cannot do stands in ``assets/models/vision.md``.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np

from core import layers, nested
from core.errors import ShapeMismatch
from core.models.block import IN, out_of, pre_norm_attention, pre_norm_feed_forward
from core.models.stored import Stored, read
from core.nested import handed_on
from core.sources import image as source
from core.sources import picture
from core.trace import Trace


@dataclass(frozen=True, eq=False)
class Classification:
    """What the model takes a picture for, and every stage on the way.

    label: the likeliest class, as its colour and its shape. probabilities: of every class, in the
    order of ``Vision.classes``.
    """

    label: tuple[str, str]
    probabilities: np.ndarray
    trace: Trace


class Vision:
    """The trained model: the classes that it knows, and how it looks at a picture."""

    def __init__(self, stored: Stored) -> None:
        """Take the numbers of a file."""
        self.stored = stored
        self.classes: tuple[tuple[str, str], ...] = tuple(
            (colour, shape) for colour, shape in stored.config["classes"]
        )
        self.side: int = stored.config["side"]
        self.patch: int = stored.config["patch"]
        self.layers: int = stored.config["layers"]
        self.heads: int = stored.config["heads"]

    def classify(self, image: np.ndarray) -> Classification:
        """Look at one picture. image: (side, side, 3) uint8. Raises ShapeMismatch."""
        expected = (self.side, self.side, 3)
        if image.shape != expected or image.dtype != np.uint8:
            raise ShapeMismatch("image", f"{expected} of bytes", image.shape)
        trace = self.trace(picture.values(image[None]))
        probabilities = trace["prediction/probabilities"].tensor[0, 0]
        return Classification(self.classes[int(probabilities.argmax())], probabilities, trace)

    def trace(self, images: np.ndarray) -> Trace:
        """Every stage for pictures of (batch, side, side, 3) values, −1 … 1.

        The parts are input, encoder/L/self, encoder/L/feed_forward and prediction, L from 1.
        """
        tensors = self.stored.tensors
        learnt = (tensors[f"input/{name}"] for name in ("W_E", "cls", "position"))
        parts = {"input": source.project(images, self.patch, *learnt)}
        taken: dict[str, str] = {}
        before = "input"
        for layer in range(1, self.layers + 1):
            for kind in ("self", "feed_forward"):
                path = f"encoder/{layer}/{kind}"
                x, norm = out_of(parts[before]), self.stored.norm(path)
                parts[path] = (
                    pre_norm_attention(x, self.stored.attention(path), norm)
                    if kind == "self"
                    else pre_norm_feed_forward(x, self.stored.feed_forward(path, "gelu"), norm)
                )
                taken[f"{path}/stream"] = f"{before}/{out_of(parts[before]).key}"
                before = path
        taken["prediction/stream"] = f"{before}/{out_of(parts[before]).key}"
        parts["prediction"] = self._prediction(parts[before])
        return nested.joined(parts, taken, "trained")

    def _prediction(self, last: Trace) -> Trace:
        """LayerNorm of [CLS], then the classes."""
        stream = handed_on(out_of(last), "stream", IN)
        normalised = self.stored.norm("prediction").stages(stream, "X")
        cls = layers.first_token(normalised[-1], "cls_vector")
        W, b = (self.stored.tensors[f"prediction/{name}"] for name in ("W", "b"))
        names = tuple(f"{colour} {shape}" for colour, shape in self.classes)
        return Trace([stream, *normalised, cls, *layers.prediction(cls, W, b, "class", names)])


def rollout(trace: Trace, layers: int) -> np.ndarray:
    """How much of each token each token is made of, through all layers: (batch, query, key).

    Ã = ½ (mean over heads of the weights + I), rows of one unit; rollout = Ã_L ⋯ Ã_1
    ("Quantifying Attention Flow in Transformers", Abnar & Zuidema, 2020, section 3). A picture of
    the weights alone: values, matrices and LayerNorm are left out of it.
    """
    n = trace["encoder/1/self/weights"].size("key")
    flowed = np.eye(n)
    for layer in range(1, layers + 1):
        mean = trace[f"encoder/{layer}/self/weights"].tensor.mean(axis=1)  # (batch, query, key)
        flowed = (mean + np.eye(n)) / 2 @ flowed  # -> (batch, query, key)
    return flowed


@cache
def load() -> Vision:
    """The model that ships with the project, computed in float32."""
    return Vision(read("vision", np.float32))
