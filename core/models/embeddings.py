"""What goes into the first layer of a checkpoint, as stages that end in X."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np

from core import shapes
from core.axis import Axis
from core.layers import Norm
from core.models.layouts import Model
from core.notation import SYMBOLS, axes, given, written
from core.rules import Operand, Sum
from core.sources import image
from core.sources.position import input_stages, learned_positions
from core.sources.text import rows_of
from core.sources.tokenizer import Cut
from core.trace import Stage, Trace

NUMBER = 4  # bytes in float32
_OWN_WORDS = {
    "tokens": "own_tokens",
    "E": "own_table",
    "embedding": "own_vectors",
    "position": "own_position",
    "X": "own_entrance",
}
_OWN_PATCHES = {"image": "own_image", "embedding": "own_projection", "X": "own_entrance"}


def of_words(model: Model, cut: Cut) -> Trace:
    r"""Look the tokens up, and tell them their place.

    Llama: X = E[tokens]; what comes first is said in every layer, by rotation.
    GPT-2: X = E[tokens] + position. BERT: summed = E[tokens] + segment + position, and
    X = LayerNorm(summed); the segment is the first one throughout ("BERT", Devlin et al., 2018,
    section 3). Of E only the rows that occur are read, in the order in which they do.
    """
    row = {number: place for place, number in enumerate(dict.fromkeys(cut.numbers))}
    name = dict(zip(cut.numbers, cut.names, strict=True))
    ids = np.array([[row[number] for number in cut.numbers]])  # (batch 1, token)
    E = model.input_rows("E", tuple(row))  # (vocabulary, d_model)
    vocabulary = tuple(name[number] for number in row)
    kinds = tuple("special" if i in cut.special else "piece" for i in range(len(cut.names)))
    tokens = Axis("token", SYMBOLS["token"], (cut.names,), kinds)
    *stages, embedding = rows_of(ids, tokens, E, vocabulary, "parameter")
    if "position" not in model.layout.inputs:
        (X,) = input_stages(embedding, position=False)
        return _of_kinds(_OWN_WORDS | {"X": "unplaced_entrance"}, [*stages, embedding, X])
    position = model.input_rows("position", tuple(range(len(cut.numbers))))  # (token, d_model)
    place, X = learned_positions(embedding, position)
    if "segment" not in model.layout.inputs:
        return _of_kinds(_OWN_WORDS, [*stages, embedding, place, X])
    segment = given("segment", model.input_rows("segment", (0,))[0], axes("d_model"), "parameter")
    added = summed(embedding, segment, place)
    norm = Norm(model.input("gamma"), model.input("beta"), model.sizes.epsilon)
    normed = norm.stages(added, "X", "normed_sum")
    before = _of_kinds(_OWN_WORDS, [*stages, embedding, segment, place, added])
    return Trace([*before.values(), *normed])


def of_patches(model: Model, values: np.ndarray) -> Trace:
    """Cut a picture into patches and project them, behind [CLS]. values: (side, side, 3) float32.

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


def expected_bytes(model: Model, n: int) -> int:
    """How many bytes the stages for n tokens will hold, of every part, before any is computed.

    Exact but for E and tokens, which count as if no token came twice.
    """
    sizes, d, d_ff = model.sizes, model.sizes.d_model, model.sizes.d_ff
    width = sizes.head_width
    biases = ("b_Q", "b_K", "b_V") if sizes.qkv_bias else ()
    attended = shapes.total(
        shapes.attention(
            shapes.Sizes(1, n, d, sizes.heads, width),
            kv_heads=sizes.shared_heads,
            parameters=(*shapes.MATRICES, *biases, *(("b_O",) if sizes.output_bias else ())),
            causal=model.layout.causal,
        )
    ).bytes
    met = n * width * (sizes.heads + sizes.shared_heads)  # queries and keys, once more
    if sizes.qk_norm:
        attended += NUMBER * (met + 2 * width)  # normed, and a γ each
    if sizes.rotary:
        attended += NUMBER * (met + n * width + width // 2 + n)  # … cos, sin, inv_freq, place
    if model.layout.rms:
        normed = d + 2 * n * d  # gamma, stream and residual
        fed = 2 * n * d + 3 * d * d_ff + 3 * n * d_ff  # X, output, matrices, gate, up, hidden
    else:
        normed = 2 * d + 2 * n * d  # gamma, beta, and residual and normalised, or with stream
        fed = 2 * n * d + 2 * d * d_ff + d_ff + d + n * d_ff  # X, output, matrices, biases, hidden
    if model.layout.token == "patch":
        pixels = 3 * sizes.side**2  # image, patches, flattened; W_E; b_E, cls
        entered = 3 * pixels + 3 * sizes.patch**2 * d + 2 * d + (n - 1) * d + 3 * n * d
    else:
        entered = 3 * n * d + 2 * n  # E, embedding, X; tokens
        entered += n * d if "position" in model.layout.inputs else 0
        entered += n * d + 3 * d if "segment" in model.layout.inputs else 0
    return attended + NUMBER * (2 * normed + fed + entered)


def summed(embedding: Stage, segment: Stage, position: Stage) -> Stage:
    """What a token is, which part of the text it belongs to, and where it stands, added up."""
    total = np.add(embedding.tensor, segment.tensor, dtype=np.float64)  # rounded once, at the end
    total += position.tensor
    at = {"embedding": embedding.roles, "segment": ("d_model",), "position": ("token", "d_model")}
    return Stage(
        "summed",
        r"\text{summed} = " + " + ".join(map(written, at)),
        total.astype(embedding.tensor.dtype),
        embedding.axes,
        Sum(tuple(Operand(key, roles) for key, roles in at.items())),
    )
