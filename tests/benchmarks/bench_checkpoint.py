"""How long a checkpoint takes up to its last layer, beside PyTorch where it is installed.

Random weights in the sizes of published models, on disk as ``transformers`` lays them out. Both
compute every layer from the tokens' vectors on; ``run`` also reads and checks the file, and returns
the last layer as a trace.

Run from the root of the project:  python -m tests.benchmarks.bench_checkpoint --threads 1
"""

import statistics
import tempfile
import time
import tracemalloc
from pathlib import Path

from tests.benchmarks.side_by_side import HAS_PYTORCH, Call, conditions, in_turn, options, ratio

BURST = 0.4  # seconds of calls of one library before it is the other's turn
OPTIONS = options(__doc__, seconds=6, each="size")
# On one thread the processor's own time, in which nobody else's work counts.
CLOCK = time.process_time if OPTIONS.threads == 1 else time.perf_counter

import numpy as np  # noqa: E402
from safetensors.numpy import save_file  # noqa: E402

from core.models import embeddings, forward  # noqa: E402
from core.models.checkpoint import Checkpoint  # noqa: E402
from core.models.config import ModelConfig  # noqa: E402
from core.models.families import config  # noqa: E402
from core.models.model import Model  # noqa: E402
from core.models.processor import processor  # noqa: E402
from core.models.tensors import Tensors  # noqa: E402
from core.sources.tokenizer import Encoding  # noqa: E402

BERT = {"model_type": "bert", "vocab_size": 1009, "max_position_embeddings": 512}
WIDE = {"num_hidden_layers": 12, "num_attention_heads": 12, "hidden_size": 768}
WIDE |= {"intermediate_size": 3072}
SMALL = {"num_hidden_layers": 6, "num_attention_heads": 12, "hidden_size": 384}
SMALL_BERT = config(BERT | SMALL | {"intermediate_size": 1536})
BERT_BASE = config(BERT | WIDE)
GPT2 = config(
    {"model_type": "gpt2", "vocab_size": 1009, "n_positions": 1024}
    | {"n_layer": 12, "n_head": 12, "n_embd": 768}
)
VIT_B_16 = config(WIDE | {"model_type": "vit", "image_size": 224, "patch_size": 16})
CASES = (
    ("BERT, 6 layers of 384, 12 tokens", SMALL_BERT, 12),
    ("BERT, 6 layers of 384, 128 tokens", SMALL_BERT, 128),
    ("BERT, 12 layers of 768, 128 tokens", BERT_BASE, 128),
    ("ViT-B/16, 12 layers, 197 tokens", VIT_B_16, 197),
    ("GPT-2, 12 layers of 768, 128 tokens", GPT2, 128),
)


class Numbered:
    """Replaces a tokenizer: as many tokens as the text is long."""

    def encode(self, text: str, *_: object) -> Encoding:
        numbers = tuple(range(1, len(text) + 1))
        return Encoding(numbers, tuple(map(str, numbers)), special=(), unknown=())


def opened(sizes: ModelConfig, folder: Path) -> tuple[Checkpoint, Model]:
    """A model of these sizes with random weights, written to a file and mapped from there."""
    random = np.random.default_rng(0)
    shapes: dict[str, tuple[int, ...]] = {}

    class Shapes:
        def check(self, name: str, shape: tuple[int, ...]) -> None:
            shapes[name] = shape

        def __contains__(self, name: str) -> bool:
            return True

    Model(Shapes(), sizes).check()  # type: ignore[arg-type]
    path = folder / f"{sizes.model_type}.safetensors"
    save_file(
        {
            name: (random.standard_normal(shape, np.float32) * 0.02 + (len(shape) == 1))
            for name, shape in shapes.items()
        },
        path,
    )
    model = Model(Tensors(path), sizes)
    reader = processor({}, sizes.shape[0]) if sizes.model_type == "vit" else Numbered()
    return Checkpoint(sizes.model_type, model, reader), model  # type: ignore[arg-type]


def all_layers(model: Model, x: np.ndarray) -> np.ndarray:
    """The vectors of the last layer, without the stages between."""
    of = model.config
    for number in range(1, of.layers + 1):
        layer = model.layer(number)
        x = forward.layer_forward(x, layer, causal=of.causal, pre_norm=of.pre_norm)
    return x


