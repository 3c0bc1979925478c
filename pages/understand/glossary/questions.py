"""Frequent questions, each answered with numbers of the user's sentence."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import streamlit as st

from core import Trace, Weights, multi_head_attention
from core.experiments import questions
from core.experiments.cross import asymmetry
from core.experiments.scaling import random_scores, spread, weights_of
from core.experiments.softmax_variants import softmax_over
from core.shapes import attention_cost
from core.sources import text as source
from views.figures.axis import shortened
from views.figures.scale import Scale, scale_of, signed_scale
from views.text import Words, numbers
from views.text.spans import Span, plain, spans
from views.widgets.grids import Grid, grids
from views.widgets.lesson import page_link
from views.widgets.prose import prose
from views.widgets.sentence_input import Sentence


@dataclass(frozen=True)
class Answer:
    """fields: of its sentences. figure: the matrices below them."""

    fields: dict[str, str | Span]
    figure: Sequence[Grid]


def sizes(matrix: np.ndarray) -> str:
    """The shape of a matrix as text."""
    return f"({matrix.shape[0]} × {matrix.shape[1]})"


def sum_of(value: float, texts: Words) -> str:
    """The sum of a row or column as text."""
    return texts.sum.format(sum=numbers.short(float(value)))


def listed(values: np.ndarray) -> str:
    """Numbers as a list in text."""
    return " · ".join(numbers.short(float(value)) for value in values)


def added(printed: Sequence[str]) -> str:
    """Terms joined by their signs, as a written sum."""
    first, *others = printed
    signs = [
        f" {numbers.MINUS} {term[1:]}" if term.startswith(numbers.MINUS) else f" + {term}"
        for term in others
    ]
    return first + "".join(signs)


MOST_TOKENS, D_MODEL, HEADS = 6, 8, 2


@dataclass(frozen=True, eq=False)
class Example:
    """The first words of the user's sentence, and their attention.

    trace: unmasked, from the tokens to the output, with position.
    """

    words: tuple[str, ...]
    seed: int
    weights: Weights
    trace: Trace

    @property
    def n(self) -> int:
        """The number of words."""
        return len(self.words)

    @property
    def d_k(self) -> int:
        """The size of a query in one head."""
        return self.weights.d_k

    def head(self, key: str, head: int = 0) -> np.ndarray:
        """The tensor of a step in one head, from 0: (row, column)."""
        matrix: np.ndarray = self.trace[key].tensor[0, head]
        return matrix


def example(sentence: Sentence) -> Example:
    """Attention over the first line of the sentence, at most six words."""
    tokens = source.read(sentence.written, sentence.mode)[0][:MOST_TOKENS]
    seed = sentence.model.seed
    weights = Weights.seeded(D_MODEL, HEADS, seed)
    trace = multi_head_attention(source.embed([tokens], D_MODEL, seed), weights)
    return Example(tuple(shortened(token) for token in tokens), seed, weights, trace)


WIDE, WIDE_MODEL = 64, 512


def transpose(example: Example, question: Words, texts: Words) -> Answer:
    """Q and Kᵀ, and the products that make one score."""
    Q, K, scores = (example.head(key) for key in ("Q", "K", "scores"))
    products = (Q[0] * K[-1]).tolist()
    total = float(scores[0, -1])
    digits = numbers.digits_that_add_up(products, total)
    printed = [numbers.plain(value, digits or numbers.MOST_DIGITS) for value in (*products, total)]
    titles = question.titles
    likeness = signed_scale(Q, K)
    marked = np.zeros(scores.shape, dtype=bool)
    marked[0, -1] = True
    figure = [
        Grid(titles[0], Q, likeness, example.words, column_role="d_k", sign="×"),
        Grid(titles[1], K.T, likeness, (), example.words, sign="=", row_role="d_k"),
        Grid(
            titles[2], scores, scale_of(example.trace, "scores"), example.words, example.words,
            marked=marked,
        ),
    ]  # fmt: skip
    fields: dict[str, str | Span] = {
        "Q": sizes(Q),
        "K_T": sizes(K.T),
        "scores": sizes(scores),
        "first": (example.words[0], "query"),
        "last": (example.words[-1], "key"),
        "products": added(printed[:-1]),
        "equals": "=" if digits else "≈",
        "score": printed[-1],
    }
    return Answer(fields, figure)


def axis(example: Example, question: Words, texts: Words) -> Answer:
    """The weights, and softmax of the same scores over the whole matrix."""
    over = [softmax_over(example.head("scaled"), where) for where in ("key", "both")]
    scale = scale_of(example.trace, "weights")
    figure = [
        Grid(
            title, shares.weights, scale, example.words, example.words,
            after=[sum_of(value, texts) for value in shares.row_sums],
            below=[sum_of(value, texts) for value in shares.column_sums],
        )
        for title, shares in zip(question.titles, over, strict=True)
    ]  # fmt: skip
    fields: dict[str, str | Span] = {
        "columns": listed(over[0].column_sums),
        "first": (example.words[0], "query"),
        "row": numbers.short(float(over[1].row_sums[0])),
    }
    return Answer(fields, figure)


def root(example: Example, question: Words, texts: Words) -> Answer:
    """The spread of random scores, and a row of weights with either divisor."""
    drawn = next(scores for scores in random_scores(example.seed) if scores.d_k == WIDE)
    measured = spread(drawn.pairs)
    row = example.head("scores")[:1]
    both = np.concatenate([weights_of(row, width**0.5) for width in (example.d_k, D_MODEL)])
    fields: dict[str, str | Span] = {
        "pairs": numbers.count(len(drawn.pairs)),
        "wide": str(WIDE),
        "spread": numbers.short(measured),
        "right": numbers.short(measured / WIDE**0.5),
        "model": str(WIDE_MODEL),
        "wrong": numbers.short(measured / WIDE_MODEL**0.5),
        "first": (example.words[0], "query"),
        "largest": numbers.short(float(both[0].max())),
        "flatter": numbers.short(float(both[1].max())),
        "d_k": str(example.d_k),
        "d_model": str(D_MODEL),
    }
    title = question.titles[0].format(first=example.words[0])
    scale = scale_of(example.trace, "weights")
    return Answer(fields, [Grid(title, both, scale, question.titles[1:], example.words)])


def again(example: Example, question: Words, texts: Words) -> Answer:
    """Scores without learnt matrices, which are symmetric, and with them."""
    bare = questions.without_projections(example.trace["X"].tensor)["scores"].tensor[0, 0]
    learnt = example.head("scores")
    figure = [
        Grid(title, scores, signed_scale(scores), example.words, example.words)
        for title, scores in zip(question.titles, (bare, learnt), strict=True)
    ]
    fields: dict[str, str | Span] = {
        "bare": numbers.difference(asymmetry(bare)),
        "learnt": numbers.difference(asymmetry(learnt)),
    }
    return Answer(fields, figure)


def bias(example: Example, question: Words, texts: Words) -> Answer:
    """Scaled scores without and with a bias on K, and the weights that are the same."""
    biased = questions.key_bias(example.trace["X"].tensor, example.weights, example.seed)
    scaled = [trace["scaled"].tensor[0, 0] for trace in (biased.without, biased.with_bias)]
    shifts = biased.shift[0, 0]
    likeness = signed_scale(*scaled)
    titles = question.titles
    moved = [("+" if value >= 0 else "") + numbers.short(float(value)) for value in shifts]
    figure = [
        Grid(titles[0], scaled[0], likeness, example.words, example.words),
        Grid(titles[1], scaled[1], likeness, example.words, example.words, after=moved),
        Grid(
            titles[2], biased.with_bias["weights"].tensor[0, 0],
            scale_of(biased.without, "weights"), example.words, example.words,
        ),
    ]  # fmt: skip
    fields: dict[str, str | Span] = {
        "shifts": " · ".join(moved),
        "largest": numbers.difference(biased.largest),
        "rotated": numbers.difference(biased.rotated),
    }
    return Answer(fields, figure)


SHOWN_COLUMNS = 4


def shape(example: Example, question: Words, texts: Words) -> Answer:
    """The weights of every head."""
    whole = example.trace["weights"].tensor.shape
    scale = scale_of(example.trace, "weights")
    figure = [
        Grid(
            question.titles[0].format(head=head + 1), example.head("weights", head), scale,
            example.words, example.words,
        )
        for head in range(HEADS)
    ]  # fmt: skip
    fields: dict[str, str | Span] = {
        "shape": str(whole),
        "batch": str(whole[0]),
        "heads": (str(whole[1]), "head"),
        "n": (str(example.n), "query"),
    }
    return Answer(fields, figure)


def lengths(example: Example, question: Words, texts: Words) -> Answer:
    """Fewer queries than keys."""
    asking = max(1, example.n // 2)
    rectangular = questions.rectangular(example.trace["X"], example.weights, asking)
    Q, K, scores = (rectangular[key].tensor[0, 0] for key in ("Q", "K", "scores"))
    weights = rectangular["weights"].tensor[0, 0]
    fields: dict[str, str | Span] = {
        "asking": (str(asking), "query"),
        "n": (str(example.n), "key"),
        "Q": sizes(Q),
        "K_T": sizes(K.T),
        "scores": sizes(scores),
    }
    sums = [sum_of(value, texts) for value in weights.sum(axis=1)]
    scale = scale_of(rectangular, "weights")
    title, asks = question.titles[0], example.words[:asking]
    return Answer(fields, [Grid(title, weights, scale, asks, example.words, after=sums)])


def view(example: Example, question: Words, texts: Words) -> Answer:
    """Which tokens the numbers of head 1 come from, with transpose and with reshape alone."""
    right, wrong = questions.owners(example.n, D_MODEL, HEADS)
    scale = Scale("share", 0, 2 * example.n)  # the lighter half: the numbers are names
    figure = [
        Grid(title, whose, scale, example.words, digits=0, marked=marked)
        for title, whose, marked in zip(
            question.titles, (right, wrong), (None, right != wrong), strict=True
        )
    ]
    misplaced = int((right != wrong).sum())
    return Answer({"wrong": str(misplaced), "all": str(right.size)}, figure)


def heads(example: Example, question: Words, texts: Words) -> Answer:
    """The cost of one head and of several, and a row of weights of each."""
    price = attention_cost(example.n, D_MODEL, HEADS)
    rows = example.trace["weights"].tensor[0, :, 0]  # (head, key)
    most = rows.argmax(axis=1)
    names = [question.titles[1].format(head=head + 1) for head in range(HEADS)]
    fields: dict[str, str | Span] = {
        "heads": (str(HEADS), "head"),
        "parameters": numbers.count(price.parameters),
        "multiply_adds": numbers.count(price.multiply_adds),
        "first": (example.words[0], "query"),
        "one": (example.words[most[0]], "key"),
        "one_weight": numbers.short(float(rows[0, most[0]])),
        "other": (example.words[most[1]], "key"),
        "other_weight": numbers.short(float(rows[1, most[1]])),
    }
    title = question.titles[0].format(first=example.words[0])
    scale = scale_of(example.trace, "weights")
    return Answer(fields, [Grid(title, rows, scale, names, example.words, row_role="head")])


def position(example: Example, question: Words, texts: Words) -> Answer:
    """The positions, and the effect of the word order without and with them."""
    embedding, X = (example.trace[key].tensor for key in ("embedding", "X"))
    positions = example.trace["position"].tensor
    parts = [part[:, :SHOWN_COLUMNS] for part in (embedding[0], positions, X[0])]
    scale = signed_scale(*parts)
    figure = [
        Grid(title, part, scale, example.words, column_role="d_model", sign=sign)
        for title, part, sign in zip(question.titles, parts, ("+", "=", ""), strict=True)
    ]
    fields: dict[str, str | Span] = {
        "d_model": str(D_MODEL),
        "columns": str(SHOWN_COLUMNS),
        "without": numbers.difference(questions.reversed_order(embedding, example.weights)),
        "with_position": numbers.difference(
            questions.reversed_words(embedding, positions, example.weights)
        ),
    }
    return Answer(fields, figure)


Answers = Callable[[Example, Words, Words], Answer]
ASKED: dict[str, tuple[Answers, str]] = {  # the answer, and the page that it links to
    "transpose": (transpose, "by_hand"),
    "axis": (axis, "softmax"),
    "root": (root, "scaling"),
    "shape": (shape, "sizes"),
    "again": (again, "cross"),
    "lengths": (lengths, "cross"),
    "view": (view, "break_it"),
    "bias": (bias, "softmax"),
    "heads": (heads, "heads"),
    "position": (position, "order"),
}


def frequent_questions(sentence: Sentence, texts: Words, words: Words) -> None:
    """Draw every question; the one in the link is open, by default the first."""
    computed = example(sentence)
    fields: dict[str, str | Span] = {
        "sentence": ("".join(_joined(computed.words)), ""),
        "d_model": str(D_MODEL),
        "heads": str(HEADS),
        "seed": str(computed.seed),
    }
    prose([spans(texts.given, **fields)], key="given", style="quiet")
    opened: str = st.session_state["question"]
    for name, (compute, page) in ASKED.items():
        question = texts.questions[name]
        with st.expander(plain(question.asked), expanded=name == opened):
            answer = compute(computed, question, texts)
            prose([spans(line, **answer.fields) for line in question.answer], key=f"said_{name}")
            grids(answer.figure, key=f"figure_{name}")
            page_link(texts.more, page)


def _joined(words: tuple[str, ...]) -> list[str]:
    """The words as a sentence, with spaces where its script has them."""
    spaced = [
        (" " if before[-1:].isascii() and word[:1].isascii() else "") + word
        for before, word in pairwise(words)
    ]
    return [words[0], *spaced]
