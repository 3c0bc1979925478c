"""The reading of each stage: the kind of sentence about a row, and what the browser needs for it.

The browser computes the numbers and fills in the templates. The pattern of a head is written here.
"""

from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from core import Stage, Trace, rules
from core.experiments.head_patterns import HeadPattern, head_patterns
from views.scene.naming import fill_token_noun, token_name, words_key
from views.text import Words, numbers
from views.text.spans import Span, pieces

_READING = {
    "Q": "projection",
    "K": "projection",
    "V": "projection",
    "shared_keys": "projection",
    "shared_values": "projection",
    "scores": "largest",
    "scaled": "shrinks",
    **dict.fromkeys(("masked", "biased_and_masked"), "allowed"),
    "weights": "looks",
    "sink_weights": "looks",
    "dropped": "dropped",
    "head_output": "takes",
    "concat": "from_head",
    "output": "contributions",
    **dict.fromkeys(
        (
            "normalised",
            "learnt_norm",
            "normed_stream",
            "bias_free_normed_stream",
            "normed_sum",
            "normed_vectors",
            "bias_free_normed_vectors",
            "final_norm",
            "bias_free_norm",
        ),
        "shift",
    ),
    "logits": "largest",
    "plain_logits": "largest",
    "probabilities": "largest",
    "patches": "unchanged",
    "flattened": "unchanged",
}
UNREAD: dict[str, Any] = {"reading": None, "facts": {}}
_COMPARED = ("shrinks", "looks", "dropped", "takes", "shift")
_DIFFERENCES: WeakKeyDictionary[Stage, float] = WeakKeyDictionary()


def reading(trace: Trace, key: str) -> dict[str, Any]:
    """The kind of reading of a stage, or None, and facts that do not depend on the selected row.

    Facts: ``of``, the stage whose row is compared; ``d_v``, the columns of each head;
    ``difference``, see there.
    """
    stage = trace[key]
    kind = _READING.get(words_key(trace, key))
    if kind is None or isinstance(stage.rule, rules.Given) or _is_unchanged(stage.rule):
        return UNREAD
    facts: dict[str, Any] = {}
    if kind in _COMPARED:
        facts["of"] = stage.computed_from[0]
    elif kind in ("from_head", "contributions"):
        facts["d_v"] = trace["head_output"].size("d_v")
    elif kind == "projection":
        facts["difference"] = difference(trace, key)
    return {"reading": kind, "facts": facts}


def _is_unchanged(rule: rules.Rule) -> bool:
    """Whether the rule multiplies by 1, as ÷ √d_k does where d_k is 1."""
    if not isinstance(rule, rules.Product):
        return False
    constants = [factor for factor in rule.factors if isinstance(factor, rules.Constant)]
    return bool(constants) and all(constant.value == 1 for constant in constants)


def difference(trace: Trace, key: str) -> str:
    """The largest difference of Q, K or V from a separate projection for each head, printed."""
    stage = trace[key]
    if stage not in _DIFFERENCES:
        _DIFFERENCES[stage] = _largest_difference(trace, key)
    return numbers.short(_DIFFERENCES[stage]) if _DIFFERENCES[stage] else "0"


def _largest_difference(trace: Trace, key: str) -> float:
    x = trace["memory" if key != "Q" and "memory" in trace else "X"].tensor
    with np.errstate(over="ignore", invalid="ignore"):
        by_head = np.stack([x @ W for W in trace[f"W_{key}"].tensor], axis=1)
        if f"b_{key}" in trace:
            by_head += trace[f"b_{key}"].tensor[:, None, :]
        return float(np.abs(by_head - trace[key].tensor).max())


def templates(trace: Trace, words: Words) -> dict[str, list[Span]]:
    """The sentences of all readings as spans; a span with the role ``{}`` is a field's name."""
    texts = dict(words.reading)
    silence, padding = texts.pop("is_silence"), texts.pop("is_padding")
    texts["filling"] = silence if trace.token == "frame" else padding
    texts["same_numbers"] = words.viewer.same_numbers
    return {name: pieces(fill_token_noun(text, trace, words.nouns)) for name, text in texts.items()}


def head_lines(trace: Trace, sample: int, words: Words) -> list[str]:
    """The attention pattern of each head on this input, as one line of text per head."""
    heads = trace.derived(("patterns", sample), lambda: head_patterns(trace, sample))
    return [_head_line(trace, sample, head, words) for head in heads]


def _head_line(trace: Trace, sample: int, head: HeadPattern | None, words: Words) -> str:
    text = words.head_pattern
    if head is None:
        return text.no_choice
    pattern, value = head.pattern
    if pattern == "broadly":
        return text.broadly.format(percent=numbers.whole(100 * value))
    if pattern == "along":
        peak = numbers.plain(value)
        return text.along.format(value=peak, reached=head.reached, keys=head.keys)
    favourite, _ = token_name(trace, trace["weights"], "key", head.favourite, sample, words)
    template = {"first": text.one}.get(pattern) or text[pattern]
    return template.replace("{value}", numbers.plain(value)).replace("{key}", favourite)
