"""The words of the page "Before attention"."""

from dataclasses import dataclass

from views.text.lesson import Lesson


@dataclass(frozen=True)
class BeforeWords:
    """What is left of a word in a recurrent net, against one step of attention.

    sample: what stands in the box at first.
    """

    lesson: Lesson
    text: str
    sample: str
    yours: str
    times: str
    times_help: str
    radius: str
    radius_help: str
    tanh: str
    tanh_help: str
    seed: str
    net: str
    attention: str
    by_distance: str
    back: str
    left: str
    word: str
    step: str
    heading: str
    fades: str
    grows: str
    stays: str
    repeated: str
    one_word: str
    measured: str
    all_seen: str
    gates: str
    radius_above: str
    radius_linear: str
    price: str
    origin: str
    path_heading: str
    path_columns: tuple[str, str, str]
    path_rows: tuple[str, str, str]
    path_note: str
    last_row: str
    code: str
    code_is: str


WORDS = {
    "en": BeforeWords(
        lesson=Lesson(
            title="What is left of the first word?",
            lead=(
                "Two ways to read a sentence. A recurrent net carries everything in one state from "
                "word to word; attention lets the last word ask each word itself. Change a word a "
                "little: how strongly does the result behind a later word answer?"
            ),
            learnt=(
                "A recurrent net must hand the first word on through every step, each of which "
                "can weaken it or blow it up, while attention reaches any word in one step and "
                "pays for it by comparing every pair."
            ),
        ),
        text="Your sentence",
        sample="Keys that we left on the table beside the old kitchen window are lost",
        yours="From the page Sentence",
        times="Repeat the sentence",
        times_help="The sentence is repeated, up to {tokens} tokens in all.",
        radius="Spectral radius of W_h",
        radius_help=(
            "The size of the largest eigenvalue of W_h: about how much one step keeps of the state "
            "before tanh. The matrix is stretched to have exactly this one."
        ),
        tanh="tanh",
        tanh_help="Off: h_t = W_h h_(t−1) + W_x x_t, a linear net.",
        seed="Seed",
        net="Recurrent net",
        attention="One attention step",
        by_distance="At the last word",
        back="words back",
        left="‖∂ last / ∂ word‖",
        word="changed word j",
        step="result at word t",
        heading="What the numbers say",
        fades=(
            "A small change of “{first}” arrives in the last state of the recurrent net times "
            "{left}, {distance} words later; a change of the last word, “{last}”, times {own}. "
            "Of the first, {share} of what the last one gets is left: each step keeps {factor} "
            "of it on average."
        ),
        grows=(
            "A small change of “{first}” arrives in the last state of the recurrent net times "
            "{left}, {distance} words later; a change of the last word, “{last}”, only times "
            "{own}. That is {share} times as much: each step multiplies it by {factor} "
            "on average, and the net explodes instead of forgetting."
        ),
        stays=(
            "In one attention step “{first}” arrives times {left}, from the same distance. The "
            "weakest word before the last is “{low_word}”, {low_back} back, with {low}; the "
            "strongest “{high_word}”, {high_back} back, with {high}. Which word it is decides, not "
            "how far away it stands."
        ),
        repeated=(
            "“{first}” stands {count} times before the last word, and one attention step hears "
            "each of them equally well (they differ by {spread}); the recurrent net hears "
            "the nearest of them {ratio} times as strongly as the farthest."
        ),
        one_word=(
            "With one word there is no distance yet: the recurrent net takes it in times {net}, "
            "attention times {attention}. Write a second one."
        ),
        measured=(
            "Each number is the spectral norm of a Jacobian: the largest factor by which a small "
            "change of word j is lengthened on its way to result t. Both are exact, by the chain "
            "rule: a product of one matrix a step for the net, the derivative through softmax for "
            "attention. Above the diagonal both are exactly 0: nobody sees words still to come."
        ),
        all_seen=(
            "A recurrent net does not see “only the previous word”. It sees all of them, but only "
            "through a state that every step rewrites."
        ),
        gates=(
            "Gates help. In an LSTM (Hochreiter & Schmidhuber, 1997) with a forget gate (Gers, "
            "Schmidhuber & Cummins, 2000), a memory cell whose forget gate stays {gate} open "
            "keeps {kept} of its content over as many steps as here ({distance}), and "
            "{kept_long} over 1000: far longer, but not for ever."
        ),
        radius_above=(
            "Above 1, W_h by itself makes old words grow, and the tanh flattens them again; which "
            "of the two wins depends on the matrix and the sentence. Switch tanh off and growth "
            "wins in the end."
        ),
        radius_linear=(
            "Above 1, W_h by itself makes old words grow. Here tanh is off and nothing flattens "
            "them again, so growth wins in the end."
        ),
        price=(
            "Attention pays elsewhere: the last word shares out one unit over {n} words, {even} "
            "each on average: in a long text the average share is thin, near or far alike; and "
            "there are {pairs} scores to compute."
        ),
        origin=(
            "d_model = {d_model}, {heads} heads, a state of {width} numbers; all matrices are "
            "seeded random (seed {seed}): the arithmetic is real, the meaning is not. Position is "
            "left out on both sides, so that only distance and the words themselves can count."
        ),
        path_heading="How far it is from the first word to the last",
        path_columns=("for {n} words", "recurrent net", "attention"),
        path_rows=(
            "longest way, in steps (reading the first word counts)",
            "steps that wait for one another",
            "multiply-adds",
        ),
        path_note=(
            "Counted for this sentence, behind it the growth as in Table 1 of “Attention Is All "
            "You Need”, which leaves out the projections; here they are counted."
        ),
        last_row="The last row in numbers",
        code="Show the code",
        code_is="What runs here, from {file}:",
    ),
    "zh": BeforeWords(
        lesson=Lesson(
            title="第一个词还剩多少？",
            lead=(
                "读一句话有两种办法。循环网络把读过的一切装进一个状态，一个词一个词往下传；"
                "注意力让最后一个词直接去问每一个词。把某个词稍稍改动一点，后面的结果会有多大反应？"
            ),
            learnt=(
                "循环网络要让第一个词经过每一步才传到最后，每一步都可能把它削弱，也可能把它放大；"
                "注意力一步就能够到任何一个词，代价是每两个词都要比一次。"
            ),
        ),
        text="你的句子",
        sample="钥匙是我昨天和他一起去上海看海的时候弄丢的",
        yours="取自“句子”页",
        times="重复几遍",
        times_help="把句子重复几遍，总共不超过 {tokens} 个词元。",
        radius="W_h 的谱半径",
        radius_help=(
            "W_h 最大特征值的绝对值：不算 tanh 时，每一步大约留住状态的多少。"
            "矩阵已按比例缩放，使谱半径恰好等于这个数。"
        ),
        tanh="tanh",
        tanh_help="关掉后就是线性网络：h_t = W_h h_(t−1) + W_x x_t。",
        seed="种子",
        net="循环网络",
        attention="注意力的一步",
        by_distance="到最后一个词时",
        back="往回数几个词",
        left="‖∂ 末 / ∂ 词‖",
        word="被改动的词 j",
        step="第 t 个词处的结果",
        heading="数字说明了什么",
        fades=(
            "把“{first}”稍稍改动，{distance} 个词之后，循环网络的末状态只随之变动 {left} 倍；"
            "改动最后一个词“{last}”则是 {own} 倍。前者只有后者的 {share}："
            "每走一步，平均只留下 {factor}。"
        ),
        grows=(
            "把“{first}”稍稍改动，{distance} 个词之后，循环网络的末状态随之变动 {left} 倍；"
            "改动最后一个词“{last}”只有 {own} 倍。前者是后者的 {share} 倍："
            "每走一步，平均乘以 {factor}，网络没有遗忘，反而爆炸了。"
        ),
        stays=(
            "在注意力的一步里，隔着同样远，“{first}”的改动乘以 {left} 传到。最后一个词之前，"
            "最弱的是“{low_word}”（往回 {low_back} 个词），{low}；"
            "最强的是“{high_word}”（往回 {high_back} 个词），{high}。"
            "起决定作用的是哪个词，而不是离得多远。"
        ),
        repeated=(
            "最后一个词之前，“{first}”出现了 {count} 次，"
            "注意力的一步对它们一视同仁（相差 {spread}）；"
            "循环网络对最近的一个，反应是最远一个的 {ratio} 倍。"
        ),
        one_word=(
            "只有一个词，还谈不上远近：循环网络收进它时乘以 {net}，注意力乘以 {attention}。"
            "请再写一个词。"
        ),
        measured=(
            "每个数都是一个雅可比矩阵的谱范数：词 j 的微小改动传到结果 t 时，长度最多放大多少倍。"
            "两边都用链式法则精确算出：循环网络是每步一个矩阵连乘，"
            "注意力是穿过 softmax 的导数。对角线以上两边都恰好是 0：谁也看不到还没出现的词。"
        ),
        all_seen=(
            "循环网络并不是“只看得到前一个词”。它全都看得到，只是要透过一个每步都被改写的状态。"
        ),
        gates=(
            "门控有帮助。在带遗忘门（Gers、Schmidhuber & Cummins，2000）的 LSTM（Hochreiter & Sch"
            "midhuber，1997）里，如果记忆单元的遗忘门一直开到 {gate}，那么过了这里的 {distance} "
            "步还留下 {kept}，过了 1000 步还留下 {kept_long}：久得多，但不是永远。"
        ),
        radius_above=(
            "谱半径大于 1 时，W_h 本身会让旧词越传越大，tanh 又把它压平；"
            "哪一边占上风，要看矩阵和句子。关掉 tanh，最终总是放大的一边赢。"
        ),
        radius_linear=(
            "谱半径大于 1 时，W_h 本身会让旧词越传越大。现在 tanh 关着，没有什么把它压平，"
            "最终总是放大的一边赢。"
        ),
        price=(
            "注意力的代价在别处：最后一个词要把 1 份注意力分给 {n} 个词，平均每个约 {even}，"
            "所以文章越长，平均分到的越薄，远近都一样；而且要算 {pairs} 个分数。"
        ),
        origin=(
            "d_model = {d_model}，{heads} 个头，状态有 {width} 个数；所有矩阵都由种子 {seed} "
            "随机生成：算术是真的，并没有含义。两边都不加位置编码，这样起作用的只有距离和词本身。"
        ),
        path_heading="从第一个词到最后一个词有多远",
        path_columns=("共 {n} 个词", "循环网络", "注意力"),
        path_rows=("最长的路有几步（读入第一个词也算一步）", "必须依次等待的步数", "乘加次数"),
        path_note=(
            "按这句话数出来；后面是增长的快慢，与《Attention Is All You Need》表 1 相同。"
            "该表不计投影，这里计入了。"
        ),
        last_row="最后一行的数字",
        code="看代码",
        code_is="这里运行的代码，来自 {file}：",
    ),
}
