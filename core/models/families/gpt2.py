"""GPT-2.

"Language Models are Unsupervised Multitask Learners" (Radford et al., 2019). Matrices are stored as
(in, out), Q, K and V in one.
"""

from collections.abc import Mapping
from typing import Any

from core.models.config import Family, ModelConfig, TensorNames
from core.models.config_values import activation, epsilon, flag, integer, sizes

FIXED = {
    "scale_attn_weights": True,
    "scale_attn_by_inverse_layer_idx": False,
    "add_cross_attention": False,
}


def config(model_type: str, stated: Mapping[str, Any]) -> ModelConfig:
    """The configuration, by ``config.json``."""
    found = sizes(stated, ("n_layer", "n_head", "n_embd"))
    has_inner = stated.get("n_inner") is not None
    return ModelConfig(
        model_type,
        **found,
        d_ff=integer(stated, "n_inner") if has_inner else 4 * found["d_model"],
        positions=integer(stated, "n_positions"),
        epsilon=epsilon(stated, "layer_norm_epsilon", 1e-5),
        activation=activation(stated, "activation_function", "gelu_new"),
        causal=True,
        pre_norm=True,
        vocabulary=integer(stated, "vocab_size"),
        tied=flag(stated, "tie_word_embeddings", True),
    )


def tensor_names(config: ModelConfig) -> TensorNames:
    """The names of the tensors."""
    return TensorNames(
        prefix="transformer.",
        layer="h.{}.",
        linear={"QKV": "attn.c_attn", "O": "attn.c_proj", "1": "mlp.c_fc", "2": "mlp.c_proj"},
        norms=("ln_1", "ln_2"),
        inputs={"E": "wte.weight", "position": "wpe.weight"},
        final_norm="ln_f",
        head="lm_head.weight",
        transposed=False,
    )


FAMILY = Family(("gpt2",), config, tensor_names, FIXED)
