"""The configuration of BERT's family: BERT, RoBERTa, XLM-RoBERTa, CamemBERT and DistilBERT.

Names and defaults are those of Hugging Face's ``transformers``. RoBERTa ("RoBERTa: A Robustly
Optimized BERT Pretraining Approach", Liu et al., 2019), XLM-RoBERTa and CamemBERT differ from BERT
in the rows of their table of positions: a token's first one is behind that of the padding token.
DistilBERT ("DistilBERT, a distilled version of BERT", Sanh et al., 2019) has no segments.
"""

from collections.abc import Mapping
from typing import Any

from core.errors import InputError, wrong_setting
from core.limits import LARGEST_SIZE
from core.models.config_values import activation, epsilon, flag, positive_int, printable
from core.models.folder import CONFIG

ROBERTA = ("roberta", "xlm-roberta", "camembert")
KINDS = ("bert", *ROBERTA, "distilbert")
EPSILON = 1e-12
FIXED: Mapping[str, Any] = {
    "position_embedding_type": "absolute",
    "is_decoder": False,
    "add_cross_attention": False,
    "quantization_config": None,
}


def read(kind: str, config: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of ``core.models.settings.ModelConfig`` for this ``model_type``.

    Raises wrong_setting and heads_do_not_divide.
    """
    if kind == "distilbert":
        names = ("n_layers", "n_heads", "dim", "hidden_dim")
        varies = {
            "epsilon": EPSILON,
            "activation": activation(config, "activation", "gelu"),
            "sinusoidal": flag(config, "sinusoidal_pos_embds", False),
        }
    else:
        names = (
            "num_hidden_layers", "num_attention_heads", "hidden_size", "intermediate_size",
        )  # fmt: skip
        varies = {
            "epsilon": epsilon(config, "layer_norm_eps", EPSILON),
            "activation": activation(config, "hidden_act", "gelu"),
            "segments": positive_int(config, "type_vocab_size", 2),
        }
    layers, heads, d_model, d_ff = (positive_int(config, name) for name in names)
    if d_model % heads:
        raise InputError("heads_do_not_divide", name="d_model", width=d_model, heads=heads)
    rows = positive_int(config, "max_position_embeddings")
    first = _first_position(config, rows) if kind in ROBERTA else 0
    return {
        "kind": kind,
        "layers": layers,
        "heads": heads,
        "d_model": d_model,
        "d_ff": d_ff,
        "positions": rows - first,
        "first_position": first,
        "vocabulary": positive_int(config, "vocab_size"),
        **varies,
    }


def _first_position(config: Mapping[str, Any], rows: int) -> int:
    """The row of the first token's position: behind that of the padding token's id."""
    padding = config.get("pad_token_id", 1)
    if isinstance(padding, bool) or not isinstance(padding, int) or not 0 <= padding < LARGEST_SIZE:
        raise wrong_setting(CONFIG, "pad_token_id", printable(padding), f"0 … {LARGEST_SIZE - 1}")
    if rows <= padding + 1:
        allowed = f"> pad_token_id + 1 = {padding + 1}"
        raise wrong_setting(CONFIG, "max_position_embeddings", printable(rows), allowed)
    return padding + 1
