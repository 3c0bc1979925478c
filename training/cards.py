"""Model cards in both languages: prose of the project with the figures of a training."""

from collections.abc import Callable, Mapping
from pathlib import Path

from safetensors import safe_open

COURSE = "epochs.jsonl"  # what was measured while it was trained, a line an epoch
CARDS = {"card.md": "README.md", "card.zh.md": "README.zh.md"}


def filled(templates: Path, numbers: Callable[[str], Mapping[str, str]]) -> dict[str, str]:
    """The card in both languages, by the name of its file. numbers: the fields of a template."""
    return {
        name: (templates / template).read_text("utf-8").format(**numbers(template))
        for template, name in CARDS.items()
    }


def write(folder: Path, cards: Mapping[str, str]) -> None:
    """Write the cards beside the weights."""
    for name, text in cards.items():
        (folder / name).write_text(text, "utf-8")


def parameters(weights: Path) -> int:
    """How many numbers a model has."""
    with safe_open(weights, "np") as file:
        return sum(file.get_tensor(key).size for key in file.keys())  # noqa: SIM118
