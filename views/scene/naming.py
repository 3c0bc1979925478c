"""Names of tokens, axes and stages in sentences, and what a trace's axes have in common."""

from dataclasses import replace

from core import Axis, Stage, Trace, rules
from views.figures.axis import shortened
from views.figures.plane import numbered, tokens_of
from views.text import MODEL_MAP, Words
from views.text.spans import SYMBOL

NOUN = "{token}"
SHARED_AXES = {"token": "query", "memory": "key"}


def fill_token_noun(text: str, trace: Trace, nouns: Words) -> str:
    """A sentence with ``{token}`` replaced by the trace's kind of token: word, patch or frame.

    English has a plural: ``{token}s`` of a patch are patches. nouns: by kind of token.
    """
    noun = nouns[trace.token]
    plural = noun + ("es" if noun.endswith("ch") else "s")
    return text.replace(f"{NOUN}s", plural).replace(NOUN, noun)


def num_prefix_tokens(trace: Trace) -> int:
    """The number of tokens before the first patch: 0, or [CLS] and others such as registers."""
    tokens = tokens_of(trace)
    return len(tokens[0].positions("cls", "special", size=tokens[1])) if tokens else 0


def prefix_names(trace: Trace) -> tuple[str, ...]:
    """The names of the tokens before the first patch."""
    tokens = tokens_of(trace)
    names = tokens[0].names() if tokens else None
    return (names or ())[: num_prefix_tokens(trace)]


def frames_per_token(trace: Trace) -> int:
    """How many frames of a sound are pooled into one token; 0 if the input is no sound."""
    tokens = tokens_of(trace)
    return tokens[0].hops if tokens else 0


def shared_axis(trace: Trace, stage: Stage, role: str) -> str:
    """The name under which an axis shares its selected position with axes of other stages.

    A token is a query, a memory token a key. A frame is a query too, unless frames are yet to be
    pooled in this stage.
    """
    if role == "frame" and stage.axis(role).hops == frames_per_token(trace):
        return "query"
    return SHARED_AXES.get(role, role)


def num_heads(trace: Trace) -> int:
    """The number of heads of a trace."""
    return max(stage.size("head") for stage in trace.values())


def token_name(
    trace: Trace, stage: Stage, role: str, position: int, sample: int, words: Words
) -> tuple[str, str]:
    """The label of a position along an axis, and the axis's role; a patch gets its noun."""
    axis = stage.axis(role)
    label = shortened(axis.label(position, sample))
    if axis.kind(position, sample) == "patch":
        label = words.image.patch_label.format(number=label)
    return label, role


def words_key(trace: Trace, key: str) -> str:
    """The key of a stage's words: its kind, or ``key`` if the trace has no such stage."""
    return trace[key].kind if key in trace else key


def stage_words(trace: Trace, key: str, words: Words) -> Words:
    """The words of a stage. Raises KeyError for an unknown kind."""
    return words.stages[words_key(trace, key)]


def term_name(name: str, texts: Words) -> str:
    """The name of a glossary term in a sentence: a symbol unchanged, else in words.

    name: of the term in code, such as ``d_k`` or ``kv_cache``.
    """
    is_symbol = len(name) == 1 or SYMBOL.fullmatch(name)
    return name if is_symbol else texts.terms[name].called


def with_row_names(trace: Trace, path: str, names: tuple[str, ...]) -> Trace:
    """A model's trace in which the rows of one part, queries or tokens, have these names."""
    return trace.derived(("row names", path, names), lambda: _with_row_names(trace, path, names))


def _with_row_names(trace: Trace, path: str, names: tuple[str, ...]) -> Trace:
    def is_row(axis: Axis) -> bool:
        return axis.role in ("query", "token") and bool(axis.labels)

    def named(stage: Stage) -> Stage:
        if not (stage.key.startswith(f"{path}/") and any(map(is_row, stage.axes))):
            return stage
        axes = (replace(axis, labels=names) if is_row(axis) else axis for axis in stage.axes)
        return replace(stage, axes=tuple(axes))

    return Trace(map(named, trace.values()))


def part_title(path: str, language: str) -> str:
    """A part of a model in words, given by its path: ``encoder/5/self``, or ``prediction``.

    Raises KeyError if no map shows such a part.
    """
    texts = MODEL_MAP[language]
    *layer, kind = path.split("/")
    name: str = texts.parts[kind].name
    if not layer:
        return name
    side, number = layer
    return f"{texts.side_layer.format(side=texts.sides[side], number=number)} · {name}"


def depends_on_weights(trace: Trace, key: str) -> bool:
    """Whether a stage is computed from weights, learnt or random, directly or indirectly."""
    rule = trace[key].rule
    if isinstance(rule, rules.Given):
        return rule.is_weight or rule.what in ("random", "earlier", "elsewhere")
    return any(depends_on_weights(trace, source) for source in trace[key].computed_from)


class NumberedLists:
    """Distinct lists, numbered from 0 in the order of their first use."""

    def __init__(self) -> None:
        """An empty collection."""
        self._numbers: dict[str | tuple[str, ...], int] = {}

    def number(self, labels: str | tuple[str, ...] | None) -> int | None:
        """The number of a list, or of a string that applies to all positions; None for neither."""
        return self._numbers.setdefault(labels, len(self._numbers)) if labels else None

    def lists(self) -> list[str | tuple[str, ...]]:
        """The lists in the order of their numbers."""
        return list(self._numbers)


class Names(NumberedLists):
    """Lists of labels; ``kinds`` has the lists of kinds of positions."""

    def __init__(self) -> None:
        """An empty collection."""
        super().__init__()
        self.kinds = NumberedLists()

    def number(self, labels: str | tuple[str, ...] | None) -> int | None:
        """The number of a list; None for the labels 1, 2, 3 …, which the browser generates."""
        counted = labels and labels == numbered(len(labels))
        return None if counted else super().number(labels)
