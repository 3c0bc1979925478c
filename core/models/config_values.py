"""Validation of single values of a checkpoint's configuration, as families of models share them."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, TypeGuard

from core.errors import InputError, wrong_setting
from core.limits import LARGEST_SIZE
from core.models.folder import CONFIG
from core.rotary import Linear, Llama3, Rotary

FULL, SLIDING = "full_attention", "sliding_attention"  # of ``layer_types``
FEW, LONGEST = 4, 40  # the most parts, and characters, of a value in an error message
ACTIVATIONS = {
    "gelu": "gelu",
    "gelu_new": "gelu_tanh",
    "gelu_pytorch_tanh": "gelu_tanh",
    "quick_gelu": "quick_gelu",
    "relu": "relu",
}
SILU = {"silu": "silu", "swish": "silu"}
SIZES = ("num_hidden_layers", "num_attention_heads", "hidden_size", "intermediate_size")
ROPE = (
    "rope_theta", "rope_type", "type", "factor", "low_freq_factor", "high_freq_factor",
    "original_max_position_embeddings", "partial_rotary_factor",
)  # fmt: skip


def wrong_value(name: str, value: object, allowed: str) -> InputError:
    """The error for a value of ``config.json``."""
    return wrong_setting(CONFIG, name, printable(value), allowed)


def sizes(
    stated: Mapping[str, Any],
    names: Sequence[str] = SIZES,
    defaults: Sequence[int | None] = (None,) * 4,
) -> dict[str, Any]:
    """The fields layers, heads, d_model and, where there is a fourth name, d_ff.

    Raises wrong_setting, and heads_do_not_divide if d_model does not divide into the heads.
    """
    found = {
        size: integer(stated, name, default)
        for size, name, default in zip(
            ("layers", "heads", "d_model", "d_ff"), names, defaults, strict=False
        )
    }
    check_heads(found["d_model"], found["heads"])
    return found


def check_heads(d_model: int, heads: int) -> None:
    """Raises heads_do_not_divide."""
    if d_model % heads:
        raise InputError("heads_do_not_divide", name="d_model", width=d_model, heads=heads)


def integer(
    stated: Mapping[str, Any],
    name: str,
    default: int | None = None,
    least: int = 1,
    most: int = LARGEST_SIZE,
) -> int:
    """An integer from ``least`` to ``most``. Raises wrong_setting."""
    value = stated.get(name, default)
    if not is_integer(value, least, most):
        raise wrong_value(name, value, f"{least} … {most}")
    return value


def epsilon(stated: Mapping[str, Any], name: str, default: float) -> float:
    """The ε of a norm. Raises wrong_setting."""
    value = stated.get(name, default)
    if not is_number(value) or not 1e-30 <= value <= 1:  # far below, ε is 0 in float32
        raise wrong_value(name, value, "1e-30 … 1")
    return float(value)


def activation(
    stated: Mapping[str, Any],
    name: str,
    default: str,
    known: Mapping[str, str] = ACTIVATIONS,
) -> str:
    """The activation, by its name in ``core.activations``. Raises wrong_setting."""
    value = stated.get(name, default)
    if not isinstance(value, str) or value not in known:
        raise wrong_value(name, value, ", ".join(known))
    return known[value]


def flag(stated: Mapping[str, Any], name: str, default: bool) -> bool:
    """True or false. Raises wrong_setting."""
    value = stated.get(name, default)
    if not isinstance(value, bool):
        raise wrong_value(name, value, "true, false")
    return value


def layer_types(stated: Mapping[str, Any], known: tuple[str, ...], layers: int) -> tuple[str, ...]:
    """The kind of attention of each layer; empty if none is stated. Raises wrong_setting."""
    given = stated.get("layer_types")
    types = given if isinstance(given, list) else [] if given is None else [given]
    for one in types:
        if one not in known:
            raise wrong_value("layer_types", one, ", ".join(known))
    if types and len(types) != layers:
        raise wrong_value("layer_types", len(types), str(layers))
    return tuple(types)


def table(stated: Mapping[str, Any], name: str) -> dict[str, Any]:
    """A table; empty for null. Raises wrong_setting."""
    value = stated.get(name)
    if value is not None and not isinstance(value, dict):
        raise wrong_value(name, value, "{…}")
    return value or {}


def rotary(name: str, rope: Mapping[str, Any], d_k: int) -> Rotary:
    """The rotary positions of a table of settings. name: of the table. Raises wrong_setting."""
    theta = rope.get("rope_theta")
    if not is_number(theta) or not theta > 1:
        raise wrong_value("rope_theta", theta, "> 1")
    check_all_rotated(rope)
    for part in rope:
        if part not in ROPE:
            raise wrong_value(f"{name}.{part[:40]}", rope[part], "—")
    return Rotary(d_k, float(theta), _scaling(name, rope))


def check_kv_heads(kv_heads: int, heads: int) -> int:
    """The number of key and value heads, if the query heads share them. Raises wrong_setting."""
    if heads % kv_heads:
        divisors = ", ".join(str(n) for n in range(1, heads + 1) if heads % n == 0)
        raise wrong_value("num_key_value_heads", kv_heads, divisors)
    return kv_heads


def check_all_rotated(stated: Mapping[str, Any]) -> None:
    """Check that all of a query is rotated. Raises wrong_setting."""
    part = stated.get("partial_rotary_factor")
    if part not in (None, 1):
        raise wrong_value("partial_rotary_factor", part, "1.0")


def _scaling(name: str, rope: Mapping[str, Any]) -> Linear | Llama3 | None:
    kind = rope.get("rope_type", rope.get("type", "default"))
    if kind == "default":
        return None
    if kind not in ("linear", "llama3"):
        raise wrong_value(f"{name}.rope_type", kind, "default, linear, llama3")
    named = {f"{name}.{part}": value for part, value in rope.items()}

    def number(part: str, least: float) -> float:
        value = rope.get(part)
        if not is_number(value) or not value >= least:
            raise wrong_value(f"{name}.{part}", value, f"≥ {least:g}")
        return float(value)

    factor = number("factor", 1)
    if kind == "linear":
        return Linear(factor)
    low, high = number("low_freq_factor", 1e-6), number("high_freq_factor", 1e-6)
    if not low < high:
        raise wrong_value(f"{name}.high_freq_factor", high, f"> {low:g}")
    return Llama3(factor, low, high, integer(named, f"{name}.original_max_position_embeddings"))


def is_integer(value: object, least: int, most: int) -> TypeGuard[int]:
    """Whether a value is an integer from ``least`` to ``most``."""
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


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
