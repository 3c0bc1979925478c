"""Heads that do something known with a sentence: a button for each, and the first word to show."""

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

import numpy as np
import streamlit as st

from core.errors import InputError
from core.experiments.head_patterns import (
    HALF,
    KnownHead,
    StrongestLink,
    first_shown,
    known_heads,
    pairs_of,
)
from core.interventions import NONE, Interventions
from core.sources.text import FUNCTION_WORDS
from core.sources.visible import as_word
from views import link
from views.preferences import in_language
from views.selection import reset_cell
from views.text import CHECKPOINT, LANGUAGES, numbers
from views.text.spans import plain
from views.widgets.checkpoint.cached_layers import (
    muted,
    predicted,
    strongest_links,
    surveyed,
)
from views.widgets.checkpoint.chosen_input import Chosen
from views.widgets.checkpoint.next_token import moved_by, mutes_unasked
from views.widgets.checkpoint.special import special_of
from views.widgets.interventions import unused_heads
from views.widgets.microscope import FirstView, HeadDoes, LinkOfWord
from views.widgets.prose import prose

PRONOUNS = frozenset(["he", "she", "it", "they", "him", "her", "them", "his", "its", "their"])
TRIED = 8  # heads that are muted: half a second of a processor for a short text


def words_in(tokens: Sequence[str], others: Collection[int] = ()) -> np.ndarray:
    """Which tokens are words to begin with: True or False by token.

    Punctuation and the tokens at these positions are none, nor are articles and prepositions, which
    say little by themselves, if two words are left without them.
    """
    bare = ["".join(filter(str.isalnum, token)).lower() for token in tokens]
    words = np.array([bool(word) and i not in others for i, word in enumerate(bare)], bool)
    content = words & np.array([word not in FUNCTION_WORDS for word in bare], bool)
    return content if content.sum() > 1 else words


def words_of(chosen: Chosen) -> np.ndarray:
    """Which tokens of a text are words, without special ones and the first of a decoder. (token,)

    Raises what ``Checkpoint.encode`` raises.
    """
    tokens = chosen.model.encode(str(chosen.given)).tokens
    return words_in(tokens, special_of(chosen).positions)


def heads_of(chosen: Chosen) -> list[KnownHead]:
    """The heads of all layers that do something known with a text; none if it is too long."""
    ids, following = chosen.model.encode(str(chosen.given)).ids, -1
    words = words_of(chosen)
    try:
        link = _first_link(strongest_links(chosen, different_words(words, ids)), chosen)
        if chosen.model.predicts:  # for which these have passed all layers
            following = predicted(chosen).likeliest[0]
        found = known_heads(surveyed(chosen), ids, following, link)
    except InputError:
        return []
    return from_word_to_word(found, ids, words)


def _first_link(links: StrongestLink, chosen: Chosen) -> KnownHead | None:
    """The link to begin with: of a pronoun, whose meaning stands elsewhere, or else the strongest.

    Of a pronoun only where half of its weight at least goes to the other word.
    """
    tokens = chosen.model.encode(str(chosen.given)).tokens
    pronouns = [
        one
        for query, one in links.by_query.items()
        if as_word(tokens[query]).lower() in PRONOUNS and one.value >= HALF
    ]
    return max(pronouns, key=lambda one: one.value, default=links.found)


@dataclass
class Needed:
    """The head of ``needed_head``, of the last text."""

    of: Chosen | None = None
    head: KnownHead | None = None


def needed_head(chosen: Chosen) -> KnownHead | None:
    """The head that looks from the last word at another one and matters most for the next token.

    None if its probability falls clearly without none of them.
    """
    known = link.remembered(Needed)
    if known.of is None or not known.of.reads_the_same(chosen):
        found = None
        with suppress(InputError):  # the text is too long
            found = _needed_head(chosen)
        known.of, known.head = chosen, found  # only now: a run may be interrupted before
    return known.head


def _needed_head(chosen: Chosen) -> KnownHead | None:
    """As ``needed_head``, by muting ``TRIED`` heads of the upper half of the layers in turn.

    Raises what ``Checkpoint.passed`` raises.
    """
    encoding = chosen.model.encode(str(chosen.given))
    if not mutes_unasked(chosen) or not any(map(str.isalnum, encoding.tokens[-1])):
        return None
    patterns = surveyed(chosen)
    last, words = len(encoding.ids) - 1, words_of(chosen)
    looking = [
        KnownHead("needed", layer, head, one.last_share, (last, one.last))
        for layer, heads in enumerate(patterns)
        for head, one in enumerate(heads)
        if one and 2 * layer >= len(patterns) and one.last_share >= HALF and one.last < last
        if words[one.last]
    ]
    looking = sorted(looking, key=lambda one: -one.value)[:TRIED]
    tried = muted(chosen, [(one.layer, one.head) for one in looking])
    before = predicted(chosen)
    needed = [one for one in looking if moved_by(before, tried[one.layer, one.head]) == "falls"]
    return min(needed, key=lambda one: tried[one.layer, one.head].change, default=None)


