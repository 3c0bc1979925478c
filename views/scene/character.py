"""What each head does on this very input, in one line from its weights."""

from dataclasses import dataclass
from operator import itemgetter

import numpy as np

from core import Trace
from views import numbers
from views.figures.plane import filling
from views.naming import token_name
from views.text import Words

NEARLY_ALL = 0.95  # of the entropy of an even share
HALF = 0.5


@dataclass(frozen=True)
class Character:
    """Means over the queries of one head that see more than one key.

    evenness: the entropy of a row over that of an even share, 0 … 1; peak: the largest weight;
    itself, previous: the weight of the query's own place and of the one before; favourite: the key
    that gets most, and ``share`` what it gets. itself and previous are 0 where queries and keys are
    different tokens.
    """

    evenness: float
    peak: float
    itself: float
    previous: float
    favourite: int
    share: float


def characters(trace: Trace, sample: int) -> list[Character | None]:
    """The character of every head; None where no query has a choice."""
    if "weights" not in trace:
        return []
    logits = trace["masked" if "masked" in trace else "scaled"].tensor[sample]
    filled = filling(trace, "query", sample)
    heads = trace["weights"].tensor[sample]  # (head, query, key)
    found = []
    for weights, logit in zip(heads, logits, strict=True):
        seen = np.isfinite(logit).sum(axis=1)
        counts = seen > 1 if filled is None else (seen > 1) & ~filled
        found.append(_character(weights, seen, counts, "memory" not in trace))
    return found


def _character(
    weights: np.ndarray, seen: np.ndarray, counts: np.ndarray, same: bool
) -> Character | None:
    rows = weights[counts]
    if not rows.size:
        return None
    bits = -np.where(rows > 0, rows * np.log(np.where(rows > 0, rows, 1)), 0).sum(axis=1)
    mean = rows.mean(axis=0)
    square = same and weights.shape[0] == weights.shape[1]
    places = np.flatnonzero(counts)
    behind = places[places > 0]
    return Character(
        evenness=float((bits / np.log(seen[counts])).mean()),
        peak=float(rows.max(axis=1).mean()),
        itself=float(weights[places, places].mean()) if square else 0.0,
        previous=float(weights[behind, behind - 1].mean()) if square and behind.size else 0.0,
        favourite=int(mean.argmax()),
        share=float(mean.max()),
    )


def said(trace: Trace, sample: int, words: Words) -> list[str]:
    """One line a head."""
    text = words.character
    lines = []
    for character in characters(trace, sample):
        if character is None:
            lines.append(text.no_choice)
        elif character.evenness >= NEARLY_ALL:
            lines.append(text.evenly.format(percent=round(100 * character.evenness)))
        else:
            lines.append(_pattern(trace, sample, character, words))
    return lines


def _pattern(trace: Trace, sample: int, character: Character, words: Words) -> str:
    text = words.character
    favourite, _ = token_name(trace, trace["weights"], "key", character.favourite, sample, words)
    value, template = max(
        (character.itself, text.itself),
        (character.previous, text.previous),
        (character.share, text.one),
        key=itemgetter(0),
    )
    if value < HALF:
        value, template = character.peak, text.mixed
    return template.replace("{value}", numbers.plain(value, 2)).replace("{key}", favourite)
