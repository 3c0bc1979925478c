"""What the model is worth: how often it is right, and when it says that it knows nothing of this.

A softmax names a class for any photo. Where none fits, the largest probability is small ("A
Baseline for Detecting Misclassified and Out-of-Distribution Examples", Hendrycks & Gimpel, 2017).
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from torch import Tensor

from core.sources.picture import values
from training.cifar import data
from training.cifar.model import Sizes, Weights, forward, patches

AT_ONCE = 250
LOST = 0.09  # share of known photos that the rule may take for strange ones


def logits(weights: Weights, sizes: Sizes, pixels: np.ndarray) -> Tensor:
    """What the model says of each photo, (photo, class), with all its patches, in float32."""
    with torch.no_grad():
        said = [
            forward(weights, sizes, patches(torch.from_numpy(values(some)), sizes))
            for some in np.array_split(pixels, -(-len(pixels) // AT_ONCE))
        ]
    return torch.cat(said)


def accuracy(said: Tensor, labels: np.ndarray) -> float:
    """The share of photos whose likeliest class is theirs."""
    return float((said.argmax(-1).numpy() == labels).mean())


def confidence(said: Tensor) -> np.ndarray:
    """The largest probability of each picture."""
    found: np.ndarray = said.softmax(-1).amax(-1).numpy()
    return found


def threshold(known: np.ndarray, lost: float = LOST) -> float:
    """Below it a photo counts as strange: the highest number that loses no more known ones."""
    return float(np.sort(known)[int(lost * len(known))])


def measured(said: Tensor, photos: data.Photos) -> dict[str, Any]:
    """How often it is right: of all photos, and of each class."""
    right = said.argmax(-1).numpy() == photos.labels
    return {
        "photos": len(photos),
        "accuracy": round(accuracy(said, photos.labels), 4),
        "by class": {
            name: round(float(right[photos.labels == row].mean()), 4)
            for row, name in enumerate(photos.names)
        },
    }


def refused(said: Tensor, photos: data.Photos, others: Mapping[str, Tensor]) -> dict[str, Any]:
    """Which confidence counts as knowing nothing, and how much of what it turns away.

    others: what the model says of strange pictures, by their kind.
    """
    known = confidence(said)
    limit = round(threshold(known), 4)
    right = said.argmax(-1).numpy() == photos.labels
    found = {kind: confidence(one) < limit for kind, one in others.items()}
    return {
        "unknown_below": limit,
        "known_lost": round(float((known < limit).mean()), 4),
        "accuracy_of_the_rest": round(float(right[known >= limit].mean()), 4),
        "pictures": {kind: len(one) for kind, one in found.items()},
        "refused": {kind: round(float(one.mean()), 4) for kind, one in found.items()},
        "refused_in_all": round(float(np.concatenate(list(found.values())).mean()), 4),
    }
