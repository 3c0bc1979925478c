"""ELECTRA: BERT, trained to detect which tokens of a sentence another model has replaced.

"ELECTRA: Pre-training Text Encoders as Discriminators Rather Than Generators" (Clark et al., 2020).
Its small models have narrower embeddings, and a projection behind them, which is not computed here.
"""

from collections.abc import Mapping
from typing import Any

from core.models.config import Family, ModelConfig
from core.models.config_values import integer, wrong_value
from core.models.families import bert


def config(model_type: str, stated: Mapping[str, Any]) -> ModelConfig:
    """The configuration, by ``config.json``."""
    found, width = bert.config(model_type, stated), integer(stated, "embedding_size", 128)
    if width != found.d_model:
        raise wrong_value("embedding_size", width, f"{found.d_model} (hidden_size)")
    return found


FAMILY = Family(("electra",), config, bert.tensor_names, bert.FIXED)
