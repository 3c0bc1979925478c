"""What a training leaves: weights in float16 and all that it takes to measure or to go on.

model.safetensors  the running mean of the weights
epochs.jsonl       loss and accuracy while it was trained, a line an epoch
run.json           sizes, settings, the plan and how far it has come, figures
"""

import json
from pathlib import Path
from typing import Any

from safetensors.torch import load_file, save_file

from core.models.stored import RUN, WEIGHTS
from training.cifar.model import Weights


def save(folder: Path, weights: Weights, about: dict[str, Any]) -> None:
    """Write the weights, and what there is to say of them."""
    save_file({name: one.detach().half() for name, one in weights.items()}, folder / WEIGHTS)
    (folder / WEIGHTS).chmod(0o644)
    tell(folder, about)


def tell(folder: Path, about: dict[str, Any]) -> None:
    """Write what there is to say."""
    (folder / RUN).write_text(json.dumps(about, indent=1, ensure_ascii=False) + "\n", "utf-8")


def load(folder: Path) -> tuple[Weights, dict[str, Any]]:
    """The weights as they are stored, in float32, and what was said of them."""
    weights = {name: one.float() for name, one in load_file(folder / WEIGHTS).items()}
    return weights, json.loads((folder / RUN).read_text("utf-8"))
