"""Whether a token is a row or a column: books do it both ways."""

from dataclasses import dataclass


@dataclass(frozen=True)
class ConventionWords:
    """label: of the control. options: by their names in the URL. note: said of the columns."""

    label: str
    options: dict[str, str]
    note: str


WORDS = {
    "en": ConventionWords(
        label="A token is",
        options={"rows": "a row: Q Kᵀ", "columns": "a column: Kᵀ Q"},
        note=(
            "The same numbers, every matrix transposed: books that do so write W x, and scores = "
            "Kᵀ Q has a column for each query. Where the words say row, read column; each column "
            "of the weights sums to 1."
        ),
    ),
    "zh": ConventionWords(
        label="一个词元是",
        options={"rows": "一行：Q Kᵀ", "columns": "一列：Kᵀ Q"},
        note=(
            "数还是那些数，只是每个矩阵都作了转置：这样的书写成 W x，scores = Kᵀ Q，"
            "每个查询占一列。文字里说的“行”，这里都是“列”；权重的每一列加起来是 1。"
        ),
    ),
}
