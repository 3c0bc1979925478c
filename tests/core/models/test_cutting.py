import numpy as np
import pytest
from claims import for_all

from core.errors import EmptyText, TooManyTokens, UnknownWords
from core.models.stored import Stored
from core.models.translator import LONGEST, Translator

CONFIG = {
    "source": ["中", "中国", "中国人", "我", "爱"],
    "target": ["[START]", "[END]", "I", "love", "China", "it's"],
    "start": "[START]",
    "end": "[END]",
    "layers": 1,
    "heads": 1,
    "epsilon": 1e-5,
}
TRANSLATOR = Translator(Stored({"source/E": np.zeros((5, 2))}, CONFIG, {}))


def test_of_words_that_begin_alike_the_longest_is_taken():
    assert TRANSLATOR.cut("我爱中国人") == ("我", "爱", "中国人")
    assert TRANSLATOR.cut("中国中") == ("中国", "中")


def test_spaces_and_punctuation_only_part_words():
    with pytest.raises(UnknownWords) as found:
        TRANSLATOR.cut("中 国")
    assert found.value.words == ("国",)
    assert TRANSLATOR.cut("我，爱　中国？！\n") == ("我", "爱", "中国")


def test_every_unknown_stretch_is_pointed_out_once_and_none_is_dropped():
    with pytest.raises(UnknownWords) as found:
        TRANSLATOR.cut("我恨中国ABC我恨")
    assert found.value.words == ("恨", "ABC")


def test_composed_and_decomposed_writing_are_one():
    model = Translator(Stored({}, CONFIG | {"source": ["é"]}, {}))
    assert model.cut("e\u0301") == ("é",)


@for_all("nothing", ["", "  ", "。！？"])
def test_a_sentence_without_a_word_is_refused(nothing):
    with pytest.raises(EmptyText):
        TRANSLATOR.cut(nothing)
    with pytest.raises(EmptyText):
        TRANSLATOR.read_target(nothing)


def test_a_sentence_that_is_too_long_is_refused():
    assert len(TRANSLATOR.cut("我" * LONGEST)) == LONGEST
    with pytest.raises(TooManyTokens):
        TRANSLATOR.cut("我" * (LONGEST + 1))


def test_english_is_read_whatever_its_case_and_its_full_stop():
    assert TRANSLATOR.read_target("i LOVE china.") == ("I", "love", "China")


def test_start_and_end_are_no_words_of_a_reader():
    with pytest.raises(UnknownWords) as found:
        TRANSLATOR.read_target("I [END] hate")
    assert found.value.words == ("[END]", "hate")


def test_an_apostrophe_inside_a_word_belongs_to_it():
    assert TRANSLATOR.read_target("it's, ‘China’ it’s '") == ("it's", "China", "it's")
