"""The app's own forward pass with the weights that ``training.translator`` stores."""

from collections.abc import Mapping, Sequence

import numpy as np
from tokenizers import Tokenizer
from tokenizers.models import WordLevel

from core.models.stored import Stored
from core.models.translator import Translator
from core.sources.pieces import Pieces
from core.sources.unigram import Unigram


def translator(
    weights: Mapping[str, np.ndarray], source: Sequence[str], target: Sequence[str], heads: int
) -> Translator:
    """In float64. target: [START] and [END] among them."""
    tensors = {name: tensor.astype(np.float64) for name, tensor in weights.items()}
    layers = sum(name.endswith("/cross/W_Q") for name in tensors)
    config = {"layers": layers, "heads": heads, "epsilon": 1e-5}
    pieces = Tokenizer(WordLevel({piece: row for row, piece in enumerate(target)}))
    words = Unigram(tuple(source), (0, *[1] * (len(source) - 1)), {})
    return Translator(Stored(tensors, config, {}), words, Pieces(pieces))
