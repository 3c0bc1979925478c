"""Whether the attention of [CLS] points at the object: the pointing game.

"Top-down Neural Attention by Excitation Backprop" (Zhang et al., 2016), section 4.1: a hit is a
largest weight that lies on the object. CIFAR-10 has no object masks, so drawings of animals and
vehicles are pasted on backgrounds, which gives exact ones. Computed by the app's own code.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from core.experiments.rollout import rollout
from core.models.vision import Vision
from core.sources.picture import values
from training.cifar.clipart import SIDE, enlarged_crop, files, pasted

KINDS = ("animals", "transportation/vehicles", "transportation/boating")
DRAWING_SIDES = (14, 27)  # pixels, so that some background is left
BATCH_SIZE = 50


@dataclass(frozen=True)
class ImagesWithMasks:
    """pixels: (picture, 32, 32, 3) uint8. on_object: (picture, patch) bool."""

    pixels: np.ndarray
    on_object: np.ndarray


def images_with_masks(
    package: Path, photos: np.ndarray, count: int, patch: int, seed: int
) -> ImagesWithMasks:
    """Drawings of animals and vehicles on enlarged crops of photos.

    A patch counts as on the object if the drawing covers at least a quarter of its pixels.
    package: the unpacked drawings. patch: side of a patch in pixels.
    """
    rng = np.random.default_rng(seed)
    drawings = [file for kind in KINDS for file in files(package, kind, rng)]
    n = SIDE // patch
    pixels, covers = [], []
    while len(pixels) < count:
        file = drawings[rng.integers(len(drawings))]
        picture, cover = pasted(file, enlarged_crop(photos, rng), DRAWING_SIDES, rng)
        tiles = cover.reshape(n, patch, n, patch).mean((1, 3)).ravel() >= 0.25
        if tiles.any():
            pixels.append(picture)
            covers.append(tiles)
    return ImagesWithMasks(np.stack(pixels), np.stack(covers))


def cls_weights(model: Vision, pixels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Weights of [CLS] on the patches, (layer, head, picture, patch), and its rollout.

    The rollout is (picture, patch).
    """
    weights, rollouts = [], []
    for batch in np.array_split(pixels, -(-len(pixels) // BATCH_SIZE)):
        trace = model.trace(values(batch))
        layers = [
            trace[f"encoder/{layer}/self/weights"].tensor for layer in range(1, model.layers + 1)
        ]
        weights.append(np.stack([layer[:, :, 0, 1:].swapaxes(0, 1) for layer in layers]))
        rollouts.append(rollout(layers)[:, 0, 1:])
    return np.concatenate(weights, 2), np.concatenate(rollouts)


def pointing_accuracy(rows: np.ndarray, on_object: np.ndarray) -> float:
    """The share of pictures whose largest weight is on the object. rows: (picture, patch)."""
    return float(on_object[np.arange(len(rows)), rows.argmax(-1)].mean())


def fixed_patch_accuracy(on_object: np.ndarray) -> float:
    """The baseline: the same patch for every picture, the best one."""
    return float(on_object.mean(0).max())


def evaluate(
    model: Vision, untrained: Vision, selection: ImagesWithMasks, images: ImagesWithMasks
) -> dict[str, Any]:
    """Pointing accuracy of each head and of rollout, beside the untrained model's and baselines.

    selection: the images on which the best head is chosen; images: those that are evaluated.
    """
    weights, rollouts = cls_weights(model, images.pixels)
    untrained_weights, untrained_rollouts = cls_weights(untrained, images.pixels)
    layer, head = _best(cls_weights(model, selection.pixels)[0], selection.on_object)
    accuracies, untrained_accuracies = (
        _accuracies(rows, images.on_object) for rows in (weights, untrained_weights)
    )
    return {
        "pictures": len(images.pixels),
        "best_head": {"layer": layer + 1, "head": head + 1},
        "heads": accuracies,
        "rollout": round(pointing_accuracy(rollouts, images.on_object), 4),
        "untrained": {
            "best_head": max(max(row) for row in untrained_accuracies),
            "rollout": round(pointing_accuracy(untrained_rollouts, images.on_object), 4),
        },
        "best_fixed_patch": round(fixed_patch_accuracy(images.on_object), 4),
        "any_patch": round(float(images.on_object.mean()), 4),
    }


def _accuracies(weights: np.ndarray, on_object: np.ndarray) -> list[list[float]]:
    return [[round(pointing_accuracy(rows, on_object), 4) for rows in layer] for layer in weights]


def _best(weights: np.ndarray, on_object: np.ndarray) -> Sequence[int]:
    accuracies = np.array(_accuracies(weights, on_object))
    return [int(i) for i in np.unravel_index(accuracies.argmax(), accuracies.shape)]
