"""Which steps of a trace are on the stepper, and which one is shown first."""

from collections.abc import Sequence
from itertools import accumulate, pairwise

from core import Trace, nested, rules
from core.kinds import GRADIENT

INPUT_STEPS = (
    "tokens", "patches", "flattened", "frames", "windowed", "power", "mel", "log_mel", "level",
    "pooled", "embedding", "sequence", "position",
)  # fmt: skip
ATTENTION = (
    "X", "Q", "K", "V", "scores", "scaled", "masked", "weights", "dropped",
    "head_output", "concat", "output", "residual", "normalised",
)  # fmt: skip
# The groups of steps of attention, and the step with which each begins.
INPUT = "input"
BEGINS = {"Q": "projections", "scores": "scores", "weights": "weights", "head_output": "output"}
SHOWN_INPUTS = ("X", "stream", "tokens", "image", "added")  # not computed, but on the stepper


def all_steps(trace: Trace) -> tuple[str, ...]:
    """All steps of a trace: those from the input to X, then those after X."""
    after = steps_of(trace)
    return (*(key for key in INPUT_STEPS if key in trace and key not in after), *after)


def steps_of(part: Trace) -> tuple[str, ...]:
    """The steps on the stepper of a part; for attention all steps of the paper, computed or not.

    Of a part with gradients only these.
    """
    gradients = gradients_of(part)
    if gradients:
        return gradients
    computed = [key for key, stage in part.items() if not isinstance(stage.rule, rules.Given)]
    if "weights" not in part:
        return tuple(key for key in part if key in computed or key in SHOWN_INPUTS)
    steps = _with_further_steps(computed)
    if "stream" in part:
        before = [key for key in ("stream", "patched_stream") if key in part]
        return (*before, *(key for key in steps if key != "normalised" or key in part))
    return steps


def _with_further_steps(computed: list[str]) -> tuple[str, ...]:
    """The paper's steps, each followed by further steps that the trace computes after it."""
    steps = list(ATTENTION)
    for before, key in pairwise(computed):
        if key not in steps and before in steps[steps.index("Q") :]:
            steps.insert(steps.index(before) + 1, key)
    return tuple(steps)


def groups_of(steps: Sequence[str]) -> tuple[str, ...]:
    """The group of each step of attention; ``""`` for steps of anything else, gradients too."""
    if "weights" not in steps:
        return ("",) * len(steps)
    return tuple(accumulate(steps, lambda group, key: BEGINS.get(key, group), initial=INPUT))[1:]


def gradients_of(trace: Trace) -> tuple[str, ...]:
    """The gradients of its computed stages and of its weights, in the order of the chain rule."""
    return tuple(
        f"{GRADIENT}{key}"
        for key in reversed(tuple(trace))
        if f"{GRADIENT}{key}" in trace and key != "target"
    )


def first_step(part: Trace) -> str:
    """The step that is shown first."""
    return next(
        key
        for key in (
            f"{GRADIENT}weights",
            "weights",
            "hidden",
            "probabilities",
            "shares",
            "sequence",
            "normalised",
            "X",
        )
        if key in part
    )


def first_part(trace: Trace) -> str:
    """The path of the part of a model's trace that is shown first: the first attention, if any."""
    paths = nested.parts(trace)
    return next((path for path in paths if f"{path}/weights" in trace), paths[-1])
