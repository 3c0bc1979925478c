"""Model cards in both languages: a template each, filled with the figures of a training run."""

from collections.abc import Callable, Mapping
from pathlib import Path

from safetensors import safe_open

HISTORY = "epochs.jsonl"  # the metrics of each epoch, one JSON object a line
FILE_NAMES = {"card.md": "README.md", "card.zh.md": "README.zh.md"}


def fill_templates(templates: Path, numbers: Callable[[str], Mapping[str, str]]) -> dict[str, str]:
    """The cards by file name. numbers: gives the fields of a template by its name."""
    return {
        name: (templates / template).read_text("utf-8").format(**numbers(template))
        for template, name in FILE_NAMES.items()
    }


def write(folder: Path, cards: Mapping[str, str]) -> None:
    """Write the cards into the folder of the weights."""
    for name, text in cards.items():
        (folder / name).write_text(text, "utf-8")


def parameter_count(weights: Path) -> int:
    """The number of parameters in a safetensors file."""
    with safe_open(weights, "np") as file:
        return sum(file.get_tensor(key).size for key in file.keys())  # noqa: SIM118
