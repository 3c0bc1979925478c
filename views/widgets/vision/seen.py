"""One token looking at one picture: its row, its name, and how brightly the row is lit."""

from dataclasses import dataclass, replace

import numpy as np

from core import Trace
from core.models.vision import rollout
from core.nested import parts, subtrace
from views.figures.photo import Photos
from views.figures.scale import FAINT, Scale, round_up, scale_of
from views.text import Words
from views.widgets.vision.look import (
    HEAD,
    MEAN,
    ROLLOUT,
    Look,
    attention,
)

CLS = "[CLS]"
BEFORE = 1  # tokens before the first patch: [CLS]


@dataclass(frozen=True, eq=False)
class Bright:
    """The patches that get more than an even share: how many, and what they get; one for each row.

    tokens: how many share one unit.
    """

    count: np.ndarray
    share: np.ndarray
    tokens: int


@dataclass(frozen=True, eq=False)
class Seen:
    """Which token looks, and in which way.

    trace: of a whole model. photos: what it was given. sample: which of them, from 0. query: the
    token, from 0. follows: whether the browser goes from head to head and from token to token by
    itself, so that the rows of all go along.
    """

    trace: Trace
    photos: Photos
    sample: int
    query: int
    look: Look
    follows: bool = False

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
    def large(self) -> np.ndarray:
        """The picture for a reader's eyes."""
        return self.photos.large(self.sample)

    @property
    def patch(self) -> int | None:
        """The patch that looks, from 0; None where it is [CLS]."""
        return self.query - BEFORE if self.query >= BEFORE else None

    @property
    def heads(self) -> np.ndarray:
        """What every token looks at: (head, query, key), each row one unit; one head in place of
        all where the look is not by one."""
        if self.look.by == ROLLOUT:
            layers = sum(path.endswith("/self") for path in parts(self.trace))
            return rollout(self.trace, layers)[self.sample][None]
        weights = self.trace[f"{attention(self.look.layer)}/weights"]
        by_head: np.ndarray = weights.tensor[self.sample]
        return by_head.mean(axis=0, keepdims=True) if self.look.by == MEAN else by_head

    @property
    def rows(self) -> np.ndarray:
        """What every token looks at in this look: (query, key)."""
        found: np.ndarray = self.heads[self.look.head - 1 if self.look.by == HEAD else 0]
        return found

    @property
    def begins(self) -> tuple[int, int]:
        """The head and the token, from 0, of the first row of ``sent``."""
        if self.follows:
            return 0, 0
        return self.look.head - 1, self.query

    @property
    def sent(self) -> np.ndarray:
        """The rows that go along, (head, query, key): all of them, or the one of this look."""
        return self.heads if self.follows else self.rows[None, [self.query]]

    @property
    def patches(self) -> np.ndarray:
        """What each patch gets of the token's one unit: (patch,)."""
        found: np.ndarray = self.rows[self.query, BEFORE:]
        return found

    @property
    def bright(self) -> Bright:
        """What stands out among the patches, in each row that goes along."""
        rows = self.sent
        patches = rows[..., BEFORE:]
        above = patches > 1 / rows.shape[-1]
        share = patches.sum(axis=-1, dtype=float, where=above)
        return Bright(above.sum(axis=-1), share, rows.shape[-1])

    @property
    def scale(self) -> Scale:
        """One scale for all heads of a layer, as in the viewer; rollout has its own.

        What a token keeps of itself does not count there: that is ½ to the power L at least.
        """
        if self.look.by != ROLLOUT:
            return scale_of(subtrace(self.trace, attention(self.look.layer)), "weights")
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

    def names(self, words: Words) -> dict[str, str]:
        """What any token is called."""
        return {"cls": CLS, "patch": words.image.patch_label}

    def followed(self, words: Words) -> dict[str, object]:
        """What the browser must know to follow the microscope among the rows that go along."""
        return {
            "begins": self.begins,
            "shape": self.sent.shape[:2],
            "by_head": self.look.by == HEAD,
            "names": self.names(words),
        }
