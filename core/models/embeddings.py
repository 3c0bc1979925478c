"""The embeddings of a checkpoint: stages that end in X, the input of the first layer."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np

from core import shapes
from core.axis import Axis
from core.layers import Norm
from core.models.layouts import Model
from core.notation import SYMBOLS, axes, given, latex
from core.rules import Operand, Sum
from core.sources import image
from core.sources.position import input_stages, learned_positions
from core.sources.text import rows_of
from core.sources.tokenizer import Encoding
from core.trace import Stage, Trace

ITEMSIZE = 4  # bytes of a float32
_OWN_WORDS = {
    "tokens": "own_tokens",
    "E": "own_table",
    "embedding": "own_vectors",
    "position": "own_position",
    "X": "own_entrance",
}
_OWN_PATCHES = {"image": "own_image", "embedding": "own_projection", "X": "own_entrance"}


def token_embeddings(model: Model, encoding: Encoding) -> Trace:
    """Token embeddings, with positions and segments: the stages tokens, E, …, X.

    Llama: X = E[tokens], without positions, since they are rotary. GPT-2: X = E[tokens] + position.
    BERT: X = LayerNorm(E[tokens] + segment + position), always with the first segment ("BERT",
    Devlin et al., 2018, section 3). Only the rows of E that occur are read, in order of occurrence.
    """
    row = {number: place for place, number in enumerate(dict.fromkeys(encoding.ids))}
    name = dict(zip(encoding.ids, encoding.tokens, strict=True))
    ids = np.array([[row[number] for number in encoding.ids]])  # (batch 1, token)
    E = model.input_rows("E", tuple(row))  # (vocabulary, d_model)
    vocabulary = tuple(name[number] for number in row)
    kinds = tuple(
        "special" if i in encoding.special else "piece" for i in range(len(encoding.tokens))
    )
    tokens = Axis("token", SYMBOLS["token"], (encoding.tokens,), kinds)
    *stages, embedding = rows_of(ids, tokens, E, vocabulary, "parameter")
    if "position" not in model.layout.inputs:
        (X,) = input_stages(embedding, position=False)
        return _of_kinds(_OWN_WORDS | {"X": "unplaced_entrance"}, [*stages, embedding, X])
    position = model.input_rows("position", tuple(range(len(encoding.ids))))  # (token, d_model)
    place, X = learned_positions(embedding, position)
    if "segment" not in model.layout.inputs:
        return _of_kinds(_OWN_WORDS, [*stages, embedding, place, X])
    segment = given("segment", model.input_rows("segment", (0,))[0], axes("d_model"), "parameter")
    added = summed(embedding, segment, place)
    norm = Norm(model.input("gamma"), model.input("beta"), model.sizes.epsilon)
    normed = norm.stages(added, "X", "normed_sum")
    before = _of_kinds(_OWN_WORDS, [*stages, embedding, segment, place, added])
    return Trace([*before.values(), *normed])


def patch_embeddings(model: Model, values: np.ndarray) -> Trace:
    """Patch embeddings after [CLS]. values: (side, side, 3) float32.

    "An Image is Worth 16x16 Words" (Dosovitskiy et al., 2021), equation 1; with a bias b_E.
    """
    W_E = model.input("W_E")  # (d_model, channel, row, column)
    matrix = W_E.transpose(2, 3, 1, 0).reshape(-1, model.sizes.d_model)  # (pixel, d_model)
    projected = image.project(
        values[None],
        model.sizes.patch,
        matrix,
        model.input("cls")[0, 0],
        model.input("position")[0],
        model.input("b_E"),
    )
    return _of_kinds(_OWN_PATCHES, projected.values())


def _of_kinds(kinds: Mapping[str, str], stages: Iterable[Stage]) -> Trace:
    return Trace(replace(stage, kind=kinds.get(stage.key, stage.kind)) for stage in stages)


def estimate_trace_bytes(model: Model, n: int) -> int:
    """The bytes that all stages of a trace for n tokens will take, before any is computed.

    Exact, except that E and tokens are counted as if no token occurred twice.
    """
    sizes, d, d_ff = model.sizes, model.sizes.d_model, model.sizes.d_ff
    width = sizes.head_width
    biases = ("b_Q", "b_K", "b_V") if sizes.qkv_bias else ()
    attention_bytes = shapes.total(
        shapes.attention(
            shapes.Sizes(1, n, d, sizes.heads, width),
            kv_heads=sizes.shared_heads,
            parameters=(*shapes.MATRICES, *biases, *(("b_O",) if sizes.output_bias else ())),
            causal=model.layout.causal,
            window=any(sizes.windows),
        )
    ).bytes
    numbers = 0
    queries_and_keys = n * width * (sizes.heads + sizes.shared_heads)
    if sizes.qk_norm:
        numbers += queries_and_keys + 2 * width  # normalised, and a γ each
    if sizes.rotary:
        numbers += queries_and_keys + n * width + width // 2 + n  # cos, sin, inv_freq, position_ids
    if model.layout.rms:
        norm = d + 2 * n * d  # gamma, stream and residual
        feed_forward = 2 * n * d + 3 * d * d_ff + 3 * n * d_ff  # X, output, W, gate, up, hidden
    else:
        norm = 2 * d + 2 * n * d  # gamma, beta, and residual and normalised, or with stream
        feed_forward = 2 * n * d + 2 * d * d_ff + d_ff + d + n * d_ff  # X, output, W, b, hidden
    numbers += 2 * norm + feed_forward
    if model.layout.token == "patch":
        pixels = 3 * sizes.side**2  # image, patches, flattened; W_E; b_E, cls
        numbers += 3 * pixels + 3 * sizes.patch**2 * d + 2 * d + (n - 1) * d + 3 * n * d
    else:
        numbers += 3 * n * d + 2 * n  # E, embedding, X; tokens
        numbers += n * d if "position" in model.layout.inputs else 0
        numbers += n * d + 3 * d if "segment" in model.layout.inputs else 0
    return attention_bytes + ITEMSIZE * numbers


def summed(embedding: Stage, segment: Stage, position: Stage) -> Stage:
    """The stage summed = embedding + segment + position."""
    total = np.add(embedding.tensor, segment.tensor, dtype=np.float64)  # rounded once, at the end
    total += position.tensor
    at = {"embedding": embedding.roles, "segment": ("d_model",), "position": ("token", "d_model")}
    return Stage(
        "summed",
        r"\text{summed} = " + " + ".join(map(latex, at)),
        total.astype(embedding.tensor.dtype),
        embedding.axes,
        Sum(tuple(Operand(key, roles) for key, roles in at.items())),
    )
