"""The words of the page "by hand"."""

from dataclasses import dataclass

from views.text.lesson import Lesson


@dataclass(frozen=True)
class StoryWords:
    """What the numbers of a preset mean."""

    translation: str
    translation_row: str
    mixed: str
    picked: str
    reading: str
    reading_row: str
    filling: str
    whole: str
    heads: str
    heads_output: str


@dataclass(frozen=True)
class SheetStages:
    """What is said of a step otherwise than elsewhere, since everything is written by hand.

    absent: why a step is not there. given: what a written Q, K or V is. divided: the step scaled,
    divided by another number than the root of d_k.
    """

    absent: dict[str, str]
    given: dict[str, str]
    divided_title: str
    divided: str
    undivided: str
    parameter: str


@dataclass(frozen=True)
class EditWords:
    """The table in which everything can be edited."""

    title: str
    matrix: str
    head: str
    head_number: str
    row: str
    hint: str
    tokens: str
    tokens_help: str
    computed: dict[str, str]
    write: str
    compute: str
    paste: str
    paste_help: str
    put: str
    upload: str
    upload_help: str
    save: str
    save_all: str
    more: str
    undo: str
    redo: str
    reset: str
    kept: str


@dataclass(frozen=True)
class ChangeWords:
    """How much changed, and where."""

    title: str
    against: str
    bases: dict[str, str]
    largest: str
    most: dict[str, str]
    resized: str
    here: str
    before: str
    difference: str
    none_here: str
    nothing: str


@dataclass(frozen=True)
class ByHandWords:
    """The page."""

    lesson: Lesson
    preset: str
    presets: dict[str, str]
    divisor: str
    divisors: dict[str, str]
    mask: str
    masks: dict[str, str]
    origin: str
    story_title: str
    story: StoryWords
    stages: SheetStages
    edit: EditWords
    changes: ChangeWords


