"""Arrays and names as other libraries have them, none of which is imported."""

from collections.abc import Iterable, Mapping
from typing import Any, cast

import numpy as np

from core.axis import Axis, Labels

SIDES = ("query", "key", "new_key")  # new_key: the keys behind a cache


def as_numpy(given: Any) -> np.ndarray:
    """The numbers of NumPy, PyTorch, JAX or whatever has the array protocol.

    Of PyTorch also with a gradient and on a GPU. Half precisions become float32, which holds them
    exactly.
    """
    if hasattr(given, "detach"):  # PyTorch's; NumPy has no bfloat16
        given = given.detach().cpu()
        given = given.float() if str(given.dtype) == "torch.bfloat16" else given
    array = np.asarray(given)
    is_half = array.dtype == np.float16 or array.dtype.name == "bfloat16"  # JAX's
    return array.astype(np.float32) if is_half else array


def named_sides(labels: Mapping[str, Any] | None) -> dict[str, Labels | Axis]:
    """Names of tokens by role, as tuples. Raises ValueError for a role that is not of ``SIDES``."""
    for role in labels or {}:
        if role not in SIDES:
            raise ValueError(f"labels are of {', '.join(SIDES)}; there is no {role!r}")
    return {role: _as_tuples(names) for role, names in (labels or {}).items()}


def _as_tuples(names: Labels | Axis | Iterable[Any]) -> Labels | Axis:
    """Lists, which tokenizers return, as tuples; also one for each sample."""
    if isinstance(names, Axis):
        return names
    return cast(
        Labels,
        tuple(tuple(map(str, n)) if isinstance(n, tuple | list) else str(n) for n in names),
    )
