"""The embeddings of a checkpoint: from a text, picture or sound to X, the input of its layers."""

from dataclasses import replace

import numpy as np

from core import cost, shapes
from core.axis import Axis
from core.errors import InputError, shape_mismatch
from core.layers import Norm
from core.limits import Limits
from core.models import patch_embeddings, sound_embeddings
from core.models.config import ModelConfig
from core.models.families.whisper import FeatureExtractor
from core.models.model import Model
from core.models.processor import Processor
from core.notation import SYMBOLS, axes, given, latex
from core.options import AttentionOptions
from core.rules import Given, Operand, Sum
from core.sources.position import input_stages, learned_positions
from core.sources.text import rows_of, scaled_embedding
from core.sources.tokenizer import Encoding, Tokenizer
from core.trace import Stage, Trace, of_kinds

Reader = Tokenizer | Processor | FeatureExtractor  # of a text, a picture or a sound
ITEMSIZE = 4  # bytes of a float32
_OWN_WORDS = {
    "tokens": "own_tokens",
    "E": "own_table",
    "embedding": "own_vectors",
    "position": "own_position",
    "X": "own_entrance",
}


def token_embeddings(model: Model, encoding: Encoding) -> Trace:
    """Token embeddings, with positions and segments: the stages tokens, E, …, X.

    Llama: X = E[tokens], without positions, since they are rotary. GPT-2: X = E[tokens] + position.
    BERT: X = LayerNorm(E[tokens] + segment + position), always with the first segment ("BERT",
    Devlin et al., 2018, section 3). DistilBERT: the same without segment. ModernBERT:
    X = LayerNorm(E[tokens]). Only the rows of E that occur are read, in order of occurrence.
    """
    row = {number: i for i, number in enumerate(dict.fromkeys(encoding.ids))}
    name = dict(zip(encoding.ids, encoding.tokens, strict=True))
    ids = np.array([[row[number] for number in encoding.ids]])  # (batch 1, token)
    E = model.input_rows("E", tuple(row))  # (vocabulary, d_model)
    vocabulary = tuple(name[number] for number in row)
    kinds = tuple(
        "special" if i in encoding.special else "piece" for i in range(len(encoding.tokens))
    )
    tokens = Axis("token", SYMBOLS["token"], (encoding.tokens,), kinds)
    stages = rows_of(ids, tokens, E, vocabulary, "parameter")  # tokens, E and embedding
    of_stages = _kinds(model)
    if model.config.embedding_scale != 1:
        stages[-1] = scaled_embedding(stages[-1])
        of_stages["embedding"] = stages[-1].kind
    return of_kinds(of_stages, [*stages, *_summed_and_normed(model, stages[-1], encoding.ids)])


def _summed_and_normed(model: Model, embedding: Stage, ids: tuple[int, ...]) -> list[Stage]:
    """The stages behind the embedding, (batch, token, d_model), to X, the input of the layers."""
    inputs, added = model.names.inputs, [embedding]
    X = input_stages(embedding, position=False)
    if "segment" in inputs:
        first = model.input_rows("segment", (0,))[0]
        added.append(given("segment", first, axes("d_model"), "parameter"))
    if "position" in inputs:
        rows = position_numbers(ids, model.config.first_position)
        position, *X = learned_positions(embedding, model.input_rows("position", rows))
        if model.config.computed_positions:
            position = replace(position, rule=Given("transform"))
        added.append(position)
    if "gamma" not in inputs:
        return [*added[1:], *X]
    total = [summed(*added)] if len(added) > 1 else []
    beta = model.input("beta") if model.config.norm_bias else None
    norm = Norm(model.input("gamma"), beta, model.config.epsilon)
    return [*added[1:], *total, *norm.stages([embedding, *total][-1], "X", "normed_sum")]


def position_numbers(ids: tuple[int, ...], first: int) -> tuple[int, ...]:
    """The row of each token in the table of positions. first: the row of the first token.

    In RoBERTa ``first`` is not 0. Padding tokens then have the row ``first - 1``, which is also
    their id, and do not count as positions.
    """
    if not first:
        return tuple(range(len(ids)))
    real = np.array(ids) != first - 1
    return tuple((real * np.cumsum(real) + first - 1).tolist())


def _kinds(model: Model) -> dict[str, str]:
    """The kinds of the stages of a model of text, by their keys."""
    inputs, config, kinds = model.names.inputs, model.config, dict(_OWN_WORDS)
    if config.first_position:
        kinds["position"] = "offset_position"
    if config.sinusoidal:
        kinds["position"] = "sines_first" if config.computed_positions else "stored_sinusoids"
    if config.segments == 1:
        kinds["segment"] = "only_segment"
    if not config.segments:
        kinds["summed"] = "placed_sum"
    if "gamma" in inputs and "position" in inputs:
        kinds["X"] = "normed_sum"
    elif "gamma" in inputs:
        kinds["X"] = "normed_vectors" if config.norm_bias else "bias_free_normed_vectors"
    elif "position" not in inputs:
        kinds["X"] = "entrance_by_distance" if config.buckets else "unplaced_entrance"
    return kinds


