"""What the Sentence page says about where its weights come from."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class SentenceWeightsWords:
    """The choice of the weights, and what is said where they are trained.

    by_hand: the way to the page where every number is typed. knows: what the trained model can
    read; every_word: the way to its list; translated: to what it makes of this sentence. put_in: a
    sentence that it knows, instead of one that it does not.
    """

    source: str
    sources: Mapping[str, str]
    by_hand: str
    knows: str
    every_word: str
    translated: str
    batch: str
    put_in: str
    origin: str


WORDS = {
    "en": SentenceWeightsWords(
        source="Where the weights come from",
        sources={"seeded": "Seeded random", "translator": "Trained"},
        by_hand="Or type every number by hand →",
        knows=(
            "The encoder of the project’s translator, 我爱北京 → I love Beijing. It knows {count} "
            "Chinese words and cuts the sentence into these; sizes and weights are those that it "
            "was trained with."
        ),
        every_word="All {count} words →",
        translated="See it translated, word by word →",
        batch=(
            "{lines} lines are {lines} samples: shorter ones are filled up with [PAD], which "
            "nobody may look at. The model has no vector for [PAD]; as in training, it takes that "
            "of the first word in the list."
        ),
        put_in="Put in “{sentence}”, which it knows",
        origin=(
            "Trained weights: the encoder of the project’s translator (seed {seed}). The whole "
            "model gets {right} of {sentences} held-out sentences right in every word, which "
            "stands for {margin} of all such sentences (95 % interval). Where a head looks was "
            "learnt for that; it explains nothing by itself."
        ),
    ),
    "zh": SentenceWeightsWords(
        source="权重从哪里来",
        sources={"seeded": "随机（种子）", "translator": "训练好的"},
        by_hand="或者自己动手填每一个数 →",
        knows=(
            "用的是本项目翻译模型（我爱北京 → I love Beijing）的编码器。"
            "它只认识 {count} 个中文词，句子就按这些词来切；尺寸和权重都是训练时定下的。"
        ),
        every_word="全部 {count} 个词 →",
        translated="看这句话怎样逐词翻译 →",
        batch=(
            "{lines} 行就是 {lines} 个样本：短的用 [PAD] 补齐，补的位置不许看。"
            "模型没有 [PAD] 的向量，和训练时一样，借用词表里第一个词的。"
        ),
        put_in="换成它认识的“{sentence}”",
        origin=(
            "训练好的权重：本项目翻译模型的编码器（种子 {seed}）。"
            "{sentences} 个没见过的句子，整个模型有 {right} 个逐词全对；"
            "推到所有这样的句子，是 {margin}（95 % 区间）。"
            "每个头看哪里是为翻译学出来的，单凭它还不能解释什么。"
        ),
    ),
}
