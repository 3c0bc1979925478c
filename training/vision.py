"""Trains the small vision transformer, measures it and writes it: ``python -m training.vision``.

The model learns the class of a picture alone: a colour and a shape. Nobody tells it where the
object is. From pictures without an object it learns to give all classes the same probability
("outlier exposure": Hendrycks et al., 2019).

Everything is measured with the parameters as they are written: rounded to float16.
"""

import argparse
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from timeit import default_timer

import numpy as np
import torch
from safetensors.torch import save_file
from torch import Tensor
from torch.nn import functional
from torch.nn.utils import clip_grad_norm_

from training.pictures import CHOSEN_ON, HELD_OUT, LEARNT, empty, pictures
from training.pictures_unknown import EACH, unknown
from training.vision_card import write_cards
from training.vision_measure import (
    Labelled,
    Measured,
    by_position_alone,
    evidence,
    labelled,
    measured,
)
from training.vision_model import Config, Stages, forward, parameters

MODELS = Path(__file__).parents[1] / "assets" / "models"

SEEDS = (1, 2, 3)  # the weights of the first are kept, whichever is best
WITH_OBJECT = 36_000
EMPTY = 4_000
EPOCHS = 9
BATCH = 128
RATE = 3e-3
WARM_UP = 0.15
DECAY = 0.01
BETAS = (0.9, 0.99)
LARGEST_GRADIENT = 1.0
CHOICES = 2000  # pictures on which head and threshold are chosen
TESTS = 3000
KNOWN = 0.98  # the share of pictures with an object that the threshold shall let pass


@dataclass(frozen=True)
class Run:
    """One training: its seed, the rounded parameters, what was measured before and after."""

    seed: int
    given: Stages
    steps: int
    seconds: float
    untrained: Measured
    trained: Measured
    best_head: int
    threshold: float
    passed: float
    rejected: dict[str, float]


@dataclass(frozen=True)
class Lessons:
    """pixels: (picture, 64, 64, 3), uint8. targets: (picture, class), rows with the sum 1."""

    pixels: Tensor
    targets: Tensor


def lessons(config: Config) -> Lessons:
    """All that is learnt from: pictures with an object, and pictures of no class."""
    pixels, _, labels = pictures(LEARNT[:WITH_OBJECT])
    without = np.stack([empty(seed) for seed in LEARNT[:EMPTY]])
    count = len(config.classes)
    targets = functional.one_hot(torch.from_numpy(labels), count).float()
    return Lessons(
        torch.from_numpy(np.concatenate([pixels, without])),
        torch.cat([targets, torch.full((EMPTY, count), 1 / count)]),
    )


def train(config: Config, seed: int, learnt: Lessons) -> tuple[Stages, int]:
    """Learn with AdamW and a one-cycle rate; each picture is mirrored half of the time.

    Returns the parameters rounded to float16 (as float32), and the number of steps.
    """
    given = parameters(config, seed)
    per_epoch = len(learnt.pixels) // BATCH
    steps = per_epoch * EPOCHS
    matrices = [tensor for tensor in given.values() if tensor.ndim == 2]
    vectors = [tensor for tensor in given.values() if tensor.ndim == 1]
    optimiser = torch.optim.AdamW(
        [{"params": matrices, "weight_decay": DECAY}, {"params": vectors, "weight_decay": 0.0}],
        lr=RATE,
        betas=BETAS,
    )
    rate = torch.optim.lr_scheduler.OneCycleLR(optimiser, RATE, steps, pct_start=WARM_UP)
    random = torch.Generator().manual_seed(seed)
    for epoch in range(EPOCHS):
        order = torch.randperm(len(learnt.pixels), generator=random)
        total = 0.0
        for batch in order[: per_epoch * BATCH].view(per_epoch, BATCH):
            mirrored = torch.rand(BATCH, 1, 1, 1, generator=random) < 0.5
            pixels = learnt.pixels[batch]
            pixels = torch.where(mirrored, pixels.flip(2), pixels)
            logits = forward(given, config, pixels)["prediction/logits"]
            loss = functional.cross_entropy(logits, learnt.targets[batch])
            optimiser.zero_grad()
            loss.backward()
            clip_grad_norm_(given.values(), LARGEST_GRADIENT)
            optimiser.step()
            rate.step()
            total += loss.item()
        print(
            f"seed {seed}, epoch {epoch + 1} of {EPOCHS}: loss {total / per_epoch:.3f}", flush=True
        )
    return rounded(given), steps


