"""Answers about shapes, heads and order: their numbers, and the matrices that show them."""

from core.experiments import questions
from core.shapes import attention_cost
from pages.understand.glossary.answer import (
    Answer,
    difference,
    signed_scale,
    sizes,
    sum_of,
)
from pages.understand.glossary.given import D_MODEL, HEADS, Given
from pages.understand.glossary.words import Question, QuestionsWords
from views import numbers
from views.figures.scale import Scale, scale_of
from views.spans import Span
from views.widgets.grids import Grid

SHOWN_COLUMNS = 4


def shape(given: Given, question: Question, texts: QuestionsWords) -> Answer:
    """The weights of every head."""
    whole = given.trace["weights"].tensor.shape
    scale = scale_of(given.trace, "weights")
    figure = [
        Grid(
            question.titles[0].format(head=head + 1), given.head("weights", head), scale,
            given.words, given.words,
        )
        for head in range(HEADS)
    ]  # fmt: skip
    fields: dict[str, str | Span] = {
        "shape": str(whole),
        "batch": str(whole[0]),
        "heads": (str(whole[1]), "head"),
        "n": (str(given.n), "query"),
    }
    return Answer(fields, figure)


def lengths(given: Given, question: Question, texts: QuestionsWords) -> Answer:
    """Some tokens ask, all answer."""
    asking = max(1, given.n // 2)
    found = questions.rectangular(given.trace["X"], given.weights, asking)
    Q, K, scores = (found[key].tensor[0, 0] for key in ("Q", "K", "scores"))
    weights = found["weights"].tensor[0, 0]
    fields: dict[str, str | Span] = {
        "asking": (str(asking), "query"),
        "n": (str(given.n), "key"),
        "Q": sizes(Q),
        "K_T": sizes(K.T),
        "scores": sizes(scores),
    }
    sums = [sum_of(value, texts) for value in weights.sum(axis=1)]
    scale = scale_of(found, "weights")
    title, asks = question.titles[0], given.words[:asking]
    return Answer(fields, [Grid(title, weights, scale, asks, given.words, after=sums)])


def view(given: Given, question: Question, texts: QuestionsWords) -> Answer:
    """Whose numbers stand in head 1, rightly and by a reshape alone."""
    right, wrong = questions.owners(given.n, D_MODEL, HEADS)
    scale = Scale("share", 0, 2 * given.n)  # the lighter half: the numbers are names
    figure = [
        Grid(title, whose, scale, given.words, digits=0, marked=marked)
        for title, whose, marked in zip(
            question.titles, (right, wrong), (None, right != wrong), strict=True
        )
    ]
    misplaced = int((right != wrong).sum())
    return Answer({"wrong": str(misplaced), "all": str(right.size)}, figure)


def heads(given: Given, question: Question, texts: QuestionsWords) -> Answer:
    """What one head and several cost, and the rows of weights that they have."""
    price = attention_cost(given.n, D_MODEL, HEADS)
    rows = given.trace["weights"].tensor[0, :, 0]  # (head, key)
    most = rows.argmax(axis=1)
    names = [question.titles[1].format(head=head + 1) for head in range(HEADS)]
    fields: dict[str, str | Span] = {
        "heads": (str(HEADS), "head"),
        "parameters": numbers.count(price.parameters),
        "multiply_adds": numbers.count(price.multiply_adds),
        "first": (given.words[0], "query"),
        "one": (given.words[most[0]], "key"),
        "one_weight": numbers.short(float(rows[0, most[0]])),
        "other": (given.words[most[1]], "key"),
        "other_weight": numbers.short(float(rows[1, most[1]])),
    }
    title = question.titles[0].format(first=given.words[0])
    scale = scale_of(given.trace, "weights")
    return Answer(fields, [Grid(title, rows, scale, names, given.words, row_role="head")])


def position(given: Given, question: Question, texts: QuestionsWords) -> Answer:
    """What is added, and what the order of the words does without and with it."""
    embedding, X = (given.trace[key].tensor for key in ("embedding", "X"))
    places = given.trace["position"].tensor
    parts = [part[:, :SHOWN_COLUMNS] for part in (embedding[0], places, X[0])]
    scale = signed_scale(*parts)
    figure = [
        Grid(title, part, scale, given.words, column_role="d_model", sign=sign)
        for title, part, sign in zip(question.titles, parts, ("+", "=", ""), strict=True)
    ]
    fields: dict[str, str | Span] = {
        "d_model": str(D_MODEL),
        "columns": str(SHOWN_COLUMNS),
        "without": difference(questions.reversed_order(embedding, given.weights)),
        "with_position": difference(questions.reversed_words(embedding, places, given.weights)),
    }
    return Answer(fields, figure)
