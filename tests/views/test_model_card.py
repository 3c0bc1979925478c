"""The card of a shipped model, as it is shown in a drawer."""

import pytest

from views.text import LANGUAGES
from views.widgets.component import ASSETS
from views.widgets.model_card import card


@pytest.mark.parametrize("name", ["translator", "vision"])
@pytest.mark.parametrize("code", LANGUAGES)
def test_a_card_is_shown_whole_but_for_its_title_and_the_way_to_the_other_language(name, code):
    ending, other = {"en": ("md", "zh.md"), "zh": ("zh.md", "md")}[code]
    title, *lines = (ASSETS / "models" / f"{name}.{ending}").read_text("utf-8").splitlines()
    link = {"en": "[中文]", "zh": "[English]"}[code] + f"({name}.{other})"
    assert title.startswith("# ")
    assert sum(link in line for line in lines) == 1
    kept = [line.replace(link, "").rstrip() for line in lines]
    expected = [f"### {line[3:]}" if line.startswith("## ") else line for line in kept if line]
    shown = card(name, LANGUAGES[code])
    assert "".join(shown.split()) == "".join("".join(expected).split())
    assert shown.count("### ") >= 4


@pytest.mark.parametrize("name", ["translator", "vision"])
def test_a_card_speaks_the_readers_language(name):
    chinese, english = (card(name, LANGUAGES[code]) for code in ("zh", "en"))
    assert "训练" in chinese.split("###")[1] + chinese.split("###")[2]
    assert "训练" not in english.split("### ")[1]


def test_a_broken_line_leaves_no_gap_between_chinese_characters():
    lines = (ASSETS / "models" / "vision.zh.md").read_text("utf-8").splitlines()
    first, second = lines[2:4]
    assert first + second.split("[")[0] in card("vision", LANGUAGES["zh"])
