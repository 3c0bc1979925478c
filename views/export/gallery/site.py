"""The files of the gallery: an index, and one page for each entry, in both languages."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from views.export.bundle import ASSETS, bundle_css, bundle_js, component_js, page_script
from views.export.file import GAP, file_script, image, microscope_style, policy
from views.export.gallery.entries import ENTRIES, Entry
from views.export.gallery.markup import Markup
from views.export.gallery.page import FIRST, Page, both, gallery_text, index, step_links, typeset
from views.export.gallery.record import Recorder
from views.export.pieces import Pieces, data_scripts
from views.figures.chart import plotly_script
from views.figures.palette import dark_colours
from views.navigation import CHAPTERS, PAGE_INFO
from views.text import GALLERY, LANGUAGES, Words

COMMAND = (
    "python3 -m venv .venv && .venv/bin/pip install -q -r requirements.txt"
    " && .venv/bin/streamlit run app.py"
)


@dataclass(frozen=True)
class Site:
    """Where the gallery will be read.

    app: the address of a hosted app, or "". address: the gallery's own, or "", without which
    previews are linked relatively. font: for the previews' titles, or "" for Pillow's own.
    """

    app: str = ""
    address: str = ""
    font: str = ""

    def build(self, out: Path, entries: Sequence[Entry] = ENTRIES) -> list[Page]:
        """Write the site to a folder; its pages. Raises RuntimeError if a page fails."""
        out.mkdir(parents=True, exist_ok=True)
        (out / "plotly.min.js").write_text(plotly_script(), "utf-8")
        pages = self._recorded(entries)
        for i, page in enumerate(pages):
            around = (pages[i - 1] if i else None, pages[i + 1] if i + 1 < len(pages) else None)
            (out / page.entry.file).write_text(self._html(page, pages, around), "utf-8")
            if page.first.drawn:
                titles = dict.fromkeys(page.title(words) for words in self._drawn_languages)
                (out / f"{page.entry.name}.png").write_bytes(
                    page.first.drawn.social(
                        (*titles, page.about(LANGUAGES[FIRST])),
                        LANGUAGES[FIRST].product,
                        self.font,
                    )
                )
        return pages

    @property
    def _drawn_languages(self) -> list[Words]:
        return [words for code, words in LANGUAGES.items() if self.font or code == FIRST]

    def _recorded(self, entries: Sequence[Entry]) -> list[Page]:
        def link(name: str, query: Mapping[str, str]) -> str:
            return self._link(name, query, entries)

        recorders, pages = {code: Recorder(code) for code in LANGUAGES}, []
        for entry in entries:
            titles = frozenset(typeset(_heading(entry, words)) for words in LANGUAGES.values())
            markup = Markup(Pieces(), link, titles)
            recorded = {
                code: recorder.record(entry, markup, self._app_page(entry, code))
                for code, recorder in recorders.items()
            }
            pages.append(Page(entry, recorded, markup))
        return pages

    def _app_page(self, entry: Entry, code: str) -> str:
        """The address of an entry's page in the hosted app, or ""."""
        page = "" if entry.page == "home" else entry.page
        query = urlencode({**entry.query, "lang": code})
        return f"{self.app.rstrip('/')}/{page}?{query}" if self.app else ""

    def _html(
        self, page: Page, pages: Sequence[Page], around: tuple[Page | None, Page | None]
    ) -> str:
        markup = page.markup
        articles = both(lambda words: page.recorded[words.code].article, "article")
        is_index = page.entry.page == "home"
        payload = _payload(page)
        begin = f"\n{bundle_js(ASSETS / 'gallery' / 'begin.js')}"
        own = [bundle_js(ASSETS / "gallery" / "gallery.js"), *[file_script()] * bool(payload)]
        script = page_script({name: component_js(name) for name in sorted(markup.used)}, own)
        parts = {"script": markup.pieces.name(script.encode())}
        if payload:
            parts["style"] = markup.pieces.name(microscope_style().encode())
        named = " ".join(f'data-{part}="{name}"' for part, name in parts.items())
        microscope = '<div id="microscope"></div>' if payload else ""
        saved = page.first.saved
        heading = both(lambda words: typeset(_heading(page.entry, words)))
        return f"""<!DOCTYPE html>
<html lang="{FIRST}">
<head>
{self._head(page, policy(begin, script, beside=True))}
<style>
{bundle_css(ASSETS / "gallery" / "gallery.css")}</style>
</head>
<body class="page-{page.entry.page}" data-last="{page.entry.query.get("scene", "")}" {named}>
<header>{_down() if is_index else _way(around)}<h1>{heading}</h1>{_languages()}\
{image(saved.picture) if saved else ""}<dl></dl><p id="head-note" role="status"></p></header>
{_steps(page)}
<main>{microscope}{articles}{index(pages) if is_index else ""}</main>
{self._own(page)}
{"" if is_index else f"<footer>{_way(around)}</footer>"}
<p id="needs" role="status" hidden>{gallery_text(lambda texts: texts.needs_app)}</p>
{_settings(page)}
{data_scripts(markup.pieces, payload)}
<script type="module">{begin}</script>
</body>
</html>
"""

    def _head(self, page: Page, allowed: str) -> str:
        words = LANGUAGES[FIRST]
        titles = " / ".join(dict.fromkeys(page.title(words) for words in LANGUAGES.values()))
        about = " / ".join(dict.fromkeys(page.about(words) for words in LANGUAGES.values()))
        file, base = page.entry.file, f"{self.address.rstrip('/')}/" if self.address else ""
        picture = f"{base}{page.entry.name}.png" if page.first.drawn else ""
        facts = {
            "og:type": "website", "og:site_name": words.product, "og:title": titles,
            "og:description": about, "og:image": picture, "og:url": base and f"{base}{file}",
        }  # fmt: skip
        tags = "".join(
            f'<meta property="{name}" content="{escape(text)}">\n'
            for name, text in facts.items()
            if text
        )
        return f"""<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{allowed}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="description" content="{escape(about)}">
<meta name="twitter:card" content="summary_large_image">
{tags}<title>{escape(GAP.join((titles, words.product)))}</title>"""

    def _link(self, name: str, query: Mapping[str, str], entries: Sequence[Entry]) -> str:
        """The page of the gallery that a link of the app leads to, or else the app's, or ""."""
        found = next((one.file for one in entries if one.page == (name or "home")), "")
        if name in CHAPTERS:
            found = f"index.html#{name}"
        if found or not self.app:
            return found
        return f"{self.app.rstrip('/')}/{name}?{urlencode(query)}"

    def _own(self, page: Page) -> str:
        hosted = both(
            lambda words: (
                f'<a class="app" href="{escape(self._app_page(page.entry, words.code))}">'
                f"{escape(GALLERY[words.code].own_hosted)}</a>"
            )
        )
        heading, how, note = (
            gallery_text(lambda texts: texts.own),
            gallery_text(lambda texts: texts.own_local),
            gallery_text(lambda texts: texts.still),
        )
        local = f"<p>{how}</p><pre><code>{escape(COMMAND)}</code></pre>"
        return (
            f'<section class="own"><h2>{heading}</h2>{hosted if self.app else local}'
            f"<p class='quiet'>{note}</p></section>"
        )


