"""The state of a training run: weights, optimiser, settings, progress."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from core.models.translator import WORDS
from core.sources import unigram
from core.sources.unigram import Unigram
from training.checkpoints import (
    STATE,
    Gradients,
    Weights,
    load,
    save_tensors,
    set_rate,
    train_in_workers,
)
from training.translator.batches import Augmentation, Batch, Encoded, epoch_batches
from training.translator.model import DropoutRates, Model, ModelConfig, WordParts

BETAS = (0.9, 0.98)
RESTART_WARM_UP = 200  # steps, for a run from stored weights


@dataclass(frozen=True)
class Settings:
    """The hyperparameters of a run.

    rate: the largest learning rate. kept: how many epochs' weights stay on disk, for their mean.
    precision: of the forward and the backward pass; weights and optimisers are float32.
    aligned: the weight of the alignment loss; 0 for none. aligned_head: the head of cross-attention
    that it supervises, by layer and head from 0.
    """

    seed: int = 1
    rate: float = 1.2e-3
    warm_up: int = 600  # steps
    tokens: int = 4_000  # of a batch, both sides
    smoothing: float = 0.1
    drop: DropoutRates = field(default_factory=DropoutRates)
    vary: Augmentation = field(default_factory=Augmentation)
    kept: int = 5  # a key of run.json
    measured: int = 2  # epochs from one measurement to the next
    precision: str = "bfloat16"
    aligned: float = 0.0
    aligned_head: tuple[int, int] = (2, 7)


class Run:
    """A training run: weights, optimiser and progress."""

    def __init__(self, sizes: ModelConfig, weights: Weights, settings: Settings) -> None:
        """Start from these weights, which then require gradients."""
        self.sizes, self.weights, self.settings = sizes, weights, settings
        for tensor in weights.values():
            tensor.requires_grad_()
        inner = [one for name, one in weights.items() if one.ndim == 2 and name[-2:] != "/E"]
        outer = [one for name, one in weights.items() if one.ndim != 2 or name[-2:] == "/E"]
        self.optimisers = (
            torch.optim.Muon(inner, 0.0, weight_decay=0.0, adjust_lr_fn="match_rms_adamw"),
            torch.optim.Adam(outer, 0.0, BETAS, eps=1e-9, fused=True),
        )
        self.step = self.epochs = self.restarted_at = 0
        self.rate_factor = 1.0  # below 1 in the epochs of --settle

    def train_epoch(
        self, pairs: Sequence[Encoded], words: Unigram, parts: WordParts, workers: int = 1
    ) -> float:
        """Train on every pair once. Returns the mean loss per target token."""
        seed = self.settings.seed * 10_000 + self.epochs
        torch.manual_seed(seed)
        losses = train_in_workers(
            epoch_batches(pairs, words, self.settings.vary, self.settings.tokens, seed),
            lambda: {name: self._copied(name) for name in self.weights},
            lambda weights, batch: self._gradients(weights, parts, batch),
            self._step,
            workers,
        )
        self.epochs += 1
        return sum(loss * count for loss, count in losses) / sum(count for _, count in losses)

    def _copied(self, name: str) -> Tensor:
        """A copy of a weight in ``settings.precision``; tables, read row by row, stay float32."""
        one = self.weights[name].detach()
        if name.endswith("/E") or name == "prediction/b":
            return one.clone()
        return one.to(getattr(torch, self.settings.precision), copy=True)

    def _gradients(
        self, weights: Weights, parts: WordParts, batch: Batch
    ) -> tuple[tuple[float, int], Gradients]:
        model = Model(self.sizes, weights, parts, self.settings.drop)
        memory = model.encode(batch.source, batch.key_mask)
        X = model.decode(memory, batch.key_mask, batch.target)
        is_label = batch.labels >= 0
        logits = model.logits(X[is_label]).float()
        loss = cross_entropy(
            logits, batch.labels[is_label], label_smoothing=self.settings.smoothing
        )
        reported = loss.item()
        if self.settings.aligned:
            loss = loss + self.settings.aligned * self._alignment_loss(model, memory, batch)
        gradients = torch.autograd.grad(loss, list(weights.values()))
        return (reported, int(is_label.sum())), gradients

    def _alignment_loss(self, model: Model, memory: Tensor, batch: Batch) -> Tensor:
        """Cross-entropy of one head's weights against the alignment, per aligned label.

        "Jointly Learning to Align and Translate with Transformer Models" (Garg et al., 2019),
        section 4.2.
        """
        log_weights = model.cross_log_weights(*self.settings.aligned_head, memory, batch.key_mask)
        log_weights = log_weights.float()
        known = batch.alignment > 0
        losses = -batch.alignment[known] * log_weights[known]
        return losses.sum() / batch.alignment.sum().clamp(min=1)

    def _step(self, gradients: Gradients) -> None:
        self.step += 1
        for optimiser in self.optimisers:
            set_rate(optimiser, self.rate_factor * self._rate())
        for tensor, gradient in zip(self.weights.values(), gradients, strict=True):
            tensor.grad = gradient.float()
        for optimiser in self.optimisers:
            optimiser.step()

    def _rate(self) -> float:
        """The learning rate: linear warm-up, then 1/√step; a short warm-up after a restart."""
        warm_up = self.settings.warm_up
        rate = self.settings.rate * min(self.step / warm_up, (warm_up / self.step) ** 0.5)
        return (
            rate * min(1.0, (self.step - self.restarted_at) / RESTART_WARM_UP)
            if self.restarted_at
            else rate
        )

    def state(self) -> dict[str, Any]:
        """The contents of ``state.pt``: enough to resume exactly."""
        return {
            "weights": {name: tensor.detach() for name, tensor in self.weights.items()},
            "optimisers": [one.state_dict() for one in self.optimisers],
            "step": self.step,
            "epochs": self.epochs,
            "begun": self.restarted_at,
            "sizes": asdict(self.sizes),
            "aligned": self.settings.aligned,
        }


def load_checkpoint(path: Path, settings: Settings) -> Run:
    """A resumed run: exact from a ``state.pt``, approximate from a folder with stored weights.

    Stored weights are a rounded mean, without the state of the optimiser.
    """
    if path.is_dir():
        weights, about = load(path)
        parts = WordParts(unigram.read(path / WORDS).tokens)
        weights["source/E"] = parts.unfolded(weights["source/E"])
        run = Run(ModelConfig(**about["sizes"]), weights, settings)
        run.step = run.restarted_at = about["steps"]
        run.epochs = about["epochs"]
        return run
    state = torch.load(path)
    settings = replace(settings, aligned=settings.aligned or state.get("aligned", 0.0))
    run = Run(ModelConfig(**state["sizes"]), state["weights"], settings)
    for optimiser, before in zip(run.optimisers, state["optimisers"], strict=True):
        optimiser.load_state_dict(before)
    run.step, run.epochs, run.restarted_at = state["step"], state["epochs"], state["begun"]
    return run


def save_checkpoint(run: Run, to: Path) -> None:
    """Write ``state.pt`` and this epoch's weights, and delete the oldest weights."""
    save_tensors(run.state(), to / STATE)
    torch.save(run.state()["weights"], to / f"epoch-{run.epochs}.pt")
    (to / f"epoch-{run.epochs - run.settings.kept}.pt").unlink(missing_ok=True)


def average_checkpoints(run: Run, to: Path, count: int) -> Weights:
    """The mean of the weights of the last ``count`` epochs that are in the folder."""
    epochs = range(run.epochs - count + 1, run.epochs + 1)
    paths = [to / f"epoch-{epoch}.pt" for epoch in epochs]
    checkpoints = [torch.load(path) for path in paths if path.exists()]
    return {name: torch.stack([one[name] for one in checkpoints]).mean(0) for name in run.weights}


def to_stored(weights: Weights, words: Unigram, parts: WordParts) -> Weights:
    """Float16 weights with folded source embeddings, not yet times √d_model.

    Characters that never occurred in training get the row of [UNK].
    """
    E = parts.folded(weights["source/E"])
    part_of_word = {c for token in words.tokens if len(token) > 1 for c in token}
    for row, (token, count) in enumerate(zip(words.tokens, words.counts, strict=True)):
        if not count and token not in part_of_word:
            E[row] = E[0]
    return {name: one.half() for name, one in (weights | {"source/E": E}).items()}
