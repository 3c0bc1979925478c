"""Traditional characters as simplified ones."""

from core.sources.traditional import _SIMPLIFIED, _TRADITIONAL, simplified


def test_a_sentence_is_simplified_and_all_else_stays():
    assert simplified("我能進來嗎?請問現在幾點 OK") == "我能进来吗?请问现在几点 OK"


def test_the_table_has_pairs_of_different_characters_each_once():
    assert len(_TRADITIONAL) == len(_SIMPLIFIED) == len(set(_TRADITIONAL))
    assert not set(_TRADITIONAL) & set(_SIMPLIFIED)
