"""What the page on softmax says."""

from dataclasses import dataclass

from views.text.lesson import Lesson


@dataclass(frozen=True)
class RowWords:
    """The row of scores, its controls and the sum.

    keys: what the query may look at; the row begins with the first of them. largest, tied, equal:
    one of them is said of the largest weight; ratio, beyond: one of them of the two largest.
    """

    query: str
    keys: tuple[str, ...]
    heading: str
    count: str
    temperature: str
    temperature_help: str
    origin: str
    sum_heading: str
    sum_note: str
    weights_axis: str
    temperature_axis: str
    entropy_axis: str
    bars_heading: str
    entropy_heading: str
    largest: str
    tied: str
    equal: str
    ratio: str
    beyond: str
    entropy: str
    code: str


@dataclass(frozen=True)
class AxisWords:
    """Why by row. right, wrong, thin: what is said of the choice over keys, queries, and both."""

    heading: str
    lead: str
    label: str
    options: dict[str, str]
    row_sum: str
    not_one: str
    right: str
    wrong: str
    thin: str
    answer: str


@dataclass(frozen=True)
class ConstantWords:
    """A constant added to every score. overflow, underflow, fine: one of them is said."""

    heading: str
    lead: str
    label: str
    naive: str
    stable: str
    overflow: str
    underflow: str
    fine: str
    bias: str


@dataclass(frozen=True)
class SoftmaxWords:
    """The whole page."""

    lesson: Lesson
    row: RowWords
    axis: AxisWords
    constant: ConstantWords


