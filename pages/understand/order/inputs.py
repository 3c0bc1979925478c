"""The sequence of the page Order, and its attention in any order."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core import Trace, Weights, multi_head_attention
from core.experiments.order import as_given, reordered
from core.options import AttentionOptions
from core.sources import image, picture, text
from views.text import Words

D_MODEL, FIRST_SEED = 4, 7
PIXELS = 192  # of a picture's side, which 3 and 4 patches cut into whole ones


@dataclass(frozen=True, eq=False)
class Inputs:
    """The words of a sentence, or the patches of a picture.

    names: in the original order. pixels: (side, side, 3) uint8, ``columns`` patches per row.
    """

    names: tuple[str, ...]
    seed: int
    causal: bool
    pixels: np.ndarray | None = None
    columns: int = 0

    def trace(self, order: Sequence[int], position: bool) -> Trace:
        """The trace for this order. position: whether positions are added."""
        if self.pixels is None:
            names = [self.names[piece] for piece in order]
            source = text.embed([names], D_MODEL, self.seed, position=position)
        else:
            patch = PIXELS // self.columns
            # In float64, so that only the last digits differ.
            values = picture.values(self.pixels[None]).astype(np.float64)
            reordered_patches = reordered(image.patchify(values, patch), order, axes=(1,))
            source = image.embed(
                image.unpatchify(reordered_patches, self.columns), patch, D_MODEL, self.seed,
                cls=False, position=position,
            )  # fmt: skip
        weights = Weights.seeded(D_MODEL, 1, self.seed)
        return multi_head_attention(source, weights, AttentionOptions(causal=self.causal))

    def as_given(self) -> Trace:
        """The trace for the original order."""
        return self.trace(as_given(len(self.names)), position=True)

    def labels(self, words: Words) -> tuple[str, ...]:
        """The names of the pieces on screen."""
        if self.pixels is None:
            return self.names
        return tuple(words.image.patch_label.format(number=name) for name in self.names)
