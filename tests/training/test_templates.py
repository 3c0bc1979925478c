"""Pairs with slots: both sides get the same entry, and every written template can be filled."""

import random

from training.tatoeba import Pair
from training.translator import first_sentences
from training.translator.templates import (
    chinese_number,
    english_number,
    fill,
    read_lexicon,
    read_templates,
    unknown_slots,
)

LEXICON = {
    "city": [{"zh": "北京", "en": "Beijing"}, {"zh": "西安", "en": "Xi'an"}],
    "name_m": [{"zh": "汤姆", "en": "Tom"}],
    "thing": [{"zh": "书", "en": "book", "plural": "books", "measure": "本"}],
    "language": [{"zh": "中文", "en": ""}, {"zh": "英语", "en": "English"}],
}


def filled(source: str, target: str) -> set[Pair]:
    rng = random.Random(3)
    return {fill(Pair(source, target), LEXICON, rng) for _ in range(60)}


def test_both_sides_have_the_same_entry_and_two_slots_two_entries() -> None:
    assert filled("{city}比{city2}大。", "{city} is bigger than {city2}.") == {
        Pair("北京比西安大。", "Beijing is bigger than Xi'an."),
        Pair("西安比北京大。", "Xi'an is bigger than Beijing."),
    }
    assert filled("一{thing.measure}{thing}", "{thing.plural}") == {Pair("一本书", "Books")}


def test_a_number_is_the_same_on_both_sides() -> None:
    words = {english_number(n).capitalize(): n for n in range(2, 100)}
    for pair in filled("{n}", "{n}") | filled("{age}岁", "{age}"):
        written = pair.source.removesuffix("岁")
        n = int(written) if written.isdigit() else words[pair.target]
        assert written in (str(n), chinese_number(n, "两"))


def test_every_template_that_was_written_can_be_filled() -> None:
    lexicon, rng = read_lexicon(), random.Random(1)
    faults = [
        f"{one.source}: {slot}" for one in read_templates() for slot in unknown_slots(one, lexicon)
    ]
    for one in read_templates():
        pair = fill(one, lexicon, rng)
        faults += [f"{pair}" for text in (pair.source, pair.target) if "{" in text or not text]
    assert not faults


def test_a_class_that_is_not_in_the_lexicon_is_reported() -> None:
    assert sorted(unknown_slots(Pair("{towns}{n}", "{city.people}"), LEXICON)) == [
        "city", "city.people", "n", "towns", "towns.",
    ]  # fmt: skip


def test_every_measured_name_has_three_sentences_that_no_template_contains() -> None:
    named = list(first_sentences.named(read_lexicon()))
    assert len(named) == sum(first_sentences.NAMES.values())
    sentences = [sentence for _, _, every in named for sentence in every]
    assert len(set(sentences)) == len(sentences) == 3 * len(named)
    learnt = {one.source for one in read_templates()}
    assert not learnt & {
        frame.format(f"{{{kind}}}")
        for kind, frames in first_sentences.FRAMES.items()
        for frame in frames
    }


def test_each_first_sentence_is_in_one_list_and_has_a_reference() -> None:
    lists = [first_sentences.read(name) for name in first_sentences.LISTS]
    found = [sentence for one in lists for sentence in one]
    assert len({one.source for one in found}) == len(found)
    assert [one.source for one in found if not one.reference] == []


def test_a_name_is_found_in_a_translation_also_under_another_name() -> None:
    for translation, name, expected in (
        ("I miss South Korea.", "South Korea", True),
        ("I miss Korea.", "South Korea", True),
        ("I miss North Korea.", "South Korea", False),
        ("They moved to America.", "the United States", True),
        ("They moved to Mexico.", "the United States", False),
    ):
        assert first_sentences.contains(translation, name) is expected, (translation, name)
