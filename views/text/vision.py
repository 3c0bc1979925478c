"""What the Image page says about the vision transformer that the project trained."""

from collections.abc import Mapping
from dataclasses import dataclass

from views.text.load import load


@dataclass(frozen=True)
class AnswerWords:
    """What the model takes the picture for. unknown: instead of a class, with why: not believed."""

    heading: str
    sure: str
    unknown: str
    why: str
    others: str


@dataclass(frozen=True)
class LooksWords:
    """Where a token looks: in one head, in a layer's heads together, through all layers.

    head, mean, rollout: the heading over the picture. all: over the small pictures, with the names
    of their groups and of each. head_gives, mean_gives, rollout_gives: what the row says in
    numbers; none: where no patch stands out. proves: what one picture is worth, and what many were.
    """

    head: str
    mean: str
    rollout: str
    all: str
    layer: str
    through: str
    one_head: str
    the_mean: str
    the_rollout: str
    head_gives: str
    mean_gives: str
    rollout_gives: str
    none: str
    proves: str
    head_proves: str
    rollout_proves: str
    how_rollout: str


@dataclass(frozen=True)
class VisionWords:
    """The trained model on the Image page.

    classes: what it tells apart, by their names in the model. photo: over the picture as it was
    given. common_scale: whether heads are lit on one scale, not each row on its own.
    """

    source: str
    sources: Mapping[str, str]
    classes: Mapping[str, str]
    fitted: str
    photo: str
    photo_hint: str
    common_scale: str
    common_scale_help: str
    sees: str
    sees_hint: str
    from_cls: str
    part: str
    origin: str
    answer: AnswerWords
    looks: LooksWords


WORDS = load(VisionWords, __file__)
