"""The files of the gallery: contents, links, and no request to another host."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from saved_pieces import saved_pieces

from views.export.bundle import page_script
from views.export.gallery import pictures
from views.export.gallery.entries import ENTRIES, LEFT_OUT
from views.export.gallery.markup import inline, markdown
from views.export.gallery.site import COMMAND, Site
from views.export.pieces import Pieces
from views.navigation import CHAPTERS, PAGE_INFO, PAGES
from views.text import LANGUAGES

NAMES = ("index", "story", "sentence-causal", "writing", "by_hand-padded", "softmax", "soft_cap")
ADDRESS = "https://gallery.example/sub"
OWN = {f"http://www.w3.org/{name}" for name in ("2000/svg", "1998/Math/MathML", "1999/xlink")}


class Links(HTMLParser):
    """All that a page refers to, and its meta elements."""

    def __init__(self, page):
        super().__init__(convert_charrefs=True)
        self.hrefs, self.sources, self.meta, self.ids = [], [], {}, set()
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        self.hrefs += [found["href"]] if "href" in found else []
        self.sources += [found[name] for name in ("src", "srcset") if name in found]
        self.ids.add(found.get("id"))
        if tag == "meta":
            name = found.get("property") or found.get("name") or found.get("http-equiv")
            self.meta[name] = found.get("content")


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A few of its pages, as text by name; and the folder."""
    out = tmp_path_factory.mktemp("gallery")
    Site(address=ADDRESS).build(out, [one for one in ENTRIES if one.name in NAMES])
    return out, {file.stem: file.read_text("utf-8") for file in out.glob("*.html")}


def payload(page):
    found = re.search(r'id="contents">(.*?)</script>', page, re.DOTALL)
    return json.loads(found[1])["parts"][0] if found else None


def steps_of(page):
    """The steps of a page's microscope, as its scene has them."""
    if not (shown := payload(page)):
        return ()
    pieces = saved_pieces(page)
    scene = b"".join(pieces[name] for name in shown["scenes"]["en"][0]).decode("utf-8", "replace")
    steps, _ = json.JSONDecoder().raw_decode(scene.partition('"steps":')[2])
    return [step["key"] for step in steps if not step["absent"]]


def test_every_page_but_the_interactive_ones_is_in_the_gallery():
    assert {one.page for one in ENTRIES} | {*LEFT_OUT} | {*CHAPTERS} == {*PAGES}
    assert len({one.name for one in ENTRIES}) == len(ENTRIES) > 45


def test_every_link_leads_to_an_existing_page_and_step(site):
    _, pages = site
    links = {name: Links(page) for name, page in pages.items()}
    steps = {name: steps_of(page) for name, page in pages.items()}
    wrong = []
    for name in pages:
        for href in links[name].hrefs:
            file, _, fragment = href.partition("#")
            target = file.removesuffix(".html") or name
            there = {"", *links[target].ids, *steps[target]} if target in pages else ()
            wrong += [] if fragment.removeprefix("stage=") in there else [f"{name}: {href}"]
    assert not wrong
    assert "sentence-causal.html#stage=scores" in links["index"].hrefs


