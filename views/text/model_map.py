"""What the map of a model says."""

from dataclasses import dataclass


@dataclass(frozen=True)
class PartWords:
    """A part of a model: its name, what it does in two or three words, and in a sentence.

    ``{token}`` is a word or a patch, ``{words}`` the words that the part begins with.
    """

    name: str
    does: str
    about: str


@dataclass(frozen=True)
class OthersWords:
    """Layers whose parts are not shown: what is to be said of them in two words, and why."""

    does: str
    about: str


@dataclass(frozen=True)
class ModelMapWords:
    """The map of a model.

    place: where in the model a part stands; place_of: where one layer of many is shown.
    layer, layers: those that are not shown; before: run through on the way, behind: not needed.
    sides: the encoder and the decoder. mean: what the small pictures show. parts: by kind;
    attention of a token to its own side is told apart where the model has two sides.
    """

    label: str
    place: str
    place_of: str
    layer: str
    layers: str
    before: OthersWords
    behind: OthersWords
    sides: dict[str, str]
    mean: str
    parts: dict[str, PartWords]


WORDS = {
    "en": ModelMapWords(
        label="Map of the model: choose the part to look into",
        place="{side}, layer {number}",
        place_of="layer {number} of {layers}",
        layer="layer {number}",
        layers="layers {number}",
        before=OthersWords(
            "run through", "Computed on the way. Choose one of them above to see its steps."
        ),
        behind=OthersWords("come after", "They come after this layer, which needs none of them."),
        sides={"encoder": "encoder", "decoder": "decoder"},
        mean="weights, mean over the heads",
        parts={
            "source": PartWords(
                "source",
                "{words}",
                "The sentence to be translated becomes vectors: each word’s row of the table, plus "
                "its position.",
            ),
            "sentence": PartWords(
                "sentence",
                "{words}",
                "The sentence becomes vectors: each word’s row of the table, plus its position.",
            ),
            "target": PartWords(
                "target",
                "{words}",
                "START and the words that are already there become vectors, each with its "
                "position.",
            ),
            "input": PartWords(
                "input",
                "cut into patches",
                "The picture is cut into patches; each becomes a vector with its position, and "
                "[CLS] stands in front.",
            ),
            "text": PartWords(
                "input",
                "{words}",
                "The text is cut into {token}s; each becomes a vector: its row of the table, plus "
                "its segment and its place.",
            ),
            "text_without_segment": PartWords(
                "input",
                "{words}",
                "The text is cut into {token}s; each becomes a vector: its row of the table, plus "
                "its place.",
            ),
            "self/masked": PartWords(
                "self-attention",
                "{token} → earlier",
                "Each {token} looks at itself and at what stands before it; what comes later is "
                "masked.",
            ),
            "self": PartWords(
                "self-attention",
                "{token} ↔ {token}",
                "Each {token} looks at every {token}, itself among them.",
            ),
            "encoder/self": PartWords(
                "self-attention",
                "source ↔ source",
                "Each word of the source looks at the whole source, later words too: no causal "
                "mask.",
            ),
            "decoder/self": PartWords(
                "self-attention",
                "target → earlier",
                "Each word of the target looks at itself and at what stands before it; what "
                "comes later is masked.",
            ),
            "cross": PartWords(
                "cross-attention",
                "target → source",
                "Each word of the target looks at the source: Q comes from the target, K and V "
                "from the end of the encoder.",
            ),
            "feed_forward": PartWords(
                "feed-forward",
                "each {token} alone",
                "What was gathered is worked through, each {token} by itself, with the same two "
                "matrices.",
            ),
            "prediction": PartWords(
                "prediction",
                "which word?",
                "Each row becomes a probability for every word of the vocabulary: which one comes "
                "next?",
            ),
            "class": PartWords(
                "prediction",
                "which class?",
                "The row of [CLS] becomes a probability for every class: what is in the picture?",
            ),
        },
    ),
    "zh": ModelMapWords(
        label="模型全图：点哪一部分，就打开哪一部分",
        place="{side}第 {number} 层",
        place_of="第 {number} 层，共 {layers} 层",
        layer="第 {number} 层",
        layers="第 {number} 层",
        before=OthersWords("已算过", "途中已经算过。要看其中哪一层的步骤，就在上面选哪一层。"),
        behind=OthersWords("在后面", "排在这一层后面，算这一层用不到。"),
        sides={"encoder": "编码器", "decoder": "解码器"},
        mean="权重（各头平均）",
        parts={
            "source": PartWords(
                "原文", "{words}", "要翻译的句子变成向量：从表中取出每个词的那一行，再加上位置。"
            ),
            "sentence": PartWords(
                "句子", "{words}", "句子变成向量：从表中取出每个词的那一行，再加上位置。"
            ),
            "target": PartWords("译文", "{words}", "START 和已经译出的词变成向量，各自加上位置。"),
            "input": PartWords(
                "输入",
                "切成小块",
                "图像切成小块，每块变成一个向量并加上位置，最前面放一个 [CLS]。",
            ),
            "text": PartWords(
                "输入",
                "{words}",
                "文字切成{token}，每个变成一个向量：从表中取出它的那一行，再加上所在的段和位置。",
            ),
            "text_without_segment": PartWords(
                "输入",
                "{words}",
                "文字切成{token}，每个变成一个向量：从表中取出它的那一行，再加上位置。",
            ),
            "self/masked": PartWords(
                "自注意力", "{token} → 前文", "每个{token}只看自己和前面的，后面的被掩码挡住。"
            ),
            "self": PartWords(
                "自注意力", "{token} ↔ {token}", "每个{token}看所有的{token}，也看自己。"
            ),
            "encoder/self": PartWords(
                "自注意力", "原文 ↔ 原文", "原文的每个词都看整句原文，后面的词也看：没有因果掩码。"
            ),
            "decoder/self": PartWords(
                "自注意力", "译文 → 前文", "译文的每个词只看自己和前面的词，后面的被掩码挡住。"
            ),
            "cross": PartWords(
                "交叉注意力",
                "译文 → 原文",
                "译文的每个词去看原文：Q 来自译文，K 和 V 来自编码器的末端。",
            ),
            "feed_forward": PartWords(
                "前馈层",
                "逐{token}加工",
                "收集来的信息在这里加工：每个{token}各算各的，用的是同样两个矩阵。",
            ),
            "prediction": PartWords(
                "预测", "哪个词？", "每一行变成词表中每个词的概率：接下来是哪个词？"
            ),
            "class": PartWords("预测", "哪一类？", "[CLS] 那一行变成各类的概率：图里是什么？"),
        },
    ),
}
