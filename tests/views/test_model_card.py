"""The model card of a shipped model as Markdown."""

from claims import for_all

from views.export.bundle import ASSETS
from views.text import LANGUAGES
from views.text.spans import mathematics_in
from views.widgets.model_card import card, joined


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
