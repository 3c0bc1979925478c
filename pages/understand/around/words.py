"""The words of the page about what stands around attention."""

from dataclasses import dataclass

from views.text.lesson import Lesson


@dataclass(frozen=True)
class AroundWords:
    """cosine, spread: what stands behind a row. ``…_reads``: what the numbers of a step say."""

    lesson: Lesson
    text: str
    origin: str
    dropout: str
    p: str
    draw: str
    draw_help: str
    mean: str
    cosine: str
    spread: str
    dropped_reads: str
    all_dropped: str
    mean_reads: str
    not_dropped: str
    training: str
    residual: str
    residual_reads: str
    normalised: str
    normalised_reads: str
    factor: str
    shift: str
    moved: str
    again: str
    forgets_reads: str
    epsilon_reads: str
    code: str


WORDS = {
    "en": AroundWords(
        lesson=Lesson(
            title="Around it: dropout, residual, LayerNorm",
            lead=(
                "Attention never works alone. While a model is trained, some weights are dropped; "
                "what comes out is added to what went in; and every row is brought back to one "
                "scale. Here are the numbers before and after each of the three."
            ),
            learnt=(
                "Dropout changes a single draw but not the mean, the residual keeps a path for "
                "the input, and LayerNorm (here without γ and β) brings every row to mean 0 and, "
                "unless its numbers are almost equal, standard deviation 1."
            ),
        ),
        text="Sentence",
        origin="One head, d_model = {d_model}, all matrices drawn from seed {seed}: the arithmetic "
        "is real, the meaning is not.",
        dropout="1 · Dropout on the weights: only while training",
        p="dropout p",
        draw="draw (seed)",
        draw_help="Another number drops other weights, with the same probability p.",
        mean="mean of {draws} draws",
        cosine="cos {cosine}",
        spread="mean {mean} · std {deviation}",
        dropped_reads=(
            "{dropped} of {count} weights became 0, and the others grew by "
            "1 / (1 − p) = {factor}. The row of {token} now sums to {sum}, not to 1."
        ),
        all_dropped=(
            "All {count} weights became 0 in this draw: nothing comes out of attention, and only "
            "the residual carries the tokens on."
        ),
        mean_reads=(
            "That is one draw. Over {draws} of them the mean of every weight comes back: it is at "
            "most {farthest} away, and four standard errors of that mean are {expected}."
        ),
        not_dropped=(
            "p = 0: nothing is dropped and the weights go on as they are. A trained model in use "
            "always works so."
        ),
        training=(
            "Dropout belongs to training: a net that cannot rely on any single weight learns to "
            "spread what it knows. When the model is used, p is 0, and as the rest had grown, "
            "nothing need be rescaled."
        ),
        residual="2 · Residual: X + output",
        residual_reads=(
            "The cosine behind a row says how far it still points the way of X. For {token} the "
            "output alone has {alone}, with X added it is {together}: the input keeps a path of "
            "its own, and attention only adds to it. Backwards, the gradient takes the same path."
        ),
        normalised="3 · LayerNorm: every row on one scale",
        normalised_reads=(
            "The row of {token} had mean {mean} and std {deviation}; now it has {new_mean} "
            "and {new_deviation}. Each row is treated by itself: no other token has a say."
        ),
        factor="multiply each row by",
        shift="then add",
        moved="residual × {factor} {shift}",
        again="LayerNorm of that",
        forgets_reads=(
            "Every number times {factor} plus {shift}, and LayerNorm gives the same rows: they "
            "differ by {difference} at most. It forgets a row's level and its size, and keeps its "
            "shape."
        ),
        epsilon_reads=(
            "Every number times {factor} plus {shift}: the rows differ by {difference}. That is "
            "the ε = {epsilon} under the root, which keeps a row of nothing but equal numbers "
            "from being divided by 0 and is felt by rows this small."
        ),
        code="Show the code that runs",
    ),
    "zh": AroundWords(
        lesson=Lesson(
            title="注意力周围：dropout、残差、层归一化（LayerNorm）",
            lead=(
                "注意力从不单独工作。训练时随机丢掉一些权重；算出来的要加回到输入上；"
                "每一行再回到同一尺度。这里列出三步各自之前和之后的数。"
            ),
            learnt=(
                "dropout 改变的是某一次抽取而不是平均，残差给输入留了一条路，层归一化（LayerNorm，"
                "这里不带 γ、β）让每一行回到均值 0、标准差 1，除非这一行的数几乎全都相等。"
            ),
        ),
        text="句子",
        origin="一个头，d_model = {d_model}，所有矩阵都由种子 {seed} 随机产生："
        "算术是真的，含义不是。",
        dropout="1 · 权重上的 dropout：只在训练时",
        p="丢弃率 p",
        draw="第几次抽取（种子）",
        draw_help="换一个数，就按同样的概率 p 丢掉另外一些权重。",
        mean="{draws} 次抽取的平均",
        cosine="cos {cosine}",
        spread="均值 {mean} · 标准差 {deviation}",
        dropped_reads=(
            "{count} 个权重中有 {dropped} 个变成 0，其余的放大到 1 / (1 − p) = {factor} 倍。"
            "{token}这一行的和现在是 {sum}，不再是 1。"
        ),
        all_dropped=(
            "这一次 {count} 个权重全变成了 0：注意力什么也没有给出，只有残差还把各个词往下传。"
        ),
        mean_reads=(
            "这只是一次抽取。抽 {draws} 次取平均，每个权重又回来了："
            "最多差 {farthest}，而那个平均数的四倍标准误是 {expected}。"
        ),
        not_dropped="p = 0：什么也没丢，权重原样往下走。训练好的模型使用时总是这样。",
        training=(
            "dropout 只属于训练：哪一个权重都靠不住，网络才学会不把宝押在一处。"
            "使用模型时 p = 0；因为训练时留下的已经放大过，用的时候什么也不必再乘。"
        ),
        residual="2 · 残差：X + output",
        residual_reads=(
            "行后的余弦说的是这一行还有几分朝着 X 的方向。{token}单看 output 是 {alone}，"
            "加上 X 之后是 {together}：输入有一条自己的路，注意力只在上面添加。"
            "反向传播时，梯度走的也是这条路。"
        ),
        normalised="3 · LayerNorm：每行回到同一尺度",
        normalised_reads=(
            "{token}这一行原来均值 {mean}、标准差 {deviation}，"
            "现在是 {new_mean} 和 {new_deviation}。"
            "每一行各算各的，别的词插不上话。"
        ),
        factor="每行都乘以",
        shift="再加上",
        moved="residual × {factor} {shift}",
        again="对它做 LayerNorm",
        forgets_reads=(
            "每个数都乘 {factor} 再加 {shift}，LayerNorm 给出的还是同样的行，最多差 {difference}。"
            "它忘掉一行有多高、有多大，只记住起伏的样子。"
        ),
        epsilon_reads=(
            "每个数都乘 {factor} 再加 {shift}，各行差到 {difference}。这是根号里的 ε = {epsilon}："
            "它防止全是同一个数的行被 0 除，而这么小的行就感觉得到它。"
        ),
        code="看看真正运行的代码",
    ),
}
