"""What the Translation page is given to say: its chips, its headline, its samples."""

import pytest
from claims import for_all

from core.models import translator
from pages.see.translation.controls import SAMPLES, Inputs
from pages.see.translation.decoding import finished, sent
from pages.see.translation.vocabulary import GROUPS, REST, grouped
from pages.see.translation.words import WORDS


def test_every_word_that_the_model_knows_is_offered_once():
    known = translator.load().source
    offered = [word for group in grouped(known).values() for word in group]
    assert sorted(offered) == sorted(known)


def test_a_word_of_no_group_stands_with_the_others_and_an_unknown_one_nowhere():
    found = grouped(["爱", "鳄鱼", "我"])
    assert found == {"people": ("我",), "doing": ("爱",), REST: ("鳄鱼",)}


@pytest.mark.parametrize("code", WORDS)
def test_every_group_has_a_name(code):
    assert tuple(WORDS[code].asked.groups) == GROUPS


@for_all("sample", SAMPLES)
def test_a_sample_is_translated_to_its_end(sample):
    assert Inputs(sample).translated().ended


@for_all(
    ("words", "written"),
    [
        (("I", "love", "Beijing"), "I love Beijing."),
        (("he", "likes", "tea"), "He likes tea."),
        (("who", "do", "you", "love"), "Who do you love?"),
        ((), ""),
    ],
)
def test_the_finished_sentence_has_a_capital_and_a_mark(words, written):
    assert finished(words) == written


def test_all_steps_layers_and_heads_go_to_the_browser_at_once_and_the_mean_with_them():
    shown, model = Inputs("我爱北京").translated(), translator.load()
    data = sent(shown, model, WORDS["en"].decoding)
    weights = data["weights"]
    assert [len(weights), len(weights[0]), len(weights[0][0]), len(weights[0][0][0])] == [
        2,
        5,
        4,
        3,
    ]
    tensor = shown.trace["decoder/2/cross/weights"].tensor[0]
    assert weights[1][3][2][2] == pytest.approx(tensor[3, 2, 2], abs=1e-6)
    assert weights[1][4][0][0] == pytest.approx(tensor[:, 0, 0].mean(), abs=1e-6)
    assert [found[0][0] for found in data["candidates"]] == ["I", "love", "Beijing", "[END]"]
    assert [one["rank"] for one in data["standings"]] == [1, 1, 1, 1]


def test_an_english_sentence_that_is_given_stands_instead_of_the_models_own():
    shown = Inputs("我爱北京", True, "we like Beijing").translated()
    assert shown.target == ("we", "like", "Beijing", "[END]")
    assert shown.forced
    assert Inputs("我爱北京", True, " ").translated().words == ("I", "love", "Beijing")


def test_all_given_words_are_there_at_once_and_chosen_ones_come_one_by_one():
    assert Inputs("我爱北京", True).translated().there(0) == 4
    assert Inputs("我爱北京").translated().there(0) == 1
