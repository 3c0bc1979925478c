"""Nested traces: the trace of a model is composed of the traces of its parts.

In the whole, a stage's key is a path, ``decoder/1/cross/scores``; a part by itself has the keys of
``multi_head_attention``.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from core.kinds import GRADIENT
from core.notation import latex
from core.rules import Given, Index, Operand, Rule, with_operands
from core.trace import Stage, Trace, UnknownStage

EARLIER = Given("earlier")
PROJECTED = ("Q", "K", "V")


def compose(
    parts: Mapping[str, Trace], edges: Mapping[str, str], parameter: str = "parameter"
) -> Trace:
    """One trace from those of its parts, in the order of the computation.

    parts: by path, such as ``encoder/1/self``.
    edges: for an input of a part, the stage that it copies: ``encoder/1/self/X``: ``source/X``. So
        every number can be traced through the whole model.
    parameter: the origin of the weights: ``parameter``, ``trained`` or ``checkpoint``.
    """
    placed = (_placed(path, part, edges, parameter) for path, part in parts.items())
    return Trace(stage for part in placed for stage in part)


def extended(
    trace: Trace, path: str, part: Trace, edges: Mapping[str, str], parameter: str = "parameter"
) -> Trace:
    """The trace with one more part at its end; see ``compose``."""
    return trace.followed_by(_placed(path, part, edges, parameter))


def _placed(path: str, part: Trace, edges: Mapping[str, str], parameter: str) -> Iterator[Stage]:
    """The stages of a part, with the keys of the whole."""
    for key, stage in part.items():
        whole = f"{path}/{key}"
        rule = _renamed(stage.rule, f"{path}/{{}}".format)
        if whole in edges:
            rule = Operand(edges[whole], stage.roles)
        elif rule == Given("parameter"):
            rule = Given(parameter)
        yield stage.moved(whole, rule)


def subtrace(trace: Trace, path: str) -> Trace:
    """The part of a trace below this path, with keys relative to it.

    Stages that copy one of another part become *given* (computed earlier).
    Raises UnknownStage if there is no stage below the path.
    """
    return trace.derived(("within", path), lambda: _part(trace, path))


def _part(trace: Trace, path: str) -> Trace:
    prefix = f"{path}/"
    stages = [
        stage.moved(key.removeprefix(prefix), _relative_rule(stage.rule, prefix))
        for key, stage in trace.items()
        if key.startswith(prefix)
    ]
    if not stages:
        raise UnknownStage(f"no part {path!r}; this trace has {', '.join(parts(trace))}")
    return Trace(stages)


def attention_alone(trace: Trace) -> Trace:
    """The steps from Q, K and V, which become *given*, to the output of each head.

    A trace that has no Q, or in which nothing is made of it, is returned as it is.
    """
    if not {"Q", "head_output"} <= trace.keys():
        return trace
    wanted = {"head_output"}
    for key in reversed(tuple(trace)):
        if key in wanted and key not in PROJECTED:
            wanted.update(trace[key].computed_from)
    return Trace(
        stage.moved(key, EARLIER) if key in PROJECTED else stage
        for key, stage in trace.items()
        if key in wanted
    )


def one_head(trace: Trace, sample: int, head: int) -> Trace:
    """A trace whose numbers are those of one sample and one head alone.

    The head keeps its number. Nothing may be computed of several heads, as in ``attention_alone``.
    """
    heads = max(stage.size("head") for stage in trace.values())
    at = {"batch": sample, "head": head}

    def of(stage: Stage) -> Stage:
        index, axes = [], []
        for axis, size in zip(stage.axes, stage.tensor.shape, strict=True):
            position = head * size // heads if axis.role == "kv_head" else at.get(axis.role)
            if position is None:
                labels, kinds = axis.names(sample), axis.kinds_of(sample)
                axes.append(replace(axis, labels=labels, kinds=kinds))
                index.append(slice(None))
                continue
            position = min(position, size - 1)  # what all samples or heads share has one
            axes.append(replace(axis, labels=(axis.label(position),), kinds=axis.kind(position)))
            index.append(slice(position, position + 1))
        return replace(stage, tensor=stage.tensor[tuple(index)], axes=tuple(axes))

    return Trace(of(stage) for stage in trace.values())


def parts(trace: Trace) -> tuple[str, ...]:
    """The paths of all parts, in the order of the computation; gradients belong to none."""
    inside = (key for key in trace if "/" in key and not key.startswith(GRADIENT))
    paths = (key.rpartition("/")[0] for key in inside)
    return trace.derived("parts", lambda: tuple(dict.fromkeys(paths)))


def as_input(stage: Stage, key: str, roles: tuple[str, ...] | None = None, kind: str = "") -> Stage:
    """A stage of an earlier part as the given input of the next one."""
    axes = tuple(
        replace(axis, role=role)
        for axis, role in zip(stage.axes, roles or stage.roles, strict=True)
    )
    return Stage(key, latex(key), stage.tensor, axes, EARLIER, kind)


def _relative_rule(rule: Rule, prefix: str) -> Rule:
    if isinstance(rule, Operand) and not rule.stage.startswith(prefix):
        return EARLIER
    return _renamed(rule, lambda name: name.removeprefix(prefix))


def _renamed(rule: Rule, rename: Callable[[str], str]) -> Rule:
    """The rule with renamed stages."""
    return with_operands(
        rule, lambda read: Operand(rename(read.stage), tuple(_index(i, rename) for i in read.index))
    )


def _index(index: Index, rename: Callable[[str], str]) -> Index:
    match index:
        case str() | int():
            return index
        case ("look_up", stage, indices):
            return ("look_up", rename(stage), tuple(_index(part, rename) for part in indices))
        case (kind, *inner):
            return (kind, *(_index(part, rename) for part in inner))
    raise TypeError(f"not an index expression: {index!r}")
