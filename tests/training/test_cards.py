import json
import re
from pathlib import Path
from types import SimpleNamespace

from safetensors import safe_open

from training import vision_card
from training.tatoeba import card

MODELS = Path(__file__).parents[2] / "assets" / "models"


def test_the_shipped_card_of_vision_is_what_is_written_from_the_stored_figures():
    weights = MODELS / "vision.safetensors"
    runs = json.loads(weights.with_suffix(".runs.json").read_text("utf-8"))
    with safe_open(weights, "np") as file:
        about = file.metadata()
    assert runs[0] == json.loads(about["training"])
    config = SimpleNamespace(**json.loads(about["config"]))
    for ending, text in vision_card.cards(config, runs, weights).items():
        assert (MODELS / "vision" / f"README.{ending}").read_text("utf-8") == text


def test_the_shipped_card_of_the_translator_is_what_is_written_from_the_stored_figures():
    for name, text in card.cards(MODELS / "translator").items():
        assert (MODELS / "translator" / name).read_text("utf-8") == text


def test_a_count_is_never_rounded_away_and_every_table_of_shares_says_how_far_they_reach():
    faults = []
    for path in sorted(MODELS.glob("*/*.md")):
        text = path.read_text("utf-8")
        for block in re.split(r"\n(?=\|)(?<!\|\n)", text)[1:]:
            table, *behind = re.split(r"\n(?!\|)", block)
            around = text[: text.index(table)].rsplit("\n\n", 2)[-2:] + behind[:6]
            if "%" in table and not re.search(r"\d points|个百分点", " ".join(around)):
                faults.append(f"{path.parent.name}/{path.name}: {table.splitlines()[0]}")
    assert not faults
    for name, said in (
        ("README.md", ("2 936 of 3 000 pictures, 97.87 %, which stand for 97.3–98.3 %",)),
        ("README.zh.md", ("3 000 张图中认对 2 936 张，即 97.87 %", "是 97.3–98.3 %")),
    ):
        text = " ".join((MODELS / "vision" / name).read_text("utf-8").split())
        assert [one for one in said if one not in text] == [], name
