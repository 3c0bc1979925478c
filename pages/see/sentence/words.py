"""What the Sentence page says about where its weights come from."""

from collections.abc import Mapping
from dataclasses import dataclass

from views.text.load import load


@dataclass(frozen=True)
class SentenceWeightsWords:
    """The choice of the weights, and what is said where they are trained.

    text: over the text of a model that reads only one. follows: why the weights are not the
    translator's. by_hand: the way to the page where every number is typed. get_bert: how to get
    it; no_bert: the same to whom a link asks for it. knows, knows_opened: what the trained
    model is; translated: the way to what the translator makes of this sentence. batch,
    one_text: what several lines are, to the translator and to BERT. put_in: a sentence that the
    model can read, instead of one that it cannot. origin, origin_opened: where the weights come
    from. gloss: how a Chinese word is read and what it means, which is said where it is
    ``glossed``; gloss_from: who says so.
    """

    source: str
    follows: str
    text: str
    sources: Mapping[str, str]
    by_hand: str
    get_bert: str
    no_bert: str
    knows: str
    knows_opened: dict[str, str]
    translated: str
    batch: str
    one_text: str
    put_in: str
    origin: str
    origin_opened: dict[str, str]
    glossed: bool
    gloss: str
    gloss_from: str


WORDS = load(SentenceWeightsWords, __file__)
