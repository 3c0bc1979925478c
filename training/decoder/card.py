"""The model card in both languages: prose of the project with the figures of this training."""

import json
from pathlib import Path
from typing import Any

from safetensors import safe_open

from core.models.stored import RUN, WEIGHTS
from views.numbers import count, plain

COURSE = "epochs.jsonl"  # loss and perplexity while it was trained, a line an epoch
HERE = Path(__file__).parent
CARDS = {"card.md": "README.md", "card.zh.md": "README.zh.md"}


def write_cards(folder: Path) -> None:
    """Write the cards beside the weights."""
    for name, text in cards(folder).items():
        (folder / name).write_text(text, "utf-8")


def cards(folder: Path) -> dict[str, str]:
    """The card in both languages, by the name of its file."""
    numbers = _numbers(folder)
    return {
        name: (HERE / template).read_text("utf-8").format(**numbers)
        for template, name in CARDS.items()
    }


def _numbers(folder: Path) -> dict[str, str]:
    about: dict[str, Any] = json.loads((folder / RUN).read_text("utf-8"))
    course = [json.loads(line) for line in (folder / COURSE).read_text("utf-8").splitlines()]
    sizes, settings, measured = about["sizes"], about["settings"], about["measured"]
    return {
        "parameters": count(_parameters(folder / WEIGHTS)),
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


def _parameters(weights: Path) -> int:
    with safe_open(weights, "np") as file:
        return sum(file.get_tensor(key).size for key in file.keys())  # noqa: SIM118
