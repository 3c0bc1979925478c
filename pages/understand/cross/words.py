"""The words of the page Self or cross."""

from dataclasses import dataclass

from views.text.lesson import Lesson


@dataclass(frozen=True)
class CrossWords:
    """The controls, the picture of the flow, two comparisons and three questions."""

    lesson: Lesson
    source: str
    sources: dict[str, str]
    asking: str
    asked: str
    text_help: str
    swap: str
    seed: str
    seed_help: str
    flow_self: str
    flow_cross: str
    special: str
    special_read: str
    special_self: str
    special_fed: str
    swapped: str
    swapped_read: str
    swapped_before: str
    swapped_after: str
    first_head: str
    questions: str
    lengths: str
    lengths_read: tuple[str, ...]
    four: str
    meaning: str
    place: str
    ordinals: tuple[str, ...]
    meanings: tuple[str, ...]
    four_same: str
    four_read: str
    four_batch: str
    again: str
    again_read: str
    again_pair: str
    code: str


WORDS = {
    "en": CrossWords(
        lesson=Lesson(
            title="Where do Q, K and V come from?",
            lead=(
                "From one sequence: self-attention. From two: cross-attention, where the sentence "
                "being written asks (Q) and the sentence to be translated answers (K, V). Switch, "
                "and watch which arrows move and what becomes of the scores."
            ),
            learnt=(
                "Self-attention is cross-attention with oneself: Q says who asks, K and V say who "
                "answers, and only K and V must have the same length."
            ),
        ),
        source="K and V come from",
        sources={"self": "X (self)", "cross": "memory (cross)"},
        asking="X: who asks",
        asked="memory: who answers",
        text_help="At most {tokens} words.",
        swap="Swap who asks and who answers",
        seed="Seed",
        seed_help="All vectors and matrices are drawn at random from this number.",
        flow_self="X feeds all three: W_Q, W_K and W_V.",
        flow_cross="X feeds W_Q; the memory feeds W_K and W_V.",
        special="Self-attention is the special case: memory = X",
        special_read=(
            "Cross-attention that is given its own X as memory was computed as well. Over {count} "
            "numbers from Q to output the largest difference from self-attention is {largest}: "
            "MHSA is MHA with one sequence in both places."
        ),
        special_self="weights, self",
        special_fed="weights, memory = X",
        swapped="Swap who asks and who answers",
        swapped_read=(
            "The shape {shape} becomes {turned}, but the numbers are not simply transposed (they "
            "differ by up to {largest} over all heads): W^Q now reads the sentence that W^K read "
            "before, and asking is not the same as being asked."
        ),
        swapped_before="scores, as above",
        swapped_after="scores, swapped",
        first_head="Head 1",
        questions="Learners ask",
        lengths="Why may Q and K differ in length?",
        lengths_read=(
            "A score takes one row of Q and one row of K, and these must be equally wide: d_k is "
            "{d_k} in both. How many rows there are, {n_q} and {n_k}, is never compared: "
            "Q {Q} times Kᵀ, with K {K}, gives scores {scores}.",
            "K and V must be equally long, because each weight needs a value. The output has a "
            "row for each query: {output}.",
        ),
        four="What do the four numbers of {shape} mean?",
        meaning="what it counts",
        place="number",
        ordinals=("1st", "2nd", "3rd", "4th"),
        meanings=(
            "sentences at once",
            "heads side by side",
            "rows: tokens",
            "columns",
        ),
        four_same=(
            "Here Q and scores have the very same four numbers, {shape}, and yet the last one is "
            "the width of a vector in Q and the number of keys in scores. That is why this app "
            "names every axis."
        ),
        four_read=(
            "The last number is the width of a vector in Q and K, and the number of keys in "
            "scores, whose shape is {shape}. That is why this app names every axis."
        ),
        four_batch=(
            "Samples never mix, and heads not before W^O: every sentence and every head has a "
            "table of scores of its own. For batch 32, 8 heads and 10 tokens that is (32, 8, 10, "
            "10)."
        ),
        again="If attention already takes Q, K and V, why multiply by W again?",
        again_read=(
            "Attention takes Q, K and V, but somebody has to make them from X, and that is what W "
            "does. Without it, all three would be X: then every token asks with the vector that it "
            "answers with, and X Xᵀ is its own mirror image (largest difference across the "
            "diagonal: {symmetric}). With W^Q and W^K it is not ({asymmetric})."
        ),
        again_pair=(
            "{a} asks {b} with {one} in X Xᵀ, and {b} asks {a} with the same. In Q Kᵀ it is "
            "{there} there and {back} back. Besides, it is in W that attention learns what to ask."
        ),
        code="Show the code",
    ),
    "zh": CrossWords(
        lesson=Lesson(
            title="Q、K、V 从哪里来？",
            lead=(
                "都来自一个序列，是自注意力；来自两个，是交叉注意力："
                "正在写的句子来问（Q），要翻译的句子来答（K、V）。"
                "切换一下，看哪些箭头动了，分数表又变成什么样。"
            ),
            learnt=(
                "自注意力就是跟自己做交叉注意力：Q 决定谁来问，K 和 V 决定谁来答，"
                "必须一样长的只有 K 和 V。"
            ),
        ),
        source="K、V 取自",
        sources={"self": "X（自注意力）", "cross": "记忆（交叉）"},
        asking="X：谁来问",
        asked="记忆 memory：谁来答",
        text_help="最多 {tokens} 个词。",
        swap="问的和答的互换",
        seed="种子",
        seed_help="所有向量和矩阵都由这个数随机生成。",
        flow_self="W_Q、W_K、W_V 都取自 X。",
        flow_cross="W_Q 取自 X；W_K 和 W_V 取自记忆。",
        special="自注意力是特例：记忆 = X",
        special_read=(
            "把 X 自己当作记忆，再按交叉注意力算一遍。从 Q 到 output 共 {count} 个数，"
            "与自注意力最多相差 {largest}：两处放同一个序列的 MHA，就是 MHSA。"
        ),
        special_self="weights，自注意力",
        special_fed="weights，记忆 = X",
        swapped="问的和答的互换",
        swapped_read=(
            "形状由 {shape} 转置成 {turned}，数却不是转置过来的（各头中最多相差 {largest}）："
            "W^Q 现在读的，是刚才 W^K 读的那一句；问人和被问不是一回事。"
        ),
        swapped_before="scores，同上",
        swapped_after="scores，互换后",
        first_head="头 1",
        questions="学习者常问",
        lengths="Q 和 K 的长度为什么可以不同？",
        lengths_read=(
            "一个分数取 Q 的一行和 K 的一行，这两行必须一样宽：d_k 都是 {d_k}。"
            "各有几行（{n_q} 和 {n_k}）则从不比较：Q {Q} 乘以 Kᵀ，其中 K {K}，"
            "得到 scores {scores}。",
            "K 和 V 必须一样长，因为每个权重都要对应一个值。输出是每个查询一行：{output}。",
        ),
        four="{shape} 这四个数各是什么意思？",
        meaning="数的是什么",
        place="第几个数",
        ordinals=("第 1 个", "第 2 个", "第 3 个", "第 4 个"),
        meanings=("同时处理的句子", "并排的头", "行：词元", "列"),
        four_same=(
            "在这里，Q 和 scores 的四个数一模一样，都是 {shape}；"
            "可是最后一个数在 Q 中是向量的宽度，在 scores 中却是键的个数。"
            "所以这个应用给每条轴都写上名字。"
        ),
        four_read=(
            "最后一个数在 Q 和 K 中是向量的宽度，在 scores 中是键的个数，"
            "它的形状是 {shape}。所以这个应用给每条轴都写上名字。"
        ),
        four_batch=(
            "句子之间从不相混，各头到 W^O 才相混：每个句子的每个头各有一张分数表。"
            "若 batch 是 32，有 8 个头、10 个词元，就是 (32, 8, 10, 10)。"
        ),
        again="注意力已经有了 Q、K、V，为什么还要乘 W？",
        again_read=(
            "注意力用的是 Q、K、V，而把 X 变成它们的正是 W。没有 W，三者都是 X："
            "每个词用同一个向量去问、也用它来答，X Xᵀ 沿对角线对称（两侧最多相差 {symmetric}）。"
            "有了 W^Q 和 W^K 就不对称了（最多相差 {asymmetric}）。"
        ),
        again_pair=(
            "在 X Xᵀ 中，{a}问{b}是 {one}，{b}问{a}也一样。"
            "在 Q Kᵀ 中，去是 {there}，回是 {back}。何况该问什么，正是靠 W 学来的。"
        ),
        code="看代码",
    ),
}
