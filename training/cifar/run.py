"""A training as it stands: weights, their running mean, optimiser, and how far it has come."""

import math
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path
from threading import Lock
from typing import Any

import torch
from torch import Generator, Tensor
from torch.nn.functional import cross_entropy
from torch.nn.utils import clip_grad_norm_

from training.cifar.batches import Vary, epoch, kept, varied
from training.cifar.model import Sizes, Weights, forward, patches
from training.cifar.stored import load, save

BETAS = (0.9, 0.99)
REHEARSED = 300  # steps in which the rate rises where stored weights are trained on
STATE = "state.pt"


@dataclass(frozen=True)
class Settings:
    """What is chosen for a run.

    epochs: the plan, at whose end the rate is 0. read: share of the patches that is read of a
    photo, except in the last ``whole`` epochs. strange: pictures of nothing known in a batch beside
    the photos, and exposure: what their loss counts. mean: how much of the running mean of the
    weights a step leaves.
    """

    epochs: int = 120
    whole: int = 12
    read: float = 0.5
    seed: int = 1
    batch: int = 128
    strange: int = 32
    exposure: float = 0.5
    rate: float = 1e-3
    warm_up: int = 1_500  # steps
    decay: float = 0.05
    smoothing: float = 0.05
    largest_gradient: float = 1.0
    mean: float = 0.999
    measured: int = 3  # epochs from one measurement to the next
    vary: Vary = field(default_factory=Vary)


@dataclass(frozen=True)
class Lessons:
    """pixels: (photo, 32, 32, 3), uint8. labels: (photo,). strange: pictures of nothing known."""

    pixels: Tensor
    labels: Tensor
    strange: Tensor


class Run:
    """A training as it stands."""

    def __init__(self, sizes: Sizes, weights: Weights, settings: Settings) -> None:
        """Begin with these weights."""
        self.sizes, self.weights, self.settings = sizes, weights, settings
        self.mean = {name: one.clone() for name, one in weights.items()}
        for one in weights.values():
            one.requires_grad_()
        matrices = [one for name, one in weights.items() if "/W_" in name]
        others = [one for name, one in weights.items() if "/W_" not in name]
        groups = [
            {"params": matrices, "weight_decay": settings.decay},
            {"params": others, "weight_decay": 0.0},
        ]
        self.optimiser = torch.optim.AdamW(groups, 0.0, BETAS, fused=True)
        self.step = self.epochs = self.begun = 0

    def learn(self, lessons: Lessons, workers: int = 1) -> float:
        """Read every photo once. Returns the mean loss of a batch.

        Workers take batch after batch from one list, each with a copy of the weights as they are
        at that moment: where others use the processors too, none of them waits for another.
        """
        count, size = len(lessons.labels), self.settings.batch
        batches = epoch(count, size, self.settings.seed * 10_000 + self.epochs)
        planned = self.settings.epochs * (count // size)
        turn = Lock()
        losses: list[float] = []

        def work() -> None:
            while True:
                with turn:
                    some = next(batches, None)
                    weights = {name: one.detach().bfloat16() for name, one in self.weights.items()}
                if some is None:
                    return
                loss, gradients = self._gradients(weights, lessons, *some)
                with turn:
                    self._improve(gradients, planned)
                    losses.append(loss)

        with ThreadPoolExecutor(workers) as pool:
            for one in [pool.submit(work) for _ in range(workers)]:
                one.result()
        self.epochs += 1
        return sum(losses) / len(losses)

    def _gradients(
        self, weights: Weights, lessons: Lessons, rows: Tensor, drawn: Generator
    ) -> tuple[float, tuple[Tensor, ...]]:
        settings, sizes = self.settings, self.sizes
        for one in weights.values():
            one.requires_grad_()
        others = torch.randint(len(lessons.strange), (settings.strange,), generator=drawn)
        pixels = torch.cat((lessons.pixels[rows], lessons.strange[others]))
        flat = patches(varied(pixels, settings.vary, drawn), sizes).bfloat16()
        share = settings.read if self.epochs < settings.epochs - settings.whole else 1.0
        some = kept(len(pixels), sizes.patches, share, drawn)
        known, strange = forward(weights, sizes, flat, some).float().split((len(rows), len(others)))
        loss = cross_entropy(known, lessons.labels[rows], label_smoothing=settings.smoothing)
        loss = loss - settings.exposure * strange.log_softmax(-1).mean()
        return loss.item(), torch.autograd.grad(loss, list(weights.values()))

    def _improve(self, gradients: tuple[Tensor, ...], planned: int) -> None:
        self.step += 1
        for group in self.optimiser.param_groups:
            group["lr"] = self.rate(planned)
        for one, gradient in zip(self.weights.values(), gradients, strict=True):
            one.grad = gradient.float()
        clip_grad_norm_(self.weights.values(), self.settings.largest_gradient)
        self.optimiser.step()
        left = min(self.settings.mean, self.step / (self.step + 10))
        with torch.no_grad():
            for name, one in self.weights.items():
                self.mean[name].lerp_(one, 1 - left)

    def rate(self, planned: int) -> float:
        """Up in a line, then down with a cosine; up again where the optimiser begins anew."""
        rate = self.settings.rate * (1 + math.cos(math.pi * min(1.0, self.step / planned))) / 2
        rising = self.step / self.settings.warm_up
        if self.begun:
            rising = min(rising, (self.step - self.begun) / REHEARSED)
        return rate * min(1.0, rising)

    def about(self) -> dict[str, Any]:
        """What it is and how far it has come, as JSON takes it."""
        return {
            "sizes": asdict(self.sizes),
            "settings": asdict(self.settings),
            "epochs": self.epochs,
            "steps": self.step,
        }

    def state(self) -> dict[str, Any]:
        """All that it takes to go on exactly."""
        return self.about() | {
            "weights": {name: one.detach() for name, one in self.weights.items()},
            "mean": self.mean,
            "optimiser": self.optimiser.state_dict(),
            "begun": self.begun,
        }


def resumed(path: Path) -> Run:
    """A run that goes on: from a ``state.pt`` exactly, from a folder with stored weights nearly.

    Stored weights are a rounded mean, and the optimiser that they had is gone.
    """
    if path.is_dir():
        weights, about = load(path)
        run = _of(weights, about)
        run.begun = run.step
        return run
    state = torch.load(path)
    run = _of(state["weights"], state)
    run.mean, run.begun = state["mean"], state["begun"]
    run.optimiser.load_state_dict(state["optimiser"])
    return run


def _of(weights: Weights, about: dict[str, Any]) -> Run:
    sizes = Sizes(**about["sizes"] | {"classes": tuple(about["sizes"]["classes"])})
    settings = Settings(**about["settings"] | {"vary": Vary(**about["settings"]["vary"])})
    run = Run(sizes, weights, settings)
    run.step, run.epochs = about["steps"], about["epochs"]
    return run


def keep(run: Run, to: Path, told: dict[str, Any]) -> None:
    """Write the state, and beside it what is small enough to pass on."""
    torch.save(run.state(), to / f"{STATE}.new")
    (to / f"{STATE}.new").replace(to / STATE)
    save(to, run.mean, run.about() | told)
