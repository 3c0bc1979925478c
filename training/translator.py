"""Trains the small translator, measures it and writes it: ``python -m training.translator``.

The model learns from pairs of sentences alone, with label smoothing: which English word renders
which Chinese one is never told. Everything is measured with the weights as they are written:
rounded to float16.
"""

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from timeit import default_timer

import torch
from safetensors.torch import save_file
from torch.nn.functional import cross_entropy

from training.grammar import distinct, sentences
from training.grammar_pairs import HELD_OUT, Pair
from training.translator_card import write_cards
from training.translator_measure import Alignment, Batch, alignment, batch, exact_match
from training.translator_model import Config, Model, Record, Weights, initial, rounded

ROOT = Path(__file__).parents[1]
MODELS = ROOT / "assets" / "models"
REFERENCE = ROOT / "tests" / "core" / "models" / "data"
SHOWN = ("我 明天 去 北京", "I will go to Beijing tomorrow")  # the pair of the reference

SEEDS = (1, 2, 3)  # the weights of the first are kept, whichever is best
PAIRS = 60_000
CHOSEN_ON = 500  # sentences on which the best head is chosen
TESTS = 2_000
STEPS = 8_000
BATCH = 64
RATE = 3e-3
WARM_UP = 0.1
BETAS = (0.9, 0.98)
DROPOUT = 0.05
SMOOTHING = 0.1


@dataclass(frozen=True)
class Data:
    """What is learnt, what a head is chosen on, and held-out sentences to measure on."""

    learnt: tuple[Pair, ...]
    chosen_on: tuple[Pair, ...]
    held_out: tuple[Pair, ...]


@dataclass(frozen=True)
class Run:
    """One training: its seed, the rounded weights, and what was measured before and after."""

    seed: int
    weights: Weights
    seconds: float
    exact: float
    untrained: Alignment
    trained: Alignment
    best: tuple[int, int]


def data() -> Data:
    """Sentences drawn from the grammar, the same in every run."""
    return Data(
        tuple(islice(sentences(1, held_out=False), PAIRS)),
        tuple(islice(distinct(sentences(2, held_out=False)), CHOSEN_ON)),
        tuple(islice(distinct(sentences(3, held_out=True)), TESTS)),
    )


def config_of(pairs: Sequence[Pair]) -> Config:
    """The sizes, and all words of the pairs in alphabetical order."""
    source = sorted({word for one in pairs for word in one.source})
    target = sorted({word for one in pairs for word in one.target})
    return Config(tuple(source), (Config.start, Config.end, *target))


def train(config: Config, seed: int, learnt: Sequence[Pair]) -> Weights:
    """Learn with Adam and a one-cycle rate. Returns the weights rounded to float16."""
    weights = initial(config, seed)
    for tensor in weights.values():
        tensor.requires_grad_()
    model = Model(config, weights, DROPOUT)
    optimiser = torch.optim.Adam(weights.values(), RATE, BETAS, eps=1e-9)
    rate = torch.optim.lr_scheduler.OneCycleLR(optimiser, RATE, STEPS, pct_start=WARM_UP)
    random = torch.Generator().manual_seed(seed)
    everything, total = batch(config, learnt), 0.0
    for step in range(1, STEPS + 1):
        loss = _loss(model, _drawn(everything, random))
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        rate.step()
        total += loss.item()
        if step % 500 == 0:
            print(f"seed {seed}, step {step} of {STEPS}: loss {total / 500:.4f}", flush=True)
            total = 0.0
    return rounded(weights)


def _drawn(everything: Batch, random: torch.Generator) -> Batch:
    rows = torch.randint(len(everything.source), (BATCH,), generator=random)
    n = int(everything.padding[rows].sum(1).max())
    m = int((everything.following[rows] >= 0).sum(1).max())
    return Batch(
        everything.source[rows, :n],
        everything.padding[rows, :n],
        everything.target[rows, :m],
        everything.following[rows, :m],
    )


def _loss(model: Model, some: Batch) -> torch.Tensor:
    memory = model.encode(some.source, some.padding, {})
    logits = model.decode(memory, some.padding, some.target, {})
    following = some.following.flatten()
    return cross_entropy(
        logits.flatten(0, 1), following, ignore_index=-1, label_smoothing=SMOOTHING
    )


