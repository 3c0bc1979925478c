"""Answers about scores and weights: their numbers, and the matrices that show them."""

import numpy as np

from core.experiments import questions
from core.experiments.cross import asymmetry
from core.experiments.scaling import random_scores, spread, weights_of
from core.experiments.softmax_variants import softmax_over
from pages.understand.glossary.answer import D_MODEL, Answer, Example, added, listed, sizes, sum_of
from views.figures.scale import scale_of, signed_scale
from views.text import Words, numbers
from views.text.spans import Span
from views.widgets.grids import Grid

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
