"""The files of a trained model, enough to evaluate it or to resume the training.

model.safetensors  the running mean of the weights, in float16
epochs.jsonl       loss and accuracy of each epoch
run.json           sizes, settings, progress, figures
"""

import json
from pathlib import Path
from typing import Any

from safetensors.torch import load_file, save_file

from core.models.stored import RUN, WEIGHTS
from training.cifar.model import Weights


def save(folder: Path, weights: Weights, run_data: dict[str, Any]) -> None:
    """Write the weights and ``run.json``."""
    save_file({name: tensor.detach().half() for name, tensor in weights.items()}, folder / WEIGHTS)
    (folder / WEIGHTS).chmod(0o644)
    write_run_data(folder, run_data)


def write_run_data(folder: Path, run_data: dict[str, Any]) -> None:
    """Write ``run.json``."""
    (folder / RUN).write_text(json.dumps(run_data, indent=1, ensure_ascii=False) + "\n", "utf-8")


def load(folder: Path) -> tuple[Weights, dict[str, Any]]:
    """The stored weights in float32, and the content of ``run.json``."""
    weights = {name: tensor.float() for name, tensor in load_file(folder / WEIGHTS).items()}
    return weights, json.loads((folder / RUN).read_text("utf-8"))
