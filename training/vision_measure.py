"""What [CLS] looks at, and how often the model is right.

Rollout (Abnar & Zuidema, "Quantifying Attention Flow in Transformers", 2020) follows attention
through all layers: R = A_L · … · A_1 with A_l = ½ (mean of layer l's heads + I).
"""

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from training.pictures import pictures
from training.vision_model import Config, Stages, forward

BATCH = 250


@dataclass(frozen=True)
class Labelled:
    """pixels: (picture, 64, 64, 3). on_object: (picture, patch), whether it overlaps the object.

    labels: (picture,). area: the mean share of a picture's pixels that its object covers.
    """

    pixels: Tensor
    on_object: Tensor
    labels: Tensor
    area: float


@dataclass(frozen=True)
class Looks:
    """peak_on_object: how often the patch with [CLS]'s largest weight overlaps the object.

    weight_on_object: the mean of what [CLS] gives to all patches that overlap it, of 1 in all.
    """

    peak_on_object: float
    weight_on_object: float


@dataclass(frozen=True)
class Measured:
    """heads: one for each head of each layer, ``heads[layer][head]``."""

    accuracy: float
    by_class: tuple[float, ...]
    heads: tuple[tuple[Looks, ...], ...]
    rollout: Looks

    @property
    def best_head(self) -> int:
        """Which head of the last layer has its peak on the object most often, counted from 0."""
        last = self.heads[-1]
        return max(range(len(last)), key=lambda head: last[head].peak_on_object)


def labelled(seeds: range, config: Config) -> Labelled:
    """Paint one picture for each seed and mark the patches that its object overlaps."""
    pixels, masks, labels = pictures(seeds)
    n, P = config.side // config.patch, config.patch
    tiles = masks.reshape(-1, n, P, n, P).any((2, 4)).reshape(-1, n * n)
    return Labelled(*map(torch.from_numpy, (pixels, tiles, labels)), float(masks.mean()))


def measured(given: Stages, config: Config, images: Labelled) -> Measured:
    """Run the model over all images and count."""
    right, of_heads, of_rollout = [], [], []
    with torch.no_grad():
        for start in range(0, len(images.labels), BATCH):
            part = slice(start, start + BATCH)
            stages = forward(given, config, images.pixels[part])
            right.append(stages["prediction/logits"].argmax(-1) == images.labels[part])
            weights = all_weights(stages, config)  # (layer, batch, head, query, key)
            of_heads.append(weights[:, :, :, 0].transpose(1, 2))  # (layer, head, batch, key)
            of_rollout.append(rollout(weights)[:, 0])
    correct = torch.cat(right).double()
    heads = torch.cat(of_heads, 2)
    return Measured(
        correct.mean().item(),
        tuple(
            correct[images.labels == label].mean().item() for label in range(len(config.classes))
        ),
        tuple(tuple(looks(head, images) for head in layer) for layer in heads),
        looks(torch.cat(of_rollout), images),
    )


def all_weights(stages: Stages, config: Config) -> Tensor:
    """The attention weights of every layer: (layer, batch, head, query, key)."""
    numbers = range(1, config.layers + 1)
    return torch.stack([stages[f"encoder/{layer}/self/weights"] for layer in numbers])


def rollout(weights: Tensor) -> Tensor:
    """(layer, batch, head, query, key) -> (batch, query, key), each row with the sum 1."""
    followed = torch.eye(weights.shape[-1])
    for layer in weights.mean(2):
        followed = (layer + torch.eye(layer.shape[-1])) / 2 @ followed
    return followed


def looks(weights: Tensor, images: Labelled) -> Looks:
    """Of [CLS]'s row, (picture, token): the peak among the patches, and what the object gets."""
    on_patches = weights[:, 1:].double()
    peaks = on_patches.argmax(-1, keepdim=True)
    return Looks(
        images.on_object.gather(1, peaks).double().mean().item(),
        (on_patches * images.on_object).sum(-1).mean().item(),
    )


def by_position_alone(images: Labelled) -> tuple[float, float]:
    """What a look that knows nothing of the picture would get.

    Returns how often a patch drawn at random overlaps the object, and how often the one patch does
    that overlaps it most often.
    """
    share = images.on_object.double()
    return share.mean().item(), share.mean(0).max().item()


def evidence(given: Stages, config: Config, pixels: np.ndarray) -> np.ndarray:
    """log Σ_c e^(logits_c) of every picture: how much speaks for any class at all.

    It is the negative of the energy of Liu et al., "Energy-based Out-of-distribution Detection"
    (2020), equation 4, with T = 1. pixels: (picture, 64, 64, 3). Returns (picture,).
    """
    with torch.no_grad():
        logits = [
            forward(given, config, torch.from_numpy(pixels[start : start + BATCH]))[
                "prediction/logits"
            ]
            for start in range(0, len(pixels), BATCH)
        ]
    return torch.cat(logits).logsumexp(-1).numpy()
