from dataclasses import replace
from functools import partial

import numpy as np
import streamlit as st

from core.experiments.alignment import HardAlignment, cross_weights, hard_alignment, with_mean
from core.experiments.token_rank import TokenRank, least_likely
from core.interventions import NONE
from core.models import relevance, translator
from core.models.translator import Translator
from core.sources.pieces import END, START
from pages.see.translation.controls import FIRST, Inputs, Shown, translation_input
from pages.see.translation.decoding import (
    Step,
    apply_browser_step,
    chosen_step,
    cross,
    decoding,
    target_ranks,
)
from pages.see.translation.parts import parts
from views.navigation import PAGE_INFO
from views.preferences import in_language, words
from views.text import Words, numbers, proportions, words_beside
from views.text.spans import Span, spans
from views.widgets.checkpoint.head_overview import HeadLink
from views.widgets.errors import computed
from views.widgets.head_effects import BARS, Muting, head_effects, opening
from views.widgets.interventions import (
    intervened,
    texts_before_and_after,
    what_if_card,
    what_if_of,
    with_changes,
)
from views.widgets.model_card import model_card
from views.widgets.prose import heading, prose, visually_hidden_title
from views.widgets.relevance import Asked, relevance_asked, relevance_card
from views.widgets.tokenization_notes import read_as


def summary(
    shown: Shown,
    step: Step,
    model: Translator,
    texts: Words,
    words: Words,
    *,
    glossed: bool,
) -> None:
    """Draw sentences about the translation and the selected word. glossed: whether words are."""
    heading(texts.heading)
    lines = [
        *alignment(shown, step, model, texts, words),
        *certainty(shown, step, model, texts),
    ]
    prose(lines, key="findings")
    notes = [] if shown.changed else [taught(model, texts)]
    notes += [texts.gloss_from] if glossed else []
    prose([[(line, "")] for line in notes], key="findings_origin", style="quiet")


def low_confidence(shown: Shown, texts: Words) -> None:
    """Draw a sentence above the translation where the calibration expects it to be wrong."""
    confidence = shown.confidence
    if confidence and confidence.is_low:
        line = spans(
            texts.low_confidence,
            value=numbers.short(confidence.mean_log_probability),
            close=str(confidence.close),
            sentences=str(confidence.sentences),
        )
        prose([line], key="low_confidence", style="notice")


def taught(model: Translator, texts: Words) -> str:
    """Which head was taught the alignment, and what the best other one finds by itself."""
    assert model.supervised_head
    layer, head = model.supervised_head
    found = np.array(model.stored.training["own_alignment"]["heads"])
    found[layer, head] = 0
    return texts.learnt.format(
        layer=layer + 1, head=head + 1, share=numbers.per_cent(float(found.max()), 0)
    )


def origin(model: Translator, texts: Words) -> str:
    """Where the weights come from, and what was measured of them without changes."""
    if model.stored.interventions:
        return str(texts.origin)
    measured = model.stored.training["measured"]["test"]
    exact, sentences = measured["greedy exact"], measured["sentences"]
    result = texts.measured.format(
        bleu=numbers.plain(measured["greedy BLEU"], 1),
        right=proportions.count_of(exact, sentences),
        sentences=numbers.count(sentences),
        margin=proportions.confidence_interval(exact, sentences),
    )
    return f"{texts.origin}\n{result}"


def changed_translation(inputs: Inputs, shown: Shown, model: Translator) -> None:
    """Draw the translation without the changes of the model and with them."""
    plainly = replace(inputs, change=NONE).translated().translation.pieces
    texts_before_and_after(*map(model.decode, (plainly, shown.translation.pieces)))


