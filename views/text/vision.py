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
    """The trained model on the Image page. thing: a class, by its colour and its shape."""

    source: str
    sources: Mapping[str, str]
    colours: Mapping[str, str]
    shapes: Mapping[str, str]
    thing: str
    fitted: str
    sees: str
    sees_hint: str
    from_cls: str
    part: str
    origin: str
    answer: AnswerWords
    looks: LooksWords

    def called(self, colour: str, shape: str) -> str:
        """A class by its name."""
        return self.thing.format(colour=self.colours[colour], shape=self.shapes[shape])


WORDS = load(VisionWords, __file__)
