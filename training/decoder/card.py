"""The model card in both languages, with the figures of this training run."""

from pathlib import Path
from typing import Any

from training.cards import Fields, fill_templates, read_history
from views.text.numbers import count, plain


def cards(folder: Path) -> dict[str, str]:
    """The cards in both languages, by file name."""
    planned = len(read_history(folder))
    return fill_templates(
        folder,
        Path(__file__).parent,
        lambda run_data, _: {"planned": planned, **_fields(run_data)},
    )


def _fields(run_data: dict[str, Any]) -> Fields:
    validation = run_data["measured"]["validation"]["both"]
    return {
        "vocabulary": count(run_data["sizes"]["vocabulary"]),
        "dropout": run_data["settings"]["drop"],
        "decay": run_data["settings"]["decay"],
        "validation": count(validation["sentences"]),
        "validation_token": plain(validation["token"], 1),
        "samples": "\n".join(
            f"| {prompt} | {text} |" for prompt, text in run_data["samples"].items()
        ),
        **{
            f"{figure}_{subset}": count(value)
            if figure == "sentences"
            else plain(value, 2 if figure.startswith("character") else 1)
            for subset, figures in run_data["measured"]["test"].items()
            for figure, value in figures.items()
        },
    }
