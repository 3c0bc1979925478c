"""One token looking at one picture: its row, its name, and how brightly the row is lit."""

from dataclasses import dataclass, replace

import numpy as np

from core import Trace
from core.models.vision import rollout
from core.nested import parts, within
from views.figures.photo import Photos
from views.figures.scale import FAINT, Scale, round_up, scale_of
from views.text import Words
from views.widgets.vision_look import MEAN, ROLLOUT, Look, attention

CLS = "[CLS]"
BEFORE = 1  # tokens before the first patch: [CLS]


@dataclass(frozen=True)
class Bright:
    """The patches that get more than an even share: how many, what they get, and evenly would."""

    count: int
    share: float
    even: float


@dataclass(frozen=True, eq=False)
class Seen:
    """Which token looks, and in which way.

    trace: of a whole model. photos: what it was given. sample: which of them, from 0. query: the
    token, from 0.
    """

    trace: Trace
    photos: Photos
    sample: int
    query: int
    look: Look

    @property
    def grid(self) -> tuple[int, int]:
        """Rows and columns of patches."""
        return self.photos.side, self.photos.side

    @property
    def pixels(self) -> np.ndarray:
        """The picture: (side, side, 3) uint8."""
        found: np.ndarray = self.photos.pixels[self.sample]
        return found

    @property
    def patch(self) -> int | None:
        """The patch that looks, from 0; None where it is [CLS]."""
        return self.query - BEFORE if self.query >= BEFORE else None

    @property
    def rows(self) -> np.ndarray:
        """What every token looks at: (query, key), each row one unit."""
        if self.look.by == ROLLOUT:
            layers = sum(path.endswith("/self") for path in parts(self.trace))
            return rollout(self.trace, layers)[self.sample]
        weights = self.trace[f"{attention(self.look.layer)}/weights"]
        heads = weights.tensor[self.sample]  # (head, query, key)
        by_head: np.ndarray = heads[self.look.head - 1]
        return heads.mean(axis=0) if self.look.by == MEAN else by_head

    @property
    def patches(self) -> np.ndarray:
        """What each patch gets of the token's one unit: (patch,)."""
        found: np.ndarray = self.rows[self.query, BEFORE:]
        return found

    @property
    def bright(self) -> Bright:
        """What stands out among the patches."""
        even = 1 / (self.patches.size + BEFORE)
        above = self.patches > even
        return Bright(int(above.sum()), float(self.patches[above].sum()), float(above.sum() * even))

    @property
    def scale(self) -> Scale:
        """One scale for all heads of a layer, as in the viewer; rollout has its own.

        What a token keeps of itself does not count there: that is ½ to the power L at least.
        """
        if self.look.by != ROLLOUT:
            return scale_of(within(self.trace, attention(self.look.layer)), "weights")
        rows = self.rows
        high = round_up(float((rows - np.diag(rows.diagonal())).max()))
        return Scale("share", 0, high, root=high * len(rows) >= FAINT)

    def by(self, look: Look) -> "Seen":
        """The same token, looking in another way."""
        return replace(self, look=look)

    def name(self, words: Words) -> str:
        """What the token is called."""
        if self.patch is None:
            return CLS
        return words.image.patch_label.format(number=self.patch + 1)
