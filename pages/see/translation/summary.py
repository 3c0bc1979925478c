"""What the numbers say about this sentence: which head tells the words apart, how sure it was."""

import numpy as np

from core.experiments.alignment import Looks, clearest, cross_weights, looks, with_mean
from core.experiments.token_rank import TokenRank, least_likely
from core.models.translator import Translator
from core.sources.pieces import END, START
from pages.see.translation.controls import Shown
from pages.see.translation.decoding import standing
from pages.see.translation.step import Step
from pages.see.translation.words import TellingWords
from views import numbers, proportions
from views.spans import Span, spans
from views.text import Words
from views.widgets.prose import heading, prose


def told(
    shown: Shown,
    step: Step,
    model: Translator,
    texts: TellingWords,
    words: Words,
    *,
    glossed: bool,
) -> None:
    """The sentences about the whole and about the chosen word. glossed: whether words are."""
    heading(texts.heading)
    lines = [
        *alignment(shown, step, texts, words),
        *certainty(shown, step, model, texts),
    ]
    prose(lines, key="told")
    behind = [texts.learnt, origin(model, texts), *([texts.gloss_from] if glossed else [])]
    prose([[(line, "")] for line in behind], key="told_origin", style="quiet")


def origin(model: Translator, texts: TellingWords) -> str:
    """Where the weights come from, with what was measured."""
    measured = model.stored.training["measured"]["test"]
    exact, sentences = measured["greedy exact"], measured["sentences"]
    return texts.origin.format(
        bleu=numbers.plain(measured["greedy BLEU"], 1),
        right=proportions.count_of(exact, sentences),
        sentences=numbers.count(sentences),
        margin=proportions.confidence_interval(exact, sentences),
    )


def alignment(shown: Shown, step: Step, texts: TellingWords, words: Words) -> list[list[Span]]:
    """Where each word that is there looks in the drawn head, and where END does.

    With the last word it is said as well whether another head is clearer.
    """
    if len(shown.tokens) == 1:
        return [[(texts.only_one, "")]]
    there = shown.there(step.place)
    count = min(there, len(shown.words))
    if not count:
        return []
    weights = cross_weights(shown.trace)
    chosen = with_mean(weights)[step.layer, -1 if step.by == "mean" else step.head]
    found = looks(chosen[:count])
    line = _drawn(found, step, shown, texts, words)
    if count == len(shown.words):
        line += _clearest(found, weights[:, :, :count], texts)
    if there == count:
        return [line]
    end = looks(chosen[count:there])
    key = (shown.tokens[end.keys[0]], "key")
    return [line, spans(texts.end, key=key, weight=numbers.short(end.weights[0]))]


def _drawn(found: Looks, step: Step, shown: Shown, texts: TellingWords, words: Words) -> list[Span]:
    template = texts.drawn_mean if step.by == "mean" else texts.drawn
    fields: dict[str, str | Span] = {
        "layer": str(step.layer + 1),
        "head": (str(step.head + 1), "head"),
        "count": str(len(found.decided)),
        "all": str(len(found.keys)),
    }
    before, after = template.split("{pairs}")
    pairs = _pairs(found, shown, texts, words)
    return [*spans(before, **fields), *([(texts.colon, ""), *pairs] if pairs else []), (after, "")]


def _clearest(mine: Looks, weights: np.ndarray, texts: TellingWords) -> list[Span]:
    """Whether another head tells the Chinese words apart better. weights: without END's row."""
    layer, head = clearest(weights)
    found = looks(weights[layer, head])
    keys = str(weights.shape[-1])
    if not found.is_clear:
        template = texts.unclear
    elif len(mine.reached) < len(found.reached):
        template = texts.better
    else:
        template = texts.best
    return spans(
        template,
        layer=str(layer + 1),
        head=(str(head + 1), "head"),
        count=str(len(found.decided)),
        all=str(len(found.keys)),
        reached=str(len(found.reached)),
        mine=str(len(mine.reached)),
        keys=keys,
    )


def certainty(shown: Shown, step: Step, model: Translator, texts: TellingWords) -> list[list[Span]]:
    """How sure the model was of the chosen word, and of which so far it was least sure."""
    found = standing(shown)
    here = found[step.place]
    word = shown.target[step.place]
    if shown.forced:
        line = _given(here, word, model, texts)
    else:
        line = _chosen(here, word, model, texts.probability)
    if not shown.ended and step.place == len(shown.words) - 1:
        line += [(" ", ""), *spans(texts.stopped, count=str(len(shown.words)))]
    least = least_likely(found[: shown.there(step.place)])
    if numbers.short(found[least].probability) == numbers.short(here.probability):
        return [line]
    return [line, _chosen(found[least], shown.target[least], model, texts.unsure)]


def _chosen(here: TokenRank, word: str, model: Translator, text: str) -> list[Span]:
    return spans(
        text,
        word=(_called(word), "query"),
        value=numbers.short(here.probability),
        second=(_called(model.target[here.best]), "query"),
        less=numbers.short(here.best_probability),
    )


def _given(here: TokenRank, word: str, model: Translator, texts: TellingWords) -> list[Span]:
    value = numbers.short(here.probability)
    if here.rank == 1:
        return spans(texts.given_first, word=(_called(word), "query"), value=value)
    return spans(
        texts.given,
        word=(_called(word), "query"),
        value=value,
        rank=str(here.rank),
        top=(_called(model.target[here.best]), "query"),
        more=numbers.short(here.best_probability),
    )


def _called(word: str) -> str:
    """A word as it is printed: what is no word without its brackets."""
    return word.strip("[]") if word in (START, END) else word


def _pairs(found: Looks, shown: Shown, texts: TellingWords, words: Words) -> list[Span]:
    return _listed(
        [
            spans(
                texts.pair,
                word=(shown.words[row], "query"),
                key=(shown.tokens[found.keys[row]], "key"),
                weight=numbers.short(found.weights[row]),
            )
            for row in found.decided
            if not shown.forced or _is_likeliest(shown, row)
        ],
        words,
    )


def _is_likeliest(shown: Shown, row: int) -> bool:
    """Whether the model would have put the word there: its row was made before it is read."""
    return int(shown.probabilities[row].argmax()) == shown.following[row]


def _listed(parts: list[list[Span]], words: Words) -> list[Span]:
    line: list[Span] = []
    for number, part in enumerate(parts):
        line += [(words.list_mark, ""), *part] if number else part
    return line
