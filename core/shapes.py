"""Shapes and costs of all stages from the sizes alone, without computing the stages."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace
from math import isqrt, prod

from core.cost import Cost, stage_cost
from core.errors import InputError
from core.rules import Given
from core.steps import PER_KEY
from core.trace import Trace
from core.weights import ARRAYS

MATRICES = ("W_Q", "W_K", "W_V", "W_O")
TRUTHS = frozenset(
    {"key_mask", "causal", "sliding_window", "allowed", "head_mask", "keep"}
)  # stages of one byte a cell
SINGLE = 4  # bytes of a number in float32
PATCH, CHANNELS = 16, 3
MELS, HOP = 80, 160  # a frame each 10 ms of a sound of 16 000 samples a second


@dataclass(frozen=True)
class Sizes:
    """The sizes of one self-attention.

    n: tokens, patches or frames. d_k: the width of one head, d_v alike.
    """

    batch: int
    n: int
    d_model: int
    heads: int
    d_k: int


def shared_out(batch: int, n: int, d_model: int, heads: int) -> Sizes:
    """Sizes with d_k = d_model / h (section 3.2.2).

    Raises heads_do_not_divide.
    """
    if heads < 1 or d_model % heads:
        raise InputError("heads_do_not_divide", name="d_model", width=d_model, heads=heads)
    return Sizes(batch, n, d_model, heads, d_model // heads)


@dataclass(frozen=True)
class Shape:
    """The shape and cost of a stage, known before it is computed.

    key: of the stage. roles, sizes: of its axes. per_cell: multiply-adds of one cell.
    learnt: whether its numbers are parameters. itemsize: bytes of one number.
    operation: its formula in the symbols of the paper; empty for a given stage.
    """

    key: str
    roles: tuple[str, ...]
    sizes: tuple[int, ...]
    per_cell: int = 0
    learnt: bool = False
    itemsize: int = SINGLE
    operation: str = field(default="", compare=False)

    @property
    def values(self) -> int:
        """The number of cells."""
        return prod(self.sizes)

    @property
    def cost(self) -> Cost:
        """Its cost."""
        learnt = self.values if self.learnt else 0
        return Cost(learnt, self.values * self.per_cell, self.values * self.itemsize)


def attention(
    sizes: Sizes,
    *,
    kv_heads: int | None = None,
    memory: tuple[int, int] | None = None,
    d_v: int | None = None,
    parameters: Collection[str] = MATRICES,
    key_mask: bool = False,
    causal: bool = False,
    window: bool = False,
    allowed: tuple[int, ...] | None = None,
    head_mask: bool = False,
    bias: tuple[int, ...] | None = None,
    dropout: bool = False,
    residual: bool = False,
    itemsize: int = SINGLE,
) -> list[Shape]:
    """The shapes of the stages of ``multi_head_attention`` from X on, for these options.

    "Attention Is All You Need" (Vaswani et al., 2017), section 3.2.

    kv_heads: number of key and value heads; None: as many as heads.
    memory: number of tokens and width of the memory; None for self-attention.
    d_v: width of a value in one head; None: d_k.
    parameters: keys of the matrices and biases that exist; without W_O the stages end at concat.
    allowed, bias: their shapes before broadcasting; None if there is none.
    key_mask, causal, window, head_mask, dropout, residual: whether the option is on.
    itemsize: bytes of one number.
    """
    keys, width = memory or (sizes.n, sizes.d_model)
    of_value = d_v or sizes.d_k
    size = {
        "batch": sizes.batch, "token": sizes.n, "query": sizes.n, "key": keys,
        "head": sizes.heads, "kv_head": kv_heads or sizes.heads,
        "d_model": sizes.d_model, "d_k": sizes.d_k, "d_v": of_value,
        "concat": sizes.heads * of_value,
    }  # fmt: skip

    def shape(
        key: str,
        roles: tuple[str, ...],
        per_cell: int = 0,
        operation: str = "",
        given: tuple[int, ...] | None = None,
        **other: int,
    ) -> Shape:
        found = tuple((size | other)[role] for role in roles) if given is None else given
        bytes_each = 1 if key in TRUTHS else itemsize
        return Shape(key, roles, found, per_cell, key in ARRAYS, bytes_each, operation)

    shared = "head" if kv_heads in (None, sizes.heads) else "kv_head"
    of_model = ("batch", "query", "d_model")
    is_masked = any((key_mask, causal, window, head_mask)) or (allowed, bias) != (None, None)
    is_there = {key: key in parameters for key in ARRAYS} | {
        "memory": memory is not None, "key_mask": key_mask, "causal": causal,
        "sliding_window": window, "allowed": allowed is not None, "bias": bias is not None,
        "head_mask": head_mask, "masked": is_masked, "keep": dropout, "dropped": dropout,
        "output": "W_O" in parameters, "residual": residual, "normalised": residual,
    }  # fmt: skip
    shapes = [
        shape("X", ("batch", "token", "d_model")),
        shape("memory", ("batch", "key", "d_model"), d_model=width),
        shape("W_Q", ("head", "d_model", "d_k")),
        shape("b_Q", ("head", "d_k")),
        shape("W_K", (shared, "d_model", "d_k"), d_model=width),
        shape("b_K", (shared, "d_k")),
        shape("W_V", (shared, "d_model", "d_v"), d_model=width),
        shape("b_V", (shared, "d_v")),
        shape("W_O", ("head", "d_v", "d_model")),
        shape("b_O", ("d_model",)),
        shape("Q", ("batch", "head", "query", "d_k"), sizes.d_model, "X W^Q"),
        shape("K", ("batch", shared, "key", "d_k"), width, "X W^K"),
        shape("V", ("batch", shared, "key", "d_v"), width, "X W^V"),
        shape("key_mask", ("batch", "key")),
        shape("causal", ("query", "key")),
        shape("sliding_window", ("query", "key")),
        shape("allowed", PER_KEY[len(PER_KEY) - len(allowed or ()) :], given=allowed or ()),
        shape("head_mask", ("head",)),
        shape("bias", PER_KEY[len(PER_KEY) - len(bias or ()) :], given=bias or ()),
        shape("scores", PER_KEY, sizes.d_k, "Q Kᵀ"),
        shape("scaled", PER_KEY, 1, "scores / √d_k"),
        shape("masked", PER_KEY),
        shape("weights", PER_KEY, 0, "softmax(scaled)"),
        shape("keep", PER_KEY),
        shape("dropped", PER_KEY, 2),
        shape("head_output", ("batch", "head", "query", "d_v"), keys, "weights V"),
        shape("concat", ("batch", "query", "concat"), 0, "[head 1, …, head h]"),
        shape("output", of_model, size["concat"], "concat W^O"),
        shape("residual", of_model),
        shape("normalised", of_model),
    ]
    return [one for one in shapes if is_there.get(one.key, True)]


def text_input(sizes: Sizes) -> list[Shape]:
    """The stages from words to X: ids, embeddings, positions.

    E is counted with a row for each word, as if none occurred twice.
    """
    batch, n, d_model = sizes.batch, sizes.n, sizes.d_model
    return [
        Shape("tokens", ("batch", "token"), (batch, n), itemsize=8),
        Shape("E", ("vocabulary", "d_model"), (batch * n, d_model)),
        Shape(
            "embedding", ("batch", "token", "d_model"), (batch, n, d_model),
            operation="E[tokens]",
        ),
        Shape("position", ("token", "d_model"), (n, d_model)),
    ]  # fmt: skip


def image_input(sizes: Sizes) -> list[Shape]:
    """The stages from pixels to X: patches of 16 × 16 pixels in three channels, projected.

    Empty if n is not a square number, since the image is square.
    """
    batch, n, d_model = sizes.batch, sizes.n, sizes.d_model
    across = isqrt(n)
    if across * across != n:
        return []
    side, pixels = across * PATCH, PATCH * PATCH * CHANNELS
    return [
        Shape("image", ("batch", "height", "width", "channel"), (batch, side, side, CHANNELS)),
        Shape(
            "patches", ("batch", "patch", "row", "column", "channel"),
            (batch, n, PATCH, PATCH, CHANNELS), operation=f"{PATCH} × {PATCH}",
        ),
        Shape(
            "flattened", ("batch", "patch", "pixel"), (batch, n, pixels),
            operation=f"{PATCH}·{PATCH}·{CHANNELS} = {pixels}",
        ),
        Shape("W_E", ("pixel", "d_model"), (pixels, d_model), learnt=True),
        Shape(
            "embedding", ("batch", "patch", "d_model"), (batch, n, d_model), pixels,
            operation="flattened W^E",
        ),
        Shape("position", ("token", "d_model"), (n, d_model)),
    ]  # fmt: skip


def sound_input(sizes: Sizes) -> list[Shape]:
    """The stages from a sound to X: frames of 80 mel values every 10 ms, projected.

    The cost of the spectrogram is not counted.
    """
    batch, n, d_model = sizes.batch, sizes.n, sizes.d_model
    return [
        Shape("waveform", ("batch", "sample"), (batch, n * HOP)),
        Shape("mel", ("batch", "frame", "mel"), (batch, n, MELS), operation="log-mel"),
        Shape("W_E", ("mel", "d_model"), (MELS, d_model), learnt=True),
        Shape(
            "embedding", ("batch", "frame", "d_model"), (batch, n, d_model), MELS,
            operation="mel W^E",
        ),
        Shape("position", ("token", "d_model"), (n, d_model)),
    ]  # fmt: skip


INPUT_SHAPES = {"text": text_input, "image": image_input, "sound": sound_input}


def from_input(modality: str, sizes: Sizes) -> list[Shape]:
    """Every stage from the input to output. modality: ``text``, ``image`` or ``sound``."""
    before = INPUT_SHAPES[modality](sizes)
    X, *after = attention(sizes)
    if before:
        X = replace(X, operation="embedding + position")
    return [*before, X, *after]


def total(shapes: Iterable[Shape]) -> Cost:
    """The total cost of stages."""
    return sum((shape.cost for shape in shapes), Cost(0, 0, 0))


@dataclass(frozen=True)
class HeadsCost:
    """One self-attention of n tokens with a given number of heads: a column of a comparison.

    d_k: width of one head. parameters: of W^Q, W^K, W^V and W^O. projections (Q, K and V), scores,
    weighted_sum (head_output), output: multiply-adds. weights: number of attention weights.
    """

    heads: int
    d_k: int
    parameters: int
    projections: int
    scores: int
    weighted_sum: int
    output: int
    weights: int

    @property
    def attention(self) -> int:
        """Multiply-adds between Q, K, V and head_output."""
        return self.scores + self.weighted_sum

    @property
    def multiply_adds(self) -> int:
        """Multiply-adds of all four matrix products."""
        return self.projections + self.attention + self.output


def attention_cost(n: int, d_model: int, heads: int) -> HeadsCost:
    """The cost of self-attention of n tokens with d_k = d_v = d_model / h.

    Then ("Attention Is All You Need", section 3.2.2) the number of heads cancels out:
    4·d_model² parameters, 3·n·d_model² multiply-adds for Q, K and V, n²·d_model for the scores and
    as many for the weighted sum, n·d_model² for the output. Only the weights grow: h·n² of them.
    Without biases. Raises heads_do_not_divide.
    """
    sizes = shared_out(1, n, d_model, heads)
    found = {shape.key: shape for shape in attention(sizes)}
    spent = {key: shape.cost.multiply_adds for key, shape in found.items()}
    return HeadsCost(
        heads=heads,
        d_k=sizes.d_k,
        parameters=total(found.values()).parameters,
        projections=spent["Q"] + spent["K"] + spent["V"],
        scores=spent["scores"],
        weighted_sum=spent["head_output"],
        output=spent["output"],
        weights=found["weights"].values,
    )


def of_trace(trace: Trace) -> list[Shape]:
    """The shapes of the stages of a computed trace."""
    return [
        Shape(
            key,
            stage.roles,
            stage.tensor.shape,
            stage_cost(stage).multiply_adds // stage.tensor.size,
            isinstance(stage.rule, Given) and stage.rule.is_weight,
            stage.tensor.itemsize,
        )
        for key, stage in trace.items()
    ]


def part_that_fits(modality: str, sizes: Sizes, most_bytes: int, most_work: int) -> Sizes | None:
    """The largest part of an input within the limits: samples, else one head of one, else None.

    most_bytes: of all stages, plus two float64 copies of the parameters, which drawing them takes.
    most_work: multiply-adds.
    """

    def fits(part: Sizes) -> bool:
        needed = total(from_input(modality, part))
        return (
            needed.bytes + 16 * needed.parameters <= most_bytes
            and needed.multiply_adds <= most_work
        )

    few, many = 0, sizes.batch  # the most that fit is at least few and at most many
    while few < many:
        middle = (few + many + 1) // 2
        if fits(replace(sizes, batch=middle)):
            few = middle
        else:
            many = middle - 1
    if few:
        return replace(sizes, batch=few)
    one_head = replace(sizes, batch=1, heads=1)
    return one_head if fits(one_head) else None
