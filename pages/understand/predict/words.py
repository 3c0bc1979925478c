"""The words of the page Predict."""

from dataclasses import dataclass

from views.text.lesson import Lesson


@dataclass(frozen=True)
class PredictWords:
    """The controls, what is said about a guess, and the sheets to be printed.

    presets, covers: what can be chosen; hints: what a click does for each of the covers.
    parts: which half of a pair a sheet is.
    """

    lesson: Lesson
    preset: str
    presets: dict[str, str]
    causal: str
    stage: str
    head: str
    cover: str
    covers: dict[str, str]
    hints: dict[str, str]
    seed: str
    stage_is_not_there: str
    left_out: str
    struck: str
    progress: str
    all_found: str
    cover_again: str
    asked: str
    typed: str
    check: str
    reveal: str
    leave_open: str
    which: str
    not_largest: str
    too_large: str
    too_small: str
    near: str
    coarse: str
    finite: str
    infinite: str
    unreadable: str
    right: str
    picked: str
    tie: str
    revealed: str
    guesses: str
    nothing_yet: str
    paper: str
    paper_about: str
    worksheet: str
    download: str
    preview: str
    previewed: dict[str, str]
    code: str


WORDS = {
    "en": PredictWords(
        lesson=Lesson(
            title="Predict, then reveal",
            lead=(
                "Everything that goes into the step is shown; the results behind “?” are not. Say "
                "what will come out, then see the sum."
            ),
            learnt=(
                "Whoever can say a number before seeing it has understood the step that makes it."
            ),
        ),
        preset="Example",
        presets={
            "wo_ai_beijing": "我爱北京",
            "padded": "我爱北京, padded to 10",
            "whole_numbers": "猫追球, whole numbers",
            "d4_h2": "d_model = 4, two heads",
        },
        causal="Causal mask",
        stage="Step",
        head="Head",
        cover="Cover",
        covers={
            "row": "One row",
            "all": "All",
            "random": "At random",
            "cells": "Cells of your choice",
        },
        hints={
            "row": "Click a “?” to be asked for it; click another row to cover that one instead.",
            "all": "Click a “?” to be asked for it, and any open number to see its sum.",
            "random": "Click a “?” to be asked for it, and any open number to see its sum.",
            "cells": "Click any open number to cover it as well.",
        },
        seed="Seed",
        stage_is_not_there="This example has no step {asked}; here is {shown}.",
        left_out="The rows of [PAD] are left out: nobody uses the output of padding.",
        struck="Hatched: the mask does not allow it.",
        progress="{found} of {all} found, {revealed} revealed",
        all_found="Nothing is covered any more: {found} of {all} found, {revealed} revealed.",
        cover_again="Cover again",
        asked="What is {cell}?",
        typed="Your number",
        check="Check",
        reveal="Reveal",
        leave_open="Do not ask this one",
        which="Which key will {row} look at most?",
        not_largest="Not {column}: another key gets more.",
        too_large="{typed} is too large by {difference}.",
        too_small="{typed} is too small by {difference}.",
        near="Very near: was something rounded on the way?",
        coarse="{typed} is right as far as it goes. One more digit, please.",
        finite="{typed} is a finite number, and none stands here: what does the mask do?",
        infinite="No mask strikes this cell: a finite number stands here.",
        unreadable=(
            "“{typed}” cannot be read as a number. Type, for example, 0.41, 0,41, 1/3, 41 % or −∞."
        ),
        right="Right: {typed}. Computed: {value}.",
        picked="Right: {row} looks at {column} most, with {value}.",
        tie="Right, and it is a tie: {names} get {value} each.",
        revealed="Revealed: {value}.",
        guesses="Guesses here: {guesses}",
        nothing_yet="Once a number is found or revealed, the sum that makes it stands here.",
        paper="On paper",
        paper_about=(
            "An exercise in whole numbers, drawn anew for every number: one page of A4 with the "
            "first row of each step worked, and the answers on a page of their own. With “Causal "
            "mask” on above, the sheet has it too. Open the file and print it."
        ),
        worksheet="Worksheet (seed)",
        download="{language}: {part}",
        preview="Preview",
        previewed={"sheet": "Worksheet", "key": "Answer key"},
        code="Show the code",
    ),
    "zh": PredictWords(
        lesson=Lesson(
            title="先猜，再揭晓",
            lead="这一步用到的数全都摆出来，结果却盖着“?”。先说出会得几，再看算式。",
            learnt="没看到之前就能说出一个数，才算真懂了算出它的那一步。",
        ),
        preset="例子",
        presets={
            "wo_ai_beijing": "我爱北京",
            "padded": "我爱北京，补齐到 10 个",
            "whole_numbers": "猫追球，整数",
            "d4_h2": "d_model = 4，两个头",
        },
        causal="因果掩码",
        stage="步骤",
        head="头",
        cover="盖住",
        covers={"row": "一行", "all": "全部", "random": "随机", "cells": "自己选"},
        hints={
            "row": "点“?”就来猜它；点别的行，就改为盖住那一行。",
            "all": "点“?”就来猜它；点已经露出的数，可以看它的算式。",
            "random": "点“?”就来猜它；点已经露出的数，可以看它的算式。",
            "cells": "点露出的数，就把它也盖上。",
        },
        seed="种子",
        stage_is_not_there="这个例子没有 {asked} 这一步，下面是 {shown}。",
        left_out="[PAD] 的行没有画出：没有谁会用到填充位置的输出。",
        struck="斜线：掩码不允许看。",
        progress="共 {all} 格：猜出 {found} 格，揭晓 {revealed} 格",
        all_found="已经没有盖着的格子了：共 {all} 格，猜出 {found} 格，揭晓 {revealed} 格。",
        cover_again="重新盖上",
        asked="{cell} 等于多少？",
        typed="填一个数",
        check="对一对",
        reveal="揭晓",
        leave_open="这一格不猜了",
        which="“{row}”最看重哪一个键？",
        not_largest="不是“{column}”：有别的键分到的更多。",
        too_large="{typed} 大了 {difference}。",
        too_small="{typed} 小了 {difference}。",
        near="已经非常接近：是不是中途舍入了？",
        coarse="{typed} 就这么多位来说是对的，请再写一位。",
        finite="{typed} 是有限的数，而这一格不是：掩码会把它变成什么？",
        infinite="没有掩码挡住这一格：这里是一个有限的数。",
        unreadable="“{typed}”看不出是哪个数。可以写成 0.41、0,41、1/3、41 % 或 −∞。",
        right="对了：{typed}。算出来是 {value}。",
        picked="对了：“{row}”最看重“{column}”，给它 {value}。",
        tie="对了，而且是并列：{names}各得 {value}。",
        revealed="揭晓：{value}。",
        guesses="这一格猜过：{guesses}",
        nothing_yet="猜出或揭晓一个数之后，它的算式就出现在这里。",
        paper="写在纸上",
        paper_about=(
            "用整数出的一道题，换一个号码就换一道：一张 A4 纸，每一步的第一行已经算好作示范，"
            "答案另外一张。上面选了“因果掩码”，纸上也就有它。打开文件，打印即可。"
        ),
        worksheet="练习纸号码（种子）",
        download="{language}：{part}",
        preview="预览",
        previewed={"sheet": "练习纸", "key": "答案"},
        code="看代码",
    ),
}
