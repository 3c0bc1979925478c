"""Answers about scores and weights: their numbers, and the matrices that show them."""

import numpy as np

from core.experiments import questions
from core.experiments.cross import asymmetry
from core.experiments.scaling import random_scores, spread, weights_of
from core.experiments.softmax_variants import softmax_over
from pages.understand.glossary.answer import (
    Answer,
    added,
    difference,
    listed,
    signed_scale,
    sizes,
    sum_of,
)
from pages.understand.glossary.given import D_MODEL, Given
from pages.understand.glossary.words import Question, QuestionsWords
from views import numbers
from views.figures.scale import scale_of
from views.spans import Span
from views.widgets.grids import Grid

WIDE, WIDE_MODEL = 64, 512


def transpose(given: Given, question: Question, texts: QuestionsWords) -> Answer:
    """Q and Kᵀ, and the products that make one score."""
    Q, K, scores = (given.head(key) for key in ("Q", "K", "scores"))
    products = (Q[0] * K[-1]).tolist()
    total = float(scores[0, -1])
    digits = numbers.digits_that_add_up(products, total)
    printed = [numbers.plain(value, digits or numbers.MOST_DIGITS) for value in (*products, total)]
    titles = question.titles
    likeness = signed_scale(Q, K)
    marked = np.zeros(scores.shape, dtype=bool)
    marked[0, -1] = True
    figure = [
        Grid(titles[0], Q, likeness, given.words, column_role="d_k", sign="×"),
        Grid(titles[1], K.T, likeness, (), given.words, sign="=", row_role="d_k"),
        Grid(
            titles[2], scores, scale_of(given.trace, "scores"), given.words, given.words,
            marked=marked,
        ),
    ]  # fmt: skip
    fields: dict[str, str | Span] = {
        "Q": sizes(Q),
        "K_T": sizes(K.T),
        "scores": sizes(scores),
        "first": (given.words[0], "query"),
        "last": (given.words[-1], "key"),
        "products": added(printed[:-1]),
        "equals": "=" if digits else "≈",
        "score": printed[-1],
    }
    return Answer(fields, figure)


def axis(given: Given, question: Question, texts: QuestionsWords) -> Answer:
    """The weights, and the same scores shared out over the whole table."""
    over = [softmax_over(given.head("scaled"), where) for where in ("key", "both")]
    scale = scale_of(given.trace, "weights")
    figure = [
        Grid(
            title, shares.weights, scale, given.words, given.words,
            after=[sum_of(value, texts) for value in shares.row_sums],
            below=[sum_of(value, texts) for value in shares.column_sums],
        )
        for title, shares in zip(question.titles, over, strict=True)
    ]  # fmt: skip
    fields: dict[str, str | Span] = {
        "columns": listed(over[0].column_sums),
        "first": (given.words[0], "query"),
        "row": numbers.short(float(over[1].row_sums[0])),
    }
    return Answer(fields, figure)


def root(given: Given, question: Question, texts: QuestionsWords) -> Answer:
    """The spread of random scores, and a row of weights with either divisor."""
    drawn = next(each for each in random_scores(given.seed) if each.d_k == WIDE)
    measured = spread(drawn.pairs)
    row = given.head("scores")[:1]
    both = np.concatenate([weights_of(row, width**0.5) for width in (given.d_k, D_MODEL)])
    fields: dict[str, str | Span] = {
        "pairs": numbers.count(len(drawn.pairs)),
        "wide": str(WIDE),
        "spread": numbers.short(measured),
        "right": numbers.short(measured / WIDE**0.5),
        "model": str(WIDE_MODEL),
        "wrong": numbers.short(measured / WIDE_MODEL**0.5),
        "first": (given.words[0], "query"),
        "largest": numbers.short(float(both[0].max())),
        "flatter": numbers.short(float(both[1].max())),
        "d_k": str(given.d_k),
        "d_model": str(D_MODEL),
    }
    title = question.titles[0].format(first=given.words[0])
    scale = scale_of(given.trace, "weights")
    return Answer(fields, [Grid(title, both, scale, question.titles[1:], given.words)])


def again(given: Given, question: Question, texts: QuestionsWords) -> Answer:
    """Scores without learnt matrices, which are symmetric, and with them."""
    bare = questions.without_projections(given.trace["X"].tensor)["scores"].tensor[0, 0]
    learnt = given.head("scores")
    figure = [
        Grid(title, scores, signed_scale(scores), given.words, given.words)
        for title, scores in zip(question.titles, (bare, learnt), strict=True)
    ]
    fields: dict[str, str | Span] = {
        "bare": difference(asymmetry(bare)),
        "learnt": difference(asymmetry(learnt)),
    }
    return Answer(fields, figure)


def bias(given: Given, question: Question, texts: QuestionsWords) -> Answer:
    """Scaled scores without and with a bias on K, and the weights that are the same."""
    found = questions.key_bias(given.trace["X"].tensor, given.weights, given.seed)
    scaled = [trace["scaled"].tensor[0, 0] for trace in (found.without, found.with_bias)]
    shifts = found.shift[0, 0]
    likeness = signed_scale(*scaled)
    titles = question.titles
    moved = [("+" if value >= 0 else "") + numbers.short(float(value)) for value in shifts]
    figure = [
        Grid(titles[0], scaled[0], likeness, given.words, given.words),
        Grid(titles[1], scaled[1], likeness, given.words, given.words, after=moved),
        Grid(
            titles[2], found.with_bias["weights"].tensor[0, 0],
            scale_of(found.without, "weights"), given.words, given.words,
        ),
    ]  # fmt: skip
    fields: dict[str, str | Span] = {
        "shifts": " · ".join(moved),
        "largest": difference(found.largest),
    }
    return Answer(fields, figure)