def run(config: Config, seed: int, found: Data) -> Run:
    """Train with one seed and measure on sentences that hold what was never learnt from."""
    untrained = alignment(Model(config, rounded(initial(config, seed))), found.held_out)
    started = default_timer()
    weights = train(config, seed, found.learnt)
    seconds = default_timer() - started
    model = Model(config, weights)
    exact, trained = exact_match(model, found.held_out), alignment(model, found.held_out)
    print(f"seed {seed}: exact match {exact:.4f}, aligned {trained.aligned.max():.4f}", flush=True)
    best = alignment(model, found.chosen_on).best
    return Run(seed, weights, seconds, exact, untrained, trained, best)


def told(one: Run, found: Data) -> dict[str, object]:
    """The figures of a run as they stand in the file. Layers and heads are numbered from 1."""
    layer, head = one.best
    at = (layer - 1, head - 1)
    return {
        "seed": one.seed,
        "pairs": len(found.learnt),
        "distinct_pairs": len({pair.source for pair in found.learnt}),
        "reordered": 1 - sum(pair.monotone for pair in found.learnt) / len(found.learnt),
        "steps": STEPS,
        "batch": BATCH,
        "dropout": DROPOUT,
        "label_smoothing": SMOOTHING,
        "seconds": round(one.seconds),
        "torch": torch.__version__,
        "held_out": {
            "sentences": len(found.held_out),
            "combinations": len(HELD_OUT),
            "kinds": sorted({kind for kind, _, _ in HELD_OUT}),
        },
        "exact_match": one.exact,
        "best_head": {
            "layer": layer,
            "head": head,
            "aligned": float(one.trained.aligned[at]),
            "weight": float(one.trained.mass[at]),
        },
        "aligned_words": one.trained.words,
        "aligned": one.trained.aligned.tolist(),
        "untrained_aligned": one.untrained.aligned.tolist(),
        "best_untrained_aligned": float(one.untrained.aligned.max()),
        "diagonal_guess": one.trained.diagonal,
    }


def write(config: Config, one: Run, figures: dict[str, object], path: Path) -> None:
    """The weights in float16, with the words, the sizes and the figures in the file's header."""
    about = {
        "config": json.dumps(asdict(config), ensure_ascii=False),
        "training": json.dumps(figures, ensure_ascii=False),
    }
    tensors = {name: tensor.half().contiguous() for name, tensor in one.weights.items()}
    save_file(tensors, path, about)
    path.chmod(0o644)


def recorded(config: Config, weights: Weights, source: str, target: str) -> Record:
    """Every stage of one pair with its name, in float64; the tables E are left out."""
    model = Model(config, rounded(weights, torch.float64))
    ids = torch.tensor([[config.source.index(word) for word in source.split()]])
    given = (config.start, *target.split())
    written = torch.tensor([[config.target.index(word) for word in given]])
    record: Record = {}
    with torch.no_grad():
        memory = model.encode(ids, None, record)
        model.decode(memory, None, written, record)
    return {name: tensor for name, tensor in record.items() if not name.endswith("/E")}


def write_reference(config: Config, weights: Weights, path: Path) -> None:
    """The stages of one pair in float32, for the tests of the app's own forward pass."""
    stages = recorded(config, weights, *SHOWN)
    kept = {
        name: (tensor.float() if tensor.is_floating_point() else tensor).contiguous().clone()
        for name, tensor in stages.items()
    }
    save_file(kept, path, {"source": SHOWN[0], "target": SHOWN[1]})
    path.chmod(0o644)


def main() -> None:
    """Train with every seed, keep the first; write the file, its two cards and the reference."""
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("--seeds", type=int, nargs="+", default=SEEDS)
    asked.add_argument("--to", type=Path, default=MODELS)
    asked.add_argument("--reference", type=Path, default=REFERENCE)
    options = asked.parse_args()
    torch.set_num_threads(1)
    found = data()
    config = config_of(found.learnt)
    options.to.mkdir(parents=True, exist_ok=True)
    path = options.to / "translator.safetensors"
    reference = options.reference / "translator_reference.safetensors"
    runs: list[Run] = []
    for seed in options.seeds:
        runs.append(run(config, seed, found))
        figures = [told(one, found) for one in runs]
        write(config, runs[0], figures[0], path)
        write_cards(config, figures, path)
        path.with_suffix(".runs.json").write_text(json.dumps(figures, indent=1) + "\n", "utf-8")
        write_reference(config, runs[0].weights, reference)
    print(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
