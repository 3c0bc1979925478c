"""The pages of the app, in the order of their doors: one table, from which all else is counted."""

from dataclasses import dataclass
from pathlib import Path

_FOLDER = Path(__file__).parents[1] / "pages"


@dataclass(frozen=True)
class Page:
    """A page: its name in the URL and in the words, its chapter, and its section there.

    Its folder is ``pages/<chapter>/<name>/``; the page of a whole chapter stands in the chapter's.
    terms: those of the glossary that it is about; none where it shows a step, which names its own.
    """

    name: str
    chapter: str
    section: str = ""
    terms: tuple[str, ...] = ()

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
    Page("story", "start"),
    Page("sentence", "see"),
    Page("translation", "see"),
    Page("image", "see"),
    Page("audio", "see"),
    Page("checkpoint", "see"),
    Page("understand", "understand"),
    Page("by_hand", "understand", "by_hand"),
    Page("sizes", "understand", "by_hand", ("batch", "h", "n", "d_k", "d_model")),
    Page("errata", "understand", "by_hand", ("W_Q", "scaled", "masked", "weights")),
    Page("predict", "understand", "by_hand", ("scores", "scaled", "weights", "head_output")),
    Page("softmax", "understand", "experiments", ("scores", "weights")),
    Page("scaling", "understand", "experiments", ("scaled", "d_k", "weights")),
    Page("masks", "understand", "experiments", ("masked", "weights")),
    Page(
        "heads", "understand", "experiments",
        ("h", "d_k", "head_output", "concat", "W_O", "multi_head"),
    ),
    Page("order", "understand", "experiments", ("token", "position", "X", "output")),
    Page("cross", "understand", "experiments"),
    Page("break_it", "understand", "experiments", ("d_k", "scaled", "masked", "weights", "concat")),
    Page("before", "understand", "experiments", ("token", "X", "output")),
    Page("around", "understand", "experiments", ("dropped", "residual", "normalised")),
    Page("glossary", "understand", "more"),
)  # fmt: skip

TERMS = {page.name: page.terms for page in TABLE}
PAGES = {page.name: page.script for page in TABLE}
FRONT_DOORS = tuple(page.name for page in TABLE if page.chapter in ("start", "see"))
UNDERSTAND = tuple(page.name for page in TABLE if page.section)


def section(name: str) -> tuple[str, ...]:
    """The pages of a section of the chapter ``understand``."""
    return tuple(page.name for page in TABLE if page.section == name)
