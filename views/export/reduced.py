"""What of a trace fits into a file of another program: all of it, or one head from Q, K, V on."""

from collections.abc import Callable, Mapping

from core import Stage, Trace, nested
from core.errors import InputError
from core.rules import Given
from views.scene.naming import fill_token_noun, num_heads, stage_words
from views.scene.steps import first_part
from views.text import EXPORT, Words


def attention_of(trace: Trace) -> Trace:
    """The trace; of one that is made of parts the first attention."""
    is_of_parts = all("/" in key for key in trace)
    return nested.subtrace(trace, first_part(trace)) if is_of_parts else trace


def reduced(trace: Trace, limit: int, at: Mapping[str, int], *, given: bool = False) -> Trace:
    """The trace, or if that has too many numbers one head of it, with Q, K and V as given.

    at: the sample and the head, from 0. given: only numbers that are not computed are counted.
    Raises too_many_numbers if one head has too many as well.
    """
    count = _count(trace, given)
    if count <= limit:
        return trace
    alone = nested.attention_alone(trace)
    if alone is not trace:
        count = _count(alone, given, one_head=True)
    if count > limit:
        raise InputError("too_many_numbers", numbers=count, limit=limit)
    return nested.one_head(alone, at.get("batch", 0), at.get("head", 0))


def title_of(
    trace: Trace, key: str, words: Words, text: Callable[[str], str], latex: Callable[[str], str]
) -> str:
    """The headline of a stage. text, latex: write its words, and the formulas in it."""
    title = fill_token_noun(stage_words(trace, key, words).title, trace, words.nouns)
    return "".join(latex(part) if i % 2 else text(part) for i, part in enumerate(title.split("$")))


def one_head_note(trace: Trace, whole: Trace, words: Words) -> str:
    """What ``reduced`` has left of the whole, in words."""
    axis, heads = trace["Q"].axis("head"), num_heads(whole)
    return EXPORT[words.code].reduced.format(head=axis.label(0), heads=heads)


def _count(trace: Trace, given: bool, *, one_head: bool = False) -> int:
    def of(stage: Stage) -> int:
        parts = (stage.size(role) for role in ("batch", "head", "kv_head") if one_head)
        size = stage.tensor.size
        for part in parts:
            size //= part
        return size

    return sum(of(s) for s in trace.values() if not given or isinstance(s.rule, Given))