def needed_first(
    found: Sequence[KnownHead], chosen: Chosen, ids: Sequence[int], words: np.ndarray
) -> list[KnownHead]:
    """The known heads; of those that go from word to word first the ones that the next token needs.

    Last those that work against it: without them it rises.

    chosen: the text, in the model without changes.
    """
    going = [(one.layer, one.head) for one in found if first_shown([one], ids, words)]
    does: dict[tuple[int, int], str] = {}
    if mutes_unasked(chosen):
        with suppress(InputError):  # the text is too long
            before, tried = predicted(chosen), muted(chosen, going)
            does = {at: moved_by(before, tried[at]) for at in going}
    order = {"falls": 0, "rises": 2}
    return sorted(found, key=lambda one: order.get(does.get((one.layer, one.head), ""), 1))


def links_of(chosen: Chosen, model: str) -> list[LinkOfWord]:
    """For each word of a text the head of all layers that links it most to another content word.

    model: its name in the link.
    """
    ids = chosen.model.encode(str(chosen.given)).ids
    special = special_of(chosen).positions
    try:
        found = strongest_links(chosen, different_words(words_of(chosen), ids))
    except InputError:
        return []
    return [
        LinkOfWord(model, *one.cell, one.layer + 1, one.head + 1, one.value)
        for query, one in found.by_query.items()
        if one.cell and _is_most(found.rows.get(query), one.cell[1], special)
    ]


def _is_most(row: np.ndarray | None, key: int, special: Collection[int]) -> bool:
    """Whether the line about a word names the key, which gets most but for special ones.

    row: of the word, (key,); None for a long text.
    """
    if row is None:
        return True
    counted = np.array(row)
    counted[[at for at in special if at or counted[0] >= HALF]] = 0
    return int(counted.argmax()) == key


def apart(words: np.ndarray) -> np.ndarray:
    """Pairs of words that do not stand beside each other, (query, key); if none, all pairs.

    The first token is left out: whatever it is, it gets what a head has no use for.
    """
    both = words[:, None] & words
    found = both & np.tri(len(words), k=-2, dtype=bool)
    found[:, 0] = False
    return np.asarray(found if found.any() else both & np.tri(len(words), k=-1, dtype=bool))


def different_words(words: np.ndarray, ids: Sequence[int]) -> np.ndarray:
    """Pairs of ``apart``, in either order, whose tokens are not the same."""
    pairs, tokens = apart(words), np.asarray(ids)
    return np.asarray((pairs | pairs.T) & (tokens[:, None] != tokens))


def most_to_others(weights: np.ndarray, words: np.ndarray) -> int:
    """The head with the most weight between different words. weights: (head, query, key)."""
    others = words[:, None] & words & ~np.eye(len(words), dtype=bool)
    return int((weights * others).sum(axis=(1, 2)).argmax())


def start_cell(
    weights: np.ndarray, words: np.ndarray, pairs: np.ndarray | None
) -> Mapping[str, int]:
    """The cell to begin with: the largest weight from one word to another.

    weights: of the head, (query, key). words: of ``words_in``. pairs: among which the cell is, if
    possible, (query, key).
    """
    different = ~np.eye(len(words), dtype=bool)
    both = words[:, None] & words & different
    choices = [both, different] if pairs is None else [both & pairs, pairs, both, different]
    mask = next((mask for mask in choices if (weights * mask).any()), different)
    query, key = np.unravel_index(np.where(mask, weights, -1).argmax(), weights.shape)
    return {"query": int(query), "key": int(key)}


def from_word_to_word(
    found: Sequence[KnownHead], ids: Sequence[int], words: np.ndarray
) -> list[KnownHead]:
    """The known heads, first those whose behaviour goes from one word to another."""
    return sorted(found, key=lambda one: first_shown([one], ids, words) is None)