WORDS = {
    "en": ByHandWords(
        lesson=Lesson(
            title="By hand: 我爱北京 on one sheet of paper",
            lead=(
                "Every number here can be worked out on paper. Which of them would change if one "
                "number of the sheet were another? Edit it and see."
            ),
            learnt=(
                "Attention is multiplying, dividing, sharing out and adding up, and one changed "
                "number reaches exactly those cells whose sums it enters, directly or through an "
                "earlier step."
            ),
        ),
        preset="Example",
        presets={
            "wo_ai_beijing": "我爱北京",
            "padded": "padded to 10",
            "whole_numbers": "whole numbers",
            "d4_h2": "d_model 4, two heads",
        },
        divisor="Scores divided by",
        divisors={"8": "8 = √64", "1": "1", "root": "√d_k"},
        mask="Mask",
        masks={"none": "none", "causal": "causal"},
        origin="Written by hand: every number follows from this sheet, and none is random.",
        story_title="What the numbers mean",
        story=StoryWords(
            translation=(
                "A translator's encoder reads the whole sentence, so nothing is masked. To write "
                "“{english}”, a trained decoder would look at such rows by cross-attention; here "
                "the numbers are made by hand and nothing is translated. The score of "
                "“{query}” and “{key}”, {q} × {k} = {score}, says how much the two go together; "
                "the weight {weight} says how much of “{key}” goes into the new “{query}”."
            ),
            translation_row=("The row of “{row}” is its new vector: {sum}. "),
            mixed=("Most comes from “{best}” ({largest}); the rest brings in the other words."),
            picked=(
                "The scores are so far apart that almost nothing is left to share: “{best}” "
                "alone gets {largest}."
            ),
            reading=(
                "A language model reads from left to right, and what comes later does not exist "
                "yet. “{first}” sees only itself and stays {first_output}; “{second}” shares out "
                "{shares} and becomes {second_output}."
            ),
            reading_row=("“{row}” comes last and sees everything: {sum}, as without a mask."),
            filling=(
                "{count} [PAD] fill the sentence up. Together they get the weight {weight} from "
                "“{row}”, so its output {output} is the same as without them."
            ),
            whole=(
                "All numbers up to the softmax are whole. The scores of “{row}” are {scores}: "
                "three equal ones, so each gets a third, and its output is the plain mean of V "
                "times W^O, {output}. “{other}” looks most at “{best}” ({largest})."
            ),
            heads=(
                "The same tokens, seen by two heads: in head 1 token {token} gives the weights "
                "{one}, in head 2 {two}."
            ),
            heads_output=(
                "Side by side the heads are {concat}; times W^O they become the new vector "
                "{output}."
            ),
        ),
        stages=SheetStages(
            absent={
                "X": "There is no X on this sheet: Q, K and V are written down directly.",
                "concat": "Nothing to put side by side: this sheet has one head and ends with it.",
                "output": "No W^O on this sheet: it ends with what the head fetched.",
                "dropped": "No dropout on this sheet.",
                "residual": "This sheet ends before X is added.",
                "normalised": "This sheet ends before LayerNorm.",
            },
            given={
                "Q": "The query of “{row}”, written by hand: what it looks for.",
                "K": "The key of “{row}”, written by hand: what it is found by.",
                "V": "The value of “{row}”, written by hand: what it hands over when chosen.",
            },
            divided_title="÷ {divisor} · the scores, scaled",
            divided=(
                "Every score is divided by {divisor}, that is, times s = {factor}: the root of a "
                "d_k of {square}."
            ),
            undivided="Divided by 1 the scores stay as they are, and softmax chooses more sharply.",
            parameter="This number is written by hand.",
        ),
        edit=EditWords(
            title="The sheet",
            matrix="Matrix",
            head="Head",
            head_number="head {number}",
            row="row",
            hint="Choose a cell, write another number, press Enter.",
            tokens="Tokens",
            tokens_help=(
                "Separate with spaces. More tokens get rows of zeros; [PAD] at the end is filling, "
                "which nobody looks at."
            ),
            computed={
                "rows": "{name} is computed as X times W_{name}.",
                "columns": "{name} is computed as W_{name} times X.",
            },
            write="Write {name} by hand",
            compute="Compute {name} again",
            paste="Numbers for {name}",
            paste_help="A line is a row; tabs, commas or spaces separate the numbers.",
            put="Put into {name}",
            upload="CSV for {name}, or a whole sheet",
            upload_help=(
                "One matrix: only numbers. A whole sheet begins with the line “matrix,head,row”, "
                "and every further line is one row: X,,我,1,0.5 or W_Q,1,1,0.1,0.4."
            ),
            save="{name} as CSV",
            save_all="Whole sheet as CSV",
            more="Tokens, paste, import, export",
            undo="Undo",
            redo="Redo",
            reset="Reset",
            kept="The last good numbers still count, and what you wrote is still there.",
        ),
        changes=ChangeWords(
            title="What this changed",
            against="Against",
            bases={"preset": "the example", "last": "before the last edit"},
            largest="largest change",
            most={
                "rows": (
                    "In the result, {name}, “{row}” changes most: column {place} goes from "
                    "{before} to {after}."
                ),
                "columns": (
                    "In the result, {name}, “{row}” changes most: row {place} goes from "
                    "{before} to {after}."
                ),
            },
            resized="?: the shape is another, so the numbers cannot be compared.",
            here="This step, {name}",
            before="before",
            difference="change",
            none_here="{name} did not change here.",
            nothing="The result, {name}, is the same as before.",
        ),
    ),
    "zh": ByHandWords(
        lesson=Lesson(
            title="动手算：一张纸上的“我爱北京”",
            lead=(
                "这里的每个数都能在纸上算出来。要是纸上的某个数换成别的，后面哪些数会跟着变？"
                "改一改就知道。"
            ),
            learnt=(
                "注意力无非是乘、除、分份额、再相加；改动一个数，只会牵动算式里直接或间接用到它的"
                "那些格子。"
            ),
        ),
        preset="例子",
        presets={
            "wo_ai_beijing": "我爱北京",
            "padded": "填充到 10 个",
            "whole_numbers": "全是整数",
            "d4_h2": "d_model 4，两个头",
        },
        divisor="分数除以",
        divisors={"8": "8 = √64", "1": "1", "root": "√d_k"},
        mask="掩码",
        masks={"none": "无", "causal": "因果"},
        origin="手写的数：每个数都由这张纸决定，没有一个是随机的。",
        story_title="这些数是什么意思",
        story=StoryWords(
            translation=(
                "翻译时编码器整句话都看得见，所以不加掩码。训练好的解码器要写“{english}”，"
                "会经交叉注意力读这样的行；这里的数是人编的，并没有翻译什么。"
                "“{query}”与“{key}”的分数 "
                "{q} × {k} = {score}，说的是两者有多相关；权重 {weight} 说的是新的“{query}”里"
                "有多少来自“{key}”。"
            ),
            translation_row=("“{row}”这一行就是它的新向量：{sum}。"),
            mixed="其中“{best}”占得最多（{largest}），其余的份额来自别的词。",
            picked="分数差得太远，几乎没有可分的了：“{best}”一个就拿走 {largest}。",
            reading=(
                "语言模型从左往右读，后面的词还不存在。“{first}”只看得见自己，结果仍是 "
                "{first_output}；“{second}”把 1 份注意力分成 {shares}，结果是 {second_output}。"
            ),
            reading_row="“{row}”在最后，什么都看得见：{sum}，与不加掩码时一样。",
            filling=(
                "句子用 {count} 个 [PAD] 补齐。“{row}”分给它们的权重合计 {weight}，"
                "所以它的结果 {output} 与不补齐时相同。"
            ),
            whole=(
                "softmax 之前全是整数。“{row}”的分数是 {scores}，三个一样大，各得三分之一，"
                "输出就是 V 的平均再乘 W^O：{output}。“{other}”最看重“{best}”（{largest}）。"
            ),
            heads=(
                "同样的词元，两个头看法不同：第 {token} 个词元在头 1 里的权重是 {one}，"
                "在头 2 里是 {two}。"
            ),
            heads_output="两个头并排是 {concat}，乘上 W^O 就是新的向量 {output}。",
        ),
        stages=SheetStages(
            absent={
                "X": "这张纸上没有 X：Q、K、V 是直接写下的。",
                "concat": "没有什么要并排：这张纸只有一个头，算到这里为止。",
                "output": "这张纸上没有 W^O：算到加权求和为止。",
                "dropped": "这张纸上没有 dropout。",
                "residual": "这张纸不把 X 加回来。",
                "normalised": "这张纸不做 LayerNorm。",
            },
            given={
                "Q": "“{row}”的查询是手写的：它想找什么。",
                "K": "“{row}”的键是手写的：它凭什么被找到。",
                "V": "“{row}”的值是手写的：被选中时交出什么。",
            },
            divided_title="÷ {divisor} · 缩放分数",
            divided=(
                "每个分数都除以 {divisor}，也就是乘以 s = {factor}；"
                "d_k 为 {square} 时，它就是 √d_k。"
            ),
            undivided="除以 1，分数原样不动，softmax 会选得更尖锐。",
            parameter="这个数是手写的。",
        ),
        edit=EditWords(
            title="这张纸",
            matrix="矩阵",
            head="头",
            head_number="头 {number}",
            row="行",
            hint="选中一格，写上别的数，按回车。",
            tokens="词元",
            tokens_help="用空格分开。多出来的词元先补一行 0；末尾的 [PAD] 是填充，谁也不看它。",
            computed={
                "rows": "{name} 由 X 乘 W_{name} 算出。",
                "columns": "{name} 由 W_{name} 乘 X 算出。",
            },
            write="手写 {name}",
            compute="重新计算 {name}",
            paste="{name} 的数",
            paste_help="每行写矩阵的一行，数与数之间用制表符、逗号或空格隔开。",
            put="填入 {name}",
            upload="{name} 的 CSV，或整张纸",
            upload_help=(
                "单个矩阵只写数。整张纸的第一行是“matrix,head,row”，"
                "以后每行是矩阵的一行：X,,我,1,0.5 或 W_Q,1,1,0.1,0.4。"
            ),
            save="{name} 存为 CSV",
            save_all="整张纸存为 CSV",
            more="词元、粘贴、导入、导出",
            undo="撤销",
            redo="重做",
            reset="还原",
            kept="仍按上一次正确的数来算，你写的内容还在原处。",
        ),
        changes=ChangeWords(
            title="这一改牵动了什么",
            against="相比",
            bases={"preset": "原来的例子", "last": "上一次修改之前"},
            largest="最大的变化",
            most={
                "rows": (
                    "结果 {name} 里变化最大的是“{row}”第 {place} 列：从 {before} 变为 {after}。"
                ),
                "columns": (
                    "结果 {name} 里变化最大的是“{row}”第 {place} 行：从 {before} 变为 {after}。"
                ),
            },
            resized="?：形状变了，数与数无法相比。",
            here="这一步 {name}",
            before="原来",
            difference="变化",
            none_here="{name} 在这里没有变化。",
            nothing="结果 {name} 与原来一样。",
        ),
    ),
}