def pytorch_layers(model: Model, x: np.ndarray) -> Call:
    """The same numbers in PyTorch's functions, in the order of ``transformers``."""
    import torch
    from torch.nn import functional

    sizes = model.config
    activation = {
        "gelu": functional.gelu,
        "gelu_tanh": lambda x: functional.gelu(x, approximate="tanh"),
    }[sizes.activation]

    def tensor(array: np.ndarray) -> "torch.Tensor":
        return torch.tensor(np.asarray(array.T))  # (out, in), as in PyTorch

    layers = []
    for number in range(1, sizes.layers + 1):
        layer = model.layer(number)
        linear = {
            name: (tensor(layer.attention[f"W_{name}"]), tensor(layer.attention[f"b_{name}"]))
            for name in "QKVO"
        }
        wide = layer.feed_forward
        linear |= {"1": (tensor(wide.W_1), tensor(wide.b_1))}
        linear |= {"2": (tensor(wide.W_2), tensor(wide.b_2))}
        norms = [
            (tensor(norm.gamma), tensor(norm.beta))
            for norm in (layer.attention_norm, layer.feed_forward_norm)
        ]
        layers.append((linear, norms))

    def attention(x, linear):  # type: ignore[no-untyped-def]
        n = x.shape[0]
        q, k, v = (
            functional.linear(x, *linear[name]).view(n, sizes.heads, -1).transpose(0, 1)
            for name in "QKV"
        )
        made = functional.scaled_dot_product_attention(q, k, v, is_causal=sizes.causal)
        return functional.linear(made.transpose(0, 1).reshape(n, -1), *linear["O"])

    def feed_forward(x, linear):  # type: ignore[no-untyped-def]
        return functional.linear(activation(functional.linear(x, *linear["1"])), *linear["2"])

    def call() -> object:
        x_ = torch.from_numpy(x)
        with torch.no_grad():
            for linear, norms in layers:
                for part, norm in zip((attention, feed_forward), norms, strict=True):
                    if sizes.pre_norm:
                        normed = functional.layer_norm(x_, x_.shape[1:], *norm, sizes.epsilon)
                        x_ = x_ + part(normed, linear)
                    else:
                        made = x_ + part(x_, linear)
                        x_ = functional.layer_norm(made, x_.shape[1:], *norm, sizes.epsilon)
        return x_.numpy()

    np.testing.assert_allclose(call(), all_layers(model, x), rtol=1e-3, atol=1e-3)
    return call


def peak_of(call: Call) -> float:
    """The peak memory of a call in megabytes, beside the mapped file."""
    tracemalloc.start()
    call()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak / 1e6


def report(name: str, sizes: ModelConfig, n: int, folder: Path) -> None:
    """Print one row: name, our layers, PyTorch's, their ratio, a whole run and its peak."""
    checkpoint, model = opened(sizes, folder)
    given: str | np.ndarray = "x" * n
    if sizes.model_type == "vit":
        shape = (*sizes.shape, 3)
        given = np.random.default_rng(1).integers(0, 256, shape, dtype=np.uint8)
    trace = checkpoint.run(given, 1)
    x = np.array(trace["input/X"].tensor[0])
    calls: list[Call] = [
        lambda: all_layers(model, x),
        lambda: checkpoint.run(given, sizes.layers),
    ]
    if HAS_PYTORCH:
        calls.append(pytorch_layers(model, x))
    ours, whole, *theirs = in_turn(calls, OPTIONS.seconds, BURST, CLOCK)
    pytorch, times = "—", "—"
    if theirs:
        pytorch, times = f"{statistics.median(theirs[0]):.1f}", ratio(ours, theirs[0])
    estimated = embeddings.estimate_trace_bytes(model, n) / 1e6
    print(
        f"{name:38}{statistics.median(ours):>10.1f}{pytorch:>10}{times:>8}"
        f"{statistics.median(whole):>10.1f}"
        f"{peak_of(calls[1]):>10.1f}{estimated:>10.1f}",
        flush=True,
    )


def main() -> None:
    if HAS_PYTORCH:
        import torch

        torch.set_num_threads(OPTIONS.threads)
    print(conditions(OPTIONS.threads))
    kind = "of processor time " if OPTIONS.threads == 1 else ""
    print(f"milliseconds {kind}(median) and megabytes, all run in turn\n")
    print(f"{'':38}{'layers':>10}{'PyTorch':>10}{'ratio':>8}{'run':>10}", end="")
    print(f"{'peak MB':>10}{'trace MB':>10}")
    with tempfile.TemporaryDirectory() as folder:
        for name, sizes, n in CASES:
            report(name, sizes, n, Path(folder))


if __name__ == "__main__":
    main()
