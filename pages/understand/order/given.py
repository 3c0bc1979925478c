"""What is put in order on the page Order, and its attention in any order."""

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
class Given:
    """What is put in order: the words of a sentence, or the patches of a picture.

    names: the pieces as given. pixels: (side, side, 3) uint8, with ``columns`` patches a row.
    """

    names: tuple[str, ...]
    seed: int
    causal: bool
    pixels: np.ndarray | None = None
    columns: int = 0

    def trace(self, order: Sequence[int], position: bool) -> Trace:
        """The attention of these pieces in this order, every stage from the input on."""
        if self.pixels is None:
            names = [self.names[piece] for piece in order]
            source = text.embed([names], D_MODEL, self.seed, position=position)
        else:
            patch = PIXELS // self.columns
            # In float64: what is shown is that nothing but the last digit changes.
            values = picture.values(self.pixels[None]).astype(np.float64)
            moved = reordered(image.patchify(values, patch), order, axes=(1,))
            source = image.embed(
                image.unpatchify(moved, self.columns), patch, D_MODEL, self.seed,
                cls=False, position=position,
            )  # fmt: skip
        weights = Weights.seeded(D_MODEL, 1, self.seed)
        return multi_head_attention(source, weights, AttentionOptions(causal=self.causal))

    def as_given(self) -> Trace:
        """The attention of the pieces as they were given."""
        return self.trace(as_given(len(self.names)), position=True)

    def called(self, words: Words) -> tuple[str, ...]:
        """What the pieces are called on screen."""
        if self.pixels is None:
            return self.names
        return tuple(words.image.patch_label.format(number=name) for name in self.names)


FIRST = Given(("我", "爱", "北京"), FIRST_SEED, causal=False)
