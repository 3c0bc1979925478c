"""Patterns of attention heads on one input: means over the weights, and the dominant one.

Clark et al. found heads in BERT that attend to the previous token, the next one, [SEP] or broadly
to all tokens ("What Does BERT Look At?", 2019, section 3). Olsson et al. found induction heads in
decoders ("In-context Learning and Induction Heads", 2022), Wang et al. duplicate token heads and
name movers ("Interpretability in the Wild", 2022, section 3).
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Literal, get_args

import numpy as np

from core.blockwise import blocks, of_rows
from core.experiments.alignment import HardAlignment
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
FEW = 512  # tokens, up to which a link's whole row of weights is cached


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
    among the pairs of one query. rows: what that query gives to every key there, (key,), unless the
    text is long.
    """

    pairs: np.ndarray
    heads: int
    seen: int = 0
    by_query: dict[int, KnownHead] = field(default_factory=dict)
    rows: dict[int, np.ndarray] = field(default_factory=dict)

    @property
    def found(self) -> KnownHead | None:
        """The one with the largest weight of all."""
        values = (self.by_query[query] for query in sorted(self.by_query))
        return max(values, key=lambda one: one.value, default=None)

    def look(self, weights: np.ndarray, queries: slice) -> None:
        """Take the next weights, in order: (head, query, key), as a ``forward.Observer`` does."""
        among = np.where(self.pairs[queries, : weights.shape[2]], weights, 0)
        keys = among.argmax(axis=2)  # (head, query)
        values = np.take_along_axis(among, keys[..., None], axis=2)[..., 0]
        numbers = values.argmax(axis=0)
        for i in np.flatnonzero(values.max(axis=0) > LEAST).tolist():
            number, query = int(numbers[i]), queries.start + i
            value, best = float(values[number, i]), self.by_query.get(query)
            if best is None or value > best.value:
                layer, head = divmod(self.seen + number, self.heads)
                cell = query, int(keys[number, i])
                self.by_query[query] = KnownHead("link", layer, head, value, cell)
                if len(self.pairs) <= FEW:
                    row = self.rows[query] = np.zeros(len(self.pairs), weights.dtype)
                    row[: weights.shape[2]] = weights[number, i]
        if queries.stop == len(self.pairs):
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


class Thumbnails:
    """Small pictures of heads: the largest weight of each square of neighbouring tokens.

    (head, side, side), side ≤ most; the same weights for so few tokens.
    """

    def __init__(self, n: int, most: int) -> None:
        """n: tokens."""
        self._n, self._step = n, math.ceil(n / most)
        self._side = math.ceil(n / self._step)
        self._pictures: list[np.ndarray] = []
        self._first = True  # of the queries of some heads

    def look(self, weights: np.ndarray, queries: slice) -> None:
        """Take the next weights, in order: (head, query, key), as a ``forward.Observer`` does."""
        heads, _, keys = weights.shape
        if self._first:
            shape = heads, self._side, self._side
            self._pictures.append(np.zeros(shape, weights.dtype))
        columns = np.arange(0, keys, self._step)
        begins = np.arange(queries.start, queries.stop)
        rows = np.flatnonzero((begins % self._step == 0) | (begins == queries.start))
        largest = np.maximum.reduceat(np.maximum.reduceat(weights, columns, axis=2), rows, axis=1)
        at = begins[rows] // self._step
        picture = self._pictures[-1]
        picture[:, at, : len(columns)] = np.maximum(picture[:, at, : len(columns)], largest)
        self._first = queries.stop == self._n

    @property
    def pictures(self) -> np.ndarray:
        """Those of all heads: (head, side, side)."""
        return np.concatenate(self._pictures)


def pairs_of(one: KnownHead, ids: Sequence[int]) -> np.ndarray:
    """(query, key) True where the weight of a known behaviour goes; nowhere for *itself*, *sink*.

    ids: of the text's tokens.
    """
    n = len(ids)
    pairs = np.zeros((n, n), bool)
    if one.cell:
        pairs[one.cell] = True
        return pairs
    duplicate, behind = Repeats(ids).of(slice(0, n), n)
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
    or (1, query). The others: see ``PatternSums``.
    """
    repeats, shape = Repeats(ids), weights.shape
    sums = PatternSums(shape, weights.dtype, visible, counts, special, same, past, repeats)
    for queries, rows in blocks(weights):
        sums.add(rows, slice(*queries.indices(shape[1])[:2]))
    return sums.patterns()


class Repeats:
    """Where tokens of a text come again: pairs of a query and an earlier key, a bit for each."""

    def __init__(self, ids: Sequence[int]) -> None:
        """ids: of the tokens; none where it does not matter."""
        tokens, self.keys = np.asarray(ids, int), len(ids)
        self._bits: list[tuple[np.ndarray, np.ndarray]] = []
        self.queries = np.zeros(2, int)  # that have such keys
        for query in range(self.keys):
            masks = _repeated(tokens, query)
            self.queries += [mask.any() for mask in masks]
            self._bits.append((np.packbits(masks[0]), np.packbits(masks[1])))

    def of(self, queries: slice, keys: int) -> Iterator[np.ndarray]:
        """(query, key) True where a key has the query's token; where it is behind such a key."""
        for both in zip(*self._bits[queries], strict=True):
            yield np.unpackbits(np.stack(both), axis=1, count=self.keys)[:, :keys].view(bool)


