"""Validation of single values of a checkpoint's configuration."""

import json
from collections.abc import Mapping
from typing import Any, TypeGuard

from core.errors import wrong_setting
from core.limits import LARGEST_SIZE
from core.models.folder import CONFIG

FULL, SLIDING = "full_attention", "sliding_attention"  # of ``layer_types``
FEW, LONGEST = 4, 40  # parts of a value, and characters, that a sentence holds
ACTIVATIONS = {
    "gelu": "gelu",
    "gelu_new": "gelu_tanh",
    "gelu_pytorch_tanh": "gelu_tanh",
    "quick_gelu": "quick_gelu",
    "relu": "relu",
}


def positive_int(config: Mapping[str, Any], name: str, default: int | None = None) -> int:
    """An integer from 1 to LARGEST_SIZE. Raises wrong_setting."""
    value = config.get(name, default)
    if not is_positive_int(value, LARGEST_SIZE):
        raise wrong_setting(CONFIG, name, printable(value), f"1 … {LARGEST_SIZE}")
    return int(value)


def epsilon(config: Mapping[str, Any], name: str, default: float) -> float:
    """The ε of a norm. Raises wrong_setting."""
    value = config.get(name, default)
    if not is_number(value) or not 1e-30 <= value <= 1:  # float32 holds no square root of less
        raise wrong_setting(CONFIG, name, printable(value), "1e-30 … 1")
    return float(value)


def activation(
    config: Mapping[str, Any],
    name: str,
    default: str,
    known: Mapping[str, str] = ACTIVATIONS,
) -> str:
    """The activation, by its name in ``core.activations``. Raises wrong_setting."""
    value = config.get(name, default)
    if not isinstance(value, str) or value not in known:
        raise wrong_setting(CONFIG, name, printable(value), ", ".join(known))
    return known[value]


def flag(config: Mapping[str, Any], name: str, default: bool) -> bool:
    """True or false. Raises wrong_setting."""
    value = config.get(name, default)
    if not isinstance(value, bool):
        raise wrong_setting(CONFIG, name, printable(value), "true, false")
    return value


def layer_types(config: Mapping[str, Any], known: tuple[str, ...], layers: int) -> tuple[str, ...]:
    """The kind of attention of each layer; empty if none is stated. Raises wrong_setting."""
    given = config.get("layer_types")
    stated = given if isinstance(given, list) else [] if given is None else [given]
    for one in stated:
        if one not in known:
            raise wrong_setting(CONFIG, "layer_types", printable(one), ", ".join(known))
    if stated and len(stated) != layers:
        raise wrong_setting(CONFIG, "layer_types", str(len(stated)), str(layers))
    return tuple(stated)


def is_positive_int(value: object, most: int) -> TypeGuard[int]:
    """Whether a value is an integer from 1 to ``most``."""
    return isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= most


def is_number(value: object) -> TypeGuard[int | float]:
    """Whether a value is a number in the range of float32."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= 1e30


def printable(value: object) -> str:
    """A value as a short text for an error message; a string that reads as a number in quotes."""
    if isinstance(value, list | dict):
        parts = value.values() if isinstance(value, dict) else value
        if len(value) > FEW or any(isinstance(part, list | dict) for part in parts):
            return type(value).__name__
    text = value if isinstance(value, str) and not _reads_as_value(value) else json.dumps(value)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _reads_as_value(text: str) -> bool:
    """Whether a string would be a number, true, false or null without its quotation marks."""
    try:
        return not isinstance(json.loads(text), str | list | dict)
    except (ValueError, RecursionError):
        return False
