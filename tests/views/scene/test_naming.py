import pytest
from claims import for_all
from shown_readings import in_both_languages
from shown_traces import (
    LINES,
    TRACES,
    crossed,
    many_patches,
    picture,
    plain,
    sentence,
    sound,
    words_in_a_row,
)

from views.scene.naming import (
    fill_token_noun,
    frames_per_token,
    num_prefix_tokens,
    shared_axis,
    stage_words,
    token_name,
)
from views.text import LANGUAGES

EN, ZH = LANGUAGES["en"], LANGUAGES["zh"]


@for_all(
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
    found = fill_token_noun("every {token} asks every {token}, {row}", trace(), words.nouns)
    assert found == f"every {noun} asks every {noun}, {{row}}"
    many = fill_token_noun("{token}s", trace(), words.nouns)
    assert many == {"patch": "patches"}.get(noun, f"{noun}s")


@pytest.mark.parametrize("role", ["query", "key"])
def test_a_patch_is_called_one_before_its_number_and_cls_is_cls(role):
    for words, name in ((EN, "patch 8"), (ZH, "块 8")):
        stage = picture()["scores"]
        assert token_name(picture(), stage, role, 8, 0, words) == (name, role)
        assert token_name(picture(), stage, role, 0, 0, words) == ("[CLS]", role)


@in_both_languages
def test_a_word_is_what_it_is_even_where_it_is_a_number(words):
    for position, word in enumerate(LINES[0]):
        assert token_name(sentence(), sentence()["Q"], "query", position, 0, words) == (
            word,
            "query",
        )


def test_a_word_of_more_than_twelve_characters_is_cut():
    trace = words_in_a_row(("a" * 12, "a" * 250))
    for position, name in enumerate(("a" * 12, "a" * 11 + "…")):
        assert token_name(trace, trace["Q"], "query", position, 0, EN) == (name, "query")


def test_prefix_tokens_are_counted_in_every_part():
    assert [num_prefix_tokens(trace()) for trace in (picture, many_patches)] == [1, 0]
    for name in ("patches", "pre-norm self", "pre-norm feed-forward", "class", "own patches"):
        assert num_prefix_tokens(TRACES[name]()) == 1, name


def test_frames_share_a_token_two_by_two():
    assert [frames_per_token(trace()) for trace in (sound, sentence)] == [2, 0]
    by_frame = [(sound, "level", "frame"), (sound, "embedding", "query")]
    for trace, key, meant in by_frame:
        assert shared_axis(trace(), trace()[key], "frame") == meant
    assert shared_axis(crossed(), crossed()["memory"], "key") == "key"
    assert shared_axis(sentence(), sentence()["X"], "token") == "query"


@in_both_languages
def test_a_patch_is_projected_where_a_word_is_looked_up(words):
    assert stage_words(picture(), "embedding", words) is words.stages["projection"]
    assert stage_words(plain(), "embedding", words) is words.stages["embedding"]
    for key in ("scores", "W_E", "cls", "sequence"):
        assert stage_words(picture(), key, words) is words.stages[key]


@in_both_languages
def test_what_fills_up_a_sound_is_silence_and_what_fills_up_a_sentence_is_not(words):
    assert stage_words(sound(), "key_mask", words) is words.stages["sounding"]
    assert stage_words(sentence(), "key_mask", words) is words.stages["key_mask"]
