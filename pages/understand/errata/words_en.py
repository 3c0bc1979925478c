"""The words of the page that checks printed study notes, in English."""

from pages.understand.errata.words_contract import ClaimWords, ErrataWords
from views.text.lesson import Lesson

EN = ErrataWords(
    lesson=Lesson(
        title="Trust nothing: printed study notes, checked",
        lead=(
            "Printed numbers look true. Here is what one set of study notes prints beside what "
            "its own inputs give: find the step where the two part."
        ),
        learnt=(
            "A printed number is a claim: recompute it, and look for the first step that "
            "disagrees by more than the rounding of its digits."
        ),
    ),
    choose="What is printed",
    names={
        "q1": "Q of head 1",
        "q2": "Q of head 2",
        "softmax_row_2": "softmax of 爱",
        "output_row_2": "output of 爱",
        "output_row_3": "output of 北京",
        "double_division": "divided by h twice",
        "orthogonal": "orthogonal heads",
        "source_causal": "mask over the source",
        "mask_zero": "masked with 0",
        "column_convention": "Q = W x",
        "parameter_count": "3 d_model² parameters",
        "nonlinear_combination": "non-linear mixing",
        "rnn_previous_word": "only the previous word",
        "subject_predicate": "subject and predicate",
    },
    where={
        "q1": "The example with d_model = 4 and two heads: Q of head 1, from X and W^Q.",
        "q2": "The example with d_model = 4 and two heads: Q of head 2, from X and W^Q.",
        "softmax_row_2": "我爱北京 with divisor 8 and the causal mask: softmax([0.75, 1.125]).",
        "output_row_2": "我爱北京 with divisor 8 and the causal mask: the output of 爱.",
        "output_row_3": "我爱北京 with divisor 8 and the causal mask: the output of 北京.",
        "double_division": "The table of shapes, multi-head attention.",
        "orthogonal": "A single head against many heads.",
        "source_causal": "我爱北京 as the source of a translation.",
        "mask_zero": "The step of the mask.",
        "column_convention": "Where Q, K and V are made.",
        "parameter_count": "A single head against many heads.",
        "nonlinear_combination": "Why there are many heads.",
        "rnn_previous_word": "Attention against a recurrent net.",
        "subject_predicate": "What heads look at.",
    },
    printed="as printed",
    computed="as computed",
    off="off by",
    correct="It should be",
    parts=(
        "They part at {stage}: {wrong} of {all} printed numbers disagree, by {off} at most "
        "(row {row}, column {column})."
    ),
    parts_before=(
        "They part earlier, at {stage}: what is printed there is off by {off} already. The "
        "printed number here is off by {here}."
    ),
    parts_nowhere=(
        "They do not part: as a whole number {printed} is what {computed} rounds to, and no "
        "more than that was printed."
    ),
    why={
        "q1": (
            "X and W^Q are given, so Q is the very first result. Each number is a sum of four "
            "products; wrong signs and left-out products, {ways} ways in all, would explain "
            "{explained} of the {wrong} wrong numbers. The others cannot come from this X and "
            "this W^Q in that way."
        ),
        "q2": (
            "X and W^Q are given, so Q is the very first result. Each number is a sum of four "
            "products; wrong signs and left-out products, {ways} ways in all, would explain "
            "{explained} of the {wrong} wrong numbers. The others cannot come from this X and "
            "this W^Q in that way."
        ),
        "softmax_row_2": (
            "scaled is still {a} and {b}, {gap} apart; shares of {p} and {q} need scores that "
            "are {least} to {most} apart. Of other ways to share out one unit ({tried} in the "
            "place of eˣ) only {found} prints exactly these digits: {a}² and {b}² in "
            "proportion. Whether that is what happened, no computation can tell."
        ),
        "output_row_2": (
            "The sum itself is right: {p} · {v} + {q} · {w} = {total} is just what is printed. "
            "The mistake is inherited from the weights, which were wrong already."
        ),
        "output_row_3": (
            "But weights rounded to one digit, {weights}, give exactly {total}; whoever reads "
            "26 as 26.0 is off by {here}. With the weights as they are it is {computed}."
        ),
    },
    claims={
        "double_division": ClaimWords(
            printed="Q (M, N, D_k) with D_k = D / heads is split again into D_k / heads.",
            correct=(
                "Either each head projects D to D / heads, or one D to D projection is split "
                "into heads; never both."
            ),
            shown=(
                "With d_model = {d_model} and h = {heads}: d_k = {once}. Divided once more it "
                "is {twice}, and {heads} heads side by side would be {left} wide, not "
                "{d_model}: W^O does not fit any more. Below: the third number of concat is "
                "the first of head 2, because each of the two heads gives 4 / 2 = 2."
            ),
        ),
        "orthogonal": ClaimWords(
            printed="h orthogonal subspaces.",
            correct="h learnt subspaces; nothing makes them orthogonal.",
            shown=(
                "In the notes' own example the columns of W^Q of head 1 and of head 2 have "
                "cosines of up to {largest} in size; orthogonal subspaces would have 0 "
                "everywhere."
            ),
            grids=("cosines of the columns of W_Q",),
        ),
        "source_causal": ClaimWords(
            printed="A causal mask over the Chinese source.",
            correct=(
                "An encoder–decoder masks the target that it generates; the source is seen "
                "whole (padding excepted)."
            ),
            shown=(
                "With the mask 我 would see nothing but itself ({masked}); seen whole, it "
                "gives 北京 {whole} of its unit."
            ),
            grids=("weights with the mask", "weights, seen whole"),
        ),
        "mask_zero": ClaimWords(
            printed="Fill masked scores with −∞ (or 0).",
            correct="−∞ only: a score of 0 still gets e⁰ = 1 before the division.",
            shown=(
                "With 0, 我 gives {leak} of its unit to words that do not exist yet, and 爱 "
                "gives {other}; with −∞ it is exactly 0."
            ),
            grids=("weights, filled with 0", "weights, filled with −∞"),
        ),
        "column_convention": ClaimWords(
            printed="Q = W^Q x, beside tables with one token a row.",
            correct="Q = x W^Q where tokens are rows; W x is for tokens as columns.",
            shown=(
                "With tokens as rows X is {rows} and W^Q {matrix}, so X W^Q is {result}: row 2 "
                "is token 2. Written the other way it must be (W^Q)ᵀ Xᵀ, the same numbers with "
                "rows and columns exchanged: they differ by {difference}."
            ),
            grids=("Q = X W_Q: tokens as rows", "W_Qᵀ Xᵀ: tokens as columns"),
        ),
        "parameter_count": ClaimWords(
            printed="3 d_model² parameters.",
            correct="3 d_model² for Q, K and V and d_model² for W^O: 4 d_model², biases apart.",
            shown=(
                "With d_model = {d_model}: {three} without W^O, {four} with it, for one head "
                "as for {heads}."
            ),
        ),
        "nonlinear_combination": ClaimWords(
            printed="A non-linear combination of the subspaces.",
            correct=(
                "concat and W^O combine the heads linearly; what is not linear happens "
                "within each head: q · k, softmax, weights times V."
            ),
            shown=(
                "What head 1 adds plus what head 2 adds is the output, with nothing left over: "
                "the largest difference is {difference}."
            ),
            grids=("head 1 adds", "head 2 adds", "output"),
        ),
        "rnn_previous_word": ClaimWords(
            printed="A recurrent net attends only to the previous word.",
            correct="Its state carries all earlier words, fading with the distance.",
            shown=(
                "A small recurrent net (seed {seed}) after reading 我爱北京: its last state "
                "answers to 我 with {first}, to 爱 with {second}, to 北京 with {third}: less "
                "with the distance, and not 0. Attention reaches 我 in one step, below with a "
                "weight of {weight}."
            ),
            grids=("size of ∂h₃/∂x",),
        ),
        "subject_predicate": ClaimWords(
            printed="我 and 北京 as subject and predicate.",
            correct="Subject and object; 我–爱 are subject and verb, 爱–北京 verb and object.",
            shown=(
                "Grammar says so, not a computation: scores[我, 北京] = {score} tells how "
                "strong the likeness is, not what kind of relation it is."
            ),
        ),
    },
    more="More about it",
    opened="The cell where it shows",
    check="Check a page of your own book",
    check_lead=(
        "Choose the example and the step, and paste what is printed. A number agrees when the "
        "computed one rounds to it with as many digits as are printed."
    ),
    book="Example",
    books={
        "wo_ai_beijing_causal": "我爱北京, ÷ 8, causal",
        "wo_ai_beijing": "我爱北京, ÷ 8, no mask",
        "whole_numbers": "猫追球, whole numbers",
        "d4_h2": "d_model = 4, h = 2",
    },
    stage="Step",
    head="Head",
    pasted="Printed numbers, a line for each row",
    pasted_help="“?” for a number that is not to be compared; −∞ or -inf for what is masked.",
    agrees="All {all} numbers agree with the computed ones, as far as their digits go.",
    disagrees=(
        "{wrong} of {all} numbers disagree beyond the rounding of their digits; the farthest "
        "is off by {off} (row {row}, column {column}): printed {printed}, computed {computed}."
    ),
    errors={
        "empty": "There are no numbers yet. Paste at least one row.",
        "long": "The text is longer than {limit} characters. Paste one matrix only.",
        "large": "{rows} × {columns} numbers are too many; at most {limit} a side.",
        "ragged": "Row {row} has {columns} numbers, the first has {first}. Fill up with “?”.",
        "number": "Row {row}, column {column}: “{text}” is no number.",
        "grouped": (
            "Is “{text}” one number or several? "
            "Write {plain} for one, and put spaces between several."
        ),
    },
    shape=(
        "{stage} is a matrix of {rows} × {columns}, and {pasted_rows} × {pasted_columns} "
        "numbers were pasted. Fill up with “?” or choose another step."
    ),
    code="The code that compares",
)
