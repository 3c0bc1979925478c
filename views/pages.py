"""The pages of the app: the name in the URL and in the words → the script."""

from pathlib import Path

_FOLDER = Path(__file__).parents[1] / "pages"

PAGES = {
    "home": _FOLDER / "start" / "home.py",
    "sentence": _FOLDER / "see" / "sentence.py",
    "image": _FOLDER / "see" / "image.py",
}