def estimate_trace_bytes(model: Model, n: int) -> int:
    """The bytes that all stages of a trace for n tokens will take, before any is computed.

    Exact for a layer that has all that a layer of the model may have (a window, a norm in front,
    what is changed on purpose in any), except that E and tokens are counted as if no token occurred
    twice.
    """
    config, d, d_ff = model.config, model.config.d_model, model.config.d_ff
    width = config.head_width
    gammas = ("gamma_Q", "gamma_K") if config.qk_norm else ()
    window = (0, 0) if any(config.windows) else None
    changes = model.interventions.of(None, model.stack)
    attention_bytes = shapes.held_bytes(
        shapes.attention(
            shapes.AttentionShape(1, n, d, config.heads, width),
            AttentionOptions(
                causal=config.causal,
                window=window,
                rotary=config.rotary,
                relative=model.relative,
                changes=changes,
            ),
            kv_heads=config.shared_heads,
            parameters=(*_matrices(config), *gammas),
        )
    )
    numbers = 0
    learnt = (1 + config.norm_bias) * d  # gamma, and beta
    inner = 2 if config.gated else 1  # matrices into the hidden layer
    feed_forward = 2 * n * d + (inner + 1) * d * d_ff  # X, output, W
    feed_forward += n * d_ff * (3 if config.gated else 1)  # hidden, with gate and up
    if config.mlp_bias:
        feed_forward += inner * d_ff + d
    numbers += 2 * (learnt + 2 * n * d) + feed_forward  # residual, and normalised or stream
    if changes is not None and changes.patches_stream:
        numbers += n + 2 * n * d  # kept_x; patch_x, and the patched one
    behind = (*model.names.layer_scales, *model.names.post_norms)  # lambda or gamma_post, and
    numbers += len(behind) * (n + 1) * d  # layer_scaled or post_normed
    if config.token == "patch":
        numbers += patch_embeddings.input_numbers(model)
    elif config.token == "frame":
        numbers += sound_embeddings.input_numbers(config)
    else:
        numbers += 3 * n * d + 2 * n  # E, embedding, X; tokens
        inputs = model.names.inputs
        numbers += n * d if "position" in inputs else 0
        numbers += d if "segment" in inputs else 0
        numbers += learnt if "gamma" in inputs else 0
        numbers += n * d if {"gamma", "position"} <= {*inputs} else 0  # summed
    return attention_bytes + ITEMSIZE * numbers


def estimate_cross_bytes(model: Model, n: int, keys: int) -> int:
    """The bytes of all stages of cross-attention for n tokens over a memory of so many vectors."""
    config, d = model.config, model.config.d_model
    attended = shapes.attention(
        shapes.AttentionShape(1, n, d, config.heads, config.head_width),
        memory=(keys, d),
        parameters=_matrices(config),
    )
    around = (1 + config.norm_bias) * d + (2 * n + keys) * d  # norm; stream, residual; memory
    return shapes.held_bytes(attended) + ITEMSIZE * around


def _matrices(config: ModelConfig) -> tuple[str, ...]:
    """The parameters of attention, without those of norms."""
    biases = ("b_Q", "b_V", *(("b_K",) if config.key_bias else ())) if config.qkv_bias else ()
    return (*shapes.MATRICES, *biases, *(("b_O",) if config.output_bias else ()))


def summed(embedding: Stage, *added: Stage) -> Stage:
    """The stage summed = embedding + segment + position, of which the segment may be missing."""
    total = embedding.tensor.astype(np.float64)  # rounded once, at the end
    for stage in added:
        total += stage.tensor
    terms = (embedding, *added)
    return Stage(
        "summed",
        r"\text{summed} = " + " + ".join(latex(stage.key) for stage in terms),
        total.astype(embedding.tensor.dtype),
        embedding.axes,
        Sum(tuple(Operand(stage.key, stage.roles) for stage in terms)),
    )


def embedded(model: Model, reader: Reader, given: str | np.ndarray, limits: Limits) -> Trace:
    """The stages up to X.

    Raises trace_too_large before anything is computed, TypeError for what the reader does not read,
    shape_mismatch for a picture of another size, and what ``checked`` raises.
    """
    config = model.config
    if isinstance(given, str):
        return token_embeddings(model, checked(model, reader, given, limits))
    needed = estimate_trace_bytes(model, config.positions)
    cost.check_bytes(needed, limits.trace_bytes)
    if isinstance(reader, FeatureExtractor):
        return sound_embeddings.sound_embeddings(model, np.asarray(given), reader)
    if isinstance(reader, Processor):
        pixels, expected = np.asarray(given), (*config.shape, 3)
        if pixels.shape != expected or pixels.dtype != np.uint8:
            raise shape_mismatch("image", f"{expected} of bytes", pixels.shape)
        return patch_embeddings.patch_embeddings(model, reader.colours.values(pixels))
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
    cost.check_bytes(estimate_trace_bytes(model, len(encoding.ids)), limits.trace_bytes)
    return encoding
