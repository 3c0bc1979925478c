"""Which steps of a trace stand on the rail, and the one to begin with."""

from core import Trace, rules

FRONT = (
    "tokens", "patches", "flattened", "frames", "windowed", "power", "mel", "log_mel", "level",
    "pooled", "embedding", "sequence", "position",
)  # fmt: skip
ATTENTION = (
    "X", "Q", "K", "V", "scores", "scaled", "masked", "weights", "dropped",
    "head_output", "concat", "output", "residual", "normalised",
)  # fmt: skip
PREPARED = ("Q_normed", "K_normed", "Q_rotated", "K_rotated")  # where queries and keys are


def all_steps(trace: Trace) -> tuple[str, ...]:
    """The steps of a trace from its front door on: those that lead to X, then the others."""
    after = steps_of(trace)
    return (*(key for key in FRONT if key in trace and key not in after), *after)


def steps_of(part: Trace) -> tuple[str, ...]:
    """The steps that stand on the rail: of an attention all of the paper's, there or not."""
    if "weights" in part and "stream" in part:
        steps = ("stream", *(key for key in ATTENTION if key != "normalised"))
        behind = steps.index("V") + 1
        return (*steps[:behind], *(key for key in PREPARED if key in part), *steps[behind:])
    if "weights" in part:
        return ATTENTION
    return tuple(
        key for key, stage in part.items()
        if not isinstance(stage.rule, rules.Given) or key in ("X", "stream", "tokens", "image")
    )  # fmt: skip


def first_step(part: Trace) -> str:
    """The step to begin with: where there is something to see at once."""
    return next(
        key for key in ("weights", "hidden", "probabilities", "sequence", "X") if key in part
    )
