"""Vision transformers: ViT and DeiT.

"An Image is Worth 16x16 Words" (Dosovitskiy et al., 2021), "Training data-efficient image
transformers & distillation through attention" (Touvron et al., 2021). Mask tokens, poolers and
heads are not read.
"""

from collections.abc import Mapping
from typing import Any

from core.errors import InputError
from core.limits import LARGEST_SIZE
from core.models.config import Family, ModelConfig, TensorNames
from core.models.config_values import (
    activation,
    epsilon,
    flag,
    integer,
    is_integer,
    sizes,
    wrong_value,
)

CLS, DISTILLATION = "[CLS]", "[DIST]"
FIXED = {"num_channels": 3}
ATTENTION = {
    "Q": "attention.attention.query",
    "K": "attention.attention.key",
    "V": "attention.attention.value",
    "O": "attention.output.dense",
}


def config(model_type: str, stated: Mapping[str, Any]) -> ModelConfig:
    """The configuration, by ``config.json``."""
    return ModelConfig(
        model_type,
        **sizes(stated),
        **patches(stated, (CLS, DISTILLATION) if model_type == "deit" else (CLS,)),
        pre_norm=True,
        epsilon=epsilon(stated, "layer_norm_eps", 1e-12),
        activation=activation(stated, "hidden_act", "gelu"),
        qkv_bias=flag(stated, "qkv_bias", True),
    )


def patches(
    stated: Mapping[str, Any],
    specials: tuple[str, ...],
    side: int | None = None,
    patch: int | None = None,
) -> dict[str, Any]:
    """The fields of ``ModelConfig`` that a model of pictures has. side, patch: the defaults.

    Raises wrong_setting and patches_do_not_fit.
    """
    side, patch = _side(stated, "image_size", side), _side(stated, "patch_size", patch)
    if side % patch:
        raise InputError("patches_do_not_fit", size=side, patch=patch)
    return {
        "token": "patch",
        "shape": (side, side),
        "patch": patch,
        "grid": side // patch,
        "specials": specials,
        "positions": len(specials) + (side // patch) ** 2,
    }


def _side(stated: Mapping[str, Any], name: str, default: int | None) -> int:
    """The side of a square, given as a number or as height and width."""
    value = stated.get(name)
    if not isinstance(value, list):
        return integer(stated, name, default)
    whole = all(is_integer(side, 1, LARGEST_SIZE) for side in value)
    if len(value) != 2 or not whole or len({*value}) > 1:
        raise wrong_value(name, value, f"1 … {LARGEST_SIZE}, height = width")
    return int(value[0])


def tensor_names(config: ModelConfig) -> TensorNames:
    """The names of the tensors."""
    return TensorNames(
        prefix=f"{config.model_type}.",
        layer="encoder.layer.{}.",
        linear={**ATTENTION, "1": "intermediate.dense", "2": "output.dense"},
        norms=("layernorm_before", "layernorm_after"),
        **embeddings(config),
        final_norm="layernorm",
    )


def embeddings(config: ModelConfig) -> dict[str, Any]:
    """The fields inputs and shapes of ``TensorNames``."""
    d = config.d_model
    inputs = {
        "W_E": "embeddings.patch_embeddings.projection.weight",
        "b_E": "embeddings.patch_embeddings.projection.bias",
        "cls": "embeddings.cls_token",
        "position": "embeddings.position_embeddings",
    }
    shapes = {
        "W_E": (d, 3, config.patch, config.patch),
        "cls": (1, 1, d),
        "position": (1, config.trained_positions, d),
    }
    if DISTILLATION in config.specials:
        inputs["distillation"] = "embeddings.distillation_token"
        shapes["distillation"] = (1, 1, d)
    return {"inputs": inputs, "shapes": shapes}


FAMILY = Family(("vit", "deit"), config, tensor_names, FIXED)
