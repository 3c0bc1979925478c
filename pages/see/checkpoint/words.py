"""What the page of one's own model says."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class StepsWords:
    """What a processor does to a photo, step by step.

    resized: to a size of its own. edge: the shorter one. as_it_is: where nothing is done.
    """

    resized: str
    edge: str
    cropped: str
    as_it_is: str
    then: str


@dataclass(frozen=True)
class CheckpointWords:
    """The page of a reader's own model.

    not_offered: of a link whose model is not there. kinds: what a model reads, by how its file
    calls it; called: in one word. about: the opened model in numbers. cut, unknown, continues,
    space, bytes, unseen, left_out: what the marks of tokens mean, told where they occur. steps:
    what the model's processor does to a photo; picture_help, prepared: beside the photo and as its
    pixels become numbers. looks: over a lit photo. every_head: over the small ones.
    """

    model: str
    not_offered: str
    kinds: Mapping[str, str]
    called: Mapping[str, str]
    about: str
    text: str
    text_help: str
    picture_help: str
    steps: StepsWords
    prepared: str
    cut: str
    unknown: str
    continues: str
    space: str
    bytes: str
    unseen: str
    left_out: str
    layer: str
    one_layer: str
    previous_layer: str
    next_layer: str
    running: str
    origin: str
    looks: str
    every_head: str


WORDS = {
    "en": CheckpointWords(
        model="Model",
        not_offered="The link’s model “{asked}” is not offered here; below is {shown}.",
        kinds={
            "bert": "BERT, reads text",
            "vit": "ViT, reads pictures",
            "gpt2": "GPT-2, reads text from the left",
        },
        called={"bert": "BERT", "vit": "ViT", "gpt2": "GPT-2"},
        about="{kind}: {layers} layers, {heads} heads, d_model {d_model}, d_ff {d_ff}",
        text="Your text",
        text_help=(
            "One text, up to {tokens} tokens as this model’s tokenizer cuts it, and {characters} "
            "characters."
        ),
        picture_help=(
            "The model takes {side} × {side} pixels, in patches of {patch} × {patch}. "
            "Its processor makes them of a photo: {steps}."
        ),
        steps=StepsWords(
            resized=(
                "resized to {width} × {height}, squashed where its shape is another ({resample})"
            ),
            edge="its shorter edge brought to {edge} pixels ({resample})",
            cropped="cut down to the {width} × {height} in its middle",
            as_it_is="left as it is, so it must have {side} × {side}",
            then=", then ",
        ),
        prepared=(
            "First turned upright (EXIF), transparency laid on white; then by the model’s own "
            "processor: {steps}; then value = {value}."
        ),
        cut="{tokens} tokens; this model has places for {places}.",
        unknown="{token} stands for {characters}, which this model’s vocabulary has not got.",
        continues="{mark} marks a piece that continues the one before it.",
        space="{mark} is a space: here it belongs to the token that it stands before.",
        bytes="{bytes} are the bytes of {character} in UTF-8, which is no token as a whole.",
        unseen="{mark} is a character that cannot be seen, written by its number in Unicode.",
        left_out="This model’s tokenizer leaves out {characters}.",
        layer="Layer",
        one_layer="Layer {number}",
        previous_layer="Previous layer (Shift+L)",
        next_layer="Next layer (L)",
        running="Layer {done} of {layer}",
        origin=(
            "Weights of {name}, layer {layer} of {layers}, as they stand in its file. The "
            "arithmetic is the model’s own; what a head is for does not follow from where it looks."
        ),
        looks="Where {query} looks · head {head}",
        every_head="Where {query} looks in every head; click one",
    ),
    "zh": CheckpointWords(
        model="模型",
        not_offered="链接里的模型“{asked}”这里没有；下面用的是 {shown}。",
        kinds={"bert": "BERT，读文字", "vit": "ViT，读图像", "gpt2": "GPT-2，从左往右读文字"},
        called={"bert": "BERT", "vit": "ViT", "gpt2": "GPT-2"},
        about="{kind}：{layers} 层，{heads} 个头，d_model {d_model}，d_ff {d_ff}",
        text="你的文字",
        text_help="一段文字，按这个模型的切法最多 {tokens} 个词元，且不超过 {characters} 个字符。",
        picture_help=(
            "模型接收 {side} × {side} 像素，切成 {patch} × {patch} 的块。"
            "照片由它自己的处理器变成这个大小：{steps}。"
        ),
        steps=StepsWords(
            resized="缩放到 {width} × {height}，形状不同时会压扁（{resample}）",
            edge="短边缩放到 {edge} 像素（{resample}）",
            cropped="裁下正中的 {width} × {height}",
            as_it_is="原样使用，所以必须正好是 {side} × {side}",
            then="，再",
        ),
        prepared=(
            "先按 EXIF 转正，透明处铺白；再按模型自己的处理器：{steps}；最后令 值 = {value}。"
        ),
        cut="{tokens} 个词元；这个模型最多 {places} 个。",
        unknown="{token} 代表 {characters}：这个模型的词表里没有。",
        continues="{mark} 表示这一截接在前一截后面。",
        space="{mark} 是空格：它算在后面那个词元里。",
        bytes="{bytes} 是 {character} 的 UTF-8 字节：词表里没有代表整个字符的词元。",
        unseen="{mark} 是一个看不见的字符，写的是它的 Unicode 编号。",
        left_out="这个模型的分词器略去了 {characters}。",
        layer="层",
        one_layer="第 {number} 层",
        previous_layer="上一层（Shift+L）",
        next_layer="下一层（L）",
        running="第 {done} 层，共 {layer} 层",
        origin=(
            "权重取自 {name} 的文件，第 {layer} 层（共 {layers} 层）。"
            "算的就是模型自己的算法；但一个头看哪里，并不说明它有什么用。"
        ),
        looks="{query} 看向哪里 · 头 {head}",
        every_head="{query} 在每个头里看向哪里，点一个就打开它",
    ),
}