def known_pairs(
    found: Sequence[KnownHead], layer: int, head: int, ids: Sequence[int]
) -> np.ndarray | None:
    """The pairs at which what a head does is seen, (query, key); None if it does nothing known."""
    one = next((one for one in found if (one.layer, one.head) == (layer, head)), None)
    return None if one is None else pairs_of(one, ids)


def choose_known_head(
    found: Sequence[KnownHead],
    weights: np.ndarray,
    layer: int,
    ids: Sequence[int],
    words: np.ndarray,
    open_head: Callable[[int, int], object],
    *,
    is_shown: bool = True,
    change: Interventions = NONE,
) -> tuple[Mapping[str, int], FirstView]:
    """The cell to begin with, and what the first view says; below it a button for each known head.

    The cell is of a head that does something known, and a word shows it; in a layer without one, of
    the head with the most weight between different words. found: of all layers. weights: of the
    layer, (head, query, key). layer: from 0; is_shown: whether its attention is. words: which
    tokens count, of ``words_in``. open_head: shows layer and head, from 1. change: what is changed
    in the model, by which heads may not be used.
    """
    shown = first_shown([one for one in found if one.layer == layer], ids, words)
    begin = shown.head if shown else most_to_others(weights, words)
    head = asked_head(len(weights), begin)
    unused = partial(unused_heads, change, heads=len(weights))
    uses = not found or any(one.head not in unused(layer=one.layer + 1) for one in found)
    at = (layer, head) if is_shown else None
    below = partial(_known_head_buttons, found, at, open_head, uses)
    pairs = known_pairs(found, layer, head, ids)
    start = {"head": begin, **start_cell(weights[head], words, pairs)}
    if not is_shown:
        return start, FirstView(below=below)
    does, content = _what_heads_do(found, layer, ids), np.flatnonzero(words).tolist()
    return start, FirstView(does, content, unused=unused(layer=layer + 1), below=below)


def _known_head_buttons(
    found: Sequence[KnownHead],
    at: tuple[int, int] | None,
    open_head: Callable[[int, int], object],
    uses: bool,
) -> None:
    """What heads do with the sentence, each a button that opens the head.

    at: layer and head that are shown, from 0; None if none is. uses: whether any of them is used.
    """
    texts = in_language(CHECKPOINT).known
    now = next((one for one in found if (one.layer, one.head) == at), None)
    with st.container(horizontal=True, gap="xsmall", key="known_buttons"):
        says = texts.says if _is_hoped(found) else texts.none
        prose([[(says, "")]], key="known_says", style="quiet")
        for one in found:
            share = numbers.per_cent(one.value, 0)
            of = (texts.of_one if one.cell else texts.of_all).format(share=share)
            place = texts.position.format(layer=one.layer + 1, head=one.head + 1)
            st.button(
                plain(texts.names[one.known]), key=f"known_{one.known}",
                help=plain(f"{place} {texts.helps[one.known]} {of}"),
                type="primary" if one is now else "secondary",
                on_click=partial(_open, one, open_head),
            )  # fmt: skip
        if not uses:
            note = in_language(LANGUAGES).microscope.tokens_unused
            prose([[(note, "")]], key="known_unused", style="quiet")


def _is_hoped(found: Sequence[KnownHead]) -> bool:
    """Whether a head looks from one word at another by what these are."""
    return any(one.known not in ("itself", "sink") for one in found)


def _what_heads_do(
    found: Sequence[KnownHead], layer: int, ids: Sequence[int]
) -> dict[int, HeadDoes]:
    """What each head of a layer that does something known does, by head, from 0."""
    helps = in_language(CHECKPOINT).known.helps

    def does(one: KnownHead) -> HeadDoes:
        queries = np.flatnonzero(pairs_of(one, ids).any(axis=1)).tolist()
        return HeadDoes(helps[one.known], queries or list(range(len(ids))))

    # The first one of a head that does several counts.
    # A link is described at its word, like that of any other word.
    return {
        one.head: does(one) for one in reversed(found) if one.layer == layer and one.known != "link"
    }


def _open(one: KnownHead, open_head: Callable[[int, int], object]) -> None:
    """Callback: show the head, from a word that shows what it does."""
    reset_cell()
    open_head(one.layer + 1, one.head + 1)


def asked_head(heads: int, first: int) -> int:
    """The head that a link or a control asks for, from 0; else the first."""
    query = link.session().adopted
    asked = str(st.session_state.get("head") if query is None else query.get("head"))
    number = int(asked) - 1 if asked.isascii() and asked.isdigit() else first
    return number if 0 <= number < heads else first
