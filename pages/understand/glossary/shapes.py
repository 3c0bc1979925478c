"""Answers about shapes, heads and order: their numbers, and the matrices that show them."""

from core.experiments import questions
from core.shapes import attention_cost
from pages.understand.glossary.answer import D_MODEL, HEADS, Answer, Example, sizes, sum_of
from views.figures.scale import Scale, scale_of, signed_scale
from views.text import Words, numbers
from views.text.spans import Span
from views.widgets.grids import Grid

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
