"""The grammar that the translator was trained on: both languages right, aligned, and parted."""

from collections import Counter
from itertools import islice
from random import Random

from claims import for_all

from training import grammar_words as words
from training.grammar import LONGEST, distinct, sentence, sentences
from training.grammar_pairs import HELD_OUT, SUBJECT_PLACE, VERB_OBJECT, Pair

DRAWN = 4999
LEARNT = tuple(islice(sentences(1, held_out=False), DRAWN))
MEASURED = tuple(islice(distinct(sentences(2, held_out=True)), 997))
ALL = LEARNT + MEASURED

# What a Chinese word may become: read off a dictionary, not off the grammar.
MEANT = {
    "爱": "love loves loved loving",
    "我": "I me my",
    "他": "he him his",
    "谁": "who",
    "北京": "Beijing",
    "不": "not cannot",
    "吃饭": "eat eats ate eating",
    "明天": "tomorrow",
    "两": "two",
    "说": "speak speaks spoke speaking",
    "猫": "cat cats",
    "会": "can cannot will",
    "要": "will want wants",
    "看": "read reads reading watch watches watched watching",
    "中文": "Chinese",
    "高兴": "happy",
    "和": "and",
}
UNALIGNED = set(
    "do does did the a an to will is am are was were be it can should want".split()  # noqa: SIM905
)


RNG = Random(3)
SEEN: dict[str, Pair] = {}


def found(chinese: str) -> Pair:
    """The first pair drawn whose Chinese side, written without spaces, is this one."""
    while chinese not in SEEN:
        one = sentence(RNG)
        SEEN.setdefault(written(one), one)
    return SEEN[chinese]


def written(one: Pair) -> str:
    return "".join(one.source)


@for_all(
    ("chinese", "english", "alignment"),
    [
        ("我爱北京", "I love Beijing", [(0,), (1,), (2,)]),
        ("他去上海", "he goes to Shanghai", [(0,), (1,), (1,), (2,)]),
        ("你爱谁", "who do you love", [(2,), (), (0,), (1,)]),
        ("今天很热", "it is hot today", [(), (), (2,), (0,)]),
        ("她是谁", "who is she", [(2,), (1,), (0,)]),
        ("你好吗", "how are you", [(1, 2), (), (0,)]),
        ("我不累", "I am not tired", [(0,), (), (1,), (2,)]),
        ("他游泳了", "he swam", [(0,), (1, 2)]),
        ("我的书", "my book", [(0, 1), (2,)]),
    ],
)
def test_a_sentence_has_the_english_and_the_alignment_written_here_by_hand(
    chinese, english, alignment
):
    one = found(chinese)
    assert " ".join(one.target) == english
    assert list(one.alignment) == alignment


def test_a_sentence_has_one_translation_wherever_it_is_drawn():
    translations = {}
    rng = Random(5)
    for _ in range(20_011):
        one = sentence(rng)
        assert translations.setdefault(one.source, one.target) == one.target
    assert len(translations) > 10_000


@for_all("word", MEANT)
def test_a_chinese_word_is_rendered_only_by_its_english_ones(word):
    rendered = {
        english
        for one in ALL
        for english, places in zip(one.target, one.alignment, strict=True)
        if [one.source[place] for place in places] == [word]
    }
    assert rendered
    assert rendered <= {*MEANT[word].split(), "to", "for"}


def test_only_words_of_english_grammar_render_nothing():
    silent = {
        english
        for one in ALL
        for english, places in zip(one.target, one.alignment, strict=True)
        if not places
    }
    assert silent <= UNALIGNED


def test_an_alignment_has_a_row_for_each_english_word_and_points_into_the_sentence():
    for one in ALL:
        assert len(one.alignment) == len(one.target)
        assert all(0 <= place < len(one.source) for places in one.alignment for place in places)


def test_no_chinese_word_but_a_particle_is_left_untranslated():
    particles = {"吗", "了", "很", "在", "个", "本", "只", "是", "叫"}
    for one in ALL:
        rendered = {place for places in one.alignment for place in places}
        left = {word for place, word in enumerate(one.source) if place not in rendered}
        assert left <= particles, written(one)


