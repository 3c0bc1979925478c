"""The words of the printed sheet: the exercise on paper, and its answer key."""

from dataclasses import dataclass


@dataclass(frozen=True)
class WorksheetWords:
    """What stands on the sheet.

    symbols: what each stands for, in LaTeX; M only where there is a mask. how: for each step, what
    is to be done in it.
    """

    title: str
    sheet: str
    key: str
    name: str
    class_: str
    task: str
    given: str
    symbols: dict[str, str]
    how: dict[str, str]
    powers: str
    questions: str
    question: str
    because: str
    again: str


WORDS = {
    "en": WorksheetWords(
        title="Attention by hand: {example}",
        sheet="Worksheet {seed}",
        key="Answer key to worksheet {seed}",
        name="Name",
        class_="Class",
        task=(
            "The first row of every step is worked as an example. Fill in the empty boxes; two "
            "decimal places are enough."
        ),
        given="Given",
        symbols={
            "Q": "queries: what each token asks for, one row a token",
            "K": "keys: what each token is found by",
            "V": "values: what each token has to give",
            r"K^\top": "K with its rows written as columns",
            "d_k": "the number of columns of Q and K: {d_k}",
            "M": "the causal mask: −∞ for later tokens, else 0",
            "e": "2.718…, the base of the powers",
        },
        how={
            "scores": "Row of Q times row of K, place by place, added up.",
            "scaled": "Divide every score by the square root of the number of columns, √4 = 2.",
            "masked": "Copy what the mask allows; write −∞ for what it does not.",
            "weights": (
                "softmax, row by row: subtract the largest number of the row, take e to the power "
                "of the rest, add the powers up, and divide each by the sum. The row then adds up "
                "to 1."
            ),
            "head_output": "Each row of V times its weight, added up: a new row for each token.",
        },
        powers="Powers that are needed",
        questions="In words",
        question="Which token does “{row}” look at most? Why?",
        because=(
            "“{column}”, with a weight of {weight}: its number in {stage}, {score}, is the largest "
            "of the row, and softmax keeps the order."
        ),
        again=(
            "Worksheet {seed}: the same number gives the same sheet again, under “Predict, then "
            "reveal”, “On paper”. "
        ),
    ),
    "zh": WorksheetWords(
        title="动手算注意力：{example}",
        sheet="练习纸 {seed}",
        key="练习纸 {seed} 的答案",
        name="姓名",
        class_="班级",
        task="每一步的第一行已经算好，作为示范。请把空格填上，写到小数点后两位即可。",
        given="已知",
        symbols={
            "Q": "查询：每个词要找什么，一个词一行",
            "K": "键：每个词凭什么被找到",
            "V": "值：每个词能给出什么",
            r"K^\top": "把 K 的行写成列",
            "d_k": "Q 和 K 的列数：{d_k}",
            "M": "因果掩码：后面的词是 −∞，其余是 0",
            "e": "2.718…，幂的底数",
        },
        how={
            "scores": "Q 的一行与 K 的一行逐项相乘，再相加。",
            "scaled": "每个分数除以列数的平方根，√4 = 2。",
            "masked": "掩码允许的照抄，不允许的写 −∞。",
            "weights": (
                "softmax，一行一行地算：先减去这一行最大的数，求 e 的幂，把幂加起来，"
                "再分别除以总和。这样一行加起来是 1。"
            ),
            "head_output": "V 的每一行乘上它的权重，再相加：每个词得到新的一行。",
        },
        powers="要用到的幂",
        questions="说一说",
        question="“{row}”最看重哪个词？为什么？",
        because=(
            "“{column}”，权重是 {weight}：它在 {stage} 里的数 {score} 是这一行最大的，"
            "而 softmax 不改变大小次序。"
        ),
        again="练习纸 {seed}：在“先猜，再揭晓”的“写在纸上”里填同一个号码，就得到同一张纸。",
    ),
}
