"""What a token is called: a word, a piece of one, a numbered patch, a moment of sound."""

from core import Axis, Stage, Trace, rules
from views.figures.axis import shortened
from views.figures.plane import tokens_of
from views.text import StageWords, Words

NOUN = "{token}"
SAME = {"token": "query", "memory": "key"}


def with_noun(text: str, trace: Trace, words: Words) -> str:
    """A sentence with ``{token}`` said as the word, the patch or the frame that it is."""
    return text.replace(NOUN, words.nouns[trace.token])


def before_patches(trace: Trace) -> int:
    """How many tokens stand before the first patch: 1 where there is [CLS]."""
    tokens = tokens_of(trace)
    return len(tokens[0].places("cls", size=tokens[1])) if tokens else 0


def hops_of(trace: Trace) -> int:
    """How many frames of a sound share a token; 0 where there are none."""
    tokens = tokens_of(trace)
    return tokens[0].hops if tokens else 0


def meaning_of(trace: Trace, stage: Stage, role: str) -> str:
    """What a place along an axis means wherever it stands: a token is a query.

    A frame is a token where frames are not, or are already, pooled.
    """
    if role == "frame" and stage.axis(role).hops == hops_of(trace):
        return "query"
    return SAME.get(role, role)


def only_head(trace: Trace) -> int | None:
    """The one head of several that a trace was computed for, from 0; None where it has them all."""
    return next((axis.first for axis in _heads(trace) if axis.of is not None), None)


def heads_of(trace: Trace) -> int:
    """How many heads there are, whether the trace has all of them or one."""
    several = (axis.of for axis in _heads(trace) if axis.of is not None)
    return next(several, max(stage.size("head") for stage in trace.values()))


def _heads(trace: Trace) -> list[Axis]:
    return [axis for stage in trace.values() for axis in stage.axes if axis.role == "head"]


def token_name(
    trace: Trace, stage: Stage, role: str, place: int, sample: int, words: Words
) -> tuple[str, str]:
    """The name of a place along an axis, and its role; a patch is called one before its number."""
    axis = stage.axis(role)
    label = shortened(axis.label(place, sample))
    if axis.kind(place, sample) == "patch":
        label = words.image.patch_label.format(number=label)
    return label, role


def told_as(trace: Trace, key: str) -> str:
    """The key of a stage's words: its kind, or the key itself if the trace has no such stage."""
    return trace[key].kind if key in trace else key


def stage_words(trace: Trace, key: str, words: Words) -> StageWords:
    """What is said about a stage."""
    return words.stages[told_as(trace, key)]


def depends_on_weights(trace: Trace, key: str) -> bool:
    """Whether any number that a stage comes from was learnt, or drawn at random."""
    rule = trace[key].rule
    if isinstance(rule, rules.Given):
        return rule.is_weight or rule.what in ("random", "earlier")
    return any(depends_on_weights(trace, source) for source in trace[key].computed_from)
