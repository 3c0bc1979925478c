"""What the model is worth: how often it is right, and when it says that it knows nothing of this.

A softmax names a class for any photo. What tells a strange one are the largest probability
(Hendrycks & Gimpel, "A Baseline for Detecting Misclassified and Out-of-Distribution Examples",
2017) or log Σ e^logit (Liu et al., "Energy-based Out-of-distribution Detection", 2020).
"""

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from core.sources.picture import values
from training.cifar import data
from training.cifar.model import Sizes, Weights, forward, patches
from training.cifar.stored import load, tell

AT_ONCE = 250
LOST = 0.1  # share of known photos that the rule may take for strange ones
DEVIATIONS = 1.96  # either side of a share: 95 % of all samples


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


def margin(share: float, count: int) -> float:
    """How far a share of a sample may be off: 1.96 · √(p (1 − p) / n)."""
    return float(DEVIATIONS * np.sqrt(share * (1 - share) / count))


def evidence(said: Tensor) -> dict[str, np.ndarray]:
    """How much speaks for any class at all, in two measures."""
    return {
        "log-sum-exp of the logits": said.logsumexp(-1).numpy(),
        "largest probability": said.softmax(-1).amax(-1).numpy(),
    }


def threshold(known: np.ndarray, lost: float = LOST) -> float:
    """Below it a photo counts as strange: the highest number that loses no more known ones."""
    return float(np.sort(known)[int(lost * len(known))])


def measured(said: Tensor, photos: data.Photos) -> dict[str, Any]:
    """All figures of these photos."""
    share = accuracy(said, photos.labels)
    right = said.argmax(-1).numpy() == photos.labels
    by_class = {
        name: round(float(right[photos.labels == row].mean()), 4)
        for row, name in enumerate(photos.names)
    }
    found = evidence(said)
    rules = {name: threshold(known) for name, known in found.items()}
    return {
        "photos": len(photos),
        "accuracy": round(share, 4),
        "margin": round(margin(share, len(photos)), 4),
        "by class": by_class,
        "unknown below": {name: round(limit, 4) for name, limit in rules.items()},
        "accuracy of the known": {
            name: round(float(right[found[name] >= limit].mean()), 4)
            for name, limit in rules.items()
        },
    }


def main() -> None:
    """Measure stored weights on the validation photos and write it beside them."""
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("photos", type=Path)
    asked.add_argument("--run", type=Path, required=True, help="the folder of stored weights")
    options = asked.parse_args()
    torch.set_num_threads(1)
    photos = data.split(data.read(options.photos)).validation
    weights, about = load(options.run)
    sizes = Sizes(**about["sizes"])
    about["measured"] = measured(logits(weights, sizes, photos.pixels), photos)
    tell(options.run, about)
    print(json.dumps(about["measured"], indent=1))


if __name__ == "__main__":
    main()
