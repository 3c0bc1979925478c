"""What the training runs share: stored weights, states to resume from, workers, averages."""

import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

from core.models.stored import RUN, WEIGHTS
from training.cards import HISTORY

Weights = dict[str, Tensor]
Gradients = tuple[Tensor, ...]
STATE = "state.pt"
_Batch = TypeVar("_Batch")
_Result = TypeVar("_Result")


def save(
    folder: Path, weights: Weights, run_data: dict[str, Any], metadata: dict[str, str] | None = None
) -> None:
    """Write the weights in float16, and ``run.json``: sizes, settings, progress, figures."""
    stored = {name: tensor.detach().half().contiguous() for name, tensor in weights.items()}
    save_file(stored, folder / WEIGHTS, metadata)
    (folder / WEIGHTS).chmod(0o644)
    (folder / RUN).write_text(json.dumps(run_data, indent=1, ensure_ascii=False) + "\n", "utf-8")


def load(folder: Path) -> tuple[Weights, dict[str, Any]]:
    """The stored weights in float32, and the content of ``run.json``."""
    weights = {name: tensor.float() for name, tensor in load_file(folder / WEIGHTS).items()}
    return weights, json.loads((folder / RUN).read_text("utf-8"))


def save_tensors(content: dict[str, Any], path: Path) -> None:
    """``torch.save`` that leaves the previous file where it is interrupted."""
    torch.save(content, new := path.with_name(f"{path.name}.new"))
    new.replace(path)


def log_epoch(folder: Path, record: dict[str, Any]) -> None:
    """Append the metrics of an epoch to the history, and print them."""
    with (folder / HISTORY).open("a", encoding="utf-8") as file:
        file.write(json.dumps(record) + "\n")
    print(json.dumps(record), flush=True)


def adamw(
    decayed: list[Tensor], others: list[Tensor], decay: float, betas: tuple[float, float]
) -> torch.optim.AdamW:
    """AdamW with weight decay of some tensors alone; its learning rate is set before each step."""
    groups = [
        {"params": decayed, "weight_decay": decay},
        {"params": others, "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, 0.0, betas, fused=True)


def set_rate(optimiser: torch.optim.Optimizer, rate: float) -> None:
    """Set the learning rate of all parameter groups."""
    for group in optimiser.param_groups:
        group["lr"] = rate


@torch.no_grad()
def update_mean(mean: Weights, weights: Weights, step: int, decay: float) -> None:
    """One step of the exponential moving average of the weights, with a smaller decay at first."""
    for name, tensor in weights.items():
        mean[name].lerp_(tensor, 1 - min(decay, step / (step + 10)))


def train_in_workers(
    batches: Iterator[_Batch],
    copy: Callable[[], Weights],
    gradients: Callable[[Weights, _Batch], tuple[_Result, Gradients]],
    step: Callable[[Gradients], None],
    workers: int,
) -> list[_Result]:
    """Train on every batch once; returns what ``gradients`` returned beside the gradients.

    Each worker takes the next batch and a copy of the present weights, and updates these when it
    is done: asynchronous updates, so that no worker waits for another on a busy machine.
    """
    lock = Lock()
    results: list[_Result] = []

    def work() -> None:
        while True:
            with lock:
                batch = next(batches, None)
                weights = {name: one.requires_grad_() for name, one in copy().items()}
            if batch is None:
                return
            result, found = gradients(weights, batch)
            with lock:
                step(found)
                results.append(result)

    with ThreadPoolExecutor(workers) as pool:
        for future in [pool.submit(work) for _ in range(workers)]:
            future.result()
    return results
