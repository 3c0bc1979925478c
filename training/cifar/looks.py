"""Where [CLS] looks: at the thing, or beside it.

Photos do not say where their object is. Drawings of animals and vehicles do once they are put on a
ground, so it is counted on them, with the app's own arithmetic.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from core.models.vision import Vision, rollout
from core.sources.picture import values
from training.cifar.drawings import SIDE, files, part, placed

KNOWN = ("animals", "transportation/vehicles", "transportation/boating")
SIDES = (14, 27)  # pixels of a drawing: some ground is left around it
AT_ONCE = 50


@dataclass(frozen=True)
class Marked:
    """pixels: (picture, 32, 32, 3) uint8. on_object: (picture, patch), what the drawing covers."""

    pixels: np.ndarray
    on_object: np.ndarray


def marked(package: Path, photos: np.ndarray, count: int, patch: int, seed: int) -> Marked:
    """Drawings of animals and vehicles on parts of photos.

    A patch is covered where a quarter of its pixels are.
    """
    rng = np.random.default_rng(seed)
    drawings = [file for kind in KNOWN for file in files(package, kind, rng)]
    n = SIDE // patch
    pixels, covers = [], []
    while len(pixels) < count:
        file = drawings[rng.integers(len(drawings))]
        picture, cover = placed(file, part(photos, rng), SIDES, rng)
        tiles = cover.reshape(n, patch, n, patch).mean((1, 3)).ravel() >= 0.25
        if tiles.any():
            pixels.append(picture)
            covers.append(tiles)
    return Marked(np.stack(pixels), np.stack(covers))


def rows_of_cls(model: Vision, pixels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """What [CLS] gives to each patch: in every head (layer, head, picture, patch), by rollout."""
    heads, rolled = [], []
    for some in np.array_split(pixels, -(-len(pixels) // AT_ONCE)):
        trace = model.trace(values(some))
        layers = [
            trace[f"encoder/{layer}/self/weights"].tensor[:, :, 0, 1:].swapaxes(0, 1)
            for layer in range(1, model.layers + 1)
        ]
        heads.append(np.stack(layers))
        rolled.append(rollout(trace, model.layers)[:, 0, 1:])
    return np.concatenate(heads, 2), np.concatenate(rolled)


def peaks(rows: np.ndarray, on_object: np.ndarray) -> float:
    """How often the largest of the weights, (picture, patch), is on the object."""
    return float(on_object[np.arange(len(rows)), rows.argmax(-1)].mean())


def fixed(on_object: np.ndarray) -> float:
    """How often the one patch is on the object that is so most often."""
    return float(on_object.mean(0).max())


def figures(model: Vision, untrained: Vision, chosen_on: Marked, images: Marked) -> dict[str, Any]:
    """Every head's share, and that of rollout, beside what a model before training has."""
    heads, rolled = rows_of_cls(model, images.pixels)
    before, rolled_before = rows_of_cls(untrained, images.pixels)
    layer, head = _best(rows_of_cls(model, chosen_on.pixels)[0], chosen_on.on_object)
    by_head, by_head_before = (_shares(rows, images.on_object) for rows in (heads, before))
    return {
        "pictures": len(images.pixels),
        "best_head": {"layer": layer + 1, "head": head + 1},
        "heads": by_head,
        "rollout": round(peaks(rolled, images.on_object), 4),
        "untrained": {
            "best_head": max(max(row) for row in by_head_before),
            "rollout": round(peaks(rolled_before, images.on_object), 4),
        },
        "best_fixed_patch": round(fixed(images.on_object), 4),
        "any_patch": round(float(images.on_object.mean()), 4),
    }


def _shares(heads: np.ndarray, on_object: np.ndarray) -> list[list[float]]:
    return [[round(peaks(rows, on_object), 4) for rows in layer] for layer in heads]


def _best(heads: np.ndarray, on_object: np.ndarray) -> Sequence[int]:
    shares = np.array(_shares(heads, on_object))
    return [int(i) for i in np.unravel_index(shares.argmax(), shares.shape)]
