"""The configuration of vision transformers: ViT, DeiT, DINOv2 and the vision tower of CLIP.

Names and defaults are those of Hugging Face's ``transformers``.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from core.errors import InputError, wrong_setting
from core.limits import LARGEST_SIZE
from core.models.config_values import (
    activation,
    epsilon,
    flag,
    is_number,
    is_positive_int,
    positive_int,
    printable,
)
from core.models.folder import CONFIG

CLS, DISTILLATION, REGISTER = "[CLS]", "[DIST]", "[REG {number}]"
MOST_REGISTERS = 64


class Defaults(NamedTuple):
    """The defaults of ``transformers``; 0 where the file has to say it.

    specials: the tokens in front of the patches, but for registers. resizes: whether the positions
    are interpolated where a photo has another number of patches than in training; antialiases:
    with an antialiasing filter.
    """

    layers: int = 0
    heads: int = 0
    d_model: int = 0
    d_ff: int = 0
    side: int = 0
    patch: int = 0
    epsilon: float = 1e-12
    activation: str = "gelu"
    specials: tuple[str, ...] = (CLS,)
    resizes: bool = False
    antialiases: bool = False


DEFAULTS = {
    "vit": Defaults(),
    "deit": Defaults(specials=(CLS, DISTILLATION)),
    "dinov2": Defaults(12, 12, 768, 0, 224, 14, 1e-6, resizes=True),
    "dinov2_with_registers": Defaults(
        12, 12, 768, 0, 224, 16, 1e-6, resizes=True, antialiases=True
    ),
    "clip_vision_model": Defaults(12, 12, 768, 3072, 224, 32, 1e-5, "quick_gelu"),
}
FIXED = {"num_channels": 3}


def read(kind: str, config: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of ``core.models.settings.ModelConfig`` for this ``model_type``.

    Raises wrong_setting, heads_do_not_divide and patches_do_not_fit.
    """
    defaults = DEFAULTS[kind]

    def size(name: str, default: int) -> int:
        return positive_int(config, name, default or None)

    heads = size("num_attention_heads", defaults.heads)
    d_model = size("hidden_size", defaults.d_model)
    if d_model % heads:
        raise InputError("heads_do_not_divide", name="d_model", width=d_model, heads=heads)
    side, patch = (
        _side(config, name, default)
        for name, default in (("image_size", defaults.side), ("patch_size", defaults.patch))
    )
    if side % patch:
        raise InputError("patches_do_not_fit", size=side, patch=patch)
    is_dino = kind.startswith("dinov2")
    gated = is_dino and flag(config, "use_swiglu_ffn", False)
    acts = activation(config, "hidden_act", defaults.activation)
    registers = _registers(config) if kind == "dinov2_with_registers" else 0
    numbered = (REGISTER.format(number=number + 1) for number in range(registers))
    specials = (*defaults.specials, *numbered)
    return {
        "kind": kind,
        "layers": size("num_hidden_layers", defaults.layers),
        "heads": heads,
        "d_model": d_model,
        "d_ff": (
            _inner(config, d_model, gated) if is_dino else size("intermediate_size", defaults.d_ff)
        ),
        "positions": len(specials) + (side // patch) ** 2,
        "epsilon": epsilon(config, "layer_norm_eps", defaults.epsilon),
        "activation": "silu" if gated else acts,
        "gated": gated,
        "side": side,
        "patch": patch,
        "grid": side // patch,
        "specials": specials,
        "registers": registers,
        "resizes": defaults.resizes,
        "antialiases": defaults.antialiases,
        "qkv_bias": flag(config, "qkv_bias", True),
    }


def _inner(config: Mapping[str, Any], d_model: int, gated: bool) -> int:
    """The width of DINOv2's feed-forward layers: of SwiGLU two thirds, in eights, rounded up."""
    ratio = config.get("mlp_ratio", 4)
    if not is_number(ratio) or not 1 <= int(d_model * ratio) <= LARGEST_SIZE:
        raise wrong_setting(CONFIG, "mlp_ratio", printable(ratio), "≥ 1")
    hidden = int(d_model * ratio)
    return (int(hidden * 2 / 3) + 7) // 8 * 8 if gated else hidden


def _registers(config: Mapping[str, Any]) -> int:
    value = config.get("num_register_tokens", 4)
    if value == 0 and not isinstance(value, bool):
        return 0
    if not is_positive_int(value, MOST_REGISTERS):
        allowed = f"0 … {MOST_REGISTERS}"
        raise wrong_setting(CONFIG, "num_register_tokens", printable(value), allowed)
    return value


def _side(config: Mapping[str, Any], name: str, default: int) -> int:
    """The side of a square, given as a number or as height and width."""
    value = config.get(name)
    if not isinstance(value, list):
        return positive_int(config, name, default or None)
    if (
        len(value) != 2
        or not all(is_positive_int(side, LARGEST_SIZE) for side in value)
        or len({*value}) > 1
    ):
        raise wrong_setting(CONFIG, name, printable(value), f"1 … {LARGEST_SIZE}, height = width")
    return int(value[0])
