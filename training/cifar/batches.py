"""Batches of photos, shuffled and augmented anew for each epoch."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Generator, Tensor
from torch.nn.functional import affine_grid, grid_sample


@dataclass(frozen=True)
class Augmentation:
    """How photos are augmented, besides a horizontal flip of half of them.

    shift: the largest translation in pixels, filled with grey. bent: share of photos with a random
    rotation of up to ``turn`` degrees, a shear of up to ``shear`` and a scale of up to
    e^±``scale``. coloured: share with colour jitter: brightness, contrast and saturation change by
    up to ``colour``.
    """

    shift: int = 4
    bent: float = 0.5
    turn: float = 20.0
    shear: float = 0.2
    scale: float = 0.2
    coloured: float = 0.5
    colour: float = 0.5


def epoch_batches(count: int, size: int, seed: int) -> Iterator[tuple[Tensor, Generator]]:
    """The batches of an epoch: shuffled indices below ``count``, and a generator to augment them.

    Incomplete batches are left out.
    """
    generator = Generator().manual_seed(seed)
    order = torch.randperm(count, generator=generator)
    for rows in order[: count - count % size].split(size):
        seed = int(torch.randint(2**62, (), generator=generator))
        yield rows, Generator().manual_seed(seed)


def augment(pixels: Tensor, augmentation: Augmentation, generator: Generator) -> Tensor:
    """Photos (batch, row, column, channel) uint8 as augmented values from −1 to 1."""
    return _colour_jitter(
        _random_affine(pixels / 127.5 - 1, augmentation, generator), augmentation, generator
    )


def random_patches(batch: int, patches: int, share: float, generator: Generator) -> Tensor | None:
    """PatchDropout: indices (batch, patch) of a random share; None if the share is 1.

    "PatchDropout: Economizing Vision Transformers Using Patch Dropout" (Liu et al., 2023).
    """
    if share == 1:
        return None
    return torch.rand(batch, patches, generator=generator).argsort(1)[:, : round(share * patches)]


def mix(
    images: Tensor, targets: Tensor, share: float, generator: Generator
) -> tuple[Tensor, Tensor]:
    """A random share of the photos, each mixed with the photo before it, and their mixed targets.

    Half of them by mixup (Zhang et al., 2018): every pixel is a weighted mean of both photos. Half
    by CutMix (Yun et al., 2019): a random square comes from the other photo. The proportions are
    uniform. images: (batch, row, column, channel). targets: (batch, class) probabilities.
    """
    batch, side = len(images), images.shape[1]
    kind, amount, *centre = torch.rand(4, batch, 1, 1, generator=generator)
    pixels = torch.arange(side) + 0.5
    down, across = (
        (pixels.view(axis) - c * side).abs() < amount.sqrt() * side / 2
        for axis, c in zip(((1, side, 1), (1, 1, side)), centre, strict=True)
    )
    other = torch.where(kind < share / 2, (down & across).float(), amount)  # its weight in a pixel
    other = other.expand(batch, side, side) * (kind < share)
    mean = other.mean((1, 2))[:, None]
    return (
        torch.lerp(images, images.roll(1, 0), other[..., None]),
        torch.lerp(targets, targets.roll(1, 0), mean),
    )


def _random_affine(images: Tensor, augmentation: Augmentation, generator: Generator) -> Tensor:
    """A random affine transformation of each photo."""
    batch, side = len(images), images.shape[1]

    def within(limit: float) -> Tensor:
        return limit * (2 * torch.rand(batch, generator=generator) - 1)

    transformed = torch.rand(batch, generator=generator) < augmentation.bent
    mirrored = 1 - 2 * (torch.rand(batch, generator=generator) < 0.5).float()
    angle = within(math.radians(augmentation.turn)) * transformed
    shear, scale = (
        within(augmentation.shear) * transformed,
        torch.exp(within(augmentation.scale) * transformed),
    )
    across, down = ((within(augmentation.shift + 0.5)).round() * 2 / side for _ in range(2))
    sin, cos = scale * angle.sin(), scale * angle.cos()
    rows = [mirrored * cos, shear * cos - sin, across, mirrored * sin, shear * sin + cos, down]
    theta = torch.stack(rows, 1).view(batch, 2, 3)
    grid = affine_grid(theta, [batch, 3, side, side], align_corners=False)
    sampled = grid_sample(images.permute(0, 3, 1, 2), grid, align_corners=False)
    return sampled.permute(0, 2, 3, 1)


def _colour_jitter(images: Tensor, augmentation: Augmentation, generator: Generator) -> Tensor:
    """Random saturation, contrast and brightness of each photo."""
    chosen = torch.rand(len(images), generator=generator) < augmentation.coloured
    change = (
        augmentation.colour * (2 * torch.rand(3, len(images), generator=generator) - 1) * chosen
    )
    brightness, contrast, saturation = change.view(3, -1, 1, 1, 1)
    grey = images.mean(3, keepdim=True)
    mean = grey.mean((1, 2), keepdim=True)
    images = grey + (1 + saturation) * (images - grey)
    images = mean + (1 + contrast) * (images - mean)
    return (images + brightness).clamp(-1, 1)