def test_training_holds_no_held_out_combination_and_every_measured_sentence_holds_one():
    assert not any(one.combinations & HELD_OUT for one in LEARNT)
    assert all(one.combinations & HELD_OUT for one in MEASURED)
    assert not {one.source for one in LEARNT} & {one.source for one in MEASURED}


def test_love_and_beijing_never_meet_in_training():
    assert (VERB_OBJECT, "爱", "北京") in HELD_OUT
    assert not any("爱北京" in written(one) for one in LEARNT)
    assert found("我爱北京").held_out


def test_a_held_out_verb_and_object_never_stand_side_by_side_in_training():
    """Looked for in the sentences themselves, whatever the derivation says of them."""
    pairs = {(verb, thing) for kind, verb, thing in HELD_OUT if kind == VERB_OBJECT}
    for one in LEARNT:
        following = (*one.source[2:], "", "")
        triples = zip(one.source, one.source[1:], following, strict=False)
        owning = {"的", "妈妈", "爸爸", "家"}  # 喜欢安娜的老师 is not about liking 安娜
        beside = {(verb, thing) for verb, thing, after in triples if after not in owning}
        assert not pairs & beside, written(one)


def test_a_held_out_subject_is_never_in_its_place_in_training():
    pairs = {(subject, where) for kind, subject, where in HELD_OUT if kind == SUBJECT_PLACE}
    begins = {
        (one.source[0], one.source[2])
        for one in LEARNT
        if len(one.source) > 2 and one.source[1] in ("去", "在")
    }
    assert len(begins) > 100
    assert not pairs & begins


def test_both_parts_of_a_held_out_combination_are_seen_in_training_with_others():
    met = {combination for one in LEARNT for combination in one.combinations}
    rows = Counter((kind, one) for kind, one, _ in met)
    columns = Counter((kind, other) for kind, _, other in met)
    for kind, one, other in HELD_OUT:
        assert (kind, one, other) not in met
        assert rows[kind, one] >= 4
        assert columns[kind, other] >= 1


def test_most_sentences_are_reordered():
    assert 0.5 < sum(not one.monotone for one in LEARNT) / DRAWN < 0.7


def test_no_sentence_is_measured_twice_and_none_is_too_long():
    assert len({one.source for one in MEASURED}) == len(MEASURED)
    assert max(len(one.source) for one in ALL) <= LONGEST


def test_a_greeting_is_drawn_again_and_again():
    assert Counter(written(one) for one in LEARNT)["再见"] > 1


def test_nobody_is_named_twice_in_one_breath():
    for one in ALL:
        for first, joint, second in zip(one.target, one.target[1:], one.target[2:], strict=False):
            assert joint != "and" or first != second, one.target
            assert joint != "and" or {first, second} != {"I", "we"}


def test_two_that_are_joined_are_both_and_others_are_all():
    for one in ALL:
        if "都" in one.source:
            joined = "和" in one.source[: one.source.index("都")]
            assert ("both" in one.target, "all" in one.target) == (joined, not joined)


def test_the_same_seed_draws_the_same_sentences():
    again = tuple(islice(sentences(1, held_out=False), 101))
    assert again == LEARNT[:101]
    assert tuple(islice(sentences(7, held_out=False), 101)) != again


def test_the_words_can_be_told_apart_without_spaces():
    """By taking the longest known word at each place, as the app does."""
    known = {word for one in ALL for word in one.source}
    for one in ALL:
        cut, rest = [], written(one)
        while rest:
            cut.append(next(rest[:n] for n in range(4, 0, -1) if rest[:n] in known))
            rest = rest[len(cut[-1]) :]
        assert tuple(cut) == one.source


def test_there_are_90_to_150_chinese_words():
    assert 90 <= len({word for one in ALL for word in one.source}) <= 150


@for_all("verb", words.INTRANSITIVE)
def test_a_third_person_ends_in_s_and_nobody_elses_verb_does(verb):
    for one in LEARNT:
        if verb.han in one.source and verb.third in one.target:
            before = one.target[one.target.index(verb.third) - 1]
            assert before not in {"I", "you", "we", "they"}
