"""A page of the gallery as it was recorded, and its texts in every language."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from views.export.file import GAP
from views.export.gallery.entries import Entry
from views.export.gallery.markup import Markup, inline
from views.export.gallery.record import Recorded
from views.navigation import PAGE_INFO
from views.scene.naming import part_title
from views.text import GALLERY, LANGUAGES, Words
from views.text.spans import mathematics

FIRST = "en"  # the language before the browser's is known


def both(text: Callable[[Words], str], tag: str = "span") -> str:
    """The HTML of a text in every language; the style sheet shows the one that is chosen."""
    return "".join(
        f'<{tag} data-in="{code}" lang="{words.tag}">{text(words)}</{tag}>'
        for code, words in LANGUAGES.items()
    )


def said(text: Callable[[Words], str]) -> str:
    """One of the gallery's own texts in every language."""
    return both(lambda words: escape(text(GALLERY[words.code])))


def typeset(text: str) -> str:
    """The HTML of a text with its symbols as mathematics."""
    return inline(mathematics(text))


@dataclass(frozen=True)
class Page:
    """An entry that was recorded in every language."""

    entry: Entry
    recorded: Mapping[str, Recorded]
    markup: Markup

    @property
    def first(self) -> Recorded:
        """The page in the first language."""
        return self.recorded[FIRST]

    def title(self, words: Words) -> str:
        """What is shown, in a few words: its input, or else the page's title."""
        label = self.recorded[words.code].label
        if not label or self.entry.page == "story":
            return PAGE_INFO[words.code][self.entry.page].title
        part = self.entry.query.get("part")
        return GAP.join([label, part_title(part, words.code)] if part else [label])

    def about(self, words: Words) -> str:
        """The page's title, if it is not the title already, and its line."""
        info = PAGE_INFO[words.code][self.entry.page]
        lines = (info.title if self.title(words) != info.title else "", info.get("about", ""))
        return GAP.join(line for line in lines if line)

    def steps(self, code: str) -> dict[str, str]:
        """The names of the steps that its microscope has, by key."""
        saved = self.recorded[code].saved
        return saved.steps if saved else {}


def step_links(page: Page, steps: Sequence[str], file: str) -> str:
    """Links to steps of its microscope; file: where it is, or "" on the page itself."""

    def link(key: str) -> str:
        name = both(lambda words: escape(page.steps(words.code)[key]))
        return f'<a href="{file}#stage={key}">{name}</a>'

    return " ".join(map(link, steps))
