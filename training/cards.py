"""Model cards in both languages: a template each, filled with the figures of a training run."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from safetensors import safe_open

from core.models.stored import RUN, WEIGHTS
from views.text.numbers import count, per_cent, plain

HISTORY = "epochs.jsonl"  # the metrics of each epoch, one JSON object a line
FILE_NAMES = {"card.md": "README.md", "card.zh.md": "README.zh.md"}
Fields = Mapping[str, object]


def fill_templates(
    folder: Path, templates: Path, fields: Callable[[dict[str, Any], str], Fields]
) -> dict[str, str]:
    """The cards of the model in ``folder``, by file name.

    fields: gives the fields of a template from ``run.json`` and the template's name, beside those
    that all cards have.
    """
    run_data: dict[str, Any] = json.loads((folder / RUN).read_text("utf-8"))
    shared = _shared_fields(folder, run_data)
    return {
        name: (templates / template)
        .read_text("utf-8")
        .format_map({**shared, **fields(run_data, template)})
        for template, name in FILE_NAMES.items()
    }


def _shared_fields(folder: Path, run_data: dict[str, Any]) -> Fields:
    """The sizes of the model and of its file, its data and its training."""
    with safe_open(folder / WEIGHTS, "np") as file:
        parameters = sum(file.get_tensor(key).size for key in file.keys())  # noqa: SIM118
    history = read_history(folder)
    return {
        **run_data["sizes"],
        "parameters": count(parameters),
        "megabytes": plain((folder / WEIGHTS).stat().st_size / 1e6, 1),
        "sha256": run_data["data"]["sha256"],
        "learnt": count(run_data["data"]["learnt"]),
        "epochs": run_data["epochs"],
        "hours": plain(sum(epoch["seconds"] for epoch in history) / 3600, 1),
    }


def read_history(folder: Path) -> list[dict[str, Any]]:
    """The metrics of each epoch."""
    return [json.loads(line) for line in (folder / HISTORY).read_text("utf-8").splitlines()]


def head_table(shares: Sequence[Sequence[float]]) -> Fields:
    """The fields of a Markdown table with a row for each layer and a column for each head."""
    return {
        "head_names": " | ".join(str(head + 1) for head in range(len(shares[0]))),
        "head_rule": "|".join("---" for _ in shares[0]),
        "every_head": "\n".join(
            f"| {layer} | " + " | ".join(per_cent(share, 0) for share in row) + " |"
            for layer, row in enumerate(shares, start=1)
        ),
    }


def write(folder: Path, cards: Mapping[str, str]) -> None:
    """Write the cards into the folder of the weights."""
    for name, text in cards.items():
        (folder / name).write_text(text, "utf-8")
