"""What a token is called: a word in a sentence, a numbered patch in an image."""

from collections.abc import Callable

from core import Stage, Trace, rules
from views.figures.axis import shortened
from views.text import StageWords, Words

NOUN = "{token}"


def with_noun(text: str, trace: Trace, words: Words) -> str:
    """A sentence with ``{token}`` said as the word, the patch or the frame that it is."""
    return text.replace(NOUN, words.nouns[trace.token])


def before_patches(trace: Trace) -> int:
    """How many tokens stand before the first patch: 1 where there is [CLS]."""
    names = next(
        (stage.axes[i].names() for stage in trace.values() for i, role in enumerate(stage.roles)
         if role in ("token", "key")), None,
    )  # fmt: skip
    return sum(not name.isdecimal() for name in names or ())


def token_name(
    trace: Trace, stage: Stage, role: str, place: int, sample: int, words: Words
) -> tuple[str, str]:
    """The name of a place along an axis, and its role; a patch is called one before its number."""
    label = shortened(stage.axis(role).label(place, sample))
    if trace.token == "patch" and role in ("query", "key", "token", "patch") and label.isdecimal():
        label = words.image.patch_label.format(number=label)
    return label, role


def stage_words(trace: Trace, key: str, words: Words) -> StageWords:
    """What is said about a stage, which may depend on what stands around it."""
    return words.stages[next((name for name, holds in _TOLD_AS.get(key, ()) if holds(trace)), key)]


def depends_on_weights(trace: Trace, key: str) -> bool:
    """Whether any number that a stage comes from was learnt, or drawn at random."""
    rule = trace[key].rule
    if isinstance(rule, rules.Given):
        return rule.is_weight or rule.what in ("random", "earlier")
    return any(depends_on_weights(trace, source) for source in trace[key].computed_from)


def _has(key: str) -> Callable[[Trace], bool]:
    return lambda trace: key in trace


def _is_learnt(key: str) -> Callable[[Trace], bool]:
    return lambda trace: trace[key].rule == rules.Given("trained")


# A patch is projected where a word is looked up; attention and feed-forward both end in an output.
_TOLD_AS: dict[str, tuple[tuple[str, Callable[[Trace], bool]], ...]] = {
    "E": (("learnt_table", _is_learnt("E")),),
    "W_E": (("learnt_projection", _is_learnt("W_E")),),
    "cls": (("learnt_cls", _is_learnt("cls")),),
    "position": (("learnt_position", _is_learnt("position")),),
    "embedding": (("projection", _has("patches")),),
    "X": (
        ("last_vectors", _has("logits")),
        ("normed_stream", _has("stream")),
        ("fed", _has("hidden")),
    ),
    "output": (("fed_output", _has("hidden")),),
    "residual": (("stream_on", _has("stream")),),
    "normalised": (("learnt_norm", _has("gamma")),),
}
