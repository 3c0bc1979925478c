"""Marian, whose translators are called OPUS-MT: text to text, as in the first paper.

"Marian: Fast Neural Machine Translation in C++" (Junczys-Dowmunt et al., 2018): LayerNorm behind
each part, embeddings times √d_model, sines and cosines of positions (all sines first), swish or
ReLU, a bias of the logits. Encoder, decoder and the language model head share one table.
"""

from collections.abc import Mapping
from dataclasses import replace
from math import sqrt
from typing import Any

from core.models.config import Family, ModelConfig, TensorNames
from core.models.config_values import (
    ACTIVATIONS,
    SILU,
    activation,
    flag,
    integer,
    sizes,
    wrong_value,
)

EPSILON = 1e-5  # of the norms, which no configuration states
FIXED = {
    "is_decoder": False,
    "share_encoder_decoder_embeddings": True,
    "normalize_before": False,
    "normalize_embedding": False,
    "add_final_layer_norm": False,
    "static_position_embeddings": True,
}
VOCABULARY = 58101


def config(model_type: str, stated: Mapping[str, Any]) -> ModelConfig:
    """The configuration of the encoder, by ``config.json``."""
    return _side("encoder", model_type, stated)


def decoder_config(model_type: str, stated: Mapping[str, Any]) -> ModelConfig:
    """The configuration of the decoder, by the same ``config.json``."""
    side = _side("decoder", model_type, stated)
    most = side.vocabulary - 1
    padding = integer(stated, "pad_token_id", VOCABULARY - 1, 0, most)
    return replace(
        side,
        causal=True,
        cross=True,
        start=integer(stated, "decoder_start_token_id", VOCABULARY - 1, 0, most),
        end=integer(stated, "eos_token_id", 0, 0, most),
        never=(padding,),
    )


def _side(side: str, model_type: str, stated: Mapping[str, Any]) -> ModelConfig:
    names = (f"{side}_layers", f"{side}_attention_heads", "d_model", f"{side}_ffn_dim")
    vocabulary = integer(stated, "vocab_size", VOCABULARY)
    if stated.get("decoder_vocab_size", vocabulary) != vocabulary:
        raise wrong_value("decoder_vocab_size", stated["decoder_vocab_size"], str(vocabulary))
    found = sizes(stated, names, (12, 16, 1024, 4096))
    return ModelConfig(
        model_type,
        **found,
        positions=integer(stated, "max_position_embeddings", 1024),
        epsilon=EPSILON,
        activation=activation(stated, "activation_function", "gelu", ACTIVATIONS | SILU),
        vocabulary=vocabulary,
        sinusoidal=True,
        computed_positions=True,
        embedding_scale=sqrt(found["d_model"]) if flag(stated, "scale_embedding", False) else 1.0,
    )


def tensor_names(config: ModelConfig) -> TensorNames:
    """The names of the tensors, of the encoder or of the decoder."""
    side = "decoder" if config.cross else "encoder"
    modules = {**{letter: f"{letter.lower()}_proj" for letter in "QKV"}, "O": "out_proj"}
    names = TensorNames(
        prefix="model.",
        layer=f"{side}.layers.{{}}.",
        linear={
            **{letter: f"self_attn.{module}" for letter, module in modules.items()},
            "1": "fc1",
            "2": "fc2",
        },
        norms=("self_attn_layer_norm", "final_layer_norm"),
        inputs={"E": "shared.weight", "position": ""},
    )
    if not config.cross:
        return names
    return replace(
        names,
        head="lm_head.weight",
        head_bias="final_logits_bias",
        cross={letter: f"encoder_attn.{module}" for letter, module in modules.items()},
        cross_norm="encoder_attn_layer_norm",
    )


FAMILY = Family(("marian",), config, tensor_names, FIXED, decoder=decoder_config)
