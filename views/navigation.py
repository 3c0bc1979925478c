"""The pages of the app, in the order of the navigation, and what they have in common."""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from core.errors import InputError
from core.limits import IN_LINK, LIMITS, SENTENCE, SEQUENCE, SPLIT, TRANSLATED, WRITTEN, Limits
from core.models.by_hand import ROLES
from core.sources import text
from views.text import words_beside
from views.text.load import CODES

_FOLDER = Path(__file__).parents[1] / "pages"


@dataclass(frozen=True)
class Page:
    """A page: its name in the URL, its chapter, and its section within the chapter.

    Its folder is ``pages/<chapter>/<name>/``, or ``pages/<chapter>/`` for a chapter's own page.
    terms: the glossary terms that the page is about, beside those of the steps that it shows.
    figure, control: keys of the elements that presenter view shows beside the headline and what the
    page teaches: its one figure, and the control that steps through its settings. Without them
    the page's microscope is shown. guess: it opens there with its result hidden.
    reads: the limits of the text that it shares with the other pages that read one. sheet: whether
    it shares the numbers of the sheet.
    """

    name: str
    chapter: str
    section: str = ""
    terms: tuple[str, ...] = ()
    figure: tuple[str, ...] = ()
    control: tuple[str, ...] = ()
    guess: bool = False
    reads: Limits | None = None
    sheet: bool = False

    @property
    def folder(self) -> Path:
        """The folder of its code and words."""
        chapter = _FOLDER / self.chapter
        return chapter if self.name == self.chapter else chapter / self.name

    @property
    def script(self) -> Path:
        """The script that Streamlit runs."""
        return self.folder / "page.py"


TABLE = (
    Page("home", "start", figure=("claim", "same_word"), control=("same_word",)),
    Page(
        "story", "start",
        figure=("story", "finding", "text", "samples", "glance_card", "why"), control=("story",),
        reads=TRANSLATED,
    ),
    Page("class", "start"),
    Page("sentence", "see", reads=SENTENCE),
    Page("writing", "see", reads=WRITTEN),
    Page("translation", "see", reads=TRANSLATED),
    Page("image", "see"),
    Page("audio", "see"),
    Page("recorded", "see"),
    Page("checkpoint", "see"),
    Page("understand", "understand"),
    Page("by_hand", "understand", "by_hand", sheet=True),
    Page(
        "sizes", "understand", "by_hand", ("batch", "h", "n", "d_k", "d_model"),
        figure=("ladder",), control=("preset",),
    ),
    Page("errata", "understand", "by_hand", ("W_Q", "scaled", "masked", "weights")),
    Page(
        "predict", "understand", "by_hand", ("scores", "scaled", "weights", "head_output"),
        figure=("quiz_grids", "question_card", "sum_card"), control=("stage",),
        sheet=True,
    ),
    Page(
        "softmax", "understand", "experiments", ("scores", "weights"),
        figure=("score_sliders", "sum"), control=("temperature",),
    ),
    Page(
        "scaling", "understand", "experiments", ("scaled", "d_k", "weights"),
        figure=("raw_card", "divided_card"), control=("d_k",),
    ),
    Page("learning", "understand", "experiments", ("W_Q", "weights", "logits", "probabilities")),
    Page(
        "masks", "understand", "experiments", ("masked", "weights"),
        figure=("composition", "chain"), control=("way",),
    ),
    Page(
        "heads", "understand", "experiments",
        ("h", "d_k", "head_output", "concat", "W_O", "multi_head"),
        figure=("patterns",), control=("heads_choice",), guess=True, reads=SPLIT,
    ),
    Page(
        "order", "understand", "experiments", ("token", "position", "X", "output"),
        figure=("pieces", "grids_without", "grids_position"),
        control=("given", "reversed", "shuffled"), guess=True, reads=SEQUENCE,
    ),
    Page("cross", "understand", "experiments"),
    Page(
        "break_it", "understand", "experiments", ("d_k", "scaled", "masked", "weights", "concat"),
        figure=("wrong_line", "damage_card"), control=("mistake",), reads=LIMITS,
    ),
    Page(
        "before", "understand", "experiments", ("token", "X", "output"),
        figure=("net_card", "attention_card", "curve_card"), control=("radius",),
    ),
    Page(
        "around", "understand", "experiments", ("dropped", "residual", "normalised"),
        figure=("dropped_card",), control=("p",), reads=LIMITS,
    ),
    Page("glossary", "understand", "more"),
    Page("today", "today"),
    Page("grouped_query", "today", "variants"),
    Page("rotary", "today", "variants"),
    Page("kv_cache", "today", "variants"),
    Page("sliding_window", "today", "variants", ("sliding_window", "attention_sink")),
    Page("tiles", "today", "variants", ("flash_attention",)),
    Page("soft_cap", "today", "variants", ("soft_cap", "qk_norm", "attention_sink")),
    Page("latent", "today", "variants"),
)  # fmt: skip

TERMS = {page.name: page.terms for page in TABLE}
PAGES = {page.name: page.script for page in TABLE}
ON_WALL: dict[str, dict[str, Any]] = {
    page.name: {"figure": page.figure, "control": page.control, "guess": page.guess}
    for page in TABLE
}
TEXT = "text"  # the parameter of the pages that read a text
READERS = {page.name: page.reads for page in TABLE if page.reads}
SHEET = ("preset", "tokens", "divisor", *ROLES)  # the parameters of the pages with the sheet
SHEET_READERS = tuple(page.name for page in TABLE if page.sheet)
PAGE_INFO = {  # title and description by language and page: the table ``page`` of its texts
    code: {page.name: words_beside(page.script)[code].page for page in TABLE} for code in CODES
}
RENAMED = {"brakes": "soft_cap", "near_and_far": "sliding_window"}  # old links lead to the new name
MENU: dict[str, list[str]] = {}  # the pages of each chapter, a chapter's own page first
for _page in TABLE:
    MENU.setdefault(_page.chapter, []).append(_page.name)
MAIN_PAGES = (*MENU["start"], *MENU["see"])
CHAPTERS = {
    chapter: tuple(page.name for page in TABLE if page.chapter == chapter and page.section)
    for chapter in ("understand", "today")
}

# Where a page begins in the other language than that of the text it names itself.
FIRST_TEXTS = {
    "en": {
        **dict.fromkeys(("heads", "break_it", "around", "masks"), "I love Beijing"),
        "order": "Dog bites man",
    },
    "zh": {
        **dict.fromkeys(CHAPTERS["today"], "小猫在树上睡觉，因为它累了。"),
        "kv_cache": "小猫在树上睡觉，因为",
    },
}


def chapter_of(name: str) -> str:
    """The chapter of a page; its name is that of the chapter's contents page, if it has one."""
    return next(page.chapter for page in TABLE if page.name == name)


def section(name: str) -> tuple[str, ...]:
    """The names of the pages in a section of a chapter, in order."""
    return tuple(page.name for page in TABLE if page.section == name)


@lru_cache(maxsize=256)  # the menu asks for every page in every run
def reads(page: str, written: str) -> bool:
    """Whether a page reads a text: its language, and so many words and lines."""
    if (
        page not in READERS
        or len(written) > IN_LINK
        or len(written.splitlines()) > READERS[page].lines
    ):
        return False
    try:
        text.read(written, "word", READERS[page])
    except InputError:
        return False
    return page != "translation" or text.is_chinese(written)