class PatternSums:
    """Sums over the queries of some heads, which are given some at a time: see ``HeadPattern``."""

    def __init__(
        self,
        shape: tuple[int, ...],
        dtype: np.dtype,
        visible: np.ndarray,
        counts: np.ndarray | None = None,
        special: tuple[int, ...] = (),
        same: bool = True,
        past: int = 0,
        repeats: Repeats | None = None,
    ) -> None:
        """shape, dtype: of the weights (head, query, key).

        visible: number of keys that a query may attend to, (head, query) or (1, query). counts:
        False for padded queries, (query,); None: none are padded. special: indices of the special
        keys. same: whether this is self-attention; past: with so many cached keys before, so that
        query i is key past + i. repeats: of the text, if it matters.
        """
        self._heads, self._queries, self._keys = shape
        self._special, self._past, self._repeats = special, past, repeats or Repeats(())
        self._is_same = same and self._queries + past == self._keys
        choosing = visible > 1 if counts is None else (visible > 1) & counts  # (head or 1, query)
        self._many = choosing.sum(axis=1, keepdims=True)
        # of a query in the mean
        self._part = (choosing / np.maximum(self._many, 1)).astype(dtype)
        self._visible, self._choosing = visible, choosing
        self._means = np.zeros((self._heads, self._keys), dtype)
        self._best = np.zeros((self._heads, self._queries), int)
        self._measured = np.zeros((2 + len(NEAR), self._heads, self._queries), dtype)
        self._on_repeats = np.zeros((2, self._heads))

    def add(self, rows: np.ndarray, queries: slice) -> bool:
        """Take the rows of some queries; return whether these are the last ones.

        rows: (head, query, key), without keys at the end that get nothing.
        """
        keys = rows.shape[2]
        part = np.broadcast_to(self._part, (self._heads, self._queries))[:, None, queries]
        self._means[:, :keys] += (part @ rows)[:, 0]  # (…, 1, query) · (head, query, key)
        own = np.arange(self._queries)[queries] + self._past
        best = self._best[:, queries] = rows.argmax(axis=2)
        largest = np.take_along_axis(rows, best[..., None], axis=2)[..., 0]
        near = (_at(rows, own + i) for i in NEAR)
        self._measured[:, :, queries] = [_entropy(rows), largest, *near]
        if self._repeats.keys:
            found = self._repeats.of(queries, keys)
            self._on_repeats += [rows[:, mask].sum(axis=1) for mask in found]
        return queries.stop == self._queries

    def patterns(self) -> list[HeadPattern | None]:
        """The pattern of every head; None if no query sees more than one key."""
        entropy, largest, *near = self._measured
        reached, choosing = np.zeros(self._heads, int), self._choosing
        if self._is_same:
            near = [_mean_near(one, choosing, i) for one, i in zip(near, NEAR, strict=True)]
        else:
            near = [np.zeros(self._heads)] * 3
            reached = _reached(self._best, largest, choosing)
        part, visible = self._part, self._visible
        measures = (
            (part * entropy / np.log(np.maximum(visible, 2))).sum(axis=1),
            (part * largest).sum(axis=1),
            *near,
            self._means.argmax(axis=1),
            self._means.max(axis=1),
            self._means[:, list(self._special)].sum(axis=1),
            reached,
            np.full(self._heads, self._keys),
            *(self._on_repeats / np.maximum(self._repeats.queries, 1)[:, None]),
            self._best[:, -1],
            largest[:, -1],
        )
        bounded = (
            np.minimum(measure, 1) if measure.dtype.kind == "f" else measure for measure in measures
        )  # a rounded mean of ones can lie above 1
        found = zip(*(measure.tolist() for measure in bounded), strict=True)
        chooses = np.broadcast_to(self._many[:, 0] > 0, self._heads)
        return [
            HeadPattern(*one) if any_ else None for one, any_ in zip(found, chooses, strict=True)
        ]


def _entropy(weights: np.ndarray) -> np.ndarray:
    """−Σ_j w_ij log w_ij, where 0 log 0 counts as 0. (head, query, key) -> (head, query)."""
    terms = np.maximum(weights, np.finfo(weights.dtype).tiny)
    np.log(terms, out=terms)
    terms *= weights
    return np.abs(terms.sum(axis=2))


def _reached(best: np.ndarray, largest: np.ndarray, choosing: np.ndarray) -> np.ndarray:
    """How many keys each head aligns with queries that have a choice: (head,).

    best, largest: of each row the first key with the largest weight, and that: (head, query).
    """
    found = [
        HardAlignment(tuple(keys[some].tolist()), tuple(weights[some].tolist()))
        for keys, weights, some in zip(
            best, largest, np.broadcast_to(choosing, best.shape), strict=True
        )
    ]
    return np.array([len(one.reached) if one.is_clear else 0 for one in found])


def _repeated(tokens: np.ndarray, query: int) -> tuple[np.ndarray, np.ndarray]:
    """(key,) True where an earlier key has the query's token; where it is behind such a key.

    A token behind two equal ones, as in "ha ha ha", counts as the same token only, and one right
    before the query as the previous token only.
    """
    duplicate = tokens == tokens[query]
    duplicate[query:] = False
    behind = np.zeros_like(duplicate)
    behind[1 : max(query - 1, 1)] = duplicate[: max(query - 2, 0)]
    return duplicate, behind & ~duplicate


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
