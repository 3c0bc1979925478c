"""The texts about the vision transformer that the project trained."""

from collections.abc import Mapping
from dataclasses import dataclass

from views.text.load import load


@dataclass(frozen=True)
class AnswerWords:
    """The classification. unknown: instead of a class below the threshold. why: the reason."""

    heading: str
    sure: str
    unknown: str
    why: str
    others: str


@dataclass(frozen=True)
class LooksWords:
    """The attention of a token: of one head, averaged over a layer's heads, and by rollout.

    head, mean, rollout: headings of the overlay. all: the heading of the thumbnails; layer,
    through: of their groups; one_head, the_mean, the_rollout: of each. head_gives, mean_gives,
    rollout_gives: sentences about a row; none: if no patch stands out. proves, head_proves,
    rollout_proves: on what one picture proves, and measurements on many.
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

    classes: by their names in the model. photo: the heading of the input picture. common_scale: the
    label of the switch to one brightness scale for all heads.
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
