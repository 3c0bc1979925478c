"""The app's own forward pass with the weights that ``training.tatoeba`` stores."""

from collections.abc import Mapping, Sequence

import numpy as np

from core.models.stored import Stored
from core.models.translator import Translator


def translator(
    weights: Mapping[str, np.ndarray], source: Sequence[str], target: Sequence[str], heads: int
) -> Translator:
    """Embeddings are multiplied by √d_model, and the target's table is the final map as well."""
    tensors = {name: tensor.astype(np.float64) for name, tensor in weights.items()}
    tensors["prediction/W"] = tensors["target/E"].T
    for side in ("source", "target"):
        tensors[f"{side}/E"] = tensors[f"{side}/E"] * tensors[f"{side}/E"].shape[1] ** 0.5
    start, end, *_ = target
    layers = sum(name.endswith("/cross/W_Q") for name in tensors)
    config = {"source": source, "target": target, "start": start, "end": end}
    return Translator(
        Stored(tensors, config | {"layers": layers, "heads": heads, "epsilon": 1e-5}, {})
    )