def effects(
    model: Translator, inputs: Inputs, shown: Shown, step: Step, path: str, head: int, part: str
) -> None:
    """Draw what every head of a part does for the selected word. model: with changes.

    path: of the attention that is looked at. head: from 0. part: of ``Change``.
    """
    target, translation = shown.following[step.word], shown.translation

    def go() -> None:
        layer, head = map(int, st.session_state[BARS].choose.split("/"))
        apply_browser_step(step.index, layer - 1, head - 1, "head", shown)

    head_effects(
        Muting(
            (inputs, step.word, part), model.layers, model.heads,
            HeadLink(int(path.split("/")[1]), head + 1), target, model.target.__getitem__,
            partial(model.effects, translation, step.word, part),
            go if part == "cross" else opening(path), part,
        )
    )  # fmt: skip


def word_relevance(shown: Shown, step: Step) -> Asked:
    """Which words mattered for the selected one, if the link asks."""
    trace, word, row = shown.trace, shown.target[step.word], step.word
    names = trace["prediction/logits"].axis("vocabulary").names() or ()
    written = (START, *shown.words[:row])
    return relevance_asked(
        lambda: ([word], (*shown.tokens, *written), written[-1]),
        lambda _: relevance.of_trace(trace, row, names.index(word)),
    )


def alignment(
    shown: Shown, step: Step, model: Translator, texts: Words, words: Words
) -> list[list[Span]]:
    """Sentences on the key with the largest weight of each visible word, and of END.

    With the last word, also which head finds most words, and what it reaches here.
    """
    if len(shown.tokens) == 1:
        return [[(texts.only_one, "")]]
    visible = shown.steps_visible(step.index)
    count = min(visible, len(shown.words))
    if not count:
        return []
    weights = cross_weights(shown.trace)
    chosen = with_mean(weights)[step.layer, -1 if step.by == "mean" else step.head]
    aligned = hard_alignment(chosen[:count])
    line = _alignment(aligned, step, shown, texts, words)
    if count == len(shown.words) and not shown.changed:
        line += _best(aligned, weights[:, :, :count], step, model, shown.forced, texts)
    if visible == count:
        return [line]
    end = hard_alignment(chosen[count:visible])
    key = (shown.tokens[end.keys[0]], "key")
    return [line, spans(texts.end, key=key, weight=numbers.short(end.weights[0]))]


def _alignment(
    aligned: HardAlignment, step: Step, shown: Shown, texts: Words, words: Words
) -> list[Span]:
    template = texts.drawn_mean if step.by == "mean" else texts.drawn
    fields: dict[str, str | Span] = {
        "layer": str(step.layer + 1),
        "head": (str(step.head + 1), "head"),
        "count": str(len(aligned.decided)),
        "all": str(len(aligned.keys)),
    }
    before, after = template.split("{pairs}")
    pairs = _pairs(aligned, shown, texts, words)
    return [*spans(before, **fields), *([(texts.colon, ""), *pairs] if pairs else []), (after, "")]


def _best(
    mine: HardAlignment,
    weights: np.ndarray,
    step: Step,
    model: Translator,
    forced: bool,
    texts: Words,
) -> list[Span]:
    """The head that finds most words aligned by hand, if it is not drawn beside the one that is.

    weights: without END's row. forced: whether the English is given.
    """
    layer, head = model.best_aligned_head
    measured = model.stored.training["alignment" if forced else "own_alignment"]
    sentences = texts.measured_given if forced else texts.measured_own
    drawn = (step.layer, step.head, step.by) == (layer, head, "head")
    return spans(
        texts.best if drawn else texts.better,
        layer=str(layer + 1),
        head=(str(head + 1), "head"),
        share=numbers.per_cent(measured["heads"][layer][head], 0),
        measured=sentences.format(count=measured["sentences"]),
        reached=str(len(hard_alignment(weights[layer, head]).reached)),
        mine=str(len(mine.reached)),
        keys=str(weights.shape[-1]),
    )


