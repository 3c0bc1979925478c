"""The pages of the app, in the order of their doors: one table, from which all else is counted."""

from dataclasses import dataclass
from pathlib import Path

_FOLDER = Path(__file__).parents[1] / "pages"


@dataclass(frozen=True)
class Page:
    """A page: its name in the URL and in the words, its chapter, and its section there.

    Its folder is ``pages/<chapter>/<name>/``; the page of a whole chapter stands in the chapter's.
    """

    name: str
    chapter: str
    section: str = ""

    @property
    def folder(self) -> Path:
        """Where all of it stands."""
        chapter = _FOLDER / self.chapter
        return chapter if self.name == self.chapter else chapter / self.name

    @property
    def script(self) -> Path:
        """What Streamlit runs."""
        return self.folder / "page.py"


TABLE = (
    Page("home", "start"),
    Page("sentence", "see"),
    Page("translation", "see"),
    Page("image", "see"),
    Page("audio", "see"),
    Page("checkpoint", "see"),
    Page("understand", "understand"),
    Page("by_hand", "understand", "by_hand"),
    Page("sizes", "understand", "by_hand"),
    Page("errata", "understand", "by_hand"),
    Page("predict", "understand", "by_hand"),
    Page("softmax", "understand", "experiments"),
    Page("scaling", "understand", "experiments"),
    Page("masks", "understand", "experiments"),
    Page("heads", "understand", "experiments"),
    Page("order", "understand", "experiments"),
    Page("cross", "understand", "experiments"),
    Page("break_it", "understand", "experiments"),
    Page("before", "understand", "experiments"),
    Page("around", "understand", "experiments"),
    Page("glossary", "understand", "more"),
)

PAGES = {page.name: page.script for page in TABLE}
FRONT_DOORS = tuple(page.name for page in TABLE if page.chapter in ("start", "see"))
UNDERSTAND = tuple(page.name for page in TABLE if page.section)


def section(name: str) -> tuple[str, ...]:
    """The pages of a section of the chapter ``understand``."""
    return tuple(page.name for page in TABLE if page.section == name)