WORDS = {
    "en": SoftmaxWords(
        lesson=Lesson(
            title="Softmax: one unit, shared out",
            lead=(
                "How does a row of scores become shares of one unit? Move a score and every share "
                "moves with it; then cool or heat the row with the temperature."
            ),
            learnt=(
                "Softmax turns each row of scores into shares that add up to 1: only the "
                "differences between scores count, and the temperature says how sharply."
            ),
        ),
        row=RowWords(
            query="it",
            keys=("cat", "mat", "sat", "warm", "on", "was", "the", "because"),
            heading="The row of “it”: a score for each key",
            count="Keys",
            temperature="Temperature T",
            temperature_help="The scores are divided by T before softmax. T = 1 leaves them alone.",
            origin="Scores set by hand. The sentence: the cat sat on the mat because it was warm.",
            sum_heading="The sum, from left to right",
            sum_note="One row of the score matrix, stood upright: each line is one key.",
            weights_axis="key",
            temperature_axis="temperature T",
            entropy_axis="bits",
            bars_heading="weights, dotted: an even share",
            entropy_heading="Entropy at each temperature, dotted: log₂ {n}",
            largest=(
                "“{key}” has the largest score, {score}, and gets {weight} of the unit; an even "
                "share would be {even}. "
            ),
            tied=(
                "{count} keys share the largest score, {score}, and each gets {weight}; an even "
                "share would be {even}. "
            ),
            equal=(
                "All scores are equal, so each key gets the even share, {even}: nothing is chosen. "
            ),
            ratio=(
                "“{key}” is {difference} above “{next}” and gets e{power} = {ratio} times as much: "
                "only the difference counts."
            ),
            beyond=(
                "“{key}” is {difference} above “{next}” and gets e{power} times as much, more than "
                "a million: the smaller share hardly exists."
            ),
            entropy=(
                "Entropy is {entropy} of at most log₂ {n} = {most} bits: as undecided as an even "
                "choice among {perplexity} keys."
            ),
            code="Show the code that runs",
        ),
        axis=AxisWords(
            heading="Why by row, and not by column or over everything?",
            lead=(
                "The scaled scores of 我爱北京 (Q = K = [2, 3, 5], divided by 8). "
                "Behind each row stands its sum, below each column too."
            ),
            label="softmax over",
            options={
                "key": "the keys: each row",
                "query": "the queries: each column (wrong)",
                "both": "all cells at once (wrong)",
            },
            row_sum="Σ = {sum}",
            not_one="Σ = {sum} ≠ 1",
            right=(
                "Every query has exactly one unit to share out among the keys, so each "
                "head_output is a weighted mean of the values: {outputs}, all between 10 and 30. "
                "What the columns come to does not matter: a key may be wanted by many."
            ),
            wrong=(
                "Now each key shares itself out among the queries. “{most}” takes {high} units "
                "and “{least}” only {low}. The head_output would be {outputs}: no longer a mean "
                "of the values 10, 20, 30."
            ),
            thin=(
                "Now all queries share one single unit. “{most}” keeps {high} of it and “{least}” "
                "{low}; the longer the sentence, the less is left for each. The head_output would "
                "be {outputs}, too small to be a mean of the values 10, 20, 30."
            ),
            answer=(
                "Why the last axis? Because the last axis is the keys: the question is put by one "
                "query, and the keys compete for its attention. Two queries do not compete."
            ),
        ),
        constant=ConstantWords(
            heading="Why is the maximum subtracted? Add a constant and see",
            lead=(
                "The same number c is added to every score of your row (temperature 1). On the "
                "left softmax as it is first written down, on the right with the maximum "
                "taken off."
            ),
            label="c",
            naive="Straight from the formula",
            stable="With the maximum subtracted first",
            overflow=(
                "e{largest} is larger than any number here: in float64 that "
                "begins at {float64}, in float32 at {float32}. The sum is ∞, and ∞ ÷ ∞ is not a "
                "number (nan). With the maximum subtracted no exponent is above 0, and the "
                "weights are those of before."
            ),
            underflow=(
                "Even the largest of them, e{largest}, is so small that it becomes 0. "
                "The sum is 0, and 0 ÷ 0 is not a number (nan). With the maximum subtracted one "
                "exponent is always 0, so the sum is at least 1."
            ),
            fine=(
                "Both ways give the same weights, and they are those for c = 0: e{c} stands above "
                "and below the fraction line and cancels. From {float64} on (float32: {float32}) "
                "e{x} would be ∞ on the left: try c = 1000."
            ),
            bias=(
                "Does a bias on K change anything? No: it adds qᵢ · b to the whole of row i, "
                "a constant like c here, and softmax does not see a constant."
            ),
        ),
    ),
    "zh": SoftmaxWords(
        lesson=Lesson(
            title="softmax：把 1 份注意力分出去",
            lead=(
                "一行分数怎样变成加起来等于 1 的权重？拖动任意一个分数，每个权重都跟着变；"
                "再调一调温度，看分配变尖还是变平。"
            ),
            learnt=(
                "softmax 把每一行分数变成加起来等于 1 的权重：起作用的只是分数之差，"
                "温度决定差距被放大还是抹平。"
            ),
        ),
        row=RowWords(
            query="它",
            keys=("猫", "垫子", "坐", "暖和", "在", "很", "上", "因为"),
            heading="“它”这一行：对每个键的分数",
            count="键的个数",
            temperature="温度 T",
            temperature_help="分数先除以 T，再做 softmax。T = 1 时分数不变。",
            origin="分数是手工给定的。句子：猫坐在垫子上，因为它很暖和。",
            sum_heading="从左到右，一步一步算",
            sum_note="这是分数矩阵里的一行，竖起来写：一行对应一个键。",
            weights_axis="键 key",
            temperature_axis="温度 T",
            entropy_axis="比特",
            bars_heading="权重 weights；虚线是平分时的份额",
            entropy_heading="各个温度下的熵；虚线是 log₂ {n}",
            largest=("“{key}”的分数最大（{score}），在这一份里分到 {weight}；平分的话是 {even}。"),
            tied="有 {count} 个键并列最高分 {score}，各分到 {weight}；平分的话是 {even}。",
            equal="所有分数都相等，每个键都分到平均的 {even}：等于没有选择。",
            ratio=(
                "“{key}”比“{next}”高 {difference}，权重就是它的 e{power} = {ratio} 倍："
                "起作用的只是差。"
            ),
            beyond=(
                "“{key}”比“{next}”高 {difference}，权重是它的 e{power} 倍，超过一百万倍："
                "小的那份几乎不存在。"
            ),
            entropy=(
                "熵是 {entropy} 比特，最大可能是 log₂ {n} = {most} 比特："
                "犹豫的程度相当于在 {perplexity} 个键里平均地挑。"
            ),
            code="看看真正运行的代码",
        ),
        axis=AxisWords(
            heading="为什么按行，而不按列、也不对全部一起做？",
            lead=(
                "我爱北京的缩放后分数（Q = K = [2, 3, 5]，除以 8）。"
                "每行后面写着这一行的和，每列下面也有。"
            ),
            label="softmax 沿着",
            options={
                "key": "键：每一行",
                "query": "查询：每一列（错）",
                "both": "所有格子一起（错）",
            },
            row_sum="Σ = {sum}",
            not_one="Σ = {sum} ≠ 1",
            right=(
                "每个查询手里正好有一份，分给各个键，所以每个 head_output 都是值的加权平均："
                "{outputs}，全在 10 与 30 之间。列的和是多少无所谓：一个键可以被许多查询看重。"
            ),
            wrong=(
                "现在变成每个键把自己分给各个查询。“{most}”拿到 {high} 份，“{least}”只有 {low} 份。"
                "head_output 会变成 {outputs}：不再是 10、20、30 的平均。"
            ),
            thin=(
                "现在所有查询合用一份。“{most}”占去 {high}，“{least}”只剩 {low}；"
                "句子越长，每个词分到的越少。head_output 会变成 {outputs}："
                "太小，已不是 10、20、30 的平均。"
            ),
            answer=(
                "为什么沿最后一维？因为最后一维是键：问题由一个查询提出，各个键争夺它的注意力；"
                "两个查询之间并不竞争。"
            ),
        ),
        constant=ConstantWords(
            heading="为什么要先减去最大值？加一个常数就知道",
            lead=(
                "给你那一行的每个分数都加上同一个数 c（温度取 1）。"
                "左边照公式直接算，右边先减去最大值。"
            ),
            label="c",
            naive="照公式直接算",
            stable="先减去最大值",
            overflow=(
                "e{largest} 比这里能表示的任何数都大：float64 从 {float64} 起就溢出，"
                "float32 从 {float32} 起。总和成了 ∞，而 ∞ ÷ ∞ 不是一个数（nan）。"
                "先减去最大值，指数就不会大于 0，权重仍与原来一样。"
            ),
            underflow=(
                "连最大的一项 e{largest} 也小得成了 0。总和是 0，而 0 ÷ 0 不是一个数（nan）。"
                "先减去最大值，总有一个指数是 0，总和至少是 1。"
            ),
            fine=(
                "两种算法的权重相同，也和 c = 0 时相同：e{c} 在分子、分母里都有，约掉了。"
                "不过左边从 {float64} 起（float32 从 {float32} 起）e{x} 就成了 ∞：试试 c = 1000。"
            ),
            bias=(
                "给 K 加偏置会改变什么吗？不会：它给第 i 行整行都加上 qᵢ · b，"
                "就像这里的 c，而 softmax 看不出整行加了常数。"
            ),
        ),
    ),
}
