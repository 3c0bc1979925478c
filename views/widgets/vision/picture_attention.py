"""The attention of one token to the patches of a picture."""

from dataclasses import dataclass, replace

import numpy as np

from core import Trace
from core.models.vision import rollout
from core.nested import parts, subtrace
from views.figures.photo import Photos
from views.figures.scale import FAINT, Scale, round_up, scale_of
from views.scene.naming import prefix_names
from views.text import Words
from views.widgets.picture import token_names
from views.widgets.vision.attention_source import (
    HEAD,
    MEAN,
    ROLLOUT,
    AttentionSource,
    attention,
)


@dataclass(frozen=True, eq=False)
class Bright:
    """The patches with a weight above 1 / tokens, for each row.

    count: of patches, (head, query). share: the sum of their weights, (head, query). tokens: n.
    """

    count: np.ndarray
    share: np.ndarray
    tokens: int


@dataclass(frozen=True, eq=False)
class PictureAttention:
    """The attention of one query to a picture.

    trace: of a whole model. photos: its input. sample, query: from 0. look: the source of the
    attention. follows: whether the browser changes head and query without a run, so that all rows
    are sent.
    """

    trace: Trace
    photos: Photos
    sample: int
    query: int
    look: AttentionSource
    follows: bool = False

    @property
    def grid(self) -> tuple[int, int]:
        """Rows and columns of patches."""
        return self.photos.side, self.photos.side

    @property
    def pixels(self) -> np.ndarray:
        """The picture: (side, side, 3) uint8."""
        pixels: np.ndarray = self.photos.pixels[self.sample]
        return pixels

    @property
    def large(self) -> np.ndarray:
        """The picture at its largest size: (side, side, 3) uint8."""
        return self.photos.large(self.sample)

    @property
    def specials(self) -> tuple[str, ...]:
        """The names of the tokens in front of the patches: [CLS], and others such as registers."""
        return prefix_names(self.trace)

    @property
    def patch(self) -> int:
        """The patch of the query, from 0; of a token in front of the patches −1 and below."""
        return self.query - len(self.specials)

    @property
    def heads(self) -> np.ndarray:
        """The weights (head, query, key), whose rows sum to 1; one head for mean and rollout."""
        if self.look.by == ROLLOUT:
            layers = sum(path.endswith("/self") for path in parts(self.trace))
            return rollout(self.trace, layers)[self.sample][None]
        weights = self.trace[f"{attention(self.look.layer)}/weights"]
        by_head: np.ndarray = weights.tensor[self.sample]
        return by_head.mean(axis=0, keepdims=True) if self.look.by == MEAN else by_head

    @property
    def rows(self) -> np.ndarray:
        """The weights of this source: (query, key)."""
        weights: np.ndarray = self.heads[self.look.head - 1 if self.look.by == HEAD else 0]
        return weights

    @property
    def begins(self) -> tuple[int, int]:
        """The head and the query, from 0, of the first row of ``sent``."""
        if self.follows:
            return 0, 0
        return self.look.head - 1, self.query

    @property
    def sent(self) -> np.ndarray:
        """The rows that are sent, (head, query, key): all of them, or the current one."""
        return self.heads if self.follows else self.rows[None, [self.query]]

    @property
    def patches(self) -> np.ndarray:
        """The weight of each patch in the query's row: (patch,)."""
        weights: np.ndarray = self.rows[self.query, len(self.specials) :]
        return weights

    @property
    def bright(self) -> Bright:
        """The patches with weights above average, in each row that is sent."""
        rows = self.sent
        patches = rows[..., len(self.specials) :]
        above = patches > 1 / rows.shape[-1]
        share = patches.sum(axis=-1, dtype=float, where=above)
        return Bright(above.sum(axis=-1), share, rows.shape[-1])

    @property
    def scale(self) -> Scale:
        """The colour scale of the layer, as in the stage viewer; rollout has its own.

        For rollout the diagonal does not count: it is at least 2⁻ᴸ for L layers.
        """
        if self.look.by != ROLLOUT:
            return scale_of(subtrace(self.trace, attention(self.look.layer)), "weights")
        rows = self.rows
        high = round_up(float((rows - np.diag(rows.diagonal())).max()))
        return Scale("share", 0, high, root=high * len(rows) >= FAINT)

    def by(self, look: AttentionSource) -> "PictureAttention":
        """The same query with another source of attention."""
        return replace(self, look=look)

    def name(self, words: Words) -> str:
        """The name of the query token."""
        if self.patch < 0:
            return self.specials[self.patch]
        return words.image.patch_label.format(number=self.patch + 1)

    def names(self, words: Words) -> dict[str, object]:
        """The names of tokens for the browser."""
        return token_names(self.specials, words.image.patch_label)

    def followed(self, words: Words) -> dict[str, object]:
        """The data with which the browser follows the microscope among the rows that are sent."""
        return {
            "begins": self.begins,
            "shape": self.sent.shape[:2],
            "by_head": self.look.by == HEAD,
            "names": self.names(words),
        }
