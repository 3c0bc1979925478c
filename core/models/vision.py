"""The vision transformer for photos, with ten classes.

"An Image is Worth 16x16 Words" (Dosovitskiy et al., 2021), section 3.1. Its training and
limitations are in ``assets/models/vision/README.md``.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np

from core import layers, nested
from core.errors import shape_mismatch
from core.interventions import Interventions
from core.models.block import IN, output_stage, pre_norm_attention, pre_norm_feed_forward
from core.models.effects import Effect, each_muted
from core.models.stored import FOLDER, Stored, read_folder
from core.nested import as_input
from core.options import AttentionOptions
from core.sources import image as source
from core.sources import picture
from core.trace import Trace


@dataclass(frozen=True, eq=False)
class Classification:
    """The classification of a picture, with its trace.

    label: the likeliest class. probabilities: (class,), in the order of ``Vision.classes``.
    """

    label: str
    probabilities: np.ndarray
    trace: Trace

    @property
    def confidence(self) -> float:
        """The largest probability."""
        return float(self.probabilities.max())


class Vision:
    """The trained vision transformer."""

    def __init__(self, stored: Stored) -> None:
        """stored: the weights and the configuration."""
        self.stored = stored
        self.classes: tuple[str, ...] = tuple(stored.config["classes"])
        self.side: int = stored.config["side"]
        self.patch: int = stored.config["patch"]
        self.layers: int = stored.config["layers"]
        self.heads: int = stored.config["heads"]
        inner = (
            f"encoder/{layer}/{kind}"
            for layer in range(1, self.layers + 1)
            for kind in ("self", "feed_forward")
        )
        self.parts: tuple[str, ...] = ("input", *inner, "prediction")

    def changed(self, interventions: Interventions) -> "Vision":
        """The model with changes of its attention. Raises what ``Stored.changed`` raises."""
        return Vision(self.stored.changed(interventions))

    def effects(
        self,
        images: np.ndarray,
        target: int,
        progress: Callable[[int, int], None] | None = None,
        known: int = 0,
    ) -> Iterator[Effect]:
        """Yields what muting each head does to ln p of a class, by its index, for one picture.

        images: as for ``trace``. progress, known: as for ``core.models.effects.effects``.
        """

        def probabilities(interventions: Interventions) -> np.ndarray:
            trace = self.changed(interventions).trace(images)
            return trace["prediction/probabilities"].tensor[0, 0]

        shape = self.layers, self.heads
        return each_muted(probabilities, self.stored.interventions, shape, target, progress, known)

    def classify(self, image: np.ndarray) -> Classification:
        """Classify one picture. image: (side, side, 3) uint8. Raises shape_mismatch."""
        expected = (self.side, self.side, 3)
        if image.shape != expected or image.dtype != np.uint8:
            raise shape_mismatch("image", f"{expected} of bytes", image.shape)
        return self.classification(self.trace(picture.values(image[None])), 0)

    def classification(self, trace: Trace, sample: int) -> Classification:
        """The classification of one sample of a trace."""
        probabilities = trace["prediction/probabilities"].tensor[sample, 0]  # (class,)
        return Classification(self.classes[int(probabilities.argmax())], probabilities, trace)

    @property
    def unknown_below(self) -> float:
        """The confidence below which a picture counts as out of distribution.

        "A Baseline for Detecting Misclassified and Out-of-Distribution Examples" (Hendrycks &
        Gimpel, 2017). Chosen on the validation set.
        """
        threshold: float = self.stored.training["strange"]["unknown_below"]
        return threshold

    def trace(self, images: np.ndarray, names: tuple[str, ...] | None = None) -> Trace:
        """The trace of pictures. images: (batch, side, side, 3) values, −1 … 1.

        The parts are input, encoder/L/self, encoder/L/feed_forward and prediction, L from 1.
        names: labels of the classes, in the order of ``classes``.
        """
        tensors = self.stored.tensors
        learnt = (tensors[f"input/{name}"] for name in ("W_E", "cls", "position"))
        parts = {"input": source.project(images, self.patch, *learnt)}
        edges: dict[str, str] = {}
        before = "input"
        for path in self.parts[1:-1]:
            x, norm = output_stage(parts[before]), self.stored.norm(path)
            options = AttentionOptions(changes=self.stored.changes(path))
            parts[path] = (
                pre_norm_attention(x, self.stored.attention(path), norm, options)
                if path.endswith("/self")
                else pre_norm_feed_forward(x, self.stored.feed_forward(path, "gelu"), norm)
            )
            edges[f"{path}/stream"] = f"{before}/{output_stage(parts[before]).key}"
            before = path
        edges["prediction/stream"] = f"{before}/{output_stage(parts[before]).key}"
        parts["prediction"] = self._prediction(parts[before], names or self.classes)
        return nested.compose(parts, edges, "trained")

    def _prediction(self, last: Trace, names: tuple[str, ...]) -> Trace:
        """The classification head: LayerNorm of [CLS], and a linear layer."""
        stream = as_input(output_stage(last), "stream", IN)
        normalised = self.stored.norm("prediction").stages(stream, "X", "last_vectors")
        cls = layers.first_token(normalised[-1], "cls_vector")
        W, b = (self.stored.tensors[f"prediction/{name}"] for name in ("W", "b"))
        return Trace([stream, *normalised, cls, *layers.output_head(cls, W, b, "class", names)])


@cache
def load() -> Vision:
    """The vision transformer that ships with the project, in float32."""
    return Vision(read_folder(FOLDER / "vision", np.float32))
