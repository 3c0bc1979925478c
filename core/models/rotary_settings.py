"""The settings of rotary positions, as several families of models have them.

Names and defaults are those of Hugging Face's ``transformers``.
"""

from collections.abc import Mapping
from typing import Any

from core.errors import wrong_setting
from core.limits import LARGEST_SIZE
from core.models.config_values import is_number, printable
from core.models.folder import CONFIG
from core.rotary import Linear, Llama3, Rotary

KNOWN = (
    "rope_theta", "rope_type", "type", "factor", "low_freq_factor", "high_freq_factor",
    "original_max_position_embeddings", "partial_rotary_factor",
)  # fmt: skip


def rotary(name: str, rope: Mapping[str, Any], d_k: int) -> Rotary:
    """The rotary positions that a table says. name: of the table. Raises wrong_setting."""
    theta = rope.get("rope_theta")
    if not is_number(theta) or not theta > 1:
        raise wrong_setting(CONFIG, "rope_theta", printable(theta), "> 1")
    check_whole(rope)
    for field in rope:
        if field not in KNOWN:
            raise wrong_setting(CONFIG, f"{name}.{field[:40]}", printable(rope[field]), "—")
    return Rotary(d_k, float(theta), _scaling(name, rope))


def check_whole(settings: Mapping[str, Any]) -> None:
    """Check that all of a query is rotated. Raises wrong_setting."""
    part = settings.get("partial_rotary_factor")
    if part not in (None, 1):
        raise wrong_setting(CONFIG, "partial_rotary_factor", printable(part), "1.0")


def _scaling(name: str, rope: Mapping[str, Any]) -> Linear | Llama3 | None:
    kind = rope.get("rope_type", rope.get("type", "default"))
    if kind == "default":
        return None
    if kind not in ("linear", "llama3"):
        raise wrong_setting(CONFIG, f"{name}.rope_type", printable(kind), "default, linear, llama3")

    def number(field: str, least: float) -> float:
        value = rope.get(field)
        if not is_number(value) or not value >= least:
            raise wrong_setting(CONFIG, f"{name}.{field}", printable(value), f"≥ {least:g}")
        return float(value)

    factor = number("factor", 1)
    if kind == "linear":
        return Linear(factor)
    low = number("low_freq_factor", 1e-6)
    high = number("high_freq_factor", 1e-6)
    if not low < high:
        raise wrong_setting(CONFIG, f"{name}.high_freq_factor", printable(high), f"> {low:g}")
    field = "original_max_position_embeddings"
    original = rope.get(field)
    if (
        not isinstance(original, int)
        or isinstance(original, bool)
        or not 1 <= original <= LARGEST_SIZE
    ):
        raise wrong_setting(CONFIG, f"{name}.{field}", printable(original), f"1 … {LARGEST_SIZE}")
    return Llama3(factor, low, high, original)
