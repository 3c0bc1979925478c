"""The Markdown files: what they link to is there, and each page stands in both languages."""

import re
from pathlib import Path

from core.models.families import FAMILIES, TOWERS

ROOT = Path(__file__).parents[1]
PAGES = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), ROOT / "training/README.md"]
LINK = re.compile(r"\]\(([^)\s]+)\)")


def anchors(page: Path) -> set[str]:
    """The fragments of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_every_link_in_the_documentation_leads_somewhere() -> None:
    broken = []
    for page in PAGES:
        for link in LINK.findall(page.read_text("utf-8")):
            path, _, fragment = link.partition("#")
            target = (page.parent / path).resolve() if path else page
            if "://" in link:
                continue
            if not target.exists() or (fragment and fragment not in anchors(target)):
                broken.append(f"{page.relative_to(ROOT)}: {link}")
    assert broken == []


def test_every_page_for_readers_stands_in_both_languages() -> None:
    pages = {page.name for page in (*ROOT.glob("README*.md"), *ROOT.glob("docs/*.md"))}
    stems = {re.sub(r"(\.zh)?\.md$", "", page) for page in pages}
    assert pages == {stem + end for stem in stems for end in (".md", ".zh.md")}
    assert (ROOT / "README.md").stat().st_size <= 8_000


def test_every_model_type_that_opens_is_named_in_the_documentation() -> None:
    named = {*FAMILIES, *TOWERS} - {f"clip_{tower}_model" for tower in ("text", "vision")}
    missing = [
        f"{page}: {model_type}"
        for page in ("own-models.md", "own-models.zh.md")
        for model_type in sorted(named)
        if f"`{model_type}`" not in (ROOT / "docs" / page).read_text("utf-8")
    ]
    assert missing == []
