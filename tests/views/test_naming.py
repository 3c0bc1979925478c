import pytest
from shown_readings import in_both_languages
from shown_traces import LINES, TRACES, crossed, picture, plain, sentence, sound, words_in_a_row

from views.naming import stage_words, token_name, with_noun
from views.text import LANGUAGES

EN, ZH = LANGUAGES["en"], LANGUAGES["zh"]


@pytest.mark.parametrize(
    ("trace", "words", "noun"),
    [
        (sentence, EN, "token"),
        (crossed, ZH, "词"),
        (TRACES["own self"], ZH, "词元"),
        (picture, EN, "patch"),
        (picture, ZH, "块"),
    ],
)
def test_a_token_is_a_word_of_a_sentence_a_piece_of_an_own_text_and_a_patch_of_a_picture(
    trace, words, noun
):
    said = with_noun("every {token} asks every {token}, {row}", trace(), words)
    assert said == f"every {noun} asks every {noun}, {{row}}"


@pytest.mark.parametrize("role", ["query", "key"])
def test_a_patch_is_called_one_before_its_number_and_cls_is_cls(role):
    for words, name in ((EN, "patch 8"), (ZH, "块 8")):
        stage = picture()["scores"]
        assert token_name(picture(), stage, role, 8, 0, words) == (name, role)
        assert token_name(picture(), stage, role, 0, 0, words) == ("[CLS]", role)


def test_a_patch_has_one_name_from_the_input_to_the_end():
    for key, role in (("X", "token"), ("Q", "query"), ("V", "key"), ("output", "query")):
        assert token_name(picture(), picture()[key], role, 15, 1, EN)[0] == "patch 15"


def test_a_column_of_features_is_a_number_and_no_patch():
    assert token_name(picture(), picture()["Q"], "d_k", 3, 0, EN) == ("4", "d_k")


@in_both_languages
def test_a_word_is_what_it_is_even_where_it_is_a_number(words):
    for place, word in enumerate(LINES[0]):
        assert token_name(sentence(), sentence()["Q"], "query", place, 0, words) == (word, "query")


def test_a_word_of_more_than_twelve_characters_is_cut():
    trace = words_in_a_row(("a" * 12, "a" * 250))
    for place, name in enumerate(("a" * 12, "a" * 11 + "…")):
        assert token_name(trace, trace["Q"], "query", place, 0, EN) == (name, "query")


@in_both_languages
def test_a_patch_is_projected_where_a_word_is_looked_up(words):
    assert stage_words(picture(), "embedding", words) is words.stages["projection"]
    assert stage_words(plain(), "embedding", words) is words.stages["embedding"]
    for key in ("scores", "W_E", "cls", "sequence"):
        assert stage_words(picture(), key, words) is words.stages[key]


@in_both_languages
def test_what_fills_up_a_sound_is_silence_and_what_fills_up_a_sentence_is_not(words):
    assert stage_words(sound(), "padding", words) is words.stages["sounding"]
    assert stage_words(sentence(), "padding", words) is words.stages["padding"]
