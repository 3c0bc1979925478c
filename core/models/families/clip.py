"""The two towers of CLIP, of which one is opened at a time.

"Learning Transferable Visual Models From Natural Language Supervision" (Radford et al., 2021).
"""

from collections.abc import Mapping
from typing import Any

from core.models.config import Family, ModelConfig, TensorNames
from core.models.config_values import SIZES, activation, epsilon, integer, sizes
from core.models.families.vit import CLS, FIXED, patches

VISION, TEXT = "clip_vision_model", "clip_text_model"
OLD_END = 2  # of a text in older files, where no token has this id's meaning


def config(model_type: str, stated: Mapping[str, Any]) -> ModelConfig:
    """The configuration, by the part of ``config.json`` for a tower."""
    is_vision = model_type == VISION
    return ModelConfig(
        model_type,
        **sizes(stated, SIZES, (12, 12, 768, 3072) if is_vision else (12, 8, 512, 2048)),
        **(patches(stated, (CLS,), 224, 32) if is_vision else _of_text(stated)),
        pre_norm=True,
        pools_cls=is_vision,
        epsilon=epsilon(stated, "layer_norm_eps", 1e-5),
        activation=activation(stated, "hidden_act", "quick_gelu"),
    )


def _of_text(stated: Mapping[str, Any]) -> dict[str, Any]:
    vocabulary = integer(stated, "vocab_size", 49408)
    return {
        "causal": True,
        "positions": integer(stated, "max_position_embeddings", 77),
        "vocabulary": vocabulary,
        "text_end": integer(stated, "eos_token_id", 49407, 0, vocabulary - 1),
    }


def tensor_names(config: ModelConfig) -> TensorNames:
    """The names of the tensors."""
    is_vision, d = config.model_type == VISION, config.d_model
    of_pictures = {
        "W_E": "embeddings.patch_embedding.weight",
        "cls": "embeddings.class_embedding",
        "gamma": "pre_layrnorm.weight",
        "beta": "pre_layrnorm.bias",
    }
    first = of_pictures if is_vision else {"E": "embeddings.token_embedding.weight"}
    return TensorNames(
        prefix="vision_model." if is_vision else "text_model.",
        layer="encoder.layers.{}.",
        linear={
            **{letter: f"self_attn.{letter.lower()}_proj" for letter in "QKV"},
            "O": "self_attn.out_proj",
            "1": "mlp.fc1",
            "2": "mlp.fc2",
        },
        norms=("layer_norm1", "layer_norm2"),
        inputs=first | {"position": "embeddings.position_embedding.weight"},
        shapes={"W_E": (d, 3, config.patch, config.patch)},
        final_norm="" if is_vision else "final_layer_norm",
    )


FAMILY = Family(
    (VISION, TEXT),
    config,
    tensor_names,
    FIXED,
    towers={"clip": {"vision": ("vision_config", VISION), "text": ("text_config", TEXT)}},
)
