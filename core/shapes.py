"""The shape of every stage, with what it costs, from the sizes alone: nothing is computed."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from math import isqrt, prod

from core.cost import Cost, stage_cost
from core.errors import HeadsDoNotDivide
from core.rules import Given
from core.trace import Trace

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
    """Sizes whose width is shared out among the heads: d_k = d_model / h (section 3.2.2).

    Raises HeadsDoNotDivide.
    """
    if d_model % heads:
        raise HeadsDoNotDivide("d_model", d_model, heads)
    return Sizes(batch, n, d_model, heads, d_model // heads)


@dataclass(frozen=True)
class Shape:
    """What is known of a stage before it is computed.

    key: the stage. roles, sizes: its axes. per_cell: multiply-adds that one number takes.
    learnt: whether its numbers are weights. itemsize: bytes of one number.
    operation: what makes it, in the symbols of the paper; empty where it is given.
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
        """How many numbers it holds."""
        return prod(self.sizes)

    @property
    def cost(self) -> Cost:
        """What it costs."""
        learnt = self.values if self.learnt else 0
        return Cost(learnt, self.values * self.per_cell, self.values * self.itemsize)


def attention(sizes: Sizes) -> list[Shape]:
    """The stages of ``multi_head_attention`` without a mask, from X to output, in float32.

    ("Attention Is All You Need", section 3.2)
    """
    batch, n, d_model, heads, d_k = (
        sizes.batch, sizes.n, sizes.d_model, sizes.heads, sizes.d_k,
    )  # fmt: skip
    of_query = ("batch", "head", "query", "d_k"), (batch, heads, n, d_k)
    of_key = ("batch", "head", "key", "d_k"), (batch, heads, n, d_k)
    of_value = ("batch", "head", "key", "d_v"), (batch, heads, n, d_k)
    of_pair = ("batch", "head", "query", "key"), (batch, heads, n, n)
    matrix = (heads, d_model, d_k)
    return [
        Shape("X", ("batch", "token", "d_model"), (batch, n, d_model)),
        Shape("W_Q", ("head", "d_model", "d_k"), matrix, learnt=True),
        Shape("W_K", ("head", "d_model", "d_k"), matrix, learnt=True),
        Shape("W_V", ("head", "d_model", "d_v"), matrix, learnt=True),
        Shape("W_O", ("head", "d_v", "d_model"), (heads, d_k, d_model), learnt=True),
        Shape("Q", *of_query, d_model, operation="X W^Q"),
        Shape("K", *of_key, d_model, operation="X W^K"),
        Shape("V", *of_value, d_model, operation="X W^V"),
        Shape("scores", *of_pair, d_k, operation="Q Kᵀ"),
        Shape("scaled", *of_pair, 1, operation="scores / √d_k"),
        Shape("weights", *of_pair, operation="softmax(scaled)"),
        Shape(
            "head_output", ("batch", "head", "query", "d_v"), of_value[1], n, operation="weights V"
        ),
        Shape(
            "concat", ("batch", "query", "concat"), (batch, n, heads * d_k),
            operation="[head 1, …, head h]",
        ),
        Shape(
            "output", ("batch", "query", "d_model"), (batch, n, d_model), heads * d_k,
            operation="concat W^O",
        ),
    ]  # fmt: skip


def before_text(sizes: Sizes) -> list[Shape]:
    """From words to X: numbers of words, their vectors, their places.

    No two words are the same here, so the table E has a row for each.
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


def before_image(sizes: Sizes) -> list[Shape]:
    """From pixels to X: squares of 16 × 16 pixels in three colours, flattened and projected.

    Empty where n patches make no square: then no image of that size is a square.
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


def before_sound(sizes: Sizes) -> list[Shape]:
    """From a sound to X: a frame of 80 mel values every 10 ms, projected.

    What the spectrogram itself costs is not counted.
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


BEFORE = {"text": before_text, "image": before_image, "sound": before_sound}


def from_input(door: str, sizes: Sizes) -> list[Shape]:
    """Every stage from the input of a front door, ``text``, ``image`` or ``sound``, to output."""
    before = BEFORE[door](sizes)
    X, *after = attention(sizes)
    if before:
        X = replace(X, operation="embedding + position")
    return [*before, X, *after]


def total(shapes: Iterable[Shape]) -> Cost:
    """What stages cost together."""
    return sum((shape.cost for shape in shapes), Cost(0, 0, 0))


def of_trace(trace: Trace) -> list[Shape]:
    """The shapes that the real tensors of a trace have."""
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


def part_that_fits(door: str, sizes: Sizes, most_bytes: int, most_work: int) -> Sizes | None:
    """The largest part of an input whose stages fit: samples, else one head of one, else nothing.

    Drawing matrices takes room for two more copies of them in float64. most_work: multiply-adds.
    """

    def fits(part: Sizes) -> bool:
        needed = total(from_input(door, part))
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
