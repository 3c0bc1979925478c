"""The Markdown files: what they link to is there, and each page stands in both languages."""

import re
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

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


@pytest.mark.parametrize("name", ["core.md", "core.zh.md"])
def test_the_blocks_of_python_run_pasted_as_one_cell(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those that need PyTorch where it is installed; ``tests/against`` runs them, too."""
    small = ROOT / "tests" / "core" / "models" / "data" / "checkpoints"
    (tmp_path / "models").mkdir()
    for model, folder in (("bert-base-chinese", "bert"), ("flan-t5-small", "t5")):
        (tmp_path / "models" / model).symlink_to(small / folder)
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(
        r"^```python\n(.*?)^```", (ROOT / "docs" / name).read_text("utf-8"), re.M | re.S
    )
    torch = find_spec("torch") is not None
    cell = "\n".join(block for block in blocks if torch or "import torch" not in block)
    found: dict[str, Any] = {}
    exec(compile(cell, name, "exec"), found)
    assert found["widget"].selection["part"] == "encoder/2/self"
    assert (tmp_path / "attention.html").stat().st_size > 100_000
