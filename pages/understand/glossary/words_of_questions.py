"""The questions that learners ask again and again, and a short answer to each."""

from collections.abc import Mapping
from dataclasses import dataclass

ASKED = (  # the question, and the page of the experiment that answers it at length
    ("transpose", "by_hand"),
    ("axis", "softmax"),
    ("root", "scaling"),
    ("shape", "sizes"),
    ("again", "cross"),
    ("lengths", "cross"),
    ("view", "break_it"),
    ("bias", "softmax"),
    ("heads", "heads"),
    ("position", "order"),
)


@dataclass(frozen=True)
class Question:
    """asked: the question. answer: its paragraphs. titles: what the matrices below are called."""

    asked: str
    answer: tuple[str, ...]
    titles: tuple[str, ...]


@dataclass(frozen=True)
class QuestionsWords:
    """given: what the numbers are computed from. more: the way to the experiment."""

    given: str
    more: str
    sum: str
    questions: Mapping[str, Question]


QUESTIONS = {
    "en": QuestionsWords(
        given=(
            "Every number is computed here from “{sentence}”, with d_model = {d_model}, {heads} "
            "heads and matrices that are seeded random (seed {seed})."
        ),
        more="The whole experiment",
        sum="Σ = {sum}",
        questions={
            "transpose": Question(
                asked="Why is K transposed?",
                answer=(
                    "So that every key stands as a column. Row i of Q times column j of Kᵀ is one "
                    "dot product, q_i · k_j: how well the question of token i fits token j.",
                    "The sizes say the same: {Q} times {K_T} gives {scores}, a number for each "
                    "pair. “{first}” asks “{last}”: {products} {equals} {score}.",
                ),
                titles=("Q, head 1", "Kᵀ, head 1", "scores = QKᵀ"),
            ),
            "axis": Question(
                asked="Why softmax over the last axis and not over both?",
                answer=(
                    "The last axis holds the keys. Each query has one unit of its own to share out "
                    "over them, so every row sums to 1; columns need not, here they come to "
                    "{columns}.",
                    "Over both axes the whole table would share out a single unit: “{first}” would "
                    "be left with {row} of it, and how much would depend on the scores of the "
                    "other queries.",
                ),
                titles=("softmax over the keys", "softmax over both axes"),
            ),
            "root": Question(
                asked="Why √d_k and not √d_model?",
                answer=(
                    (
                        "A score is a sum of d_k products, so its standard deviation grows as "
                        "√d_k; d_model is not in it. Measured on {pairs} random pairs with d_k = "
                        "{wide}: the spread is {spread}; divided by √d_k it is {right}, divided "
                        "by √d_model = √{model} it is only {wrong}."
                    ),
                    "Scores that are too small make the weights too even. The largest weight of "
                    "“{first}” is {largest} with √d_k = √{d_k}, and {flatter} with √d_model = "
                    "√{d_model}.",
                ),
                titles=("weights of “{first}”", "√d_k", "√d_model"),
            ),
            "shape": Question(
                asked="What do the four numbers of (1, 8, 100, 100) mean?",
                answer=(
                    "(batch, head, query, key): 1 sample; 8 heads; 100 tokens that ask; 100 tokens "
                    "that answer. So there are 8 tables, each with 100 × 100 scores.",
                    "Your sentence makes {shape}: batch {batch}, head {heads}, query {n}, key {n}, "
                    "the tables below. The last two are equal because the sentence asks itself.",
                ),
                titles=("weights, head {head}",),
            ),
            "again": Question(
                asked="If attention already takes Q, K and V, why multiply by W again?",
                answer=(
                    "What a library calls query, key and value is X, three times over; only W_Q, "
                    "W_K and W_V make Q, K and V of it. Without them Q = K = V = X, and two tokens "
                    "would always score each other equally: the largest difference of s_ij and "
                    "s_ji is {bare}. With them it is {learnt}: to ask and to be found are two "
                    "things, in each head others.",
                    "W_O comes once more at the end, because the heads stand side by side and "
                    "nothing has mixed them yet.",
                ),
                titles=("X Xᵀ", "QKᵀ, head 1"),
            ),
            "lengths": Question(
                asked="Why may Q and K differ in length?",
                answer=(
                    "A dot product needs two vectors of one width, not two sequences of one "
                    "length. Below only {asking} of the {n} tokens ask, and all answer: {Q} times "
                    "{K_T} gives {scores}. Every row still sums to 1, and the output has a row for "
                    "each query.",
                    "K and V must be equally long: each key has its value.",
                ),
                titles=("weights, head 1",),
            ),
            "view": Question(
                asked="What is the difference between view and transpose when heads are split?",
                answer=(
                    "view (reshape) leaves all numbers in their order and only counts them off in "
                    "other sizes; transpose swaps two axes. Right is (batch, n, d_model) → view → "
                    "(batch, n, head, d_k) → transpose → (batch, head, n, d_k).",
                    "A view straight to (batch, head, n, d_k) has the right shape and the wrong "
                    "contents. Below: which token the numbers of head 1 belong to. In {wrong} of "
                    "{all} places it is the wrong one, and no error is raised.",
                ),
                titles=("view, then transpose", "view alone"),
            ),
            "bias": Question(
                asked="Does a bias on K change anything?",
                answer=(
                    "No. q_i · (k_j + b) = q_i · k_j + q_i · b: the whole of row i moves by one "
                    "number, here by {shifts}, and softmax does not see what is added to a whole "
                    "row.",
                    "Computed both ways, no weight of any head differs by more than {largest}. "
                    "(A bias on Q does change something: b · k_j differs from key to key.)",
                ),
                titles=("scaled", "scaled, with a bias on K", "weights, either way"),
            ),
            "heads": Question(
                asked="Why several heads if the cost is the same?",
                answer=(
                    "The cost is the same: one head or {heads}, {parameters} parameters and "
                    "{multiply_adds} multiply-adds for this sentence. What differs is how many "
                    "ways there are to look: one head has one row of weights for “{first}”, "
                    "{heads} heads have {heads}.",
                    "Here “{first}” looks most at “{one}” in head 1 ({one_weight}) and at "
                    "“{other}” in head 2 ({other_weight}). A single row could not be both.",
                ),
                titles=("weights of “{first}”", "head {head}"),
            ),
            "position": Question(
                asked="Where does position come in?",
                answer=(
                    "Before Q, K and V: it is added to the vectors, X = embedding + position (of "
                    "{d_model} columns, {columns} are shown).",
                    (
                        "Attention itself knows no order. Reverse the tokens, then reverse the "
                        "output back: without position the largest difference is {without}; with "
                        "it, {with_position}."
                    ),
                ),
                titles=("embedding", "position", "X"),
            ),
        },
    ),
    "zh": QuestionsWords(
        given=(
            "每个数都在这里由“{sentence}”算出：d_model = {d_model}，{heads} 个头，"
            "矩阵由种子 {seed} 随机生成。"
        ),
        more="完整的实验",
        sum="Σ = {sum}",
        questions={
            "transpose": Question(
                asked="为什么 K 要转置？",
                answer=(
                    "为了让每个键站成一列。Q 的第 i 行乘 Kᵀ 的第 j 列，就是一个点积 q_i · k_j："
                    "词元 i 的问题与词元 j 有多合。",
                    "形状说的也是这件事：{Q} 乘 {K_T} 得 {scores}，每一对词元一个数。"
                    "“{first}”问“{last}”：{products} {equals} {score}。",
                ),
                titles=("Q，头 1", "Kᵀ，头 1", "scores = QKᵀ"),
            ),
            "axis": Question(
                asked="softmax 为什么只沿最后一个轴，而不是两个轴一起？",
                answer=(
                    "最后一个轴是键。每个查询有自己的 1 份注意力分给各个键，所以每行之和为 1；"
                    "列的和不必是 1，这里是 {columns}。",
                    "如果两个轴一起做，整张表才分掉 1 份：“{first}”只剩下 {row}，"
                    "而且剩多少还取决于别的查询的分数。",
                ),
                titles=("沿键做 softmax", "两个轴一起做 softmax"),
            ),
            "root": Question(
                asked="为什么是 √d_k，而不是 √d_model？",
                answer=(
                    "一个分数是 d_k 个乘积之和，标准差按 √d_k 增长；式子里没有 d_model。"
                    "用 {pairs} 对随机向量实测，d_k = {wide} 时标准差是 {spread}；"
                    "除以 √d_k 得 {right}，除以 √d_model = √{model} 只剩 {wrong}。",
                    "分数太小，权重就太平均。"
                    "“{first}”的最大权重，除以 √d_k = √{d_k} 时是 {largest}，"
                    "除以 √d_model = √{d_model} 时是 {flatter}。",
                ),
                titles=("“{first}”的权重", "√d_k", "√d_model"),
            ),
            "shape": Question(
                asked="(1, 8, 100, 100) 的四个数是什么意思？",
                answer=(
                    "(batch, head, query, key)：1 个样本，8 个头，100 个提问的词元，"
                    "100 个被问的词元。也就是 8 张表，每张 100 × 100 个分数。",
                    "你的句子得到 {shape}：batch {batch}，head {heads}，query {n}，key {n}，"
                    "就是下面几张表。最后两个数相等，因为句子问的是它自己。",
                ),
                titles=("权重，头 {head}",),
            ),
            "again": Question(
                asked="注意力不是已经有 Q、K、V 了吗，为什么还要乘 W？",
                answer=(
                    "库里叫作 query、key、value 的参数其实是三份 X，乘了 W_Q、W_K、W_V 才成为 "
                    "Q、K、V。不乘的话 Q = K = V = X，两个词元给对方的分数总是一样："
                    "s_ij 与 s_ji 最多相差 {bare}。乘了以后最多相差 {learnt}："
                    "想找什么和凭什么被找到是两回事，在每个头里又各不相同。",
                    "最后还要乘 W_O，因为各头只是并排放着，还没有任何东西把它们混合起来。",
                ),
                titles=("X Xᵀ", "QKᵀ，头 1"),
            ),
            "lengths": Question(
                asked="Q 和 K 的长度为什么可以不同？",
                answer=(
                    "点积要求两个向量一样宽，并不要求两个序列一样长。下面 {n} 个词元里只有 "
                    "{asking} 个提问，全部作答：{Q} 乘 {K_T} 得 {scores}。"
                    "每行之和仍是 1，输出的行数等于查询的个数。",
                    "K 和 V 必须一样长：每个键都有自己的值。",
                ),
                titles=("权重，头 1",),
            ),
            "view": Question(
                asked="拆分多头时，view 和 transpose 有什么区别？",
                answer=(
                    "view（reshape）不动数字的先后，只是换一种尺寸去数；transpose 交换两个轴。"
                    "正确的做法是 (batch, n, d_model) → view → (batch, n, head, d_k) → "
                    "transpose → (batch, head, n, d_k)。",
                    "直接 view 成 (batch, head, n, d_k)，形状对了，内容错了。"
                    "下面是头 1 里的数各属于第几个词元：{all} 处里有 {wrong} 处不对，"
                    "而且不会报错。",
                ),
                titles=("先 view 再 transpose", "只用 view"),
            ),
            "bias": Question(
                asked="给 K 加偏置，有什么变化吗？",
                answer=(
                    "没有。q_i · (k_j + b) = q_i · k_j + q_i · b：第 i 行整行移动同一个数，"
                    "这里是 {shifts}，而 softmax 看不出整行加了多少。",
                    "两种办法都算一遍，所有头的权重相差不超过 {largest}。"
                    "（给 Q 加偏置就有变化：b · k_j 因键而异。）",
                ),
                titles=("scaled", "K 加偏置后的 scaled", "权重，两种办法都一样"),
            ),
            "heads": Question(
                asked="花费一样，为什么还要好几个头？",
                answer=(
                    "花费确实一样：1 个头或 {heads} 个头，都是 {parameters} 个参数，"
                    "这句话都要 {multiply_adds} 次乘加。不同的是有几种看法："
                    "1 个头对“{first}”只有一行权重，{heads} 个头就有 {heads} 行。",
                    "这里“{first}”在头 1 里最看重“{one}”（{one_weight}），"
                    "在头 2 里最看重“{other}”（{other_weight}）。只有一行，就容不下两种看法。",
                ),
                titles=("“{first}”的权重", "头 {head}"),
            ),
            "position": Question(
                asked="位置信息在哪里进来？",
                answer=(
                    "在 Q、K、V 之前：加到向量上，X = embedding + position"
                    "（共 {d_model} 列，画出 {columns} 列）。",
                    "注意力本身不知道先后。把词元倒过来排，再把输出倒回去："
                    "没有位置编码时最多相差 {without}，有位置编码时相差 {with_position}。",
                ),
                titles=("embedding", "position", "X"),
            ),
        },
    ),
}
