"""The state of a training run: weights, their running mean, optimiser, settings, progress."""

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer
from torch import Tensor
from torch.nn.functional import cross_entropy

from training.checkpoints import STATE, Weights, adamw, save_tensors, set_rate, update_mean
from training.decoder.batches import Augmentation, epoch_batches
from training.decoder.model import E, ModelConfig, hidden_states, init_weights

BETAS = (0.9, 0.95)
BEST = "best.pt"


@dataclass(frozen=True)
class Settings:
    """The hyperparameters of a run. rate: the largest learning rate; drop: of dropout.

    mean: the decay of the exponential moving average of the weights; the average is what is saved.
    tokens: of a batch, at most. decay: AdamW's weight decay of matrices.
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
    vary: Augmentation = field(default_factory=Augmentation)


class Run:
    """A training run. mean: the exponential moving average of the weights."""

    def __init__(self, sizes: ModelConfig, weights: Weights, settings: Settings) -> None:
        """Start from these weights, which then require gradients."""
        self.sizes, self.weights, self.settings = sizes, weights, settings
        self.mean = {name: tensor.detach().clone() for name, tensor in weights.items()}
        for tensor in weights.values():
            tensor.requires_grad_()
        matrices = [tensor for name, tensor in weights.items() if tensor.dim() > 1 and name != E]
        others = [tensor for name, tensor in weights.items() if tensor.dim() == 1 or name == E]
        self.optimiser = adamw(matrices, others, settings.decay, BETAS)
        self.step = self.epochs = 0
        self.best = math.inf
        self.planned = 1

    def train_epoch(self, sentences: Sequence[str], tokenizer: Tokenizer) -> float:
        """Train on every sentence once. Returns the mean loss per token."""
        settings = self.settings
        seed = settings.seed * 10_000 + self.epochs
        torch.manual_seed(seed)
        batches = [
            *epoch_batches(
                sentences, tokenizer, settings.vary, self.sizes.places, settings.tokens, seed
            )
        ]
        self.planned = settings.epochs * len(batches)
        loss, count = 0.0, 0
        for input_ids, labels in batches:
            batch_loss, tokens = self._step(input_ids, labels)
            loss += batch_loss * tokens
            count += tokens
        self.epochs += 1
        return loss / count

    def _step(self, input_ids: Tensor, labels: Tensor) -> tuple[float, int]:
        real = labels >= 0
        with torch.autocast("cpu", torch.bfloat16):
            X = hidden_states(self.weights, self.sizes, input_ids, self.settings.drop)
            logits = X[real] @ self.weights[E].T
        loss = cross_entropy(logits.float(), labels[real])
        self.optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.weights.values(), self.settings.largest_gradient)
        self.step += 1
        set_rate(self.optimiser, self._rate())
        self.optimiser.step()
        update_mean(self.mean, self.weights, self.step, self.settings.mean)
        return loss.item(), int(real.sum())

    def _rate(self) -> float:
        """The learning rate: linear warm-up, then a cosine down to a hundredth."""
        warm_up = self.step / self.settings.warm_up
        cosine = (1 + math.cos(math.pi * min(1.0, self.step / self.planned))) / 2
        return self.settings.rate * min(1.0, warm_up) * (0.01 + 0.99 * cosine)

    def state(self) -> dict[str, Any]:
        """The contents of ``state.pt``: enough to resume exactly."""
        return {
            "weights": {name: tensor.detach() for name, tensor in self.weights.items()},
            "mean": self.mean,
            "optimiser": self.optimiser.state_dict(),
            "step": self.step,
            "epochs": self.epochs,
            "best": self.best,
            "sizes": asdict(self.sizes),
        }


def new_run(vocabulary: int, settings: Settings) -> Run:
    """A run with random weights."""
    sizes = ModelConfig(vocabulary)
    return Run(sizes, init_weights(sizes, settings.seed), settings)


def load_checkpoint(folder: Path, settings: Settings) -> Run:
    """The run whose state is in the folder, to be resumed."""
    state = torch.load(folder / STATE)
    run = Run(ModelConfig(**state["sizes"]), state["weights"], settings)
    run.optimiser.load_state_dict(state["optimiser"])
    run.mean, run.step, run.epochs = state["mean"], state["step"], state["epochs"]
    run.best = state["best"]
    return run


def save_checkpoint(run: Run, folder: Path, validation: float) -> None:
    """Write ``state.pt``, and ``best.pt`` with the average weights where they are the best so far.

    validation: the perplexity per token on the validation sentences.
    """
    if validation < run.best:
        run.best = validation
        best = {"weights": run.mean, "sizes": asdict(run.sizes), "epochs": run.epochs}
        save_tensors(best, folder / BEST)
    save_tensors(run.state(), folder / STATE)
