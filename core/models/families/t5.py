"""T5, its version 1.1, Flan-T5 and mT5: text to text, by an encoder and a decoder.

"Exploring the Limits of Transfer Learning with a Unified Text-to-Text Transformer" (Raffel et al.,
2020), section 2.1: RMSNorm in front of each part, no biases, and in place of positions a bias of
the scores by distance, which all layers of a side share. Scores are not divided by √d_k: the
matrices of the queries were drawn that much smaller. Version 1.1 and mT5 ("mT5: A Massively
Multilingual Pre-trained Text-to-Text Transformer", Xue et al., 2021) have gated feed-forward layers
and a language model head of its own.
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
    epsilon,
    flag,
    integer,
    wrong_value,
)

PLAIN = ACTIVATIONS | SILU
GATED = {f"gated-{name}": ours for name, ours in PLAIN.items()} | {"gated-gelu": "gelu_tanh"}
ENCODER_ALONE = {"T5EncoderModel", "MT5EncoderModel"}
BUCKETS = (32, 128)  # and the distance from which on all share one
FIXED = {"is_decoder": False}


def config(model_type: str, stated: Mapping[str, Any]) -> ModelConfig:
    """The configuration of the encoder, by ``config.json``."""
    classes = stated.get("architectures")
    if isinstance(classes, list) and ENCODER_ALONE & set(map(str, classes)):
        raise wrong_value("architectures", classes[0], "T5ForConditionalGeneration")
    default = "relu" if model_type == "t5" else "gated-gelu"
    named = stated.get("feed_forward_proj", default)
    buckets = integer(stated, "relative_attention_num_buckets", BUCKETS[0], least=4)
    if buckets % 2:
        raise wrong_value("relative_attention_num_buckets", buckets, "2 n")
    least = buckets // 2 + 1  # the decoder has so many distances with a bucket of their own
    return ModelConfig(
        model_type,
        layers=integer(stated, "num_layers", 6),
        heads=integer(stated, "num_heads", 8),
        d_model=integer(stated, "d_model", 512),
        d_ff=integer(stated, "d_ff", 2048),
        d_k=integer(stated, "d_kv", 64),
        positions=integer(stated, "n_positions", 512),
        epsilon=epsilon(stated, "layer_norm_epsilon", 1e-6),
        activation=activation(stated, "feed_forward_proj", default, PLAIN | GATED),
        pre_norm=True,
        rms=True,
        gated=named in GATED,
        vocabulary=integer(stated, "vocab_size", 32128),
        qkv_bias=False,
        output_bias=False,
        mlp_bias=False,
        norm_bias=False,
        scale=1.0,
        buckets=buckets,
        furthest=integer(stated, "relative_attention_max_distance", BUCKETS[1], least=least),
    )


def decoder_config(model_type: str, stated: Mapping[str, Any]) -> ModelConfig:
    """The configuration of the decoder, by the same ``config.json``.

    Whether the language model head has a matrix of its own is found in the file of weights. The
    first version of T5, whose head is tied, has its last vectors divided by √d_model; newer
    versions say that they are not, by the setting of tied embeddings.
    """
    encoder = config(model_type, stated)
    scales = model_type == "t5" and flag(
        stated, "scale_decoder_outputs", flag(stated, "tie_word_embeddings", True)
    )
    given = {**stated, "num_decoder_layers": stated.get("num_decoder_layers") or encoder.layers}
    most = encoder.vocabulary - 1
    return replace(
        encoder,
        layers=integer(given, "num_decoder_layers"),
        causal=True,
        cross=True,
        output_scale=1 / sqrt(encoder.d_model) if scales else 1.0,
        start=integer(stated, "decoder_start_token_id", 0, 0, most),
        end=integer(stated, "eos_token_id", 1, 0, most),
    )


def tensor_names(config: ModelConfig) -> TensorNames:
    """The names of the tensors, of the encoder or of the decoder."""
    side, fed = ("decoder", 2) if config.cross else ("encoder", 1)
    dense = f"layer.{fed}.DenseReluDense"
    into = {"gate": "wi_0", "up": "wi_1", "down": "wo"} if config.gated else {"1": "wi", "2": "wo"}
    letters = {letter: letter.lower() for letter in "QKVO"}
    names = TensorNames(
        prefix="",
        layer=f"{side}.block.{{}}.",
        linear={
            **{letter: f"layer.0.SelfAttention.{module}" for letter, module in letters.items()},
            **{part: f"{dense}.{module}" for part, module in into.items()},
        },
        norms=("layer.0.layer_norm", f"layer.{fed}.layer_norm"),
        inputs={"E": "shared.weight"},
        final_norm=f"{side}.final_layer_norm",
        relative=f"{side}.block.0.layer.0.SelfAttention.relative_attention_bias.weight",
    )
    if not config.cross:
        return names
    return replace(
        names,
        head="lm_head.weight",
        cross={letter: f"layer.1.EncDecAttention.{module}" for letter, module in letters.items()},
        cross_norm="layer.1.layer_norm",
    )


FAMILY = Family(("t5", "mt5"), config, tensor_names, FIXED, decoder=decoder_config)
