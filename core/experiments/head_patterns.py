"""What a head does on one input: a few means over its weights, and the pattern that stands out.

Heads that look at the token before, at the one behind, at [SEP] or broadly at all tokens are what
Clark et al. found in BERT ("What Does BERT Look At?", 2019, section 3). A pattern on one input says
where a head looks, not what that is good for.
"""

from dataclasses import dataclass
from operator import itemgetter
from typing import Literal, get_args

import numpy as np

from core.trace import Trace

NEARLY_ALL = 0.95  # of the entropy of an even share
HALF = 0.5

Pattern = Literal[
    "previous", "following", "itself", "first", "one", "special", "broadly", "mixed"
]  # fmt: skip
PATTERNS: tuple[Pattern, ...] = get_args(Pattern)


@dataclass(frozen=True)
class HeadPattern:
    """Means over the queries i of one head that see more than one key, each from 0 to 1.

    evenness: −Σ_j w_ij log w_ij / log n_i, where query i sees n_i keys: the entropy of a row over
        that of an even share. peak: max_j w_ij.
    itself, previous, following: w_ii, w_i,i−1 and w_i,i+1, each over those i that have such a key;
        0 where queries and keys are different tokens.
    favourite: the key j that gets most, from 0; share: the w_ij that it gets.
    special: Σ_j w_ij over the tokens that a model wants around a text, such as [CLS]; 0 where none
        is known.
    """

    evenness: float
    peak: float
    itself: float
    previous: float
    following: float
    favourite: int
    share: float
    special: float

    @property
    def pattern(self) -> tuple[Pattern, float]:
        """What stands out, and the measure that says so.

        *broadly* from 95 percent of the largest entropy on; else what gets half of the weight or
        more, the most of these: *itself*, the *previous* or the *following* token, the *special*
        ones together, or *one* key, which is *first* where it has the first place. Of equal ones
        the first named. Where none has half: *mixed*, with the peak.
        """
        if self.evenness >= NEARLY_ALL:
            return "broadly", self.evenness
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


def head_patterns(trace: Trace, sample: int) -> list[HeadPattern | None]:
    """The pattern of every head of one sample; none where the trace has no attention.

    Special tokens are those of a text, where queries and keys are the same.
    """
    if "weights" not in trace:
        return []
    logits = trace["masked" if "masked" in trace else "scaled"].tensor[sample]
    same = "memory" not in trace
    key_mask = trace["key_mask"].tensor[sample] if same and "key_mask" in trace else None
    seen = np.isfinite(logits).sum(axis=2)  # (head, query, key) -> (head, query)
    weights = trace["weights"].tensor[sample]
    keys = trace["weights"].axis("key")
    special = keys.places("special", size=weights.shape[2], sample=sample) if same else ()
    return of_heads(weights, seen, counts=key_mask, special=special, same=same)


def of_heads(
    weights: np.ndarray,
    seen: np.ndarray,
    *,
    counts: np.ndarray | None = None,
    special: tuple[int, ...] = (),
    same: bool = True,
) -> list[HeadPattern | None]:
    """The pattern of every head; None where no query sees more than one key.

    weights: (head, query, key). seen: how many keys a query may see, (head, query) or (1, query).
    counts: which queries are no filling, (query,); all if None. special: the places of such keys.
    same: whether queries and keys are the same tokens. Holds one more array of the weights' size.
    """
    choosing = seen > 1 if counts is None else (seen > 1) & counts  # (head or 1, query)
    many = choosing.sum(axis=1, keepdims=True)
    part = (choosing / np.maximum(many, 1)).astype(weights.dtype)  # of a query in the mean
    means = (part[:, None] @ weights)[:, 0]  # (…, 1, query) · (head, query, key) -> (head, key)
    near = [_near(weights, choosing, offset) for offset in (0, -1, 1)]
    if not same or weights.shape[1] != weights.shape[2]:
        near = [np.zeros(len(weights))] * 3
    measures = (
        (part * _entropy(weights) / np.log(np.maximum(seen, 2))).sum(axis=1),
        (part * weights.max(axis=2)).sum(axis=1),
        *near,
        means.argmax(axis=1),
        means.max(axis=1),
        means[:, list(special)].sum(axis=1),
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


def _near(weights: np.ndarray, choosing: np.ndarray, offset: int) -> np.ndarray:
    """The mean of w_i,i+offset over the queries that choose and have such a key. -> (head,)."""
    near = np.diagonal(weights, offset, 1, 2)  # (head, those queries)
    first = max(0, -offset)
    counts = choosing[:, first : first + near.shape[1]]
    return (near * counts).sum(axis=1) / np.maximum(counts.sum(axis=1), 1)
