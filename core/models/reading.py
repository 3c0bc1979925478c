"""What a checkpoint is given, a text, a picture or a sound, and how it becomes X."""

import numpy as np

from core import cost
from core.errors import InputError, shape_mismatch
from core.limits import Limits
from core.models import embeddings
from core.models.families.whisper import FeatureExtractor
from core.models.model import Model
from core.models.patch_embeddings import patch_embeddings
from core.models.processor import Processor
from core.models.sound_embeddings import sound_embeddings
from core.sources.tokenizer import Encoding, Tokenizer
from core.trace import Trace

Reader = Tokenizer | Processor | FeatureExtractor


def embedded(
    model: Model, reader: Reader, given: str | np.ndarray, limits: Limits, *, by_head: bool
) -> Trace:
    """The stages up to X. by_head: whether a trace of a layer will have one head alone.

    Raises trace_too_large before anything is computed, TypeError for what the reader does not read,
    shape_mismatch for a picture of another size, and what ``checked`` raises.
    """
    config = model.config
    if isinstance(given, str):
        return embeddings.token_embeddings(model, checked(model, reader, given, limits))
    needed = embeddings.estimate_trace_bytes(model, config.positions, by_head=by_head)
    cost.check_bytes(needed, limits.trace_bytes)
    if isinstance(reader, FeatureExtractor):
        return sound_embeddings(model, np.asarray(given), reader)
    if isinstance(reader, Processor):
        pixels, expected = np.asarray(given), (config.side, config.side, 3)
        if pixels.shape != expected or pixels.dtype != np.uint8:
            raise shape_mismatch("image", f"{expected} of bytes", pixels.shape)
        return patch_embeddings(model, reader.colours.values(pixels))
    token = model.config.token
    raise TypeError(f"a {config.model_type} reads {token} by {token}, not {type(given)}")


def encoded(model: Model, reader: Reader, text: str, limits: Limits) -> Encoding:
    """The tokens of a text. Raises what ``Tokenizer.encode`` raises, or TypeError."""
    if isinstance(reader, Processor | FeatureExtractor):
        raise TypeError(
            f"a {model.config.model_type} reads {model.config.token} by {model.config.token}"
        )
    return reader.encode(text, model.config.positions, limits)


def checked(model: Model, reader: Reader, text: str, limits: Limits) -> Encoding:
    """The tokens of a text that the model knows and that fit into memory.

    Raises outside_vocabulary, trace_too_large, and what ``encoded`` raises.
    """
    encoding = encoded(model, reader, text, limits)
    for number, name in zip(encoding.ids, encoding.tokens, strict=True):
        if number >= model.config.vocabulary:
            raise InputError(
                "outside_vocabulary", word=name, number=number, vocabulary=model.config.vocabulary
            )
    cost.check_bytes(embeddings.estimate_trace_bytes(model, len(encoding.ids)), limits.trace_bytes)
    return encoding
