"""What a token is called: a word, a piece of one, a numbered patch, a moment of sound."""

from collections.abc import Callable

from core import Stage, Trace, rules
from views.figures.axis import shortened
from views.text import StageWords, Words

NOUN = "{token}"
SAME = {"token": "query", "memory": "key"}
OWN = rules.Given("checkpoint")


def with_noun(text: str, trace: Trace, words: Words) -> str:
    """A sentence with ``{token}`` said as the word, the patch or the frame that it is.

    What the tokenizer of a reader's own model cuts off may be less than a word.
    """
    noun = "piece" if trace.token == "word" and _is_own(trace) else trace.token
    return text.replace(NOUN, words.nouns[noun])


def before_patches(trace: Trace) -> int:
    """How many tokens stand before the first patch: 1 where there is [CLS]."""
    names = next(
        (stage.axes[i].names() for stage in trace.values() for i, role in enumerate(stage.roles)
         if role in ("token", "key")), None,
    )  # fmt: skip
    return sum(not name.isdecimal() for name in names or ())


def hops_of(trace: Trace) -> int:
    """How many frames of a sound share a token; 0 where there are none."""
    return trace["level"].size("frame") // trace["X"].size("token") if "level" in trace else 0


def meaning_of(trace: Trace, stage: Stage, role: str) -> str:
    """What a place along an axis means wherever it stands: a token is a query.

    A frame is a token where frames are not, or are already, pooled.
    """
    if role == "frame" and stage.size(role) == trace["X"].size("token"):
        return "query"
    return SAME.get(role, role)


def only_head(trace: Trace) -> int | None:
    """The one head of several that a trace was computed for, from 0; None where it has them all."""
    if "weights" not in trace or trace["weights"].size("head") > 1:
        return None
    names = trace["weights"].axis("head").names()
    return None if names is None else int(names[0]) - 1


def heads_of(trace: Trace) -> int:
    """How many heads there are, whether the trace has all of them or one."""
    if only_head(trace) is not None and "concat" in trace:
        return trace["concat"].size("concat") // trace["head_output"].size("d_v")
    return max(stage.size("head") for stage in trace.values())


def token_name(
    trace: Trace, stage: Stage, role: str, place: int, sample: int, words: Words
) -> tuple[str, str]:
    """The name of a place along an axis, and its role; a patch is called one before its number."""
    label = shortened(stage.axis(role).label(place, sample))
    if trace.token == "patch" and role in ("query", "key", "token", "patch") and label.isdecimal():
        label = words.image.patch_label.format(number=label)
    return label, role


def told_as(trace: Trace, key: str) -> str:
    """The name under which a stage is told, which may depend on what stands around it."""
    return next((name for name, holds in _TOLD_AS.get(key, ()) if holds(trace)), key)


def stage_words(trace: Trace, key: str, words: Words) -> StageWords:
    """What is said about a stage."""
    return words.stages[told_as(trace, key)]


def depends_on_weights(trace: Trace, key: str) -> bool:
    """Whether any number that a stage comes from was learnt, or drawn at random."""
    rule = trace[key].rule
    if isinstance(rule, rules.Given):
        return rule.is_weight or rule.what in ("random", "earlier")
    return any(depends_on_weights(trace, source) for source in trace[key].computed_from)


def _has(key: str) -> Callable[[Trace], bool]:
    return lambda trace: key in trace


def _is_learnt(key: str) -> Callable[[Trace], bool]:
    learnt = (rules.Given("trained"), OWN)
    return lambda trace: key in trace and trace[key].rule in learnt


def _is_own(trace: Trace) -> bool:
    """Whether any number comes from a reader's own model."""
    return any(stage.rule == OWN for stage in trace.values())


def _own(key: str) -> Callable[[Trace], bool]:
    return lambda trace: key in trace and trace[key].rule == OWN


def _own_words(trace: Trace) -> bool:
    return "tokens" in trace and _is_own(trace)


# A patch is projected where a word is looked up, and what a sound is filled up with is silence;
# attention and feed-forward both end in an output.
_TOLD_AS: dict[str, tuple[tuple[str, Callable[[Trace], bool]], ...]] = {
    "image": (("own_image", _own("W_E")),),
    "tokens": (("own_tokens", _own_words),),
    "E": (("own_table", _own("E")), ("learnt_table", _is_learnt("E"))),
    "W_E": (("learnt_projection", _is_learnt("W_E")), ("sound_matrix", _has("mel"))),
    "cls": (("learnt_cls", _is_learnt("cls")),),
    "position": (
        ("own_position", _own_words),
        ("learnt_position", _is_learnt("position")),
        ("sound_position", _has("mel")),
    ),
    "embedding": (
        ("own_vectors", _own_words),
        ("own_projection", _own("b_E")),
        ("projection", _has("patches")),
        ("sound_projection", _has("mel")),
    ),
    "padding": (("sounding", _has("mel")),),
    "X": (
        ("last_vectors", _has("logits")),
        ("normed_stream", _has("stream")),
        ("fed", _has("hidden")),
        ("normed_sum", _has("summed")),
        ("own_entrance", _own("position")),
        ("own_stream", _own("W_Q")),
    ),
    "output": (("fed_output", _has("hidden")),),
    "residual": (("stream_on", _has("stream")),),
    "normalised": (("learnt_norm", _has("gamma")),),
}
