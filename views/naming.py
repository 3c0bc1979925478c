"""What a token is called: a word in a sentence, a numbered patch in an image."""

from core import Stage, Trace, rules
from views.figures.axis import shortened
from views.text import StageWords, Words

NOUN = "{token}"


def with_noun(text: str, trace: Trace, words: Words) -> str:
    """A sentence with ``{token}`` said as the word or the patch that it is."""
    return text.replace(NOUN, words.nouns["patch" if "patches" in trace else "word"])


def token_name(
    trace: Trace, stage: Stage, role: str, place: int, sample: int, words: Words
) -> tuple[str, str]:
    """The name of a place along an axis, and its role; a patch is called one before its number."""
    label = shortened(stage.axis(role).label(place, sample))
    if "patches" in trace and role in ("query", "key", "token", "patch") and label.isdecimal():
        label = words.image.patch_label.format(number=label)
    return label, role


def stage_words(trace: Trace, key: str, words: Words) -> StageWords:
    """What is said about a stage. A patch is projected where a word is looked up."""
    return words.stages["projection" if key == "embedding" and "patches" in trace else key]


def is_random(trace: Trace, key: str) -> bool:
    """Whether any number that a stage comes from was drawn at random."""
    rule = trace[key].rule
    if isinstance(rule, rules.Given):
        return rule.what in ("parameter", "random")
    return any(is_random(trace, source) for source in trace[key].computed_from)
