"""Patterns of attention heads on one input: means over the weights, and the dominant one.

Clark et al. found heads in BERT that attend to the previous token, the next one, [SEP] or broadly
to all tokens ("What Does BERT Look At?", 2019, section 3). Olsson et al. found induction heads in
decoders ("In-context Learning and Induction Heads", 2022), Wang et al. duplicate token heads and
name movers ("Interpretability in the Wild", 2022, section 3).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Literal, get_args

import numpy as np

from core.blockwise import blocks, of_rows
from core.experiments.alignment import hard_alignment
from core.trace import Trace

NEAR = (0, -1, 1)  # of a query, as far away in keys: itself, previous, following
NEARLY_ALL = 0.95  # of the entropy of an even share
HALF = 0.5

Pattern = Literal[
    "previous", "following", "itself", "first", "one", "special", "along", "broadly", "mixed"
]  # fmt: skip
PATTERNS: tuple[Pattern, ...] = get_args(Pattern)


@dataclass(frozen=True)
class HeadPattern:
    """Means over the queries i of one head that see more than one key, all from 0 to 1.

    evenness: −Σ_j w_ij log w_ij / log n_i, where query i sees n_i keys: the normalised entropy.
    peak: max_j w_ij.
    itself, previous, following: w_ii, w_i,i−1 and w_i,i+1, each over those i that have such a key;
        0 for cross-attention.
    favourite: the key j with the largest mean weight, from 0; share: that mean.
    special: Σ_j w_ij over special tokens such as [CLS]; 0 if there are none.
    reached: in cross-attention, the number of keys that get more than ½ from some query, if most
        queries give a key so much and not all the same; else 0. keys: the number of keys.
    duplicate: Σ_j w_ij over earlier keys j with the token of query i; induction: over those right
        behind such a key, unless that is the token before; each over those i that have one, 0 if
        there are none.
    last: the key with the largest weight of the last query; last_share: that weight.
    """

    evenness: float
    peak: float
    itself: float
    previous: float
    following: float
    favourite: int
    share: float
    special: float
    reached: int = 0
    keys: int = 0
    duplicate: float = 0.0
    induction: float = 0.0
    last: int = 0
    last_share: float = 0.0

    @property
    def pattern(self) -> tuple[Pattern, float]:
        """The dominant pattern, and its measure.

        *broadly* if evenness is at least 0.95; else *along* if most keys are reached, with the
        peak; else the largest, if at least ½, of *itself*, the *previous* or the *following*
        token, the *special* ones together, or *one* key (*first* if its index is 0), in this order
        among equals; else *mixed*, with the peak.
        """
        if self.evenness >= NEARLY_ALL:
            return "broadly", self.evenness
        if 2 * self.reached > self.keys:
            return "along", self.peak
        alone: Pattern = "one" if self.favourite else "first"
        found: tuple[tuple[Pattern, float], ...] = (
            ("itself", self.itself),
            ("previous", self.previous),
            ("following", self.following),
            ("special", self.special),
            (alone, self.share),
        )
        name, value = max(found, key=itemgetter(1))
        return (name, value) if value >= HALF else ("mixed", self.peak)


Known = Literal[
    "needed", "answer", "induction", "link", "duplicate", "previous", "following", "itself", "sink"
]  # fmt: skip
LEAST = 0.25  # weight of one word on another that is worth a look


Kind = Literal[
    "answer", "induction", "duplicate", "previous", "itself", "following", "first", "one",
    "special", "along", "broadly", "mixed", "none",
]  # fmt: skip
KINDS: tuple[Kind, ...] = get_args(Kind)


@dataclass(frozen=True)
class KnownHead:
    """A head that does something known. layer, head: from 0. value: its measure.

    cell: the query and the key that show it; None if every query does.
    """

    known: Known
    layer: int
    head: int
    value: float
    cell: tuple[int, int] | None = None


@dataclass
class StrongestLink:
    """The head with the largest weight among pairs of tokens, of all that ``look`` was given.

    pairs: (query, key). heads: of a layer. seen: the number of heads so far. by_query: the same
    among the pairs of one query. rows: what that query gives to every key there, (key,).
    """

    pairs: np.ndarray
    heads: int
    seen: int = 0
    found: KnownHead | None = None
    by_query: dict[int, KnownHead] = field(default_factory=dict)
    rows: dict[int, np.ndarray] = field(default_factory=dict)

    def look(self, weights: np.ndarray) -> None:
        """Take the next heads, in order: (head, query, key)."""
        among = np.where(self.pairs, weights, 0)
        for query in range(among.shape[1]):
            number, key = divmod(int(among[:, query].argmax()), among.shape[2])
            value, best = float(among[number, query, key]), self.by_query.get(query)
            if value > (best.value if best else LEAST):
                layer, head = divmod(self.seen + number, self.heads)
                self.by_query[query] = KnownHead("link", layer, head, value, (query, key))
                self.rows[query] = weights[number, query].copy()
        self.found = max(self.by_query.values(), key=lambda one: one.value, default=None)
        self.seen += len(weights)


def known_heads(
    heads: Sequence[Sequence[HeadPattern | None]],
    ids: Sequence[int],
    following: int,
    link: KnownHead | None = None,
) -> list[KnownHead]:
    """For each known behaviour the head that does it most, where one does it at least by half.

    *answer*: the last query gives most to a token equal to the one predicted. *sink*: special
    tokens, or the first one. *needed* is not among them: weights do not tell it. link: of
    ``StrongestLink``, unless its head does one of these.
    heads: by layer and head. ids: of the text's tokens. following: id of the predicted token.
    """
    found: dict[Known, KnownHead] = {}
    for layer, patterns in enumerate(heads):
        for number, one in enumerate(patterns):
            if one is None:
                continue
            for known, value in _measures(one, ids, following).items():
                if value >= HALF and (known not in found or value > found[known].value):
                    cell = (len(ids) - 1, one.last) if known == "answer" else None
                    found[known] = KnownHead(known, layer, number, value, cell)
    if link and not any((one.layer, one.head) == (link.layer, link.head) for one in found.values()):
        found["link"] = link
    return [found[known] for known in get_args(Known) if known in found]


def _measures(one: HeadPattern, ids: Sequence[int], following: int) -> dict[Known, float]:
    return {
        "answer": one.last_share if ids[one.last] == following else 0.0,
        "induction": one.induction,
        "duplicate": one.duplicate,
        "previous": one.previous,
        "following": one.following,
        "itself": one.itself,
        "sink": max(one.special, 0.0 if one.favourite else one.share),
    }


def kind_of(one: HeadPattern | None, ids: Sequence[int], following: int) -> tuple[Kind, float]:
    """What a head of a decoder does with a text, and the measure of it.

    *answer*, *induction* or *duplicate* if it does that by half at least, in this order, since few
    tokens give it occasion to; else its dominant pattern. A head whose weights go to the first
    token is no duplicate one if the first token comes again. *none* where no query has a choice.
    ids, following: as for ``known_heads``.
    """
    if one is None:
        return "none", 0.0
    measures, (pattern, value) = _measures(one, ids, following), one.pattern
    if pattern == "first":
        measures["duplicate"] = 0.0
    if measures["answer"] >= HALF:
        return "answer", measures["answer"]
    if measures["induction"] >= HALF:
        return "induction", measures["induction"]
    if measures["duplicate"] >= HALF:
        return "duplicate", measures["duplicate"]
    return pattern, value


def thumbnails(weights: np.ndarray, most: int) -> np.ndarray:
    """Small pictures of heads: the largest weight of each square of neighbouring tokens.

    (head, query, key) -> (head, side, side), side ≤ most; the same weights for so few tokens.
    """
    heads, n, _ = weights.shape
    step = math.ceil(n / most)
    side = math.ceil(n / step)
    filled = np.zeros((heads, side * step, side * step), weights.dtype)
    filled[:, :n, :n] = weights
    return np.asarray(filled.reshape(heads, side, step, side, step).max(axis=(2, 4)))


def pairs_of(one: KnownHead, ids: Sequence[int]) -> np.ndarray:
    """(query, key) True where the weight of a known behaviour goes; nowhere for *itself*, *sink*.

    ids: of the text's tokens.
    """
    n = len(ids)
    pairs = np.zeros((n, n), bool)
    if one.cell:
        pairs[one.cell] = True
        return pairs
    duplicate, behind = _repeated(ids)
    found = {
        "induction": behind,
        "duplicate": duplicate,
        "previous": np.eye(n, k=-1, dtype=bool),
        "following": np.eye(n, k=1, dtype=bool),
    }
    return found.get(one.known, pairs)


def first_shown(
    found: Sequence[KnownHead], ids: Sequence[int], words: np.ndarray
) -> KnownHead | None:
    """The first known head whose behaviour goes from a word to another one; None if none does.

    The last token, which *answer* is about, need not be a word that counts.
    found: of ``known_heads``. words: whether a token is a word that counts, (token,).
    """

    def goes(one: KnownHead) -> bool:
        pairs = pairs_of(one, ids)[:, words]
        return bool(pairs.any() if one.cell else pairs[words].any())

    return next(filter(goes, found), None)


def head_patterns(trace: Trace, sample: int) -> list[HeadPattern | None]:
    """The pattern of every head of one sample; empty if the trace has no attention.

    Special tokens count in self-attention only.
    """
    if "weights" not in trace:
        return []
    logits = next((trace[key] for key in ("masked", "scaled") if key in trace), None)
    same = "memory" not in trace
    key_mask = trace["key_mask"].tensor[sample] if same and "key_mask" in trace else None
    weights = trace["weights"].tensor[sample]
    # (head, query, key) -> (head, query)
    if logits is None:
        visible = (weights > 0).sum(axis=2)
    else:
        _, _, visible = of_rows(logits.tensor[sample])
    keys = trace["weights"].axis("key")
    special = keys.positions("special", size=weights.shape[2], sample=sample) if same else ()
    past = trace["past_K"].size("past_key") if "past_K" in trace else 0
    return of_heads(weights, visible, counts=key_mask, special=special, same=same, past=past)


def of_heads(
    weights: np.ndarray,
    visible: np.ndarray,
    *,
    counts: np.ndarray | None = None,
    special: tuple[int, ...] = (),
    same: bool = True,
    past: int = 0,
    ids: Sequence[int] = (),
) -> list[HeadPattern | None]:
    """The pattern of every head; None if no query sees more than one key.

    weights: (head, query, key). visible: number of keys that a query may attend to, (head, query)
    or (1, query). counts: False for padded queries, (query,); None: none are padded. special:
    indices of the special keys. same: whether this is self-attention; past: with so many cached
    keys before, so that query i is key past + i. Allocates one more array like a block of weights.
    """
    choosing = visible > 1 if counts is None else (visible > 1) & counts  # (head or 1, query)
    many = choosing.sum(axis=1, keepdims=True)
    part = (choosing / np.maximum(many, 1)).astype(weights.dtype)  # of a query in the mean
    means = np.zeros((len(weights), weights.shape[2]), weights.dtype)
    measured: list[list[np.ndarray]] = []
    for queries, rows in blocks(weights):
        means += (part[:, None, queries] @ rows)[:, 0]  # (…, 1, query) · (head, query, key)
        own = np.arange(weights.shape[1])[queries] + past
        measured.append([_entropy(rows), rows.max(axis=2), *(_at(rows, own + i) for i in NEAR)])
    entropy, largest, *near = (np.concatenate(all_, axis=1) for all_ in zip(*measured, strict=True))
    reached = np.zeros(len(weights), int)
    if same and weights.shape[1] + past == weights.shape[2]:
        near = [_mean_near(one, choosing, i) for one, i in zip(near, NEAR, strict=True)]
    else:
        near = [np.zeros(len(weights))] * 3
        reached = _reached(np.asarray(weights), choosing)
    measures = (
        (part * entropy / np.log(np.maximum(visible, 2))).sum(axis=1),
        (part * largest).sum(axis=1),
        *near,
        means.argmax(axis=1),
        means.max(axis=1),
        means[:, list(special)].sum(axis=1),
        reached,
        np.full(len(weights), weights.shape[2]),
        *(_on_keys(weights, mask) for mask in _repeated(ids)),
        weights[:, -1].argmax(axis=1),
        weights[:, -1].max(axis=1),
    )
    bounded = (
        np.minimum(measure, 1) if measure.dtype.kind == "f" else measure for measure in measures
    )  # a rounded mean of ones can lie above 1
    found = zip(*(measure.tolist() for measure in bounded), strict=True)
    chooses = np.broadcast_to(many[:, 0] > 0, len(weights))
    return [HeadPattern(*one) if any_ else None for one, any_ in zip(found, chooses, strict=True)]


def _entropy(weights: np.ndarray) -> np.ndarray:
    """−Σ_j w_ij log w_ij, where 0 log 0 counts as 0. (head, query, key) -> (head, query)."""
    terms = np.maximum(weights, np.finfo(weights.dtype).tiny)
    np.log(terms, out=terms)
    terms *= weights
    return np.abs(terms.sum(axis=2))


def _reached(weights: np.ndarray, choosing: np.ndarray) -> np.ndarray:
    """How many keys each head aligns with queries that have a choice: (head,)."""
    rows = np.broadcast_to(choosing, weights.shape[:2])
    found = [hard_alignment(head[some]) for head, some in zip(weights, rows, strict=True)]
    return np.array([len(one.reached) if one.is_clear else 0 for one in found])


def _repeated(ids: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
    """(query, key) True where an earlier key has the query's token; where it is behind such a key.

    A token behind two equal ones, as in "ha ha ha", counts as the same token only, and one right
    before the query as the previous token only.
    """
    tokens = np.asarray(ids, int)
    duplicate = np.tril(tokens[:, None] == tokens, -1)
    behind = np.tril(np.roll(duplicate, 1, axis=1), -1)
    behind[:, :1] = False
    return duplicate, behind & ~duplicate & ~np.eye(len(tokens), k=-1, dtype=bool)


def _on_keys(weights: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """The mean weight on a mask's keys, over the queries with one. (query, key) -> (head,)."""
    queries = np.count_nonzero(mask.any(axis=1))
    if not queries:
        return np.zeros(len(weights))
    total: np.ndarray = np.einsum("hqk,qk->h", weights, mask)  # without a copy of the weights
    return total / queries


def _at(rows: np.ndarray, keys: np.ndarray) -> np.ndarray:
    """The weight of each query on its own key: (head, query); 0 where there is no such key.

    rows: (head, query, key). keys: the index of a key for each query.
    """
    there = (keys >= 0) & (keys < rows.shape[2])
    found: np.ndarray = rows[:, np.arange(len(keys)), np.where(there, keys, 0)] * there
    return found


def _mean_near(near: np.ndarray, choosing: np.ndarray, offset: int) -> np.ndarray:
    """The mean of w_i,i+offset over the queries with a choice and such a key: (head,).

    near: (head, query). choosing: (head or 1, query).
    """
    n = near.shape[1]
    counts = choosing[:, max(0, -offset) : n - max(0, offset)]
    near = near[:, max(0, -offset) : n - max(0, offset)]
    mean: np.ndarray = (near * counts).sum(axis=1) / np.maximum(counts.sum(axis=1), 1)
    return mean
