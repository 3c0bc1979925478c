"""The differences between two traces, such as before and after an edit."""

from collections.abc import Iterator

import numpy as np

from core.trace import Stage, Trace

ROUNDING = 1e-10  # of the largest number of a stage: less is no change


def difference(before: Stage, after: Stage) -> np.ndarray | None:
    """The change of each number of a stage: after − before, of the stage's shape.

    0 for equal infinities and differences within rounding; ±∞ if only one is infinite. None if the
    shapes differ.
    """
    one, other = (stage.tensor.astype(np.float64) for stage in (before, after))
    if one.shape != other.shape:
        return None
    same = one == other
    changed = np.where(same, 0, other) - np.where(same, 0, one)
    finite = [np.abs(tensor).max(initial=0, where=np.isfinite(tensor)) for tensor in (one, other)]
    changed[np.abs(changed) <= ROUNDING * max(finite)] = 0
    return changed


def differences(before: Trace, after: Trace) -> Iterator[tuple[str, np.ndarray | None]]:
    """The ``difference`` of every stage that both traces have, by key."""
    for key, stage in after.items():
        if key in before:
            yield key, difference(before[key], stage)
