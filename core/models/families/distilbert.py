"""DistilBERT: BERT without segments.

"DistilBERT, a distilled version of BERT: smaller, faster, cheaper and lighter" (Sanh et al., 2019).
"""

from collections.abc import Mapping
from typing import Any

from core.models.config import Family, ModelConfig, TensorNames
from core.models.config_values import activation, flag, integer, sizes
from core.models.families.bert import FIXED


def config(model_type: str, stated: Mapping[str, Any]) -> ModelConfig:
    """The configuration, by ``config.json``, which does not state the ε of the norms."""
    return ModelConfig(
        model_type,
        **sizes(stated, ("n_layers", "n_heads", "dim", "hidden_dim")),
        positions=integer(stated, "max_position_embeddings"),
        epsilon=1e-12,
        activation=activation(stated, "activation", "gelu"),
        vocabulary=integer(stated, "vocab_size"),
        sinusoidal=flag(stated, "sinusoidal_pos_embds", False),
        vocab_txt=True,
    )


def tensor_names(config: ModelConfig) -> TensorNames:
    """The names of the tensors."""
    return TensorNames(
        prefix="distilbert.",
        layer="transformer.layer.{}.",
        linear={
            **{letter: f"attention.{letter.lower()}_lin" for letter in "QKV"},
            "O": "attention.out_lin",
            "1": "ffn.lin1",
            "2": "ffn.lin2",
        },
        norms=("sa_layer_norm", "output_layer_norm"),
        inputs={
            "E": "embeddings.word_embeddings.weight",
            "position": "embeddings.position_embeddings.weight",
            "gamma": "embeddings.LayerNorm.weight",
            "beta": "embeddings.LayerNorm.bias",
        },
    )


FAMILY = Family(("distilbert",), config, tensor_names, FIXED)
