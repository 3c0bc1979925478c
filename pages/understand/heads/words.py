"""The words of the page of one head or many."""

from dataclasses import dataclass

from views.text.lesson import Lesson


@dataclass(frozen=True)
class HeadsWords:
    """Each part of the page is a question, and what the numbers say to it."""

    lesson: Lesson
    text: str
    d_model: str
    heads: str
    seed: str
    head: str
    cost: str
    multiply_adds: str
    parts: tuple[str, ...]
    columns: tuple[str, ...]
    cost_says: str
    why: str
    why_one: str
    why_many: str
    why_random: str
    packed: str
    packed_says: str
    rounding: str
    exact: str
    split: str
    split_says: str
    split_one: str
    packed_note: str
    right: str
    wrong: str
    wrong_note: str
    wrong_row: str
    adds: str
    mute: str
    contribution: str
    contribution_note: str
    without: str
    difference: str
    silent: str
    adds_says: str
    mute_says: str
    mute_none: str
    sum_says: str
    list_mark: str
    code: str


WORDS = {
    "en": HeadsWords(
        lesson=Lesson(
            title="One head or many",
            lead=(
                "More heads cost no more parameters and no more multiply-adds: each is narrower "
                "by as much. Choose how many, compare what they look at, mute one, and see the "
                "output as the sum of what each head adds."
            ),
            learnt=(
                "Heads share out one width, so many cost as much as one; each has its own pattern "
                "of weights, and the output is the sum of what they add."
            ),
        ),
        text="Sentence",
        d_model="d_model",
        heads="Heads h",
        seed="Seed",
        head="head {head}",
        cost="What do more heads cost?",
        multiply_adds="multiply-adds",
        parts=("Q, K and V", "scores and weighted sum", "output"),
        columns=(
            "h",
            "d_k per head",
            "parameters",
            "Q, K, V",
            "scores",
            "weighted sum",
            "output",
            "weights",
        ),
        cost_says=(
            "Every bar is as high as every other. With d_model = {d_model}, Q, K and V need "
            "3 · {d_model}² = {inward} parameters and W^O {d_model}² = {outward}; the scores "
            "cost n² · d_model = {n}² · {d_model} = {scores} multiply-adds, and the weighted sum "
            "as many. h stands in none of them. What does grow is the number of weights: h · n² = "
            "{weights} here."
        ),
        why="Why several heads if the cost is the same?",
        why_one=(
            "One head has one row of weights for each word. Whatever a word looks for, it has to "
            "go into this one row. Choose more heads: the price stays, and each brings a row of "
            "its own."
        ),
        why_many=(
            "Because they differ in what they look at. Each word has {heads} rows of weights "
            "instead of one. Between {one} and {other}, averaged over all rows, {most} of a "
            "word's attention lies on different words; between two heads it is {mean} on average. "
            "One head would have to press all of it into a single row."
        ),
        why_random=(
            "These differences are chance, for the matrices are drawn at random (seed {seed}). "
            "Training can give each head a task of its own, such as the word before, or the verb "
            "to a subject."
        ),
        packed="One packed projection, or one for each head?",
        packed_says=(
            "Both were computed: X times the packed matrices, then split, and {heads} separate "
            "products, each with its own d_k = {d_k} columns. Largest difference in all of Q, K "
            "and V: {apart}{how}."
        ),
        rounding=", the rounding of a last digit",
        exact=", not even a last digit",
        split="What is the difference between view and transpose when splitting heads?",
        split_says=(
            "view moves no number. It only says anew where a row ends, in the order in which the "
            "numbers lie: all {d_model} of {first}, then those of the next word. transpose swaps "
            "two axes. Head 1 needs columns 1–{d_k} of every word: view as (query {n}, head "
            "{heads}, d_k {d_k}), then transpose to (head {heads}, query {n}, d_k {d_k}). A view "
            "to that shape at once runs without an error, but takes the first {count} numbers as "
            "they lie, and head 1 gets {wrong}."
        ),
        split_one=(
            "view moves no number: it only says anew where a row ends. transpose swaps two axes. "
            "With one head nothing is to be split, so both ways give the same; choose more heads "
            "to see them part."
        ),
        packed_note="Framed: what goes to head 1.",
        right="view, then transpose",
        wrong="view alone",
        wrong_note="The right shape, the wrong numbers.",
        wrong_row="{token} {first}–{last}",
        adds="What does a head add to the output?",
        mute="Heads that are mute",
        contribution="head {head} · its slice of W_O",
        contribution_note="Click a cell to see its sum.",
        without="output without {heads}",
        difference="difference",
        silent="mute",
        adds_says=(
            "W^O is cut by heads ({heads} × {d_v} rows): what a head found, times its own slice, "
            "is what it adds, and all heads together make the output. For the framed cell:"
        ),
        mute_says=(
            "With {heads} mute, {columns} columns of concat hold 0, and the output loses just what "
            "they had brought to it: largest difference {apart}. The other heads go on as before. "
            "The largest change is {largest}, in the row of {row}."
        ),
        mute_none="No head is mute: mute one and see what the output loses.",
        sum_says="output[{row}, {column}] = {terms} {equals} {total}",
        list_mark=", ",
        code="Show the code",
    ),
    "zh": HeadsWords(
        lesson=Lesson(
            title="一个头还是许多头",
            lead=(
                "多几个头，参数和乘加次数都不变：头多了，每个头就相应变窄。选几个头，比较它们各看"
                "什么，关掉一个，再看输出怎样由各头所加的合成。"
            ),
            learnt=(
                "各头分摊同一个宽度，所以许多头与一个头花费相同；每个头有自己的一套权重，"
                "输出就是各头所加之和。"
            ),
        ),
        text="句子",
        d_model="d_model",
        heads="头数 h",
        seed="种子",
        head="头 {head}",
        cost="多几个头要多花多少？",
        multiply_adds="乘加次数",
        parts=("Q、K、V", "分数与加权求和", "输出"),
        columns=("h", "每个头的 d_k", "参数", "Q、K、V", "分数", "加权求和", "输出", "权重个数"),
        cost_says=(
            "每根柱子一样高。d_model = {d_model} 时，Q、K、V 要 3 · {d_model}² = {inward} 个参数，"
            "W^O 要 {d_model}² = {outward} 个；分数要 n² · d_model = {n}² · {d_model} = {scores} "
            "次乘加，加权求和也一样多。式子里都没有 h。真正变多的是权重的个数：此处 "
            "h · n² = {weights}。"
        ),
        why="花费既然相同，为什么要好几个头？",
        why_one=(
            "一个头给每个词只有一行权重，这个词想找的一切都得挤在这一行里。"
            "多选几个头试试：花费不变，每个头却各有自己的一行。"
        ),
        why_many=(
            "因为它们看法不同。每个词有 {heads} 行权重，而不止一行。按所有行平均，"
            "{one}与{other}之间，一个词的注意力有 {most} 落在不同的词上；任意两个头之间平均是 "
            "{mean}。只有一个头的话，这些都得挤进同一行。"
        ),
        why_random=(
            "各矩阵是随机的（种子 {seed}），所以这里的差别只是碰巧。"
            "经过训练，各头可以各管一事，例如找前一个词，或替主语找谓语。"
        ),
        packed="合在一起投影，还是每个头各投影一次？",
        packed_says=(
            "两种都算了：X 乘合在一起的矩阵再拆开；或做 {heads} 次乘法，每次只用自己的 "
            "d_k = {d_k} 列。Q、K、V 的所有数里，最大差别是 {apart}{how}。"
        ),
        rounding="，只是末位的舍入",
        exact="，连末位也不差",
        split="拆头的时候，view 与 transpose 有什么不同？",
        split_says=(
            "view 不搬动任何数，只按数在内存里的先后重新规定一行到哪里为止：先是{first}的 "
            "{d_model} 个数，再是下一个词的。transpose 交换两个轴。头 1 要的是每个词的第 1–{d_k} "
            "列：先 view 成 (query {n}, head {heads}, d_k {d_k})，再 transpose 成 (head {heads}, "
            "query {n}, d_k {d_k})。若一步就 view 成这个形状，程序不报错，却照先后拿走最前面的 "
            "{count} 个数，头 1 得到的是 {wrong}。"
        ),
        split_one=(
            "view 不搬动任何数，只重新规定一行到哪里为止；transpose 交换两个轴。"
            "只有一个头时没有可拆的，两种做法结果相同；多选几个头就看得出差别。"
        ),
        packed_note="框住的归头 1。",
        right="先 view，再 transpose",
        wrong="只用 view",
        wrong_note="形状对，数不对。",
        wrong_row="{token} {first}–{last}",
        adds="一个头给输出加了什么？",
        mute="关掉的头",
        contribution="头 {head} · 它那一段 W_O",
        contribution_note="点一格，看它的算式。",
        without="output，关掉{heads}",
        difference="相差",
        silent="已关掉",
        adds_says=(
            "W^O 按头切开（{heads} × {d_v} 行）：一个头找到的，乘上自己那一段，就是它所加的；"
            "各头所加的合起来就是输出。框住的那一格："
        ),
        mute_says=(
            "关掉{heads}，它在 concat 里的 {columns} 列成了 0，输出少掉的正是它原来加上的："
            "最大差别 {apart}。其余的头照旧。变化最大的在{row}这一行，是 {largest}。"
        ),
        mute_none="没有关掉任何头：关一个，看输出少了什么。",
        sum_says="output[{row}, {column}] = {terms} {equals} {total}",
        list_mark="、",
        code="看代码",
    ),
}
