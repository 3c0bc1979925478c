"""A training as it stands: weights, optimiser, settings, and how far it has come."""

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer
from torch import Tensor
from torch.nn.functional import cross_entropy

from training.decoder.batches import Vary, epoch
from training.decoder.model import E, Sizes, Weights, initial, last_vectors

BETAS = (0.9, 0.95)
STATE, BEST = "state.pt", "best.pt"


@dataclass(frozen=True)
class Settings:
    """What is chosen for a run.

    mean: how much of the running mean of the weights stays at a step; it is the mean that is kept.
    """

    seed: int = 1
    rate: float = 2e-3
    warm_up: int = 300  # steps
    epochs: int = 30
    tokens: int = 2_500  # of a batch
    drop: float = 0.15
    decay: float = 0.1
    mean: float = 0.998
    largest_gradient: float = 1.0
    vary: Vary = field(default_factory=Vary)


class Run:
    """A training as it stands: weights, their running mean, and how far it has come."""

    def __init__(self, sizes: Sizes, weights: Weights, settings: Settings) -> None:
        """Begin with these weights."""
        self.sizes, self.weights, self.settings = sizes, weights, settings
        self.mean = {name: one.detach().clone() for name, one in weights.items()}
        for tensor in weights.values():
            tensor.requires_grad_()
        matrices = [one for name, one in weights.items() if one.dim() > 1 and name != E]
        others = [one for name, one in weights.items() if one.dim() == 1 or name == E]
        self.optimiser = torch.optim.AdamW(
            [
                {"params": matrices, "weight_decay": settings.decay},
                {"params": others, "weight_decay": 0.0},
            ],
            0.0,
            BETAS,
            fused=True,
        )
        self.step = self.epochs = 0
        self.best = math.inf
        self.planned = 1

    def learn(self, learnt: Sequence[str], cuts: Tokenizer) -> float:
        """Read every sentence once. Returns the mean loss of a token."""
        settings = self.settings
        seed = settings.seed * 10_000 + self.epochs
        torch.manual_seed(seed)
        batches = [*epoch(learnt, cuts, settings.vary, self.sizes.places, settings.tokens, seed)]
        self.planned = settings.epochs * len(batches)
        loss, count = 0.0, 0
        for read, following in batches:
            found, tokens = self._improve(read, following)
            loss += found * tokens
            count += tokens
        self.epochs += 1
        return loss / count

    def _improve(self, read: Tensor, following: Tensor) -> tuple[float, int]:
        real = following >= 0
        with torch.autocast("cpu", torch.bfloat16):
            X = last_vectors(self.weights, self.sizes, read, self.settings.drop)
            logits = X[real] @ self.weights[E].T
        loss = cross_entropy(logits.float(), following[real])
        self.optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.weights.values(), self.settings.largest_gradient)
        self.step += 1
        for group in self.optimiser.param_groups:
            group["lr"] = self._rate()
        self.optimiser.step()
        left = min(self.settings.mean, self.step / (self.step + 10))
        with torch.no_grad():
            for name, tensor in self.weights.items():
                self.mean[name].lerp_(tensor, 1 - left)
        return loss.item(), int(real.sum())

    def _rate(self) -> float:
        """Up in a line, then down along half a cosine to a hundredth."""
        rising = self.step / self.settings.warm_up
        falling = (1 + math.cos(math.pi * min(1.0, self.step / self.planned))) / 2
        return self.settings.rate * min(1.0, rising) * (0.01 + 0.99 * falling)

    def state(self) -> dict[str, Any]:
        """All that it takes to go on."""
        return {
            "weights": {name: tensor.detach() for name, tensor in self.weights.items()},
            "mean": self.mean,
            "optimiser": self.optimiser.state_dict(),
            "step": self.step,
            "epochs": self.epochs,
            "best": self.best,
            "sizes": asdict(self.sizes),
        }


def fresh(vocabulary: int, settings: Settings) -> Run:
    """A run that begins with random weights."""
    sizes = Sizes(vocabulary)
    return Run(sizes, initial(sizes, settings.seed), settings)


def resumed(folder: Path, settings: Settings) -> Run:
    """A run that goes on from where it stopped."""
    state = torch.load(folder / STATE)
    run = Run(Sizes(**state["sizes"]), state["weights"], settings)
    run.optimiser.load_state_dict(state["optimiser"])
    run.mean, run.step, run.epochs = state["mean"], state["step"], state["epochs"]
    run.best = state["best"]
    return run


def keep(run: Run, folder: Path, validation: float) -> None:
    """Write the state, and the mean of the weights where it is the best so far."""
    if validation < run.best:
        run.best = validation
        torch.save(
            {"weights": run.mean, "sizes": asdict(run.sizes), "epochs": run.epochs},
            folder / f"{BEST}.new",
        )
        (folder / f"{BEST}.new").replace(folder / BEST)
    torch.save(run.state(), folder / f"{STATE}.new")
    (folder / f"{STATE}.new").replace(folder / STATE)
