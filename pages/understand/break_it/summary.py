"""A sentence on the effect of a mistake, with numbers of the user's sentence."""

import math
from collections.abc import Sequence

from core.experiments import mistakes
from core.experiments.invariants import Case
from core.experiments.mistakes import MISTAKES
from views.text import Words, numbers
from views.text.spans import Span, spans

UNCHANGED = 1e-12


def read(
    name: str, right: Case, broken: Case, head: int, tokens: Sequence[str], texts: Words
) -> list[Span]:
    """The sentence about a mistake, with the numbers of one head."""
    off = mistakes.relative_error(right.attended.output, broken.attended.output)
    if len(tokens) == 1 and off < UNCHANGED:
        return spans(texts.harmless)
    template = texts.reads[name]
    weights = broken.attended.weights[0, head]
    d_k, d_model = right.weights.d_k, right.weights.d_model
    short = numbers.short
    if name in ("axis", "late_mask"):
        row, total = mistakes.farthest_sum(weights)
        fields: dict[str, str | Span] = {"token": (tokens[row], "query"), "sum": short(total)}
        if name == "late_mask":
            fields["lost"] = short(1 - total)
    elif name == "unscaled":
        fields = {
            "d_k": str(d_k),
            "factor": short(math.sqrt(d_k)),
            "broken": short(mistakes.mean_largest_weight(weights)),
            "right": short(mistakes.mean_largest_weight(right.attended.weights[0, head])),
        }
    elif name == "reshape":
        fields = _moved(right, head, tokens) | {"d_model": str(d_model)}
    elif name == "upright":
        place = len(tokens) - 1
        fields = {
            "n": str(len(tokens)),
            "query": (tokens[0], "query"),
            "key": (tokens[place], "key"),
            "place": str(place + 1),
        }
    elif name == "twice":
        columns = broken.attended.concat.shape[-1]
        fields = {
            "narrow": str(broken.attended.Q.shape[-1]),
            "d_k": str(d_k),
            "columns": str(columns),
            "d_model": str(d_model),
            "lost": str(d_model - columns),
        }
    else:
        query, key, share = mistakes.largest_masked_weight(weights, broken.allowed)
        fields = {
            "query": (tokens[query], "query"),
            "key": (tokens[key], "key"),
            "weight": short(share),
        }
    percent = numbers.plain(100 * off, 0 if off >= 0.1 else 1)
    return [*spans(template, **fields), *spans(texts.off_by, percent=percent)]


def _moved(right: Case, head: int, tokens: Sequence[str]) -> dict[str, str | Span]:
    """A row of this head that contains numbers of another token."""
    split = MISTAKES["reshape"].wrong
    n, heads, d_k = len(tokens), right.weights.heads, right.weights.d_k
    origins = [mistakes.origin(split, n, heads, d_k, head, row) for row in range(n)]
    row = next(row for row in range(n) if origins[row][0][0] != row)
    token, first = origins[row][0]
    return {
        "head": str(head + 1),
        "token": (tokens[row], "query"),
        "other": (tokens[token], "query"),
        "first": str(first + 1),
        "last": str(origins[row][-1][1] + 1),
    }
