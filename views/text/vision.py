"""What the Image page says about the vision transformer that the project trained."""

from collections.abc import Mapping
from dataclasses import dataclass


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


WORDS = {
    "en": VisionWords(
        source="Where the weights come from",
        sources={"vision": "Trained", "seeded": "Seeded random"},
        colours={
            "red": "red",
            "yellow": "yellow",
            "green": "green",
            "blue": "blue",
            "violet": "violet",
        },
        shapes={
            "ring": "ring",
            "disc": "disc",
            "square": "square",
            "triangle": "triangle",
            "cross": "cross",
            "star": "star",
        },
        thing="{colour} {shape}",
        fitted=(
            "The model sees the central square, {side} × {side} pixels, in patches of "
            "{patch} × {patch}."
        ),
        sees="What the model sees: {n} patches",
        sees_hint="Choose a patch to see where that one looks: the brighter, the more it gets.",
        from_cls="Look from [CLS]",
        part="Part of the model",
        origin=(
            "Trained weights: the project's vision transformer (seed {seed}) names {right} of "
            "{held_out} held-out pictures correctly, which stands for {margin} of all such "
            "pictures (95 % interval). Nobody told it where to look."
        ),
        answer=AnswerWords(
            heading="What the model says",
            sure="evidence {evidence}; counts as known from {threshold} on",
            unknown="Nothing it knows",
            why=(
                "Evidence {evidence} is below {threshold}, which {passed} of {held_out} held-out "
                "pictures of the kind it learnt reach. A softmax names a class all the same: "
                "believe neither the name nor where it looks."
            ),
            others="{count} others",
        ),
        looks=LooksWords(
            head="Where {query} looks · layer {layer}, head {head}",
            mean="Where {query} looks · layer {layer}, mean of its heads",
            rollout="Where {query} comes from · all layers (rollout)",
            all="Which head looks at the object? Where {query} looks in every head; click one",
            layer="Layer {layer}",
            through="All layers",
            one_head="head {head}",
            the_mean="mean",
            the_rollout="rollout",
            head_gives=(
                "Head {head} of layer {layer} gives {share} of {query}'s one unit to {count} of "
                "{n} patches, those with more than an even share (1/{tokens}). Evenly they would "
                "get {even}."
            ),
            mean_gives=(
                "On the mean of its heads, layer {layer} gives {share} of {query}'s one unit to "
                "{count} of {n} patches, those with more than an even share (1/{tokens}). Evenly "
                "they would get {even}."
            ),
            rollout_gives=(
                "By rollout, which takes each layer to keep one half, {share} of {query} comes "
                "from {count} of {n} patches, those with more than an even share (1/{tokens}). "
                "Evenly it would be {even}."
            ),
            none="Here no patch gets more than an even share (1/{tokens}).",
            proves="A head chosen because it looks right in one picture proves nothing. ",
            head_proves=(
                "Over {held_out} pictures that it never saw, the patch that [CLS] looks at most in "
                "this head lay on the object in {peak} (before training, in the last layer's best "
                "head: {untrained}; always the same patch, the best one: {fixed}). By chance each "
                "may lie up to {off} points from that of all such pictures (95 %)."
            ),
            rollout_proves=(
                "Over {held_out} pictures that it never saw, the brightest patch of [CLS] lay on "
                "the object in {peak} (before training: {untrained}; always the same patch, the "
                "best one: {fixed}). By chance each may lie up to {off} points from that of all "
                "such pictures (95 %)."
            ),
            how_rollout=(
                "Rollout = {product}, with Ã = ½ (mean of a layer's heads + I): how much of each "
                "token is left in each, if every layer keeps one half and mixes the other "
                "(Abnar & Zuidema, 2020). It knows weights alone: the values, the matrices, "
                "LayerNorm and the feed-forward layers are left out."
            ),
        ),
    ),
    "zh": VisionWords(
        source="权重从哪里来",
        sources={"vision": "训练好的", "seeded": "随机（种子）"},
        colours={
            "red": "红色",
            "yellow": "黄色",
            "green": "绿色",
            "blue": "蓝色",
            "violet": "紫色",
        },
        shapes={
            "ring": "圆环",
            "disc": "圆盘",
            "square": "正方形",
            "triangle": "三角形",
            "cross": "十字",
            "star": "五角星",
        },
        thing="{colour}{shape}",
        fitted="模型看到的是居中的正方形：{side} × {side} 像素，切成 {patch} × {patch} 的块。",
        sees="模型看到的：{n} 块",
        sees_hint="点一块，看它自己看向哪里：越亮，得到的权重越大。",
        from_cls="从 [CLS] 看",
        part="模型的哪一部分",
        origin=(
            "训练好的权重：本项目的视觉 Transformer，（种子 {seed}）在 {held_out} 张没见过的图中"
            "认对 {right} 张；推到所有这样的图，是 {margin}（95 % 区间）。没有人告诉过它该看哪里。"
        ),
        answer=AnswerWords(
            heading="模型的回答",
            sure="依据 {evidence}，达到 {threshold} 才算认得",
            unknown="不是它认得的东西",
            why=(
                "依据 {evidence} 低于 {threshold}，而它学过的那类图里，"
                "没参加训练的 {held_out} 张有 {passed} 张达到这个数。"
                "softmax 照样会说出一个类别：这个名字不可信，它看向哪里也不可信。"
            ),
            others="其余 {count} 类",
        ),
        looks=LooksWords(
            head="{query} 看向哪里 · 第 {layer} 层，头 {head}",
            mean="{query} 看向哪里 · 第 {layer} 层，各头平均",
            rollout="{query} 来自哪里 · 贯穿各层（rollout）",
            all="哪个头在看图形？下面是 {query} 在每个头里看向哪里，点一个就打开它",
            layer="第 {layer} 层",
            through="贯穿各层",
            one_head="头 {head}",
            the_mean="平均",
            the_rollout="rollout",
            head_gives=(
                "第 {layer} 层的头 {head} 把 {query} 那 1 份注意力的 {share} 给了 {n} 块中的 "
                "{count} 块，即所得超过平均份额（1/{tokens}）的块。平分的话，它们只得 {even}。"
            ),
            mean_gives=(
                "第 {layer} 层各头平均，把 {query} 那 1 份注意力的 {share} 给了 {n} 块中的 "
                "{count} 块，即所得超过平均份额（1/{tokens}）的块。平分的话，它们只得 {even}。"
            ),
            rollout_gives=(
                "按 rollout 的算法（假定每层保留一半），{query} 有 {share} 来自 {n} 块中的 "
                "{count} 块，即超过平均份额（1/{tokens}）的块。平分的话，它们只占 {even}。"
            ),
            none="这里没有哪一块超过平均份额（1/{tokens}）。",
            proves="因为在一张图上看着对而挑出来的头，什么也证明不了。",
            head_proves=(
                "在 {held_out} 张它没见过的图上，[CLS] 在这个头里看得最多的那一块，"
                "有 {peak} 落在图形上（训练之前，最后一层最好的头：{untrained}；"
                "总看最有利的同一块：{fixed}）。"
                "因偶然，每个数与所有这样的图上的可能相差 {off} 个百分点（95 %）。"
            ),
            rollout_proves=(
                "在 {held_out} 张它没见过的图上，[CLS] 最亮的那一块有 {peak} 落在图形上"
                "（训练之前：{untrained}；总看最有利的同一块：{fixed}）。"
                "因偶然，每个数与所有这样的图上的可能相差 {off} 个百分点（95 %）。"
            ),
            how_rollout=(
                "rollout = {product}，其中 Ã = ½（该层各头的平均 + I）：假定每一层保留一半、"
                "混合一半，每个词元里还剩下各词元的多少（Abnar 与 Zuidema，2020）。"
                "它只用到权重：值、各个矩阵、LayerNorm 和前馈层都没有算进去。"
            ),
        ),
    ),
}
