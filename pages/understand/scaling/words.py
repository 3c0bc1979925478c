"""What the page on √d_k says."""

from dataclasses import dataclass

from views.text.lesson import Lesson


@dataclass(frozen=True)
class ScalingWords:
    """The whole page.

    divisors: what the scores are divided by, by the name in the URL; divided_says: what the numbers
    say of each; few: what is said besides where d_k is small. raw, divided: headings of the
    columns. lines: what a curve stands for.
    """

    lesson: Lesson
    d_k: str
    divisor: str
    divisors: dict[str, str]
    seed: str
    seed_help: str
    origin: str
    raw: str
    divided: str
    measured: str
    normal: str
    score_axis: str
    divided_axis: str
    row: str
    key_axis: str
    spread_says: str
    few: str
    raw_says: str
    divided_says: dict[str, str]
    curves: str
    lines: dict[str, str]
    marked: str
    spread: str
    largest: str
    entropy: str
    jacobian: str
    jacobian_is: str
    question: str
    answer: str
    honest: str
    code: str


WORDS = {
    "en": ScalingWords(
        lesson=Lesson(
            title="Why scores are divided by √d_k",
            lead=(
                "A score is a sum of d_k products. The wider the vectors, the further the scores "
                "spread, until softmax gives everything to one key. Move d_k and watch the left "
                "column change and the right one stay."
            ),
            learnt=(
                "The spread of random dot products grows as √d_k, so dividing by √d_k brings it "
                "back to 1 at any width, so that, at the start, softmax neither hands everything "
                "to one key nor blocks the gradient."
            ),
        ),
        d_k="Width of a query and a key, d_k",
        divisor="Right column: divided by",
        divisors={"sqrt_d_k": "√d_k", "d_k": "d_k", "sqrt_d_model": "√d_model"},
        seed="Seed",
        seed_help="Another seed draws other vectors.",
        origin=(
            "Drawn from seed {seed}: {pairs} queries and {pairs} keys with independent entries "
            "from N(0, 1). The histograms show {pairs} dot products, the means are over {rows} "
            "rows of {keys} keys."
        ),
        raw="Not divided: q · k",
        divided="Divided by {divisor} = {value}",
        measured="measured",
        normal="normal curve of spread {spread}",
        score_axis="score",
        divided_axis="score / {divisor}",
        row="softmax of the first row of {keys} keys",
        key_axis="key",
        spread_says=(
            "At d_k = {d_k} the dot products spread by {spread}, and √d_k is {root}; 95 of 100 "
            "seeds fall between {low} and {high}. "
        ),
        few=(
            "With so few products the histogram is more pointed than a normal curve; its spread is "
            "√d_k all the same. "
        ),
        raw_says=(
            "Undivided, the largest of {keys} weights is {largest} on average, entropy {entropy} "
            "of {most} bits, the Jacobian {jacobian}. "
        ),
        divided_says={
            "sqrt_d_k": (
                "Divided by √d_k, the spread is {spread}, the largest weight {largest}, entropy "
                "{entropy} bits, the Jacobian {jacobian}. This is nearly the same at every d_k "
                "from about 4 on: softmax can choose and still lets gradients through."
            ),
            "d_k": (
                "Divided by d_k, the spread is {spread}, the largest weight {largest}, entropy "
                "{entropy} bits, the Jacobian {jacobian}. Too much: the spread is 1/√d_k, so the "
                "wider the vectors, the more even the weights and the less the scores decide."
            ),
            "sqrt_d_model": (
                "Divided by √d_model, the spread is {spread}, the largest weight {largest}, "
                "entropy {entropy} bits, the Jacobian {jacobian}. Too much by √h: with h = {heads} "
                "heads d_model is {heads} · d_k, so the spread is 1/√{heads} = {shrunk} at every "
                "width and would change with the number of heads."
            ),
        },
        curves="All widths from 1 to 1024",
        lines={
            "raw": "not divided",
            "good": "divided by √d_k",
            "other": "divided by {divisor}",
            "theory": "√d_k",
        },
        marked="The large points are the present d_k.",
        spread="Spread of the scores",
        largest="Largest weight",
        entropy="Entropy in bits, at most {most}",
        jacobian="Size of softmax's Jacobian",
        jacobian_is=(
            "The Jacobian J = diag(p) − p pᵀ says how each weight p moves when a score moves; "
            "its size is the Frobenius norm √(Σ J²). Where it is near 0, almost no gradient "
            "comes through softmax: W^Q and W^K hardly learn (W^V and W^O still do)."
        ),
        question="Why √d_k and not √d_model?",
        answer=(
            "Because a score is a dot product inside one head: it adds up d_k products, not "
            "d_model. Each product has variance 1 and the products are independent, so variances "
            "add up, so the variance is d_k and the spread √d_k."
        ),
        honest=(
            "Trained queries and keys are not random. Independence, mean 0 and variance 1 are "
            "what footnote 4 of “Attention Is All You Need” assumes; this is roughly so before "
            "training, and training may leave it."
        ),
        code="Show the code that runs",
    ),
    "zh": ScalingWords(
        lesson=Lesson(
            title="为什么除以 √d_k",
            lead=(
                "一个分数是 d_k 个乘积之和。向量越宽，分数散得越开，"
                "直到 softmax 把一切都给了一个键。拖动 d_k：左边一列在变，右边一列不变。"
            ),
            learnt=(
                "随机点积的离散程度按 √d_k 增长，除以 √d_k 后无论多宽都回到 1，"
                "softmax 一开始就不会把一切给一个键，也不会挡住梯度。"
            ),
        ),
        d_k="查询和键的宽度 d_k",
        divisor="右边一列除以",
        divisors={"sqrt_d_k": "√d_k", "d_k": "d_k", "sqrt_d_model": "√d_model"},
        seed="种子",
        seed_help="换一个种子，就抽出另一批向量。",
        origin=(
            "由种子 {seed} 抽出：{pairs} 个查询、{pairs} 个键，各分量独立，服从 N(0, 1)。"
            "直方图画的是 {pairs} 个点积；平均数取自 {rows} 行，每行 {keys} 个键。"
        ),
        raw="不除：q · k",
        divided="除以 {divisor} = {value}",
        measured="实测",
        normal="标准差为 {spread} 的正态曲线",
        score_axis="分数",
        divided_axis="分数 / {divisor}",
        row="第一行 {keys} 个键的 softmax",
        key_axis="键",
        spread_says=(
            "d_k = {d_k} 时，点积的标准差是 {spread}，而 √d_k 是 {root}；"
            "100 个种子里有 95 个落在 {low} 与 {high} 之间。"
        ),
        few="乘积这么少，直方图比正态曲线更尖，但标准差照样是 √d_k。",
        raw_says=(
            "不除的话，{keys} 个权重里最大的平均是 {largest}，"
            "熵是 {entropy} 比特（最多 {most}），雅可比矩阵的大小是 {jacobian}。"
        ),
        divided_says={
            "sqrt_d_k": (
                "除以 √d_k 后，标准差是 {spread}，最大权重 {largest}，熵 {entropy} 比特，"
                "雅可比矩阵的大小是 {jacobian}。d_k 从 4 左右起都差不多："
                "softmax 既能选择，也还让梯度通过。"
            ),
            "d_k": (
                "除以 d_k 后，标准差是 {spread}，最大权重 {largest}，熵 {entropy} 比特，"
                "雅可比矩阵的大小是 {jacobian}。除得太多了：标准差成了 1/√d_k，"
                "向量越宽，权重越平均，分数越来越说不上话。"
            ),
            "sqrt_d_model": (
                "除以 √d_model 后，标准差是 {spread}，最大权重 {largest}，熵 {entropy} 比特，"
                "雅可比矩阵的大小是 {jacobian}。多除了 √h：h = {heads} 个头时 d_model 是 "
                "{heads} · d_k，标准差无论多宽都是 1/√{heads} = {shrunk}，而且会随头数变化。"
            ),
        },
        curves="从 1 到 1024 的所有宽度",
        lines={"raw": "不除", "good": "除以 √d_k", "other": "除以 {divisor}", "theory": "√d_k"},
        marked="大圆点是现在的 d_k。",
        spread="分数的标准差",
        largest="最大的权重",
        entropy="熵（比特），最多 {most}",
        jacobian="softmax 雅可比矩阵的大小",
        jacobian_is=(
            "雅可比矩阵 J = diag(p) − p pᵀ 说的是：分数动一点，每个权重 p 跟着动多少；它的大小取 "
            "Frobenius 范数 √(Σ J²)。接近 0 的地方，梯度几乎穿不过 softmax，W^Q 和 W^K 几乎学不动"
            "（W^V 和 W^O 仍能学）。"
        ),
        question="为什么是 √d_k，而不是 √d_model？",
        answer=(
            "因为分数是一个头里面的点积：加起来的是 d_k 个乘积，不是 d_model 个。"
            "各个乘积独立，方差都是 1，所以方差相加，所以分数的方差是 d_k，标准差是 √d_k。"
        ),
        honest=(
            "训练好的查询和键并不是随机的。《Attention Is All You Need》脚注 4 只是假设各分量独立、"
            "均值 0、方差 1；训练之前大致如此，训练之后未必。"
        ),
        code="看看真正运行的代码",
    ),
}
