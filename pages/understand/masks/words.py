"""The words of the page of masks."""

from dataclasses import dataclass

from views.text.lesson import Lesson


@dataclass(frozen=True)
class MasksWords:
    """about: what a mask is for. ways: what stands in a forbidden cell, by the name in ``core``.

    says, empty: what the numbers say, by way: of a row that loses something, and of one that has
    nothing left.
    """

    lesson: Lesson
    input: str
    inputs: dict[str, str]
    text: str
    length: str
    seed: str
    masks: str
    mask_names: dict[str, str]
    about: dict[str, str]
    near: str
    reach: str
    strike_row: str
    clear: str
    composed: str
    allowed: str
    allowed_note: str
    may_caption: str
    relit_caption: str
    way: str
    ways: dict[str, str]
    sum: str
    softmax: str
    struck_after: str
    says: dict[str, str]
    nothing_forbidden: str
    empty: dict[str, str]
    list_mark: str
    patch: str
    compare: str
    columns: tuple[str, ...]
    from_to: str
    code: str


WORDS = {
    "en": MasksWords(
        lesson=Lesson(
            title="Masks: who may look at whom",
            lead=(
                "A mask is a table of yes and no, one cell for each query and key. Switch several "
                "on: a cell is left only where all of them say yes. Then see what happens to the "
                "weights, and what goes wrong when a no is written as 0."
            ),
            learnt=(
                "Masks compose by AND, and a forbidden cell should hold −∞ before softmax: it "
                "then gets exactly 0, and the allowed keys share the whole unit; a 0 leaks, and "
                "the other ways fail on some rows."
            ),
        ),
        input="Look at",
        inputs={"sentence": "a sentence", "picture": "a photo"},
        text="Sentence",
        length="Padded to",
        seed="Seed",
        masks="Masks that are on",
        mask_names={
            "causal": "causal",
            "padding": "padding",
            "window": "window",
            "neighbourhood": "neighbourhood",
            "drawn": "drawn by you",
        },
        about={
            "causal": "Itself and what came before: the rest is not written yet.",
            "padding": "No looking at [PAD]: it only fills up, and nobody wrote it.",
            "window": "To either side, places away: {near} at most.",
            "neighbourhood": "In the photo, rows and columns away: {reach} at most.",
            "drawn": "Click a cell to forbid it, again to allow it.",
        },
        near="Window: places away",
        reach="Neighbourhood: steps away",
        strike_row="Leave one row nothing",
        clear="Wipe what was drawn",
        composed="Which cells are left: 1 may look, 0 may not",
        allowed="allowed (query {n}, key {n})",
        allowed_note="{count} of {all} cells are left.",
        may_caption="Lit: where patch {patch} may look. Click another.",
        relit_caption="Lit by the weights of patch {patch}: what is dark gets nothing.",
        way="What keeps a forbidden cell out",
        ways={
            "minus_infinity": "−∞",
            "zero": "0",
            "minus_1e9": "−1e9",
            "after": "0 after softmax",
            "after_shared": "0 after softmax, then ÷ row sum",
        },
        sum="Σ {sum}",
        softmax="softmax(scaled)",
        struck_after="weights ⊙ allowed",
        says={
            "minus_infinity": (
                "Unmasked, {row} would give {unmasked} of its attention to the {count} keys that "
                "it may not look at. With −∞ there they get e^(−∞) = 0, exactly, and what it may "
                "look at shares the whole: the row sums to {sum}."
            ),
            "zero": (
                "0 is a score like any other: e^0 = 1 counts in the sum. {row} still gives {leak} "
                "of its attention to the {count} keys that it may not look at; unmasked it would "
                "be {unmasked}."
            ),
            "minus_1e9": (
                "e^(−1e9) is too small a number for a computer and becomes 0: {row} gives {leak} "
                "to the {count} keys that it may not look at, instead of {unmasked} unmasked. This "
                "is luck of the number format, and it ends in a row with nothing left."
            ),
            "after": (
                "Softmax had shared everything out before the mask came. The {unmasked} that {row} "
                "gave to its {count} forbidden keys is struck out and nobody gets it: the row sums "
                "to {sum}, not to 1."
            ),
            "after_shared": (
                "Divided by the {kept} that was left, the row of {row} sums to {sum} again: that "
                "is softmax over the allowed keys alone, as with −∞ before it. Largest difference "
                "here: {apart}. It works until one forbidden score is so large that nothing is "
                "left to divide."
            ),
        },
        nothing_forbidden=(
            "Nothing is forbidden, so every way gives plain softmax. Switch on a mask."
        ),
        empty={
            "minus_infinity": (
                "{rows} may look at nothing. There softmax would be 0 ÷ 0, which a computer calls "
                "NaN, and it would spread to all later layers. There is nothing to share out, so "
                "all weights of the row are 0 here."
            ),
            "zero": (
                "{rows} may look at nothing, yet gives {even} to every key: all scores of the row "
                "are 0, so softmax shares out evenly, and all of it lies on forbidden keys."
            ),
            "minus_1e9": (
                "{rows} may look at nothing, yet gives {even} to every key: all scores of the row "
                "are −1e9, and softmax only sees that they are equal. All of it lies on forbidden "
                "keys, and no error tells of it."
            ),
            "after": "{rows} may look at nothing: all that softmax had shared out is struck.",
            "after_shared": (
                "{rows} may look at nothing: 0 ÷ 0 would be NaN, so the row is left at 0."
            ),
        },
        list_mark=", ",
        patch="Patch {patch}",
        compare="All five ways on these scores",
        columns=(
            "a forbidden cell gets",
            "weight on forbidden keys, worst row",
            "row sums",
            "largest difference from −∞",
        ),
        from_to="{least} to {most}",
        code="Show the code",
    ),
    "zh": MasksWords(
        lesson=Lesson(
            title="掩码：谁可以看谁",
            lead=(
                "掩码是一张写着“可”与“不可”的表，每个查询对每个键占一格。同时打开几张，"
                "只有每张都说“可”的格子才留下。再看权重怎样变，以及把“不可”写成 0 会出什么错。"
            ),
            learnt=(
                "几张掩码按逻辑“与”（AND）合成一张；不许看的格子要在 softmax 之前填 −∞：它恰好得 "
                "0，许看的键分掉全部；填 0 会泄漏，其余做法总有失灵的行。"
            ),
        ),
        input="看什么",
        inputs={"sentence": "句子", "picture": "照片"},
        text="句子",
        length="填充到几个词元",
        seed="种子",
        masks="打开的掩码",
        mask_names={
            "causal": "因果",
            "padding": "填充",
            "window": "窗口",
            "neighbourhood": "邻域",
            "drawn": "自己画",
        },
        about={
            "causal": "只看自己和之前的：后面的还没写出来。",
            "padding": "不看 [PAD]：它只是填充，没有人写过它。",
            "window": "左右各最多 {near} 个位置。",
            "neighbourhood": "在照片里上下最多 {reach} 行、左右最多 {reach} 列。",
            "drawn": "点一格就禁止它，再点一次放开。",
        },
        near="窗口：最远几个位置",
        reach="邻域：最远几步",
        strike_row="让一行什么也看不到",
        clear="擦掉画的",
        composed="留下哪些格子：1 可以看，0 不可以",
        allowed="allowed (query {n}, key {n})",
        allowed_note="{all} 格里留下 {count} 格。",
        may_caption="亮处是第 {patch} 块可以看的地方。点别的块试试。",
        relit_caption="用第 {patch} 块的权重照亮：暗处一点也没分到。",
        way="用什么挡住不许看的格子",
        ways={
            "minus_infinity": "−∞",
            "zero": "0",
            "minus_1e9": "−1e9",
            "after": "softmax 之后填 0",
            "after_shared": "softmax 之后填 0，再除以行和",
        },
        sum="Σ {sum}",
        softmax="softmax(scaled)",
        struck_after="weights ⊙ allowed",
        says={
            "minus_infinity": (
                "不加掩码时，{row}会把 {unmasked} 的注意力分给 {count} 个不许看的键。"
                "那里填 −∞，它们就得到 e^(−∞) = 0，一点不剩；许看的键分掉全部，行和是 {sum}。"
            ),
            "zero": (
                "0 也是一个分数：e^0 = 1，照样算进总和。{row}仍把 {leak} 的注意力给了 "
                "{count} 个不许看的键；不加掩码时是 {unmasked}。"
            ),
            "minus_1e9": (
                "e^(−1e9) 小得计算机存不下，变成了 0：{row}给 {count} 个不许看的键 {leak}，"
                "不加掩码时是 {unmasked}。这全靠数字格式帮忙，遇到什么也不许看的行就失灵。"
            ),
            "after": (
                "掩码来之前，softmax 已经分完了。{row}给 {count} 个不许看的键的 {unmasked} 被划掉，"
                "谁也没得到：行和成了 {sum}，不是 1。"
            ),
            "after_shared": (
                "再除以剩下的 {kept}，{row}这一行的和又是 {sum}：等于只在许看的键上做 softmax，"
                "与先填 −∞ 相同，此处最大差别 {apart}。"
                "直到某个不许看的分数大得让别的一点不剩，才会失灵。"
            ),
        },
        nothing_forbidden="没有禁止任何格子，五种做法都只是普通的 softmax。打开一张掩码试试。",
        empty={
            "minus_infinity": (
                "{rows}什么也不许看。softmax 在这里会是 0 ÷ 0，计算机记作 NaN，还会传到后面每一层。"
                "既然没有可分的，这一行的权重就都定为 0。"
            ),
            "zero": (
                "{rows}什么也不许看，却给了每个键 {even}：整行分数都是 0，softmax 就平均分，"
                "而且全分给了不许看的键。"
            ),
            "minus_1e9": (
                "{rows}什么也不许看，却给了每个键 {even}：整行分数都是 −1e9，"
                "softmax 只看出它们相等，于是全部平均分给了不许看的键，也不会报错。"
            ),
            "after": "{rows}什么也不许看：softmax 分出去的全被划掉了。",
            "after_shared": "{rows}什么也不许看：0 ÷ 0 会是 NaN，所以这一行就留作 0。",
        },
        list_mark="、",
        patch="第 {patch} 块",
        compare="同样的分数，五种做法",
        columns=(
            ("不许看的格子"),
            "不许看的键得到的权重（漏得最多的一行）",
            "行和",
            "与 −∞ 的最大差别",
        ),
        from_to="{least} 到 {most}",
        code="看代码",
    ),
}
