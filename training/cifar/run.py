"""The state of a training run: weights, their running mean, optimiser, settings, progress."""

import math
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import Generator, Tensor
from torch.nn.functional import cross_entropy, one_hot
from torch.nn.utils import clip_grad_norm_

from training.checkpoints import (
    STATE,
    Gradients,
    Weights,
    adamw,
    load,
    save,
    save_tensors,
    set_rate,
    train_in_workers,
    update_mean,
)
from training.cifar.batches import Augmentation, augment, epoch_batches, mix, random_patches
from training.cifar.model import ModelConfig, forward, patches
from training.cifar.teacher import Teacher, predict

BETAS = (0.9, 0.99)
RESTART_WARM_UP = 300  # steps, for a run from stored weights


@dataclass(frozen=True)
class Settings:
    """The hyperparameters of a run.

    epochs: planned in all; the learning rate ends at 0. rate: the largest learning rate.
    distilled: a teacher's predictions take the place of the labels.
    read: share of patches that PatchDropout keeps; mixed: share of photos that are mixed with
    another. In the last ``whole`` epochs photos are read whole and unmixed.
    strange: outliers in a batch, beside the photos; exposure: the weight of their loss.
    mean: the decay of the exponential moving average of the weights, which is what is saved.
    """

    epochs: int = 120
    whole: int = 12
    read: float = 0.5
    mixed: float = 0.8
    distilled: bool = False
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
    measured: int = 3  # epochs from one evaluation to the next
    vary: Augmentation = field(default_factory=Augmentation)


@dataclass(frozen=True)
class TrainingData:
    """pixels, outliers: (photo, 32, 32, 3) uint8. labels: (photo,) int64, of the pixels.

    teacher: for a run whose settings are ``distilled``.
    """

    pixels: Tensor
    labels: Tensor
    outliers: Tensor
    teacher: Teacher | None = None


class Run:
    """A training run. mean: the exponential moving average of the weights."""

    def __init__(self, sizes: ModelConfig, weights: Weights, settings: Settings) -> None:
        """Start from these weights, which then require gradients."""
        self.sizes, self.weights, self.settings = sizes, weights, settings
        self.mean = {name: tensor.clone() for name, tensor in weights.items()}
        for tensor in weights.values():
            tensor.requires_grad_()
        matrices = [tensor for name, tensor in weights.items() if "/W_" in name]
        others = [tensor for name, tensor in weights.items() if "/W_" not in name]
        self.optimiser = adamw(matrices, others, settings.decay, BETAS)
        self.step = self.epochs = self.restarted_at = 0

    def train_epoch(self, data: TrainingData, workers: int = 1) -> float:
        """Train on every photo once. Returns the mean loss of a batch."""
        count, size = len(data.labels), self.settings.batch
        planned = self.settings.epochs * (count // size)
        losses = train_in_workers(
            epoch_batches(count, size, self.settings.seed * 10_000 + self.epochs),
            lambda: {name: one.detach().bfloat16() for name, one in self.weights.items()},
            lambda weights, batch: self._gradients(weights, data, *batch),
            lambda gradients: self._step(gradients, planned),
            workers,
        )
        self.epochs += 1
        return sum(losses) / len(losses)

    def _gradients(
        self, weights: Weights, data: TrainingData, rows: Tensor, generator: Generator
    ) -> tuple[float, Gradients]:
        settings, sizes = self.settings, self.sizes
        indices = torch.randint(len(data.outliers), (settings.strange,), generator=generator)
        images = augment(
            torch.cat((data.pixels[rows], data.outliers[indices])), settings.vary, generator
        )
        photos, outliers = images.split((len(rows), len(indices)))
        targets, read = one_hot(data.labels[rows], len(sizes.classes)).float(), None
        if self.epochs < settings.epochs - settings.whole:
            photos, targets = mix(photos, targets, settings.mixed, generator)
            read = random_patches(len(images), sizes.patches, settings.read, generator)
        if data.teacher:
            targets = predict(data.teacher, photos)
        flat = patches(torch.cat((photos, outliers)), sizes).bfloat16()
        logits = forward(weights, sizes, flat, read).float()
        photo_logits, outlier_logits = logits.split((len(rows), len(indices)))
        smoothing = 0.0 if data.teacher else settings.smoothing
        loss = cross_entropy(photo_logits, targets, label_smoothing=smoothing)
        loss = loss - settings.exposure * outlier_logits.log_softmax(-1).mean()
        return loss.item(), torch.autograd.grad(loss, list(weights.values()))

    def _step(self, gradients: Gradients, planned: int) -> None:
        self.step += 1
        set_rate(self.optimiser, self.rate(planned))
        for tensor, gradient in zip(self.weights.values(), gradients, strict=True):
            tensor.grad = gradient.float()
        clip_grad_norm_(self.weights.values(), self.settings.largest_gradient)
        self.optimiser.step()
        update_mean(self.mean, self.weights, self.step, self.settings.mean)

    def rate(self, planned: int) -> float:
        """The learning rate: linear warm-up, then a cosine; both begin anew after a restart."""
        step = self.step - self.restarted_at
        progress = min(1.0, step / (planned - self.restarted_at))
        warm_up = RESTART_WARM_UP if self.restarted_at else self.settings.warm_up
        rate = self.settings.rate * (1 + math.cos(math.pi * progress)) / 2
        return rate * min(1.0, step / warm_up)

    def about(self) -> dict[str, Any]:
        """The contents of ``run.json``: sizes, settings and progress."""
        return {
            "sizes": asdict(self.sizes),
            "settings": asdict(self.settings),
            "epochs": self.epochs,
            "steps": self.step,
        }

    def state(self) -> dict[str, Any]:
        """The contents of ``state.pt``: enough to resume exactly."""
        return self.about() | {
            "weights": {name: tensor.detach() for name, tensor in self.weights.items()},
            "mean": self.mean,
            "optimiser": self.optimiser.state_dict(),
            "begun": self.restarted_at,
        }


def load_checkpoint(path: Path) -> Run:
    """A resumed run: exact from a ``state.pt``, approximate from a folder with stored weights.

    Stored weights are a rounded mean, without the state of the optimiser.
    """
    if path.is_dir():
        weights, about = load(path)
        run = _restored(weights, about)
        run.restarted_at = run.step
        return run
    state = torch.load(path)
    run = _restored(state["weights"], state)
    run.mean, run.restarted_at = state["mean"], state["begun"]
    run.optimiser.load_state_dict(state["optimiser"])
    return run


def _restored(weights: Weights, about: dict[str, Any]) -> Run:
    sizes = ModelConfig(**about["sizes"] | {"classes": tuple(about["sizes"]["classes"])})
    settings = Settings(**about["settings"] | {"vary": Augmentation(**about["settings"]["vary"])})
    run = Run(sizes, weights, settings)
    run.step, run.epochs = about["steps"], about["epochs"]
    return run


def save_checkpoint(run: Run, folder: Path, metrics: dict[str, Any]) -> None:
    """Write ``state.pt``, and the average weights and ``run.json`` with these metrics."""
    save_tensors(run.state(), folder / STATE)
    save(folder, run.mean, run.about() | metrics)
