"""The families of models that can be opened: each module here is one, and names its model types.

"Learning Transferable Visual Models From Natural Language Supervision" (Radford et al., 2021) has
two models, its towers, in one checkpoint; one of them is opened at a time.
"""

from collections.abc import Mapping
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from core.errors import InputError
from core.models.config import Family, ModelConfig, TensorNames
from core.models.config_values import printable, table, wrong_value

_ALL: tuple[Family, ...] = tuple(
    import_module(f"{__name__}.{module.name}").FAMILY for module in iter_modules(__path__)
)
FAMILIES = {model_type: family for family in _ALL for model_type in family.model_types}
TOWERS = {model_type: parts for family in _ALL for model_type, parts in family.towers.items()}


def config(stated: Mapping[str, Any]) -> ModelConfig:
    """The configuration of a model. stated: the content of its ``config.json``.

    Raises unknown_architecture, wrong_setting, heads_do_not_divide and patches_do_not_fit.
    """
    model_type = stated.get("model_type")
    if not isinstance(model_type, str) or model_type not in FAMILIES:
        known = (*FAMILIES, *TOWERS)
        raise InputError("unknown_architecture", found=printable(model_type), known=known)
    family = FAMILIES[model_type]
    for name, value in {"quantization_config": None, **family.fixed}.items():
        if stated.get(name, value) != value:
            raise wrong_value(name, stated[name], printable(value))
    return family.config(model_type, stated)


def decoder_config(stated: Mapping[str, Any]) -> ModelConfig | None:
    """The configuration of the decoder of a text-to-text model; None for other models.

    stated: the content of a ``config.json`` that ``config`` has read. Raises wrong_setting.
    """
    read = FAMILIES[stated["model_type"]].decoder
    return read(stated["model_type"], stated) if read else None


def tensor_names(config: ModelConfig) -> TensorNames:
    """The names of the tensors of a model."""
    return FAMILIES[config.model_type].tensor_names(config)


def towers(stated: Mapping[str, Any]) -> tuple[str, ...]:
    """The names of a model's towers, such as CLIP's; empty for a model without towers."""
    model_type = stated.get("model_type")
    return tuple(TOWERS.get(model_type, ())) if isinstance(model_type, str) else ()


def of_tower(stated: dict[str, Any], tower: str) -> dict[str, Any]:
    """The part of a configuration that belongs to a tower; all of it for a model without towers.

    tower: its name; for an unknown name the first tower is taken. Raises wrong_setting.
    """
    names = towers(stated)
    if not names:
        return stated
    part, model_type = TOWERS[stated["model_type"]][tower if tower in names else names[0]]
    return {**table(stated, part), "model_type": model_type}
