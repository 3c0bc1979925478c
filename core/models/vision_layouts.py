"""The tensor names of vision transformers, ViT, DeiT and DINOv2, and of the towers of CLIP.

"Training data-efficient image transformers & distillation through attention" (Touvron et al.,
2021), "DINOv2: Learning Robust Visual Features without Supervision" (Oquab et al., 2023), "Vision
Transformers Need Registers" (Darcet et al., 2024), "Learning Transferable Visual Models From
Natural Language Supervision" (Radford et al., 2021). Mask tokens, poolers and heads are not read.
"""

from collections.abc import Mapping

from core.models.layout import Layout
from core.models.settings import ModelConfig

_ATTENTION = {
    "Q": "attention.attention.query",
    "K": "attention.attention.key",
    "V": "attention.attention.value",
    "O": "attention.output.dense",
}
_EMBEDDINGS = {
    "W_E": "embeddings.patch_embeddings.projection.weight",
    "b_E": "embeddings.patch_embeddings.projection.bias",
    "cls": "embeddings.cls_token",
    "position": "embeddings.position_embeddings",
}


def _vit(prefix: str, **inputs: str) -> Layout:
    return Layout(
        prefix=prefix,
        layer="encoder.layer.{}.",
        linear={**_ATTENTION, "1": "intermediate.dense", "2": "output.dense"},
        norms=("layernorm_before", "layernorm_after"),
        final_norm="layernorm",
        inputs=_EMBEDDINGS | inputs,
        transposed=True,
        causal=False,
        pre_norm=True,
        token="patch",
    )


def _dino(prefix: str, gated: bool, **inputs: str) -> Layout:
    wide = {"gate_up": "mlp.weights_in", "down": "mlp.weights_out"}
    return Layout(
        prefix=prefix,
        layer="encoder.layer.{}.",
        linear={**_ATTENTION, **(wide if gated else {"1": "mlp.fc1", "2": "mlp.fc2"})},
        norms=("norm1", "norm2"),
        final_norm="layernorm",
        layer_scales=("layer_scale1.lambda1", "layer_scale2.lambda1"),
        inputs=_EMBEDDINGS | inputs,
        transposed=True,
        causal=False,
        pre_norm=True,
        token="patch",
    )


def _clip(
    prefix: str, inputs: Mapping[str, str], *, causal: bool, token: str, final_norm: str = ""
) -> Layout:
    return Layout(
        prefix=prefix,
        layer="encoder.layers.{}.",
        linear={
            **{letter: f"self_attn.{letter.lower()}_proj" for letter in "QKV"},
            "O": "self_attn.out_proj",
            "1": "mlp.fc1",
            "2": "mlp.fc2",
        },
        norms=("layer_norm1", "layer_norm2"),
        final_norm=final_norm,
        inputs=inputs,
        transposed=True,
        causal=causal,
        pre_norm=True,
        token=token,
    )


_REGISTERS = {"registers": "embeddings.register_tokens"}
LAYOUTS: dict[str, Layout] = {
    "vit": _vit("vit."),
    "deit": _vit("deit.", distillation="embeddings.distillation_token"),
    "dinov2": _dino("dinov2.", gated=False),
    "dinov2_with_registers": _dino("dinov2_with_registers.", gated=False, **_REGISTERS),
    "clip_vision_model": _clip(
        "vision_model.",
        {
            "W_E": "embeddings.patch_embedding.weight",
            "cls": "embeddings.class_embedding",
            "position": "embeddings.position_embedding.weight",
            "gamma": "pre_layrnorm.weight",
            "beta": "pre_layrnorm.bias",
        },
        causal=False,
        token="patch",
    ),
    "clip_text_model": _clip(
        "text_model.",
        {
            "E": "embeddings.token_embedding.weight",
            "position": "embeddings.position_embedding.weight",
        },
        causal=True,
        token="word",
        final_norm="final_layer_norm",
    ),
}
GATED = {
    "dinov2": _dino("dinov2.", gated=True),
    "dinov2_with_registers": _dino("dinov2_with_registers.", gated=True, **_REGISTERS),
}


def shapes(sizes: ModelConfig) -> dict[str, tuple[int, ...]]:
    """The shape of every tensor of the embeddings, by our name."""
    d, places = sizes.d_model, sizes.trained_positions
    is_clip = sizes.kind == "clip_vision_model"
    return {
        "W_E": (d, 3, sizes.patch, sizes.patch),
        "b_E": (d,),
        "cls": (d,) if is_clip else (1, 1, d),
        "distillation": (1, 1, d),
        "registers": (1, sizes.registers, d),
        "position": (places, d) if is_clip else (1, places, d),
        "gamma": (d,),
        "beta": (d,),
    }


def input_numbers(sizes: ModelConfig) -> int:
    """How many numbers the stages from image to X have."""
    inputs = LAYOUTS[sizes.kind].inputs
    d, n, across = sizes.d_model, sizes.positions, sizes.side // sizes.patch
    numbers = 3 * 3 * sizes.side**2 + 3 * sizes.patch**2 * d  # image, patches, flattened; W_E
    numbers += ("b_E" in inputs) * d + len(sizes.specials) * d
    numbers += across**2 * d + 3 * n * d  # embedding; sequence, position, sum
    if across != sizes.grid:
        numbers += sizes.trained_positions * (d + n)  # trained_position, interpolation
    if "gamma" in inputs:
        numbers += (n + 2) * d  # X, gamma, beta
    return numbers
