"""Which steps of a trace stand on the rail, and the one to begin with."""

from itertools import pairwise

from core import Trace, rules

FRONT = (
    "tokens", "patches", "flattened", "frames", "windowed", "power", "mel", "log_mel", "level",
    "pooled", "embedding", "sequence", "position",
)  # fmt: skip
ATTENTION = (
    "X", "Q", "K", "V", "scores", "scaled", "masked", "weights", "dropped",
    "head_output", "concat", "output", "residual", "normalised",
)  # fmt: skip
GIVEN = ("X", "stream", "tokens", "image")  # and yet a step


def all_steps(trace: Trace) -> tuple[str, ...]:
    """The steps of a trace from its front door on: those that lead to X, then the others."""
    after = steps_of(trace)
    return (*(key for key in FRONT if key in trace and key not in after), *after)


def steps_of(part: Trace) -> tuple[str, ...]:
    """The steps that stand on the rail: of an attention all of the paper's, there or not."""
    computed = [key for key, stage in part.items() if not isinstance(stage.rule, rules.Given)]
    if "weights" not in part:
        return tuple(key for key in part if key in computed or key in GIVEN)
    steps = _with_further_steps(computed)
    if "stream" in part:
        return ("stream", *(key for key in steps if key != "normalised"))
    return steps


def _with_further_steps(computed: list[str]) -> tuple[str, ...]:
    """The paper's steps, and behind each what is computed from there on beside them."""
    steps = list(ATTENTION)
    for before, key in pairwise(computed):
        if key not in steps and before in steps[steps.index("Q") :]:
            steps.insert(steps.index(before) + 1, key)
    return tuple(steps)


def first_step(part: Trace) -> str:
    """The step to begin with: where there is something to see at once."""
    return next(
        key for key in ("weights", "hidden", "probabilities", "sequence", "X") if key in part
    )
