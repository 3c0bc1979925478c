"""Chinese sentences become known words, and single characters elsewhere."""

from itertools import combinations, pairwise
from math import log

from claims import for_all

from core.sources.unigram import RARE, UNKNOWN, Unigram, read

TOKENS = {
    UNKNOWN: 0, "北京": 7, "北": 3, "京": 0, "大学": 5, "北京大学": 1, "京大": 2, "大": 11, "学": 2,
}  # fmt: skip
WORDS = Unigram(tuple(TOKENS), tuple(TOKENS.values()), {"學": "学"})


def cost(parts):
    return sum(log(sum(TOKENS.values()) / max(TOKENS[part], RARE)) for part in parts)


def segmentations(text):
    """Every segmentation of a text into tokens."""
    for count in range(len(text)):
        for splits in combinations(range(1, len(text)), count):
            ends = (0, *splits, len(text))
            parts = [text[a:b] for a, b in pairwise(ends)]
            if all(part in TOKENS for part in parts):
                yield parts


@for_all("text", ["北京大学", "大学北京", "京大学", "北大", "学北京大学大"])
def test_the_segmentation_has_the_largest_probability(text):
    assert list(WORDS.tokenize(text)) == min(segmentations(text), key=cost)


def test_a_word_is_one_token_and_an_unknown_character_has_id_0():
    assert WORDS.tokenize("大鱼北京") == ("大", "鱼", "北京")
    assert WORDS.ids(WORDS.tokenize("大鱼北京")) == [7, 0, 1]
    assert WORDS.ids((UNKNOWN,)) == [0]
    assert WORDS.tokenize(UNKNOWN) == tuple(UNKNOWN)


def test_traditional_characters_become_simplified_ones():
    assert WORDS.tokenize("大學") == ("大学",)


def test_spaces_separate_words_and_are_no_tokens():
    assert WORDS.tokenize(" 北 京 大学") == ("北", "京", "大学")
    assert WORDS.tokenize("  ") == ()


def test_a_vocabulary_is_written_and_read_back(tmp_path):
    WORDS.write(tmp_path / "words.json")
    again = read(tmp_path / "words.json")
    assert again == WORDS
