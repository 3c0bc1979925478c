"""The model card of a shipped model as Markdown."""

import re

import pytest
from claims import for_all

from views.export.bundle import ASSETS
from views.text import LANGUAGES
from views.text.spans import mathematics_in
from views.widgets.model_card import card, joined

MARKS = r"[\u3000-\u303f\uff00-\uffef]"


@for_all("name", ["translator", "vision"])
@for_all("code", ["zh", "en"])
def test_a_card_is_complete_but_for_title_and_language_link(name, code):
    ending, other = {"en": ("md", "zh.md"), "zh": ("zh.md", "md")}[code]
    title, *lines = (ASSETS / "models" / name / f"README.{ending}").read_text("utf-8").splitlines()
    link = {"en": "[中文]", "zh": "[English]"}[code] + f"(README.{other})"
    assert title.startswith("# ")
    assert sum(link in line for line in lines) == 1
    bare = [line.replace(link, "").rstrip() for line in lines]
    expected = [f"### {line[3:]}" if line.startswith("## ") else line for line in bare if line]
    shown = card(name, LANGUAGES[code])
    whole = mathematics_in("".join(expected))
    assert "".join(shown.split()) == "".join(whole.split())
    assert shown.count("### ") >= 4


def test_a_language_without_a_card_has_the_english_one():
    words = LANGUAGES["en"]
    assert card("vision", words | {"code": "nn"}) == card("vision", words)


@pytest.mark.parametrize("name", ["translator", "vision"])
def test_a_card_is_in_the_requested_language(name):
    chinese, english = (card(name, LANGUAGES[code]) for code in ("zh", "en"))
    assert "训练" in chinese.split("###")[1] + chinese.split("###")[2]
    assert "训练" not in english.split("### ")[1]


@pytest.mark.parametrize("name", ["translator", "vision"])
def test_no_chinese_mark_is_followed_by_a_gap(name):
    shown = card(name, LANGUAGES["zh"])
    blocks = r"(?=\n|\||#|- |$)"  # another paragraph, table, heading or item is no gap
    assert not re.findall(rf".*{MARKS} +[^\s|].*|.*{MARKS}\n(?! *{blocks}).*", shown)


@pytest.mark.parametrize("name", ["translator", "vision"])
def test_every_heading_of_a_card_has_its_own_line(name):
    for ending, code in (("md", "en"), ("zh.md", "zh")):
        text = (ASSETS / "models" / name / f"README.{ending}").read_text("utf-8")
        shown = card(name, LANGUAGES[code])
        headings = re.findall(r"^## (.+)$", text, re.M)
        assert re.findall(r"^### (.+)$", shown, re.M) == headings


@for_all(
    ("written", "shown"),
    [
        ("中文\n两行", "中文两行"),
        ("一句；\n  这里", "一句；这里"),
        ("层，每层：\nd = 1", "层，每层：d = 1"),
        ("权重\n（舍入）", "权重（舍入）"),
        ("英文词\n245 个", "英文词\n245 个"),
        ("two\nlines", "two\nlines"),
        ("## 标题\n一段", "## 标题\n一段"),
        ("一段。\n\n又一段", "一段。\n\n又一段"),
        ("- 一项。\n- 又一项", "- 一项。\n- 又一项"),
        ("| 表 |\n|---|\n| 一 |", "| 表 |\n|---|\n| 一 |"),
        ("一段。\n| 表 |", "一段。\n| 表 |"),
        ("一段，\n**要紧**", "一段，**要紧**"),
    ],
)
def test_lines_of_chinese_are_joined_without_gaps(written, shown):
    assert joined(written) == shown


@for_all("name", ["translator", "vision", "decoder"])
def test_bold_in_a_chinese_card_ends_before_its_mark(name):
    """Behind a mark and before a letter, Markdown shows ``**`` as it is typed."""
    shown = card(name, LANGUAGES["zh"])
    pieces = shown.split("**")
    assert len(pieces) % 2 and len(pieces) > 1
    ends = zip(pieces[1::2], pieces[2::2], strict=True)
    assert not [one for one, after in ends if one[-1] in "：，。；）”" and after[0].isalnum()]
