"""BERT, RoBERTa, XLM-RoBERTa and CamemBERT.

"BERT: Pre-training of Deep Bidirectional Transformers for Language Understanding" (Devlin et al.,
2018). RoBERTa ("RoBERTa: A Robustly Optimized BERT Pretraining Approach", Liu et al., 2019),
XLM-RoBERTa and CamemBERT differ in the rows of their table of positions: a token's first one is
behind that of the padding token. Poolers and heads are not read.
"""

from collections.abc import Mapping
from typing import Any

from core.limits import LARGEST_SIZE
from core.models.config import Family, ModelConfig, TensorNames
from core.models.config_values import activation, epsilon, integer, sizes, wrong_value

ROBERTA = ("roberta", "xlm-roberta", "camembert")
FIXED: Mapping[str, Any] = {
    "position_embedding_type": "absolute",
    "is_decoder": False,
    "add_cross_attention": False,
}


def config(model_type: str, stated: Mapping[str, Any]) -> ModelConfig:
    """The configuration, by ``config.json``."""
    rows = integer(stated, "max_position_embeddings")
    first = _first_position(stated, rows) if model_type in ROBERTA else 0
    return ModelConfig(
        model_type,
        **sizes(stated),
        positions=rows - first,
        first_position=first,
        epsilon=epsilon(stated, "layer_norm_eps", 1e-12),
        activation=activation(stated, "hidden_act", "gelu"),
        vocabulary=integer(stated, "vocab_size"),
        segments=integer(stated, "type_vocab_size", 2),
        vocab_txt=model_type == "bert",
    )


def _first_position(stated: Mapping[str, Any], rows: int) -> int:
    """The row of the first token's position: behind that of the padding token's id."""
    padding = integer(stated, "pad_token_id", 1, 0, LARGEST_SIZE - 1)
    if rows <= padding + 1:
        raise wrong_value("max_position_embeddings", rows, f"> pad_token_id + 1 = {padding + 1}")
    return padding + 1


def tensor_names(config: ModelConfig) -> TensorNames:
    """The names of the tensors."""
    return TensorNames(
        prefix="roberta." if config.model_type in ROBERTA else f"{config.model_type}.",
        layer="encoder.layer.{}.",
        linear={
            "Q": "attention.self.query",
            "K": "attention.self.key",
            "V": "attention.self.value",
            "O": "attention.output.dense",
            "1": "intermediate.dense",
            "2": "output.dense",
        },
        norms=("attention.output.LayerNorm", "output.LayerNorm"),
        inputs={
            "E": "embeddings.word_embeddings.weight",
            "segment": "embeddings.token_type_embeddings.weight",
            "position": "embeddings.position_embeddings.weight",
            "gamma": "embeddings.LayerNorm.weight",
            "beta": "embeddings.LayerNorm.bias",
        },
    )


FAMILY = Family(("bert", *ROBERTA), config, tensor_names, FIXED)
