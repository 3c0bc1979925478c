import re
from pathlib import Path

from training.cifar import card as cifar_card
from training.decoder import card as decoder_card
from training.translator import card as translator_card

MODELS = Path(__file__).parents[2] / "assets" / "models"


def test_the_shipped_cards_are_what_is_written_from_the_stored_figures():
    made = {"translator": translator_card, "vision": cifar_card, "decoder": decoder_card}
    for folder, card in made.items():
        for name, text in card.cards(MODELS / folder).items():
            assert (MODELS / folder / name).read_text("utf-8") == text


def test_every_table_of_shares_states_its_margin_of_error():
    faults = []
    for path in sorted(MODELS.glob("*/*.md")):
        text = path.read_text("utf-8")
        for block in re.split(r"\n(?=\|)(?<!\|\n)", text)[1:]:
            table, *behind = re.split(r"\n(?!\|)", block)
            around = text[: text.index(table)].rsplit("\n\n", 2)[-2:] + behind[:6]
            if "%" in table and not re.search(r"\d points|个百分点", " ".join(around)):
                faults.append(f"{path.parent.name}/{path.name}: {table.splitlines()[0]}")
    assert not faults
