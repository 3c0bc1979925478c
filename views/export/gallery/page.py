"""A page of the gallery in every language, and the list of all pages on the first one."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from views.export.file import GAP
from views.export.gallery.entries import Entry
from views.export.gallery.markup import Markup, inline
from views.export.gallery.record import Recorded
from views.navigation import CHAPTERS, MAIN_PAGES, PAGE_INFO, chapter_of
from views.scene.naming import part_title
from views.text import GALLERY, LANGUAGES, Words
from views.text.spans import mathematics

FIRST = "en"  # the language before the browser's is known
FEW = ("X", "Q", "scores", "weights", "output")  # the steps that it links to


def both(text: Callable[[Words], str], tag: str = "span") -> str:
    """The HTML of a text in every language; the style sheet shows the one that is chosen."""
    return "".join(
        f'<{tag} data-in="{code}" lang="{words.tag}">{text(words)}</{tag}>'
        for code, words in LANGUAGES.items()
    )


def gallery_text(text: Callable[[Words], str]) -> str:
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
        """A short caption: the input, or else the page's title."""
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


def index(pages: Sequence[Page]) -> str:
    """The search and all pages, grouped as the app's navigation groups them."""
    shown = [page for page in pages if page.entry.page != "home"]
    groups: dict[str, list[Page]] = {}
    for page in shown:
        groups.setdefault(_group(page), []).append(page)
    microscopes = sum(page.first.saved is not None for page in shown)
    counts = {"microscopes": microscopes, "pages": len(shown)}
    lists = "".join(_group_of_cards(name, group) for name, group in groups.items())
    hints = " ".join(
        f'data-hint-{code}="{escape(texts.hint)}" data-found-{code}="{escape(texts.found)}" '
        f'data-label-{code}="{escape(texts.search)}" data-none-{code}="{escape(texts.none)}"'
        for code, texts in GALLERY.items()
    )
    return (
        f'<section id="gallery"><h2>{gallery_text(lambda texts: texts.title)}</h2>'
        f"<p class='lead'>{gallery_text(lambda texts: texts.intro.format(**counts))}</p>"
        f'<input id="search" type="search" {hints}><p id="found" role="status"></p>{lists}'
        "</section>"
    )


def _group_of_cards(name: str, pages: Sequence[Page]) -> str:
    title = both(lambda words: escape(_group_title(name, words)))
    cards = "".join(_card(page) for page in pages)
    return f'<section id="{name}"><h3>{title}</h3><ul class="entries">{cards}</ul></section>'


def _group(page: Page) -> str:
    name = page.entry.page
    return name if name in MAIN_PAGES and name != "story" else chapter_of(name)


def _group_title(name: str, words: Words) -> str:
    if name in CHAPTERS or name in MAIN_PAGES:
        return PAGE_INFO[words.code][name].title
    return GALLERY[words.code].start


def _card(page: Page) -> str:
    text = " ".join(
        part
        for words in LANGUAGES.values()
        for part in (page.title(words), page.about(words), page.recorded[words.code].lead)
    )
    few = [key for key in FEW if key in page.steps(FIRST)]
    drawn = page.first.drawn
    picture = (
        f'<picture><source media="(prefers-color-scheme: dark)" srcset="{drawn.small("dark")}">'
        f'<img alt="" src="{drawn.small("light")}"></picture>'
        if drawn
        else ""
    )
    return (
        f'<li data-find="{escape(text.lower())}"><a class="card" href="{page.entry.file}">{picture}'
        f"<b>{both(lambda words: typeset(page.title(words)))}</b>"
        f"<span class='caption'>{both(lambda words: typeset(page.about(words)))}</span></a>"
        f'<p class="few">{step_links(page, few, page.entry.file)}</p></li>'
    )
