"""Records what PyTorch computes for one picture: ``python -m training.vision_reference``.

In float64, from the parameters as they stand in the file. The tests hold the NumPy model against
it. Of stages with many rows a few are kept: [CLS] or the first patch, and some in between.
"""

from pathlib import Path

import numpy as np
import torch
from PIL import Image
from safetensors.torch import load_file, save_file
from torch import Tensor

from training.pictures_samples import SAMPLES, path_of
from training.vision import MODELS
from training.vision_model import Config, forward

PATH = Path(__file__).parents[1] / "tests" / "core" / "models" / "data"
ROWS = (0, 1, 7, 13, 29, 43, 61)
WHOLE = ("input/image", "prediction/logits", "prediction/probabilities")


def kept(path: str, tensor: Tensor) -> Tensor:
    """The rows that are recorded of a stage: of its patches, tokens or queries."""
    if path in WHOLE:
        return tensor
    axis = 1 if path == "input/patches" else tensor.ndim - 2
    return tensor.index_select(axis, torch.tensor(ROWS))


def main() -> None:
    """Run the model on the first sample and write what each stage is."""
    given = {
        name: tensor.double() for name, tensor in load_file(MODELS / "vision.safetensors").items()
    }
    pixels = np.asarray(Image.open(path_of(*SAMPLES[0])))[None]
    with torch.no_grad():
        stages = forward(given, Config(), torch.tensor(pixels))
    recorded = {path: kept(path, tensor).float().contiguous() for path, tensor in stages.items()}
    PATH.mkdir(parents=True, exist_ok=True)
    save_file(recorded | {"pixels": torch.tensor(pixels)}, PATH / "vision_reference.safetensors")


if __name__ == "__main__":
    main()
