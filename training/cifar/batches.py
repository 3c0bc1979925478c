"""Photos as batches, drawn and varied anew for each epoch."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Generator, Tensor
from torch.nn.functional import affine_grid, grid_sample


@dataclass(frozen=True)
class Vary:
    """How photos are varied, so that none is seen twice the same way; half of them are mirrored.

    shift: pixels that a photo moves at most; what is not in it is grey. bent: share of photos that
    are turned, sheared and scaled, up to ``turn`` degrees, ``shear`` and ``scale``. coloured: share
    whose brightness, contrast and saturation change, by up to ``colour``.
    """

    shift: int = 4
    bent: float = 0.5
    turn: float = 20.0
    shear: float = 0.2
    scale: float = 0.2
    coloured: float = 0.5
    colour: float = 0.5


def epoch(count: int, size: int, seed: int) -> Iterator[tuple[Tensor, Generator]]:
    """Rows of ``count`` photos, each at most once, and a generator to vary them, batch by batch."""
    drawn = Generator().manual_seed(seed)
    order = torch.randperm(count, generator=drawn)
    for begin in range(0, count - size + 1, size):
        seed = int(torch.randint(2**62, (), generator=drawn))
        yield order[begin : begin + size], Generator().manual_seed(seed)


def varied(pixels: Tensor, vary: Vary, drawn: Generator) -> Tensor:
    """Photos (batch, row, column, channel) as values of −1 … 1, each moved and coloured its way."""
    return _coloured(_moved(pixels / 127.5 - 1, vary, drawn), vary, drawn)


def kept(batch: int, patches: int, share: float, drawn: Generator) -> Tensor | None:
    """Which patches of each photo are read, (batch, patch), where not all are."""
    if share == 1:
        return None
    return torch.rand(batch, patches, generator=drawn).argsort(1)[:, : round(share * patches)]


def _moved(images: Tensor, vary: Vary, drawn: Generator) -> Tensor:
    """One affine map for each photo: where in it a pixel is looked up."""
    batch, side = len(images), images.shape[1]

    def within(limit: float) -> Tensor:
        return limit * (2 * torch.rand(batch, generator=drawn) - 1)

    bent = torch.rand(batch, generator=drawn) < vary.bent
    mirrored = 1 - 2 * (torch.rand(batch, generator=drawn) < 0.5).float()
    angle = within(math.radians(vary.turn)) * bent
    shear, scale = within(vary.shear) * bent, torch.exp(within(vary.scale) * bent)
    across, down = ((within(vary.shift + 0.5)).round() * 2 / side for _ in range(2))
    sin, cos = scale * angle.sin(), scale * angle.cos()
    rows = [mirrored * cos, shear * cos - sin, across, mirrored * sin, shear * sin + cos, down]
    theta = torch.stack(rows, 1).view(batch, 2, 3)
    grid = affine_grid(theta, [batch, 3, side, side], align_corners=False)
    sampled = grid_sample(images.permute(0, 3, 1, 2), grid, align_corners=False)
    return sampled.permute(0, 2, 3, 1)


def _coloured(images: Tensor, vary: Vary, drawn: Generator) -> Tensor:
    """Brightness, contrast about the mean, saturation about the mean of the channels."""
    chosen = torch.rand(len(images), generator=drawn) < vary.coloured
    change = vary.colour * (2 * torch.rand(3, len(images), generator=drawn) - 1) * chosen
    brightness, contrast, saturation = change.view(3, -1, 1, 1, 1)
    grey = images.mean(3, keepdim=True)
    mean = grey.mean((1, 2), keepdim=True)
    images = grey + (1 + saturation) * (images - grey)
    images = mean + (1 + contrast) * (images - mean)
    return (images + brightness).clamp(-1, 1)
