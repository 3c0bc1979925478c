"""What an edit changed downstream: two traces of the same steps, set against each other."""

from collections.abc import Iterator

import numpy as np

from core.trace import Stage, Trace

ROUNDING = 1e-10  # of the largest number of a stage: less is no change


def difference(before: Stage, after: Stage) -> np.ndarray | None:
    """By how much each number of a stage changed: after − before, of the stage's shape.

    0 where both are the same infinity or differ by rounding alone; ±∞ where only one is infinite.
    None where the shapes differ, so that no number can be set against another.
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
    """Each stage of the later trace that the earlier one has too, and what changed in it."""
    for key, stage in after.items():
        if key in before:
            yield key, difference(before[key], stage)
