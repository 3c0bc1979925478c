"""DINOv2, with registers and without.

"DINOv2: Learning Robust Visual Features without Supervision" (Oquab et al., 2023), "Vision
Transformers Need Registers" (Darcet et al., 2024). A ViT with LayerScale, and in its largest size
with gated feed-forward layers; its positions are interpolated for pictures of another size.
"""

from collections.abc import Mapping
from typing import Any

from core.limits import LARGEST_SIZE, MOST_REGISTERS
from core.models.config import Family, ModelConfig, TensorNames
from core.models.config_values import (
    SIZES,
    activation,
    epsilon,
    flag,
    integer,
    is_number,
    sizes,
    wrong_value,
)
from core.models.families.vit import ATTENTION, CLS, FIXED, embeddings, patches

WITH_REGISTERS = "dinov2_with_registers"
REGISTER = "[REG {number}]"


def config(model_type: str, stated: Mapping[str, Any]) -> ModelConfig:
    """The configuration, by ``config.json``."""
    found = sizes(stated, SIZES[:3], (12, 12, 768))
    has_registers = model_type == WITH_REGISTERS
    registers = integer(stated, "num_register_tokens", 4, 0, MOST_REGISTERS) if has_registers else 0
    numbered = (REGISTER.format(number=number + 1) for number in range(registers))
    gated = flag(stated, "use_swiglu_ffn", False)
    ungated = activation(stated, "hidden_act", "gelu")
    return ModelConfig(
        model_type,
        **found,
        **patches(stated, (CLS, *numbered), 224, 16 if has_registers else 14),
        pre_norm=True,
        d_ff=_inner(stated, found["d_model"], gated),
        epsilon=epsilon(stated, "layer_norm_eps", 1e-6),
        activation="silu" if gated else ungated,
        gated=gated,
        registers=registers,
        resizes=True,
        antialiases=has_registers,
        qkv_bias=flag(stated, "qkv_bias", True),
    )


def _inner(stated: Mapping[str, Any], d_model: int, gated: bool) -> int:
    """The width of the feed-forward layers: of SwiGLU two thirds, in eights, rounded up."""
    ratio = stated.get("mlp_ratio", 4)
    if not is_number(ratio) or not 1 <= int(d_model * ratio) <= LARGEST_SIZE:
        raise wrong_value("mlp_ratio", ratio, "≥ 1")
    hidden = int(d_model * ratio)
    return (int(hidden * 2 / 3) + 7) // 8 * 8 if gated else hidden


def tensor_names(config: ModelConfig) -> TensorNames:
    """The names of the tensors."""
    gated = {"gate_up": "mlp.weights_in", "down": "mlp.weights_out"}
    found = embeddings(config)
    if config.model_type == WITH_REGISTERS:
        found["inputs"]["registers"] = "embeddings.register_tokens"
        found["shapes"]["registers"] = (1, config.registers, config.d_model)
    return TensorNames(
        prefix=f"{config.model_type}.",
        layer="encoder.layer.{}.",
        linear=ATTENTION | (gated if config.gated else {"1": "mlp.fc1", "2": "mlp.fc2"}),
        norms=("norm1", "norm2"),
        **found,
        final_norm="layernorm",
        layer_scales=("layer_scale1.lambda1", "layer_scale2.lambda1"),
    )


FAMILY = Family(("dinov2", WITH_REGISTERS), config, tensor_names, FIXED)