def certainty(shown: Shown, step: Step, model: Translator, texts: Words) -> list[list[Span]]:
    """The probability of the selected word, and of the least probable one so far."""
    ranks = target_ranks(shown)
    rank = ranks[step.word]
    word = shown.target[step.word]
    if shown.forced:
        line = _rank_of_given(rank, word, model, texts)
    else:
        line = _probability(rank, word, model, texts.probability)
    if not shown.ended and step.index == len(shown.words) - 1:
        line += [(" ", ""), *spans(texts.stopped, count=str(len(shown.words)))]
    least = least_likely(ranks[: shown.steps_visible(step.index)])
    if numbers.short(ranks[least].probability) == numbers.short(rank.probability):
        return [line]
    return [line, _probability(ranks[least], shown.target[least], model, texts.unsure)]


def _probability(rank: TokenRank, word: str, model: Translator, text: str) -> list[Span]:
    return spans(
        text,
        word=(_printed_word(word), "query"),
        value=numbers.short(rank.probability),
        second=(_printed_word(model.target[rank.best]), "query"),
        less=numbers.short(rank.best_probability),
    )


def _rank_of_given(rank: TokenRank, word: str, model: Translator, texts: Words) -> list[Span]:
    value = numbers.short(rank.probability)
    if rank.rank == 1:
        return spans(texts.given_first, word=(_printed_word(word), "query"), value=value)
    return spans(
        texts.given,
        word=(_printed_word(word), "query"),
        value=value,
        rank=str(rank.rank),
        top=(_printed_word(model.target[rank.best]), "query"),
        more=numbers.short(rank.best_probability),
    )


def _printed_word(word: str) -> str:
    """A word as it is printed; START and END without brackets."""
    return word.strip("[]") if word in (START, END) else word


def _pairs(aligned: HardAlignment, shown: Shown, texts: Words, words: Words) -> list[Span]:
    return _joined(
        [
            spans(
                texts.pair,
                word=(shown.words[row], "query"),
                key=(shown.tokens[aligned.keys[row]], "key"),
                weight=numbers.short(aligned.weights[row]),
            )
            for row in aligned.decided
            if not shown.forced or _is_likeliest(shown, row)
        ],
        words,
    )


def _is_likeliest(shown: Shown, row: int) -> bool:
    """Whether a word has the largest probability of its step."""
    return int(shown.probabilities[row].argmax()) == shown.following[row]


def _joined(parts: list[list[Span]], words: Words) -> list[Span]:
    line: list[Span] = []
    for number, part in enumerate(parts):
        line += [(words.list_mark, ""), *part] if number else part
    return line


WORDS = words_beside(__file__)

texts, model = in_language(WORDS), translator.load()

visually_hidden_title(in_language(PAGE_INFO)["translation"].title)


def where(words: Words) -> str:
    return with_changes(origin(of.model, WORDS[words.code].telling), of.asked, words)


of = intervened(model, lambda: translator.LONGEST)
read = partial(translation_input, texts.asked, of.asked)
inputs, shown = computed(read, Inputs.translated, FIRST, words())
step = chosen_step(shown, model)
with st.container(border=True, key="decoding_card"):
    with st.container():  # whatever is shown in it, what follows it stays the same element
        read_as(inputs.written, shown.tokens)
        low_confidence(shown, texts.telling)
    decoding(shown, step, model, texts.decoding)
asked = word_relevance(shown, step)
glossed = texts.decoding.glossed
path, head = parts(shown, step, model, where, texts.parts, words(), asked, glossed=glossed)
with st.container(border=True, key="mattered_card"):
    relevance_card(asked, cross(step.layer), step.head + 1)
card = what_if_card()
if card.open:
    with card:
        left, right = st.columns([6, 5])
        with left:
            part = what_if_of(of.error, shown.trace, path, head, step.word)
            if of.is_changed:
                changed_translation(inputs, shown, model)
        room = right.container(key="effects_card")
with st.container(border=True, key="findings_card"):
    summary(shown, step, model, texts.telling, words(), glossed=glossed)
    model_card("translator", words())
if card.open:
    with room:
        effects(of.model, inputs, shown, step, path, head, part)