def _payload(page: Page) -> dict[str, Any] | None:
    """The data that ``file.js`` reads: texts and scenes of the page in every language."""
    saved = {code: recorded.saved for code, recorded in page.recorded.items()}
    if any(one is None for one in saved.values()):
        return None
    contents = {code: one.contents for code, one in saved.items() if one}
    merged = {
        part: {code: one[part][code] for code, one in contents.items()}
        for part in ("languages", "scenes")
    }
    return {"language": FIRST, "part": 0, "parts": [{**contents[FIRST], **merged}]}


def _settings(page: Page) -> str:
    titles = {
        code: GAP.join((page.title(words), words.product)) for code, words in LANGUAGES.items()
    }
    text = json.dumps(titles, ensure_ascii=False).replace("<", "\\u003c")
    return (
        f'<script type="application/json" id="titles">{text}</script>\n'
        f'<script type="application/json" id="dark">{json.dumps(dark_colours())}</script>'
    )


def _heading(entry: Entry, words: Words) -> str:
    """The headline of a page: the app's name on the index."""
    return words.product if entry.page == "home" else PAGE_INFO[words.code][entry.page].title


def _languages() -> str:
    return "<nav>" + "".join(
        f'<button data-language="{code}" lang="{words.tag}">{words.name}</button>'
        for code, words in LANGUAGES.items()
    ) + "</nav>"  # fmt: skip


def _down() -> str:
    """A link to the list of pages, below what the home page shows."""
    return f'<p class="way"><a href="#gallery">{gallery_text(lambda texts: texts.all)} ↓</a></p>'


def _way(around: tuple[Page | None, Page | None]) -> str:
    """Links to the index and to the pages before and after."""
    before, after = around
    links = [f'<a href="index.html">{gallery_text(lambda texts: texts.all)}</a>']
    if before:
        links.append(_beside(before, "prev", f"← {gallery_text(lambda texts: texts.previous)}"))
    if after:
        links.append(_beside(after, "next", f"{gallery_text(lambda texts: texts.next)} →"))
    return f'<p class="way">{"".join(links)}</p>'


def _beside(page: Page, rel: str, text: str) -> str:
    title = " / ".join(dict.fromkeys(page.title(words) for words in LANGUAGES.values()))
    return f'<a rel="{rel}" href="{page.entry.file}" title="{escape(title)}">{text}</a>'


def _steps(page: Page) -> str:
    steps = page.steps(FIRST)
    if not steps:
        return ""
    links = step_links(page, [*steps], "")
    return f'<nav class="steps"><b>{gallery_text(lambda texts: texts.steps)}</b> {links}</nav>'
