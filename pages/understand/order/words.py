"""The words of the page Order."""

from dataclasses import dataclass

from views.text.lesson import Lesson


@dataclass(frozen=True)
class OrderWords:
    """The controls, the two comparisons and the sinusoids.

    rows: what moves along in each stage that is compared. noun: a piece of each kind.
    """

    lesson: Lesson
    kind: str
    kinds: dict[str, str]
    text: str
    text_help: str
    picture: str
    columns: str
    seed: str
    seed_help: str
    causal: str
    causal_help: str
    pieces: dict[str, str]
    reversed: str
    shuffled: str
    given: str
    compared: str
    stages: dict[str, str]
    rows: dict[str, str]
    noun: dict[str, str]
    without: str
    with_position: str
    of_given: str
    of_other: str
    difference: str
    from_row: str
    by: str
    same_exactly: str
    same_rounded: str
    hidden: str
    not_hidden: str
    changed: str
    stayed: str
    nothing_moved: str
    waves: str
    waves_lead: str
    width: str
    place: str
    column: str
    distance: str
    product: str
    from_place: str
    formula: str
    waves_read: str
    code: str


WORDS = {
    "en": OrderWords(
        lesson=Lesson(
            title="Does attention know which came first?",
            lead=(
                "Drag the words into another order. Without position and without a mask, every "
                "word gets the same output wherever it stands: “dog bites man” and “man bites "
                "dog” are one. What is added to tell them apart are the sinusoids below."
            ),
            learnt=(
                "Without a mask, attention by itself sees a set and not a sequence, so order has "
                "to come from elsewhere: here position adds it to X."
            ),
        ),
        kind="What is put in order",
        kinds={"sentence": "Words", "picture": "Patches"},
        text="Your sentence",
        text_help="At most {tokens} words; punctuation counts as a word.",
        picture="Picture",
        columns="Patches",
        seed="Seed",
        seed_help="All vectors and matrices are drawn at random from this number.",
        causal="Causal mask",
        causal_help="Each piece sees only itself and what stands before it.",
        pieces={
            "given": "As given",
            "order": "In another order: drag, or use the arrow keys (small: the place as given)",
            "piece": "{name}, place {place} of {n}",
        },
        reversed="Reverse",
        shuffled="Shuffle (seed {seed})",
        given="As given",
        compared="Compare",
        stages={"output": "output", "weights": "weights"},
        rows={"output": "Each row", "weights": "Each row and column"},
        noun={"sentence": "word", "picture": "patch"},
        without="Without position",
        with_position="With position",
        of_given="X: as given",
        of_other="P X: in the other order; Pᵀ puts it back",
        difference="difference",
        from_row="from row {row}",
        by="changed by {change}",
        same_exactly=(
            "{rows} went where its {noun} went, and not one number is another: put back, the "
            "difference is exactly 0."
        ),
        same_rounded=(
            "{rows} went where its {noun} went, and stayed what it was: put back, the largest "
            "difference is {largest}, a last digit of rounding, because the same numbers were "
            "added in another order."
        ),
        hidden=(
            "No position, and yet the order counts: the causal mask hides what comes later, and "
            "that is another part for each {noun} now. The largest difference is {largest}."
        ),
        not_hidden=(
            "The causal mask hides what comes later, and yet nothing has changed: the pieces that "
            "changed places are the same to it. The largest difference is {largest}."
        ),
        changed=(
            "Now the order counts: {most} has changed the most, by {change}, and {least} "
            "the least, by {smallest} (the length of the row’s difference)."
        ),
        stayed=(
            "Even {stayed}, which has kept its place, has changed by {change}: what it looks at "
            "stands elsewhere."
        ),
        nothing_moved="Nothing has changed places yet, so both sides are the same.",
        waves="The sinusoids: what position adds",
        waves_lead=(
            "Row p of this picture is added to what stands at place p. Each pair of columns is the "
            "sine and the cosine of one wave: fast at the left, slow at the right."
        ),
        width="Width of the picture",
        place="place p",
        column="column of d_model",
        distance="distance Δ",
        product="dot product of p and p + Δ",
        from_place="computed from place {place}",
        formula="Σ cos(ω Δ), by the formula",
        waves_read=(
            "Places {a} and {b} have the dot product {one}, places {c} and {d}, as far apart, have "
            "{other}: a shift by {distance} looks the same wherever it begins. Over all {pairs} "
            "pairs the formula is missed by {largest} at most."
        ),
        code="Show the code",
    ),
    "zh": OrderWords(
        lesson=Lesson(
            title="注意力知道谁在前、谁在后吗？",
            lead=(
                "把词拖成另一种次序。没有位置编码、也不加掩码时，一个词无论站在哪里，得到的输出都"
                "一样：“狗咬人”和“人咬狗”没有分别。把它们区分开的，是加进去的正弦与余弦，见下方。"
            ),
            learnt=(
                "不加掩码时，注意力本身看到的是一堆词，而不是一串词，所以次序要另外给出：这里由位"
                "置编码加进 X。"
            ),
        ),
        kind="给什么排次序",
        kinds={"sentence": "词", "picture": "块"},
        text="你的句子",
        text_help="最多 {tokens} 个词，标点也算一个词。",
        picture="图像",
        columns="块",
        seed="种子",
        seed_help="所有向量和矩阵都由这个数随机生成。",
        causal="因果掩码",
        causal_help="每一个只能看自己和排在前面的。",
        pieces={
            "given": "原来的次序",
            "order": "另一种次序：拖动，或用方向键（小数字是原来的位置）",
            "piece": "{name}，第 {place} 位，共 {n} 位",
        },
        reversed="倒过来",
        shuffled="打乱（种子 {seed}）",
        given="恢复原样",
        compared="比较",
        stages={"output": "output 输出", "weights": "weights 权重"},
        rows={"output": "每一行", "weights": "每一行、每一列"},
        noun={"sentence": "词", "picture": "块"},
        without="没有位置编码",
        with_position="有位置编码",
        of_given="X：原来的次序",
        of_other="P X：另一种次序；Pᵀ：放回原处",
        difference="差",
        from_row="来自第 {row} 行",
        by="变了 {change}",
        same_exactly="{rows}都跟着自己的{noun}走，一个数也没有变：放回原处，差恰好是 0。",
        same_rounded=(
            "{rows}都跟着自己的{noun}走，内容没有变：放回原处，最大的差是 {largest}，"
            "只是最后一位的舍入，因为同样的数换了次序相加。"
        ),
        hidden=(
            "没有位置编码，次序却起作用了：因果掩码遮住后面的内容，"
            "次序一变，每个{noun}被遮住的就不同了。最大的差是 {largest}。"
        ),
        not_hidden=(
            "因果掩码遮住后面的内容，结果却没有变：换了位置的几个在它看来是一样的。"
            "最大的差是 {largest}。"
        ),
        changed=(
            "现在次序起作用了：{most}变得最多，变了 {change}；"
            "{least}变得最少，变了 {smallest}（该行之差的长度）。"
        ),
        stayed="就连没有换位置的{stayed}也变了 {change}：它所看的那些换了位置。",
        nothing_moved="还没有哪一个换过位置，所以两边相同。",
        waves="位置编码加进去的是什么：正弦与余弦",
        waves_lead=(
            "图中第 p 行加到第 p 个位置上。每两列是同一个波的正弦和余弦：左边的快，右边的慢。"
        ),
        width="图的宽度",
        place="位置 p",
        column="d_model 的列",
        distance="距离 Δ",
        product="p 与 p + Δ 的点积",
        from_place="从位置 {place} 算起",
        formula="按公式 Σ cos(ω Δ)",
        waves_read=(
            "位置 {a} 与 {b} 的点积是 {one}；位置 {c} 与 {d} 隔得一样远，点积是 {other}："
            "从哪里出发，移动 {distance} 位都一样。全部 {pairs} 对与公式最多相差 {largest}。"
        ),
        code="看代码",
    ),
}