def test_a_page_makes_no_request(site):
    _, pages = site
    for name, page in pages.items():
        assert all(source.startswith("data:image/") for source in Links(page).sources), name
        policy = Links(page).meta["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "connect-src" not in policy
        pieces = [piece.decode("utf-8", "replace") for piece in saved_pieces(page).values()]
        (script,) = (piece for piece in pieces if "globalThis.components" in piece)
        for run in (page[page.rindex("<script") :], script):
            assert not re.search(r"\bfetch\(|XMLHttpRequest|WebSocket|sendBeacon", run)
        whole = page + "".join(pieces)
        assert "@import" not in whole
        # To its end: three of its letters may also come together in the packed numbers.
        assert not re.search(r"url\([\"']?[\w./:-]+[\"']?\)", whole)
        hosts = {*re.findall(r"https?://[^\"'`\s<>)&]+", whole)} - OWN
        assert all(host.startswith(ADDRESS) for host in hosts), (name, hosts)


def test_a_page_has_titles_in_both_languages_and_a_preview(site):
    out, pages = site
    for one in ENTRIES:
        if one.name not in pages:
            continue
        page, links = pages[one.name], Links(pages[one.name])
        for code, words in LANGUAGES.items():
            assert f'<article data-in="{code}" lang="{words.tag}">' in page
            title = words.product if one.page == "home" else PAGE_INFO[code][one.page].title
            assert title in page
        if shown := payload(page):
            assert {*shown["languages"]} == {*shown["scenes"]} == {*LANGUAGES}
        assert links.meta["og:image"] == f"{ADDRESS}/{one.name}.png"
        assert links.meta["og:title"]
        with Image.open(out / f"{one.name}.png") as picture:
            assert picture.size == pictures.SOCIAL


def test_a_page_is_small_and_opens_at_the_cell_of_the_page(site):
    _, pages = site
    assert max(len(page.encode()) for page in pages.values()) < 1_000_000
    capped = payload(pages["soft_cap"])
    tokens = capped["languages"]["en"]["facts"][0][1].split()
    assert capped["start"]["positions"]["query"] == len(tokens) - 1  # its subject is the last row


def test_data_common_to_both_languages_is_stored_once():
    pieces, photo = Pieces(), "x" * 3000
    packed = [pieces.packed({"label": label, "photo": [photo]}) for label in ("照片", "Photo")]
    assert [*pieces.names] == [photo.encode()]
    assert json.loads(packed[0]) == {"label": "照片", "photo": ["piece of the page: piece-0"]}


def test_a_module_of_several_components_is_included_once():
    def bundle(module, main):
        return f"const $m = (() => {{\n{module}\nreturn {{ a }};\n}})();\n" + main

    main = "const { a } = $m;\nexport default function () { return a; }\n"
    bundles = {"one": bundle("const a = 1;", main), "two": bundle("const a = 1;", main)}
    script = page_script(bundles | {"other": bundle("const a = 2;", main)}, [])
    assert (script.count("const a = 1;"), script.count("const a = 2;")) == (1, 1)
    assert script.index("const a = 1;") < script.index("one: ") < script.index("const a = 2;")
    # What needs a module that stays in its bundle, as that of a worker does, stays there too.
    of_worker = "const $$w = () => {\nreturn { };\n};\nconst $w = $$w();\n"
    using = f"{of_worker}{bundle('const { } = $w;', main)}"
    script = page_script({"one": using}, [using])
    assert script.index("one: ") < script.index("const { } = $w;")
    assert script.count("const { } = $w;") == 2


def test_a_page_links_to_the_hosted_app_or_shows_the_command(site, tmp_path):
    _, pages = site
    assert f"\n{COMMAND}\n" in (Path(__file__).parents[3] / "README.md").read_text("utf-8")
    assert all(COMMAND.replace("&", "&amp;") in page for page in pages.values())
    Site(app="https://app.example/sub/").build(
        tmp_path, [one for one in ENTRIES if one.name == "sentence-causal"]
    )
    page = (tmp_path / "sentence-causal.html").read_text("utf-8")
    query = "text=%E6%88%91%E7%88%B1%E5%8C%97%E4%BA%AC&mask=causal&model=seeded"
    assert f"https://app.example/sub/sentence?{query}&lang=zh" in Links(page).hrefs
    assert COMMAND.replace("&", "&amp;") not in page


def test_markdown_is_rendered_and_html_escaped():
    assert inline(r"**a\_b** `c` <i>") == "<strong>a_b</strong> <code>c</code> &lt;i&gt;"
    assert inline(r"$\sqrt{d_{k}}$ \$") == '<span class="symbol">√d<sub>k</sub></span> $'
    assert inline("$W^{Q}$") == '<span class="symbol">W<sup>Q</sup></span>'
    assert markdown("## A & b") == "<h3>A &amp; b</h3>"
    table = markdown("| a | b |\n|:--|:--|\n| 1 | **2** |")
    assert "<tr><th>a</th><th>b</th></tr>" in table
    assert "<tr><td>1</td><td><strong>2</strong></td></tr>" in table


def test_a_preview_is_drawn_from_the_numbers():
    drawn = pictures.Drawn.of_table(np.array([[0.0, 1.0]] * 2))
    file = drawn.social(("A",), "", "")
    assert file.startswith(b"\x89PNG")
    assert drawn.small("dark") != drawn.small("light")
