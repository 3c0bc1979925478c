"""The words of the page of famous mistakes."""

from collections.abc import Mapping
from dataclasses import dataclass

from views.text.lesson import Lesson


@dataclass(frozen=True)
class AlarmWords:
    """An invariant, and what is measured of it: in one ``{head}`` where it is about heads."""

    holds: str
    measured: str


@dataclass(frozen=True)
class BreakItWords:
    """names: of the mistakes. reads: what the numbers of each say. alarms: the invariants."""

    lesson: Lesson
    text: str
    heads: str
    d_k: str
    seed: str
    mistake: str
    names: Mapping[str, str]
    head: str
    one_head: str
    right: str
    broken: str
    difference: str
    off: str
    off_by: str
    reads: Mapping[str, str]
    harmless: str
    no_product: str
    says_numpy: str
    make_square: str
    cannot_square: str
    alarm_title: str
    alarm: str
    columns: tuple[str, str, str]
    alarms: Mapping[str, AlarmWords]
    predict: str
    question: str
    ring: str
    guessed: str
    missed: str
    code: str
    code_right: str
    code_wrong: str
    all_alarms: str
    origin: str


WORDS = {
    "en": BreakItWords(
        lesson=Lesson(
            title="Break it: seven famous mistakes",
            lead=(
                "Every one of them has been made a thousand times, and most run without an error. "
                "Each goes wrong in one line. See what it does to your sentence, and which alarm "
                "gives it away."
            ),
            learnt=(
                "Attention that is wrong still gives numbers that look right, so do not trust "
                "the look: test what must hold for every input, and which alarms ring together "
                "points to the mistake."
            ),
        ),
        text="Sentence",
        heads="heads h",
        d_k="d_k per head",
        seed="seed",
        mistake="Mistake",
        names={
            "axis": "Softmax down the columns",
            "unscaled": "Not divided by √d_k",
            "reshape": "Reshape without transpose",
            "upright": "K not transposed",
            "twice": "d_model / h, twice",
            "late_mask": "Mask after softmax",
            "zero_mask": "Mask with 0",
        },
        head="Head",
        one_head="head {head}",
        right="right",
        broken="broken",
        difference="broken − right",
        off="size of the difference / size of the right output = {off}",
        off_by=" The output is {percent} % off.",
        reads={
            "axis": (
                "The row of {token} hands out {sum} in all, where it has 1 to share. Each column "
                "sums to 1 instead: every key has been asked who looks at it, rather than every "
                "query whom it looks at."
            ),
            "unscaled": (
                "With d_k = {d_k} the scores reach softmax {factor} times too large, and it grows "
                "too sure of itself: a row's largest weight is {broken} on average instead of "
                "{right}. With d_k = 64 the factor would be 8. No sum and no shape shows it."
            ),
            "reshape": (
                "The shape is right, the contents are not: in head {head} the row that is called "
                "{token} is really columns {first}–{last} of {other}. Cut {d_model} columns into "
                "(n, head, d_k) first, then swap n and head."
            ),
            "upright": (
                "n = d_k = {n}, so Q K has the shape of scores and nothing complains. But what "
                "stands at {query}, {key} is not those two compared: it multiplies number c of "
                "the query {query} by number {place} of key c, for every c."
            ),
            "twice": (
                "Each head is {narrow} wide instead of {d_k}, so concat has {columns} columns "
                "instead of {d_model}. Here W^O was cut to fit, as whoever makes this mistake "
                "does next, and {lost} of the {d_model} columns are never looked at."
            ),
            "late_mask": (
                "{token} gave {lost} of its 1 to keys that it may not see. Striking that out "
                "afterwards loses it: the row sums to {sum}, and how much is lost tells of the "
                "very words that were to be hidden."
            ),
            "zero_mask": (
                "{query} may not see {key} and gives it {weight} all the same: a score of 0 "
                "becomes e⁰ = 1 before it is shared out. Only −∞ becomes 0."
            ),
        },
        harmless=(
            "This sentence has only one token, and the mistake changes nothing in it: the most "
            "treacherous test of all. Take a longer one."
        ),
        no_product=(
            "Q is (query {n}, d_k {d_k}) and K is (key {n}, d_k {d_k}). A row of Q has {d_k} "
            "numbers, a column of K has {n}: Q K does not exist. This mistake shouts, which makes "
            "it the kindest of the seven, until n happens to be d_k."
        ),
        says_numpy="What NumPy says",
        make_square="Set d_k = {n}, and it falls silent",
        cannot_square="With a sentence of {low} to {high} tokens, d_k can be set to n: then it "
        "falls silent.",
        alarm_title="Which alarm rings?",
        alarm="Alarm",
        columns=("What must hold", "right", "broken"),
        alarms={
            "rows_sum_to_one": AlarmWords(
                "Every row of weights sums to 1", "largest distance from 1 in head {head}"
            ),
            "forbidden_is_zero": AlarmWords(
                "Forbidden keys get exactly 0", "largest forbidden weight in head {head}"
            ),
            "future_changes_nothing": AlarmWords(
                "Another last token changes no earlier output", "largest change"
            ),
            "constant_changes_nothing": AlarmWords(
                "A number added to a whole row of scores changes no weight",
                "largest change in head {head}",
            ),
            "spread_is_one": AlarmWords(
                ("Scaled scores of random Q and K have a standard deviation of about 1"),
                "standard deviation",
            ),
            "own_columns_only": AlarmWords(
                "Head i depends only on its own d_k columns of Q",
                "largest change of head {head} by other columns",
            ),
            "own_key_only": AlarmWords(
                "Column j of the scores depends only on key j",
                "largest change by another key in head {head}",
            ),
            "width_is_whole": AlarmWords("concat has d_model columns again", "columns"),
        },
        predict="Predict first",
        question=(
            "Look at the line. Which of these will fail? It may be several, or none: mark them."
        ),
        ring="Let the alarms ring",
        guessed="Right: what you marked rings, and nothing else does.",
        missed=(
            "Of the alarms that ring ({ringing}) you marked {found}; of those that you marked, "
            "{silent} stay silent."
        ),
        code="Show the code that runs: right and wrong",
        code_right="right",
        code_wrong="wrong",
        all_alarms="All mistakes and all alarms on this sentence",
        origin=(
            "All matrices are drawn from seed {seed}: the arithmetic is real, the meaning is not. "
            "The mask is causal."
        ),
    ),
    "zh": BreakItWords(
        lesson=Lesson(
            title="弄坏它：七个有名的错误",
            lead=(
                "这七个错误不知有多少人犯过，而且大多不报错。每个都只错一行。"
                "看它把你的句子算成什么样，又是哪一个警报把它揪出来。"
            ),
            learnt=(
                "写错的注意力照样给出像模像样的数，所以不能只看样子："
                "去检验对任何输入都该成立的事，哪几个警报一起响，就指出错在哪里。"
            ),
        ),
        text="句子",
        heads="头数 h",
        d_k="每个头的 d_k",
        seed="种子",
        mistake="错误",
        names={
            "axis": "softmax 做错方向",
            "unscaled": "没有除以 √d_k",
            "reshape": "只 reshape，不转置",
            "upright": "K 没有转置",
            "twice": "d_model 除了两次 h",
            "late_mask": "softmax 之后才掩码",
            "zero_mask": "用 0 做掩码",
        },
        head="头",
        one_head="头 {head}",
        right="对的",
        broken="错的",
        difference="错的 − 对的",
        off="差的大小 ÷ 正确输出的大小 = {off}",
        off_by="输出偏了 {percent}%。",
        reads={
            "axis": (
                "{token}这一行一共分出 {sum}，而它手里只有 1。和为 1 的变成了每一列："
                "本该问每个查询“你看谁”，现在却问每个键“谁看你”。"
            ),
            "unscaled": (
                "d_k = {d_k}，进入 softmax 的分数大了 {factor} 倍，于是它过于自信："
                "每行最大的权重平均是 {broken}，本应是 {right}。若 d_k = 64，就要大 8 倍。"
                "行和与形状都看不出毛病。"
            ),
            "reshape": (
                "形状对了，内容错了：头 {head} 里名叫{token}的那一行，"
                "其实是{other}的第 {first}–{last} 列。"
                "应当先把 {d_model} 列切成 (n, head, d_k)，再交换 n 和 head。"
            ),
            "upright": (
                "n = d_k = {n}，Q K 的形状恰好与 scores 相同，没有任何报错。"
                "但{query}与{key}相交处并不是这两者的比较：它拿查询{query}的第 c 个数，"
                "去乘第 c 个键的第 {place} 个数，再对所有 c 求和。"
            ),
            "twice": (
                "每个头只有 {narrow} 列，而不是 {d_k} 列；"
                "concat 只有 {columns} 列，而不是 {d_model} 列。"
                "犯这个错的人接下来会把 W^O 也裁小，这里照做了，"
                "于是 {d_model} 列中有 {lost} 列根本没用上。"
            ),
            "late_mask": (
                "{token}把手里的 1 分了 {lost} 给不该看的键，事后划掉，这一份就丢了："
                "行和只剩 {sum}。而且丢了多少，正好泄露了本该藏住的词。"
            ),
            "zero_mask": (
                "{query}不许看{key}，却仍分给它 {weight}：分数 0 经过指数是 e⁰ = 1，照样参与分配。"
                "只有 −∞ 才会变成 0。"
            ),
        },
        harmless="这句话只有一个词，这个错误什么也没改变：最会骗人的测试。换长一点的句子试试。",
        no_product=(
            "Q 是 (query {n}, d_k {d_k})，K 是 (key {n}, d_k {d_k})。"
            "Q 的一行有 {d_k} 个数，K 的一列有 {n} 个：Q K 根本不存在。"
            "会报错的错误，是七个里最好心的一个，直到哪天 n 碰巧等于 d_k。"
        ),
        says_numpy="NumPy 的原话",
        make_square="令 d_k = {n}，它就不出声了",
        cannot_square="换一句 {low} 到 {high} 个词的话，就能令 d_k = n：那时它就不出声了。",
        alarm_title="哪个警报会响？",
        alarm="警报",
        columns=("应当成立的事", "对的", "错的"),
        alarms={
            "rows_sum_to_one": AlarmWords("权重每一行的和是 1", "头 {head} 里离 1 最远差多少"),
            "forbidden_is_zero": AlarmWords("不许看的键恰好得 0", "头 {head} 里不该有的最大权重"),
            "future_changes_nothing": AlarmWords(
                "换掉最后一个词，前面各词的输出不变", "最大的变化"
            ),
            "constant_changes_nothing": AlarmWords(
                "分数整行加一个数，权重不变", "头 {head} 里最大的变化"
            ),
            "spread_is_one": AlarmWords("随机的 Q、K，缩放后分数的标准差约为 1", "标准差"),
            "own_columns_only": AlarmWords(
                "头 i 只取决于 Q 里属于它的 d_k 列", "别的列在头 {head} 里引起的最大变化"
            ),
            "own_key_only": AlarmWords(
                "分数的第 j 列只取决于第 j 个键", "别的键在头 {head} 里引起的最大变化"
            ),
            "width_is_whole": AlarmWords("concat 又是 d_model 列", "列数"),
        },
        predict="先猜再看",
        question="看看这一行代码。下面哪几条会不成立？可能有好几条，也可能一条也没有，把它们勾出来。",
        ring="让警报响",
        guessed="全对：响的正是你勾的，一个不多，一个不少。",
        missed="会响的有 {ringing} 个，你勾中了 {found} 个；你勾的里面有 {silent} 个没有响。",
        code="看看真正运行的代码：对的与错的",
        code_right="对的",
        code_wrong="错的",
        all_alarms="这句话上的全部错误与全部警报",
        origin="所有矩阵都由种子 {seed} 随机产生：算术是真的，含义不是。掩码是因果掩码。",
    ),
}
