"""Accuracy, and the detection of outliers by the largest softmax probability.

"A Baseline for Detecting Misclassified and Out-of-Distribution Examples in Neural Networks"
(Hendrycks & Gimpel, 2017).
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from torch import Tensor

from core.sources.picture import values
from training.checkpoints import Weights
from training.cifar import data
from training.cifar.model import ModelConfig, forward, patches

BATCH_SIZE = 250
MAX_LOST = 0.09  # share of photos that may be rejected as outliers


def predict_logits(weights: Weights, sizes: ModelConfig, pixels: np.ndarray) -> Tensor:
    """Logits (photo, class) in float32. pixels: (photo, side, side, 3) uint8."""
    with torch.no_grad():
        batches = [
            forward(weights, sizes, patches(torch.from_numpy(values(some)), sizes))
            for some in np.array_split(pixels, -(-len(pixels) // BATCH_SIZE))
        ]
    return torch.cat(batches)


def accuracy(logits: Tensor, labels: np.ndarray) -> float:
    """The share of photos whose likeliest class is right. logits: (photo, class)."""
    return float((logits.argmax(-1).numpy() == labels).mean())


def confidence(logits: Tensor) -> np.ndarray:
    """The largest probability of each picture: (picture,)."""
    confidences: np.ndarray = logits.softmax(-1).amax(-1).numpy()
    return confidences


def threshold(known: np.ndarray, lost: float = MAX_LOST) -> float:
    """The confidence below which a picture counts as an outlier.

    known: the confidence of each photo. The largest number that rejects at most this share of them.
    """
    return float(np.sort(known)[int(lost * len(known))])


def evaluate(logits: Tensor, photos: data.Photos) -> dict[str, Any]:
    """Accuracy on all photos and on each class."""
    right = logits.argmax(-1).numpy() == photos.labels
    return {
        "photos": len(photos),
        "accuracy": round(accuracy(logits, photos.labels), 4),
        "by class": {
            name: round(float(right[photos.labels == row].mean()), 4)
            for row, name in enumerate(photos.names)
        },
    }


def evaluate_rejection(
    logits: Tensor, photos: data.Photos, others: Mapping[str, Tensor]
) -> dict[str, Any]:
    """The threshold, and the share of photos and of outliers that are rejected below it.

    others: the logits of outliers, by their kind.
    """
    known = confidence(logits)
    limit = round(threshold(known), 4)
    right = logits.argmax(-1).numpy() == photos.labels
    rejected = {kind: confidence(one) < limit for kind, one in others.items()}
    return {
        "unknown_below": limit,
        "known_lost": round(float((known < limit).mean()), 4),
        "accuracy_of_the_rest": round(float(right[known >= limit].mean()), 4),
        "pictures": {kind: len(one) for kind, one in rejected.items()},
        "refused": {kind: round(float(one.mean()), 4) for kind, one in rejected.items()},
        "refused_in_all": round(float(np.concatenate(list(rejected.values())).mean()), 4),
    }
