"""Models of two towers, such as CLIP, of which one is opened at a time.

"Learning Transferable Visual Models From Natural Language Supervision" (Radford et al., 2021).
"""

from collections.abc import Mapping
from typing import Any

from core.errors import wrong_setting
from core.models.config_values import printable
from core.models.folder import CONFIG

# Of each ``model_type`` the towers, each with its part of the configuration and its own type.
TOWERS: Mapping[str, Mapping[str, tuple[str, str]]] = {
    "clip": {
        "vision": ("vision_config", "clip_vision_model"),
        "text": ("text_config", "clip_text_model"),
    }
}


def towers(config: Mapping[str, Any]) -> tuple[str, ...]:
    """The towers of a model, by name; empty for a model that is one by itself."""
    kind = config.get("model_type")
    return tuple(TOWERS[kind]) if isinstance(kind, str) and kind in TOWERS else ()


def config_of(config: dict[str, Any], tower: str) -> dict[str, Any]:
    """The configuration of a tower, or of a model that is one by itself.

    tower: the name of one; any other name stands for the first one. Raises wrong_setting.
    """
    names = towers(config)
    if not names:
        return config
    part, kind = TOWERS[config["model_type"]][tower if tower in names else names[0]]
    stated = config.get(part, {})
    if not isinstance(stated, dict):
        raise wrong_setting(CONFIG, part, printable(stated), "{…}")
    return {**stated, "model_type": kind}