def rounded(given: Stages) -> Stages:
    """As they are after writing and reading: float16, computed with in float32."""
    return {name: tensor.detach().half().float() for name, tensor in given.items()}


def run(config: Config, seed: int, learnt: Lessons, chosen_on: Labelled, test: Labelled) -> Run:
    """Train with one seed and measure on pictures that were never learnt from."""
    untrained = measured(rounded(parameters(config, seed)), config, test)
    started = default_timer()
    given, steps = train(config, seed, learnt)
    seconds = default_timer() - started
    known = evidence(given, config, chosen_on.pixels.numpy())
    threshold = float(np.quantile(known, 1 - KNOWN))
    return Run(
        seed,
        given,
        steps,
        seconds,
        untrained,
        measured(given, config, test),
        measured(given, config, chosen_on).best_head,
        threshold,
        float((evidence(given, config, test.pixels.numpy()) >= threshold).mean()),
        {
            kind: float((evidence(given, config, pixels) < threshold).mean())
            for kind, pixels in unknown(seed).items()
        },
    )


def told(config: Config, one: Run, test: Labelled) -> dict[str, object]:
    """The figures of a run as they stand in the file. Layers and heads are numbered from 1."""
    by_chance, best_patch = by_position_alone(test)
    lowest = min(range(len(config.classes)), key=one.trained.by_class.__getitem__)

    def looked(at: Measured) -> dict[str, object]:
        return {
            "accuracy": at.accuracy,
            "best_head": {
                "layer": config.layers,
                "head": one.best_head + 1,
                **asdict(at.heads[-1][one.best_head]),
            },
            "rollout_peak_on_object": at.rollout.peak_on_object,
            "rollout_weight_on_object": at.rollout.weight_on_object,
        }

    return {
        "seed": one.seed,
        "images": WITH_OBJECT,
        "images_without_object": EMPTY,
        "epochs": EPOCHS,
        "steps": one.steps,
        "seconds": round(one.seconds),
        "torch": torch.__version__,
        "held_out": len(test.labels),
        **looked(one.trained),
        "lowest_accuracy_of_a_class": one.trained.by_class[lowest],
        "pictures_of_that_class": int((test.labels == lowest).sum()),
        "heads": [[asdict(head) for head in layer] for layer in one.trained.heads],
        "untrained": looked(one.untrained),
        "object_area": test.area,
        "patches_on_object": by_chance,
        "best_fixed_patch_on_object": best_patch,
        "novelty": {
            "measure": "log-sum-exp of the logits",
            "unknown_below": one.threshold,
            "chosen_on": CHOICES,
            "held_out_passed": one.passed,
            "of_each_kind": EACH,
            "rejected": one.rejected,
        },
    }


def write(config: Config, given: Stages, figures: dict[str, object], path: Path) -> None:
    """The parameters in float16, with the sizes and the figures in the file's header."""
    sizes = asdict(config)
    metadata = {"config": json.dumps(sizes), "training": json.dumps(figures)}
    save_file({name: tensor.half().contiguous() for name, tensor in given.items()}, path, metadata)


def main() -> None:
    """Train with every seed, keep the first, write the file and its two cards."""
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("--seeds", type=int, nargs="+", default=SEEDS)
    asked.add_argument("--to", type=Path, default=MODELS)
    options = asked.parse_args()
    torch.set_num_threads(1)
    config = Config()
    learnt = lessons(config)
    chosen_on, test = labelled(CHOSEN_ON[:CHOICES], config), labelled(HELD_OUT[:TESTS], config)
    runs = [run(config, seed, learnt, chosen_on, test) for seed in options.seeds]
    figures = [told(config, one, test) for one in runs]
    options.to.mkdir(parents=True, exist_ok=True)
    path = options.to / "vision.safetensors"
    write(config, runs[0].given, figures[0], path)
    write_cards(config, figures, path)
    path.with_suffix(".runs.json").write_text(json.dumps(figures, indent=1) + "\n", "utf-8")
    print(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
