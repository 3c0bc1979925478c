"""The pages of the app: the name in the URL and in the words → the script."""

from pathlib import Path

_FOLDER = Path(__file__).parents[1] / "pages"

BY_HAND = ("by_hand", "sizes", "errata", "predict")
EXPERIMENTS = (
    "softmax", "scaling", "masks", "heads", "order", "cross", "break_it", "before", "around",
)  # fmt: skip
UNDERSTAND = (*BY_HAND, *EXPERIMENTS, "glossary")

FRONT_DOORS = ("home", "sentence", "translation", "image", "audio", "checkpoint")

PAGES = {
    "home": _FOLDER / "start" / "home.py",
    "sentence": _FOLDER / "see" / "sentence.py",
    "translation": _FOLDER / "see" / "translation.py",
    "image": _FOLDER / "see" / "image.py",
    "audio": _FOLDER / "see" / "audio.py",
    "checkpoint": _FOLDER / "see" / "checkpoint.py",
    **{name: _FOLDER / "understand" / f"{name}.py" for name in ("understand", *UNDERSTAND)},
}
