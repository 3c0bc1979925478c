"""A convolutional network whose predictions the vision transformer learns from.

``python -m training.cifar.teacher PHOTOS --to FILE``. A transformer without the locality of
convolutions needs more photos than there are; predictions of a network that has it make up for much
of that ("Training data-efficient image transformers & distillation through attention", Touvron et
al., 2021). Photo and prediction are of the same crop and colours, and predictions take the place of
labels ("Knowledge distillation: A good teacher is patient and consistent", Beyer et al., 2022).
"""

import argparse
import json
import time
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from training.cifar import data
from training.cifar.batches import Augmentation, augment, epoch_batches
from training.cifar.measure import BATCH_SIZE, accuracy

WIDTHS = (64, 256, 256)  # channels of the three blocks
STEM = 24  # channels of the first convolution


@dataclass(frozen=True)
class TeacherSettings:
    """The hyperparameters: SGD with Nesterov momentum, its rate a triangle up to ``rate``."""

    epochs: int = 14
    batch: int = 256
    rate: float = 0.3
    rising: float = 0.25  # share of the steps in which the rate rises
    momentum: float = 0.9
    decay: float = 5e-4
    smoothing: float = 0.1
    seed: int = 1
    vary: Augmentation = field(
        default_factory=lambda: Augmentation(shift=3, bent=0.3, coloured=0.3)
    )


class Teacher(nn.Module):
    """Seven convolutions and a linear layer: (batch, 3, 32, 32) to logits (batch, class)."""

    def __init__(self, classes: int) -> None:
        """Random weights."""
        super().__init__()
        layers: list[nn.Module] = [nn.Conv2d(3, STEM, 2), nn.BatchNorm2d(STEM), nn.GELU()]
        channels = STEM
        for width in WIDTHS:
            layers += [_convolution(channels, width), nn.MaxPool2d(2), nn.BatchNorm2d(width)]
            layers += [nn.GELU(), _convolution(width, width), nn.BatchNorm2d(width), nn.GELU()]
            channels = width
        self.features = nn.Sequential(*layers, nn.AdaptiveMaxPool2d(1), nn.Flatten())
        self.logits = nn.Linear(channels, classes)
        self.to(memory_format=torch.channels_last)

    def forward(self, images: Tensor) -> Tensor:
        """Images (batch, row, column, channel) from −1 to 1, to logits (batch, class)."""
        pixels = images.permute(
            0, 3, 1, 2
        )  # (batch, channel, row, column), channels last in memory
        with torch.autocast("cpu", torch.bfloat16):
            return self.logits(self.features(pixels)).float()


def _convolution(channels: int, width: int) -> nn.Module:
    return nn.Conv2d(channels, width, 3, padding=1, bias=False)


def predict(teacher: Teacher, images: Tensor) -> Tensor:
    """Class probabilities (batch, class) of images (batch, row, column, channel) from −1 to 1."""
    with torch.no_grad():
        probabilities: Tensor = teacher(images).softmax(-1)
    return probabilities


def load_teacher(path: Path) -> Teacher:
    """A trained teacher, for predictions."""
    weights = torch.load(path)
    teacher = Teacher(len(weights["logits.bias"]))
    teacher.load_state_dict(weights)
    return teacher.eval()


def validation_accuracy(teacher: Teacher, photos: data.Photos) -> float:
    """The share of photos whose likeliest class is right."""
    batches = [
        predict(teacher, torch.from_numpy(some) / 127.5 - 1)
        for some in np.array_split(photos.pixels, -(-len(photos) // BATCH_SIZE))
    ]
    return accuracy(torch.cat(batches), photos.labels)


def train(teacher: Teacher, dataset: data.Split, settings: TeacherSettings, to: Path) -> None:
    """Train on the photos; write the weights after each epoch."""
    pixels, labels = torch.from_numpy(dataset.train.pixels), torch.from_numpy(dataset.train.labels)
    optimiser = torch.optim.SGD(
        teacher.parameters(), momentum=settings.momentum, nesterov=True, weight_decay=settings.decay
    )
    planned = settings.epochs * (len(labels) // settings.batch)
    step = 0
    for epoch in range(settings.epochs):
        started = time.perf_counter()
        losses = []
        teacher.train()
        seed = settings.seed * 10_000 + epoch
        for rows, generator in epoch_batches(len(labels), settings.batch, seed):
            progress = step / planned
            rising = min(progress / settings.rising, (1 - progress) / (1 - settings.rising))
            optimiser.param_groups[0]["lr"] = settings.rate * rising
            logits = teacher(augment(pixels[rows], settings.vary, generator))
            loss = cross_entropy(logits, labels[rows], label_smoothing=settings.smoothing)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            losses.append(loss.item())
            step += 1
        teacher.eval()
        torch.save(teacher.state_dict(), to)
        record = {"epoch": epoch + 1, "loss": round(sum(losses) / len(losses), 4)}
        record["seconds"] = round(time.perf_counter() - started, 1)
        record["accuracy"] = round(validation_accuracy(teacher, dataset.validation), 4)
        print(json.dumps(record), flush=True)


def main() -> None:
    """Train on the photos and write the weights."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("photos", type=Path)
    parser.add_argument("--to", type=Path, required=True, help="a file")
    parser.add_argument("--resume", type=Path, help="weights to begin with, instead of random ones")
    parser.add_argument("--epochs", type=int, default=TeacherSettings.epochs)
    args = parser.parse_args()
    settings = TeacherSettings(epochs=args.epochs)
    torch.manual_seed(settings.seed)
    dataset = data.split(data.read(args.photos))
    teacher = load_teacher(args.resume) if args.resume else Teacher(len(dataset.train.names))
    train(teacher, dataset, settings, args.to)


if __name__ == "__main__":
    main()
