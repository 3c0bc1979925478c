"""What the Translation page is given to say."""

from math import fsum

import pytest

from core.models import translator
from core.models.translator import gloss
from pages.see.translation.controls import Inputs
from pages.see.translation.decoding import sent
from views.navigation import PAGES
from views.text import words_beside

WORDS = words_beside(PAGES["translation"])

MODEL = translator.load()
WRITTEN = "I love cats."
PIECES = MODEL.encode_target(WRITTEN)


def test_all_steps_layers_and_heads_go_to_the_browser_at_once_and_the_mean_with_them():
    shown = Inputs("我爱北京", forced=True, given=WRITTEN).translated()
    data = sent(shown, MODEL, WORDS["en"].decoding)
    weights = data["weights"]
    sizes = [len(weights), len(weights[0]), len(weights[0][0]), len(weights[0][0][0])]
    assert sizes == [3, 9, len(PIECES) + 1, 3]
    tensor = shown.trace["decoder/2/cross/weights"].tensor[0]
    assert weights[1][3][2][2] == pytest.approx(tensor[3, 2, 2], abs=1e-6)
    assert weights[1][8][0][0] == pytest.approx(tensor[:, 0, 0].mean(), abs=1e-6)
    for place, piece in enumerate((*PIECES, MODEL.end)):
        row = shown.probabilities[place]
        likelier = sum(1 for one in row if one > row[piece])
        assert data["ranks"][place]["rank"] == 1 + likelier
        name, share = data["candidates"][place][0]
        assert (name, share) == (MODEL.target[int(row.argmax())], float(row.max()))
        lines = {*map(MODEL.target.index, (one for one, _ in data["candidates"][place])), piece}
        count, left = data["others"][place]
        assert count == len(MODEL.target) - len(lines)
        assert left == pytest.approx(fsum(x for i, x in enumerate(row) if i not in lines))
    assert data["sentences"][-1] == WRITTEN


def test_an_english_sentence_that_is_given_stands_instead_of_the_models_own():
    shown = Inputs("我爱北京", forced=True, given=WRITTEN).translated()
    assert shown.target == (*(MODEL.target[piece] for piece in PIECES), "[END]")
    assert shown.forced
    own = Inputs("我爱北京").translated()
    assert Inputs("我爱北京", forced=True, given=" ").translated().words == own.words


def test_all_given_words_are_there_at_once_and_chosen_ones_come_one_by_one():
    shown = Inputs("我爱北京", forced=True, given=WRITTEN).translated()
    assert shown.steps_visible(0) == len(PIECES) + 1
    assert Inputs("我爱北京").translated().steps_visible(0) == 1


def test_a_word_is_read_and_explained_and_a_mark_is_not():
    assert gloss("沙发") == ("shāfā", "sofa")
    assert gloss("的") == ("de", "of, ’s")
    assert gloss("。") == ("", "")
