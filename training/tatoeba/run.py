"""A training as it stands: weights, optimiser, settings, and how far it has come."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path
from threading import Lock
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from core.models.translator import WORDS
from core.sources import unigram
from core.sources.unigram import Unigram
from training.tatoeba.batches import Batch, Encoded, Vary, epoch
from training.tatoeba.model import Drop, Model, Parts, Sizes, Weights
from training.tatoeba.stored import load, mean

BETAS = (0.9, 0.98)
REHEARSED = 200  # steps in which the rate rises where stored weights are trained on
STATE = "state.pt"


@dataclass(frozen=True)
class Settings:
    """What is chosen for a run."""

    seed: int = 1
    rate: float = 1.5e-3
    warm_up: int = 800  # steps
    tokens: int = 2_000  # of a batch, both sides
    smoothing: float = 0.1
    drop: Drop = field(default_factory=Drop)
    vary: Vary = field(default_factory=Vary)
    kept: int = 5  # checkpoints, for their mean
    measured: int = 2  # epochs from one measurement to the next


class Run:
    """A training as it stands: weights, optimiser, and how far it has come."""

    def __init__(self, sizes: Sizes, weights: Weights, settings: Settings) -> None:
        """Begin with these weights."""
        self.sizes, self.weights, self.settings = sizes, weights, settings
        for tensor in weights.values():
            tensor.requires_grad_()
        self.optimiser = torch.optim.Adam(weights.values(), 0.0, BETAS, eps=1e-9, fused=True)
        self.step = self.epochs = self.begun = 0
        self.pace = 1.0  # the share of the rate that is left, as a run settles

    def learn(
        self, learnt: Sequence[Encoded], words: Unigram, parts: Parts, workers: int = 1
    ) -> float:
        """Read every pair once. Returns the mean loss of a piece.

        Workers take batch after batch from one list, each with a copy of the weights as they are
        at that moment: where others use the processors too, none of them waits for another.
        """
        seed = self.settings.seed * 10_000 + self.epochs
        torch.manual_seed(seed)
        batches = epoch(learnt, words, self.settings.vary, self.settings.tokens, seed)
        turn = Lock()
        losses: list[tuple[float, int]] = []

        def work() -> None:
            while True:
                with turn:
                    some = next(batches, None)
                    weights = {name: one.detach().clone() for name, one in self.weights.items()}
                if some is None:
                    return
                loss, count, gradients = self._gradients(weights, parts, some)
                with turn:
                    self._improve(gradients)
                    losses.append((loss * count, count))

        with ThreadPoolExecutor(workers) as pool:
            for one in [pool.submit(work) for _ in range(workers)]:
                one.result()
        self.epochs += 1
        return sum(loss for loss, _ in losses) / sum(count for _, count in losses)

    def _gradients(
        self, weights: Weights, parts: Parts, some: Batch
    ) -> tuple[float, int, tuple[Tensor, ...]]:
        for one in weights.values():
            one.requires_grad_()
        model = Model(self.sizes, weights, parts, self.settings.drop)
        X = model.decode(model.encode(some.source, some.real), some.real, some.target)
        real = some.following >= 0
        loss = cross_entropy(
            model.logits(X[real]),
            some.following[real],
            label_smoothing=self.settings.smoothing,
        )
        return loss.item(), int(real.sum()), torch.autograd.grad(loss, list(weights.values()))

    def _improve(self, gradients: tuple[Tensor, ...]) -> None:
        self.step += 1
        self.optimiser.param_groups[0]["lr"] = self.pace * self._rate()
        for tensor, gradient in zip(self.weights.values(), gradients, strict=True):
            tensor.grad = gradient
        self.optimiser.step()

    def _rate(self) -> float:
        """Up in a line, then with 1/√step; up again, faster, where the optimiser begins anew."""
        warm_up = self.settings.warm_up
        rate = self.settings.rate * min(self.step / warm_up, (warm_up / self.step) ** 0.5)
        return rate * min(1.0, (self.step - self.begun) / REHEARSED) if self.begun else rate

    def state(self) -> dict[str, Any]:
        """All that it takes to go on."""
        return {
            "weights": {name: tensor.detach() for name, tensor in self.weights.items()},
            "optimiser": self.optimiser.state_dict(),
            "step": self.step,
            "epochs": self.epochs,
            "begun": self.begun,
            "sizes": asdict(self.sizes),
        }


def resumed(path: Path, settings: Settings) -> Run:
    """A run that goes on: from a ``state.pt`` exactly, from a folder with stored weights nearly.

    Stored weights are a rounded mean, and the optimiser that they had is gone.
    """
    if path.is_dir():
        weights, about = load(path)
        parts = Parts(unigram.read(path / WORDS).tokens)
        weights["source/E"] = parts.unfolded(weights["source/E"])
        run = Run(Sizes(**about["sizes"]), weights, settings)
        run.step = run.begun = about["steps"]
        run.epochs = about["epochs"]
        return run
    state = torch.load(path)
    run = Run(Sizes(**state["sizes"]), state["weights"], settings)
    run.optimiser.load_state_dict(state["optimiser"])
    run.step, run.epochs, run.begun = state["step"], state["epochs"], state["begun"]
    return run


def keep(run: Run, to: Path) -> None:
    """Write the state, and this epoch's weights in place of the oldest ones kept."""
    torch.save(run.state(), to / f"{STATE}.new")
    (to / f"{STATE}.new").replace(to / STATE)
    torch.save(run.state()["weights"], to / f"epoch-{run.epochs}.pt")
    (to / f"epoch-{run.epochs - run.settings.kept}.pt").unlink(missing_ok=True)


def averaged(run: Run, to: Path, count: int) -> Weights:
    """The mean of the last few checkpoints that lie in the folder."""
    last = range(run.epochs - count + 1, run.epochs + 1)
    paths = [to / f"epoch-{epoch}.pt" for epoch in last]
    return mean([torch.load(path) for path in paths if path.exists()])
