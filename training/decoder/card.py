"""The model card in both languages, with the figures of this training run."""

import json
from pathlib import Path
from typing import Any

from core.models.stored import RUN, WEIGHTS
from training.cards import HISTORY, fill_templates, parameter_count, write
from views.text.numbers import count, plain

TEMPLATES = Path(__file__).parent


def write_cards(folder: Path) -> None:
    """Write the cards into the folder of the weights."""
    write(folder, cards(folder))


def cards(folder: Path) -> dict[str, str]:
    """The cards in both languages, by file name."""
    return fill_templates(TEMPLATES, lambda _: _numbers(folder))


def _numbers(folder: Path) -> dict[str, str]:
    run_data: dict[str, Any] = json.loads((folder / RUN).read_text("utf-8"))
    history = [json.loads(line) for line in (folder / HISTORY).read_text("utf-8").splitlines()]
    sizes, settings, measured = run_data["sizes"], run_data["settings"], run_data["measured"]
    return {
        "parameters": count(parameter_count(folder / WEIGHTS)),
        "megabytes": plain((folder / WEIGHTS).stat().st_size / 1e6, 1),
        "sha256": run_data["data"]["sha256"],
        "learnt": count(run_data["data"]["learnt"]),
        "epochs": str(run_data["epochs"]),
        "planned": str(len(history)),
        "hours": plain(sum(epoch["seconds"] for epoch in history) / 3600, 1),
        "dropout": str(settings["drop"]),
        "decay": str(settings["decay"]),
        "validation": count(measured["validation"]["both"]["sentences"]),
        "validation_token": plain(measured["validation"]["both"]["token"], 1),
        "samples": "\n".join(
            f"| {prompt} | {text} |" for prompt, text in run_data["samples"].items()
        ),
    } | {name: str(sizes[name]) for name in (
        "layers", "heads", "kv_heads", "width", "d_model", "d_ff", "places"
    )} | {"vocabulary": count(sizes["vocabulary"])} | {
        f"{figure}_{subset}": plain(value, 2 if figure.startswith("character") else 1)
        if figure != "sentences" else count(int(value))
        for subset, figures in measured["test"].items() for figure, value in figures.items()
    }  # fmt: skip
