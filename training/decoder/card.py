"""The model card in both languages: prose of the project with the figures of this training."""

import json
from pathlib import Path
from typing import Any

from core.models.stored import RUN, WEIGHTS
from training.cards import COURSE, filled, parameters, write
from views.numbers import count, plain

HERE = Path(__file__).parent


def write_cards(folder: Path) -> None:
    """Write the cards beside the weights."""
    write(folder, cards(folder))


def cards(folder: Path) -> dict[str, str]:
    """The card in both languages, by the name of its file."""
    return filled(HERE, lambda _: _numbers(folder))


def _numbers(folder: Path) -> dict[str, str]:
    about: dict[str, Any] = json.loads((folder / RUN).read_text("utf-8"))
    course = [json.loads(line) for line in (folder / COURSE).read_text("utf-8").splitlines()]
    sizes, settings, measured = about["sizes"], about["settings"], about["measured"]
    return {
        "parameters": count(parameters(folder / WEIGHTS)),
        "megabytes": plain((folder / WEIGHTS).stat().st_size / 1e6, 1),
        "sha256": about["data"]["sha256"],
        "learnt": count(about["data"]["learnt"]),
        "epochs": str(about["epochs"]),
        "planned": str(len(course)),
        "hours": plain(sum(one["seconds"] for one in course) / 3600, 1),
        "dropout": str(settings["drop"]),
        "decay": str(settings["decay"]),
        "validation": count(measured["validation"]["both"]["sentences"]),
        "validation_token": plain(measured["validation"]["both"]["token"], 1),
        "samples": "\n".join(f"| {begun} | {text} |" for begun, text in about["samples"].items()),
    } | {name: str(sizes[name]) for name in (
        "layers", "heads", "kv_heads", "width", "d_model", "d_ff", "places"
    )} | {"vocabulary": count(sizes["vocabulary"])} | {
        f"{figure}_{of}": plain(value, 2 if figure.startswith("character") else 1)
        if figure != "sentences" else count(int(value))
        for of, figures in measured["test"].items() for figure, value in figures.items()
    }  # fmt: skip
