"""What the Sentence page says about where its weights come from."""

from collections.abc import Mapping
from dataclasses import dataclass

from views.text.load import load


@dataclass(frozen=True)
class SentenceWeightsWords:
    """The choice of the weights, and what is said where they are trained.

    by_hand: the way to the page where every number is typed. knows: what the trained model
    is; translated: the way to what it makes of this sentence. put_in: a sentence that it can read,
    instead of one that it cannot. gloss: how a Chinese word is read and what it means, which is
    said where it is ``glossed``; gloss_from: who says so.
    """

    source: str
    sources: Mapping[str, str]
    by_hand: str
    knows: str
    translated: str
    batch: str
    put_in: str
    origin: str
    glossed: bool
    gloss: str
    gloss_from: str


WORDS = load(SentenceWeightsWords, __file__)
