"""The story's last scene: the reader's own sentence in a trained model of its language."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.experiments.head_patterns import KnownHead, StrongestLink, first_shown, pairs_of
from core.interventions import Change, Interventions
from core.models import pretrained, translator
from core.models.installed import shipped
from core.models.opened_model import Checkpoint
from core.models.pretrained import GEMMA, SMOLLM2, Pretrained
from core.models.translator import Translation
from core.sources import text
from core.sources.visible import as_word
from views import link
from views.navigation import PAGE_INFO, PAGES
from views.preferences import in_language
from views.text import CHECKPOINT, Words, numbers
from views.text.spans import plain
from views.widgets.checkpoint.cached_layers import strongest_links
from views.widgets.checkpoint.chosen_input import Chosen, opened, opened_pretrained
from views.widgets.checkpoint.next_token import moved
from views.widgets.choice import sample_buttons
from views.widgets.errors import computed
from views.widgets.glance import glance
from views.widgets.known_heads import (
    PRONOUNS,
    different_words,
    heads_of,
    start_cell,
    words_in,
    words_of,
)
from views.widgets.prose import heading, prose
from views.widgets.sentence_input import own_language_first
from views.widgets.tokenization_notes import read_as

OWN = "decoder"  # the project's own model
TRIED = 8  # words that are hidden one after another, each in a pass of all layers
LEFT = 0.15  # of a word's weight, from which on what stands first is worth a word
FAINT = 0.1  # of the weight that is drawn, up to which a word counts through other heads


@dataclass(frozen=True)
class OwnHead:
    """What links the words of a sentence in a decoder.

    tokens: their names. rows: of each token, as the query, its weights in the head that links it
    most to another word, (key,). heads: which one that is, in words. query: the word to begin with.
    touch: a word to go on with. now: what the model says next, after its name. hidden: by token the
    same where no word may look at it; at the word to begin with, of the one that counts most; None
    where it was not tried.
    source: the model's name in links. at: the parameters of the first word's head in links.
    """

    tokens: tuple[str, ...]
    rows: Sequence[np.ndarray]
    heads: Sequence[str]
    query: int
    touch: str
    now: tuple[str, str]
    hidden: Sequence[tuple[str, str] | None]
    source: str
    at: Mapping[str, str]

    def sent(self) -> dict[str, Any]:
        """What the browser draws."""
        return {
            "names": self.tokens,
            "rows": [row.round(4).tolist() for row in self.rows],
            "heads": self.heads,
            "query": self.query,
            "touch": self.touch,
            "now": self.now,
            "hidden": self.hidden,
        }


def own_sentence(texts: Words, words: Words, room: DeltaGenerator) -> OwnHead | None:
    """Draw the input, what is found in it, and links to other pages with it.

    room: where it says that this is being computed. Returns what a sentence shows that a decoder
    reads, which the story draws; a Chinese one is translated where none is installed.
    """
    first = first_sample(texts)
    making = partial(_made, texts, room)
    written, made = computed(partial(_written, texts, first), making, first, words)
    if isinstance(made, Translation):
        with st.container(border=True, key="glance_card"):
            _translation(written, made, texts, words)
    prose([[(texts.why, "")]], key="why", style="lead")
    prose([[(texts.next_pages, "")]], key="next_pages")
    pages: dict[str, dict[str, str]] = {"sentence": {"text": written}}
    if isinstance(made, OwnHead):
        pages["sentence"] |= {"model": made.source}
        pages["writing"] = pages["sentence"]
        pages["sentence"] = pages["sentence"] | dict(made.at)
    if text.is_chinese(written):
        pages["translation"] = {"text": written}
    pages["image"] = {}
    with st.container(horizontal=True, key="next_links"):
        for name, given in pages.items():
            st.page_link(
                str(PAGES[name]),
                label=f"{plain(in_language(PAGE_INFO)[name].title)} →",
                query_params=link.query_of(name) | given,
            )
    return made if isinstance(made, OwnHead) else None


def _written(texts: Words, first: str) -> str:
    link.bind_param("text", first)
    written: str = st.text_input(texts.text, key="text")
    sample_buttons(_samples(texts))
    return written


def _samples(texts: Words) -> Mapping[str, str]:
    """By label the sentences to choose from: such as the installed models have something to say."""
    chinese = texts.samples.gemma if pretrained.is_there(GEMMA) else texts.samples.translator
    both = {**texts.samples.english, **chinese}
    return own_language_first({label: sample for sample, label in both.items()})


def first_sample(texts: Words) -> str:
    """The sentence to begin with."""
    return next(iter(_samples(texts).values()))


def _made(texts: Words, room: DeltaGenerator, written: str) -> Translation | OwnHead:
    """Raises what ``Translator.translate`` or ``Checkpoint.survey`` raises."""
    is_english = text.is_english(written) and not text.is_chinese(written)
    is_translated = not is_english and not pretrained.is_there(GEMMA)
    with room, st.spinner(texts.translating if is_translated else texts.computing):
        return (
            translator.load().translate(written)
            if is_translated
            else _head(texts, written, is_english)
        )


def _head(texts: Words, written: str, is_english: bool) -> OwnHead:
    source, model = _decoder(SMOLLM2 if is_english else GEMMA)
    chosen = Chosen(model, written, model.layers)
    encoding = model.encode(written)
    ids, tokens = encoding.ids, encoding.tokens
    words, known = words_of(chosen), in_language(CHECKPOINT).known
    telling = [one for one in heads_of(chosen) if one.known != "previous"]
    links = strongest_links(chosen, different_words(words, ids))
    answer = next((one for one in telling if one.known == "answer"), None)
    counting = None if answer else _counting(chosen, _counts_most(_hidden(chosen)))
    one = counting or first_shown(telling, ids, words) or links.found
    one = one or KnownHead("link", 0, 0, 0.0)
    weights = model.run(written, one.layer + 1)[f"encoder/{one.layer + 1}/self/weights"]
    start = start_cell(weights.tensor[0, one.head], words, pairs_of(one, ids))

    names = tuple(
        texts.start if number in encoding.special else as_word(token)
        for number, token in enumerate(tokens)
    )
    query = start["query"]
    best = links.by_query | ({query: one} if one.cell or one.known != "link" else {})

    def named(number: int) -> str:
        head, does = best.get(number, one), texts.other.format(word=names[query])
        if number == query and head is counting:
            does = texts.counts.format(query=names[query], key=names[start["key"]])
        elif number in best and head.known == "link":
            does = texts.link.format(count=model.layers * model.heads)
        elif number in best:
            does = known.helps[head.known]
        place = texts.place.format(layer=head.layer + 1, layers=model.layers, head=head.head + 1)
        if number and rows[number][0] >= LEFT:
            left = texts.left.format(first=names[0])
            does = known.does.format(does=does, position=left)
        return str(known.does.format(position=place, does=does))

    rows = dict(enumerate(weights.tensor[0, one.head])) | links.rows
    rows[query] = weights.tensor[0, one.head, query]
    at = {"layer": one.layer, "head": one.head, "row": query}
    now, hidden = _following(texts, chosen, names, rows[query], query)
    return OwnHead(
        names,
        [rows[number] for number in range(len(names))],
        list(map(named, range(len(names)))),
        query,
        _touch(names, links, query),
        now,
        hidden,
        source,
        {name: str(number + 1) for name, number in at.items()},
    )


def _touch(names: Sequence[str], links: StrongestLink, query: int) -> str:
    """Of the words that are not shown first, the one that takes most from a word further off.

    Only a word that takes most from such a one, a pronoun before others, for its meaning stands
    elsewhere. Returns "" for a sentence that has no such word.
    """
    most = {
        one.value + (names[number].lower() in PRONOUNS): names[number]
        for number, one in links.by_query.items()
        if one.cell and number != query and links.rows[number].argmax() == one.cell[1]
    }
    return most[max(most)] if most else ""


@dataclass
class Hidden:
    """The probabilities of all next tokens where no word may look at one token, by that token.

    None: as it is. Of the last text.
    """

    of: Chosen | None = None
    by_token: dict[int | None, np.ndarray] = field(default_factory=dict)


def _hidden(chosen: Chosen) -> Mapping[int | None, np.ndarray]:
    """What the model says next without one of the last words, each hidden in turn."""
    known, model = link.remembered(Hidden), chosen.model
    if known.of is None or not known.of.reads_the_same(chosen):
        passed = model.passed(str(chosen.given))
        found: dict[int | None, np.ndarray] = {None: passed.streams[-1][-1]}
        for token in np.flatnonzero(words_of(chosen)[:-1])[-TRIED:].tolist():
            changed = model.changed(Interventions((Change("hide", None, token=token + 1),)))
            found[token] = changed.passed(str(chosen.given), begun=passed).streams[-1][-1]
        known.by_token = {at: model.next_probabilities(one) for at, one in found.items()}
        known.of = chosen  # only now: a run may be interrupted before
    return known.by_token


def _counts_most(found: Mapping[int | None, np.ndarray]) -> int | None:
    """The token whose hiding lowers the likeliest next token most; None if none does clearly."""
    target = int(found[None].argmax())
    shares = {token: float(one[target]) for token, one in found.items()}
    most = min(shares, key=shares.__getitem__)
    return most if moved(shares[None], shares[most]) == "falls" else None


def _counting(chosen: Chosen, key: int | None) -> KnownHead | None:
    """The head in which the last token takes most from a word; None if it takes more elsewhere."""
    if key is None:
        return None
    n, model = len(chosen.model.encode(str(chosen.given)).ids), chosen.model
    pairs = np.zeros((n, n), bool)
    pairs[-1, key] = True
    strongest = StrongestLink(pairs, model.heads)
    model.survey(chosen.given, look=strongest.look)
    row = strongest.rows.get(n - 1)
    return strongest.found if row is not None and row.argmax() == key else None


def _following(
    texts: Words, chosen: Chosen, names: Sequence[str], drawn: np.ndarray, query: int
) -> tuple[tuple[str, str], list[tuple[str, str] | None]]:
    """What the model says next, and where no word may look at one, by token.

    drawn: the weights that the word to begin with shows, (key,).
    """
    labels, model, found = texts.following, chosen.model, _hidden(chosen)
    target = int(found[None].argmax())

    def said(token: int | None) -> str:
        """The likeliest token then; and if that is another one, the one from before."""
        numbered = dict.fromkeys([int(found[token].argmax()), target])
        shares = ((number, numbers.per_cent(float(found[token][number]), 0)) for number in numbered)
        names = (f"“{as_word(model.name_of(number))}” {share}" for number, share in shares)
        return str(labels.between.join(names))

    hidden: list[tuple[str, str] | None] = [
        (labels.hidden.format(word=name), said(token)) if token in found else None
        for token, name in enumerate(names)
    ]
    most = _counts_most(found)
    if most is None:
        hidden[query] = (labels.little, "")
    else:
        label = labels.elsewhere if drawn[most] < FAINT else labels.hidden
        hidden[query] = (label.format(word=names[most]), said(most))
    name = texts.decoder if model.name == OWN else model.name
    return (labels.now.format(model=name), said(None)), hidden


def _decoder(wanted: Pretrained) -> tuple[str, Checkpoint]:
    """The name in links, and the model; the project's own where the wanted one is missing."""
    if pretrained.is_there(wanted):
        return wanted.name, opened_pretrained(wanted)
    return OWN, opened(shipped()[OWN], OWN, "trained")


def _translation(written: str, made: Translation, texts: Words, words: Words) -> None:
    model = translator.load()
    label = texts.title.format(source=written, target=model.decode(made.pieces))
    heading(label)
    read_as(written, made.tokens)
    first = words_in([model.target[piece] for piece in made.pieces]).argmax()
    layer, head = glance(model, made, label, int(first))
    prose(
        [[(texts.origin.format(head=head, layer=layer), "")]],
        key="translation_origin",
        style="quiet",
    )
