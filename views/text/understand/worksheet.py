"""The words of the printed sheet: the exercise on paper, and its answer key."""

from dataclasses import dataclass


@dataclass(frozen=True)
class WorksheetWords:
    """What stands on the sheet.

    how: for each step, what is to be done in it.
    """

    title: str
    sheet: str
    key: str
    name: str
    class_: str
    date: str
    task: str
    given: str
    given_divisor: str
    given_causal: str
    given_filling: str
    how: dict[str, str]
    powers: str
    sum: str
    questions: str
    question: str
    question_in_head: str
    because: str
    tie: str
    seed: str
    this: str


WORDS = {
    "en": WorksheetWords(
        title="Attention by hand: {example}",
        sheet="Worksheet",
        key="Answer key",
        name="Name",
        class_="Class",
        date="Date",
        task="Fill in every empty box. Two decimal places are enough.",
        given="Given",
        given_divisor="Scores are divided by {divisor}.",
        given_causal="Causal mask: a token looks at itself and at what stands before it.",
        given_filling="[PAD] is padding: no token looks at it.",
        how={
            "Q": "Row of X times column of the matrix, place by place, added up.",
            "K": "Row of X times column of the matrix, place by place, added up.",
            "V": "Row of X times column of the matrix, place by place, added up.",
            "scores": "Row of Q times row of K, place by place, added up.",
            "scaled": "Divide each score by {divisor}.",
            "masked": "Write −∞ where the mask does not allow it; copy every other number.",
            "weights": (
                "In each row: subtract the largest number, look up e to the power of the rest, add "
                "these up, and divide each by the sum. The row must add up to 1."
            ),
            "head_output": "Each row of V times its weight, added up.",
            "concat": "Write the heads side by side.",
            "output": "Row of concat times column of the matrix, place by place, added up.",
        },
        powers="Powers that are needed",
        sum="One of them opened",
        questions="In words",
        question="Which token does “{row}” look at most? Why?",
        question_in_head="Head {head}: which token does “{row}” look at most? Why?",
        because=(
            "“{column}”, with a weight of {weight}: its number in {stage}, {score}, is the largest "
            "of the row, and softmax keeps the order."
        ),
        tie=(
            "A tie: {columns} get {weight} each, because their numbers in {stage} are equally "
            "large ({score})."
        ),
        seed="Cells covered at random, seed {seed}.",
        this="This exercise:",
    ),
    "zh": WorksheetWords(
        title="动手算注意力：{example}",
        sheet="练习纸",
        key="答案",
        name="姓名",
        class_="班级",
        date="日期",
        task="把每个空格填上，写到小数点后两位即可。",
        given="已知",
        given_divisor="分数都除以 {divisor}。",
        given_causal="因果掩码：每个词只看自己和排在前面的词。",
        given_filling="[PAD] 是填充，谁也不看它。",
        how={
            "Q": "X 的一行乘矩阵的一列：逐项相乘，再相加。",
            "K": "X 的一行乘矩阵的一列：逐项相乘，再相加。",
            "V": "X 的一行乘矩阵的一列：逐项相乘，再相加。",
            "scores": "Q 的一行与 K 的一行逐项相乘，再相加。",
            "scaled": "每个分数除以 {divisor}。",
            "masked": "掩码不允许的格子写 −∞，其余照抄。",
            "weights": (
                "每一行：先减去这一行最大的数，查出 e 的幂，加起来，再分别除以总和。"
                "一行加起来应当是 1。"
            ),
            "head_output": "V 的每一行乘上它的权重，再相加。",
            "concat": "把各个头的结果左右并排抄下来。",
            "output": "concat 的一行乘矩阵的一列：逐项相乘，再相加。",
        },
        powers="要用到的幂",
        sum="其中一格的算式",
        questions="说一说",
        question="“{row}”最看重哪个词？为什么？",
        question_in_head="第 {head} 个头：“{row}”最看重哪个词？为什么？",
        because=(
            "“{column}”，权重是 {weight}：它在 {stage} 里的数 {score} 是这一行最大的，"
            "而 softmax 不改变大小次序。"
        ),
        tie="并列：{columns}各得 {weight}，因为它们在 {stage} 里的数一样大（{score}）。",
        seed="随机盖住的格子，种子 {seed}。",
        this="本练习的网址：",
    ),
}
