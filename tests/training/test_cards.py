import json
import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from safetensors import safe_open

from training import translator_card, vision_card

MODELS = Path(__file__).parents[2] / "assets" / "models"
WRITTEN_BY = {"translator": translator_card.cards, "vision": vision_card.cards}


@pytest.mark.parametrize("name", WRITTEN_BY)
def test_the_shipped_cards_are_what_is_written_from_the_stored_figures(name):
    weights = MODELS / f"{name}.safetensors"
    runs = json.loads(weights.with_suffix(".runs.json").read_text("utf-8"))
    with safe_open(weights, "np") as file:
        about = file.metadata()
    assert runs[0] == json.loads(about["training"])
    config = SimpleNamespace(**json.loads(about["config"]))
    for ending, text in WRITTEN_BY[name](config, runs, weights).items():
        assert weights.with_suffix(f".{ending}").read_text("utf-8") == text


def test_a_count_is_never_rounded_away_and_every_table_of_shares_says_how_far_they_reach():
    faults = []
    for card in sorted(MODELS.glob("*.md")):
        text = card.read_text("utf-8")
        for block in re.split(r"\n(?=\|)(?<!\|\n)", text)[1:]:
            table, *behind = re.split(r"\n(?!\|)", block)
            around = text[: text.index(table)].rsplit("\n\n", 2)[-2:] + behind[:6]
            if not re.search(r"\d points|个百分点", " ".join(around)):
                faults.append(f"{card.name}: {table.splitlines()[0]}")
    assert not faults
    for card, *said in (
        ("translator", "99.55 %", "1 991 of 2 000, which stand for 99.1–99.8 %"),
        ("translator.zh", "99.55 %", "2 000 句中的 1 991 句", "是 99.1–99.8 %"),
        ("vision", "2 936 of 3 000 pictures, 97.87 %, which stand for 97.3–98.3 %"),
        ("vision.zh", "3 000 张图中认对 2 936 张，即 97.87 %", "是 97.3–98.3 %"),
    ):
        text = " ".join((MODELS / f"{card}.md").read_text("utf-8").split())
        assert [one for one in said if one not in text] == [], card
