"""The list of all pages on the first one: grouped, with previews, and a search over them."""

from collections.abc import Sequence
from html import escape

from views.export.gallery.page import FIRST, Page, both, said, step_links, typeset
from views.navigation import CHAPTERS, MAIN_PAGES, PAGE_INFO, chapter_of
from views.text import GALLERY, LANGUAGES, Words

FEW = ("X", "Q", "scores", "weights", "output")  # the steps that it links to


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
        f'<section id="gallery"><h2>{said(lambda texts: texts.title)}</h2>'
        f"<p class='lead'>{said(lambda texts: texts.intro.format(**counts))}</p>"
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
