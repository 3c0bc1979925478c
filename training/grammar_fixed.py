"""What is said without a clause: greetings, and single phrases."""

from random import Random

from training import grammar_words as words
from training.grammar_pairs import Pair, pair
from training.grammar_phrases import Han, Item, NounPhrase, generic, owned, people, place


def formula(rng: Random) -> Pair:
    """你好: hello."""
    han_words, rendered = rng.choice(words.FORMULAS)
    han = tuple(Han(one) for one in han_words.split())
    english = []
    for one in rendered.split():
        word, places = one.split(":")
        english.append(Item(word, tuple(han[int(place)] for place in places.split(","))))
    return pair(han, tuple(english))


def fragment(rng: Random) -> Pair:
    """A phrase alone: 北京, Beijing; 我的书, my book."""
    kind = rng.random()
    if kind < 0.3:
        nouns = (*words.FOOD, *words.DRINKS, *words.LANGUAGES, *words.COUNTED_FOOD, words.MUSIC)
        found = generic(rng.choice(nouns))
    elif kind < 0.5:
        found = owned(rng, rng.choice((*words.PEOPLE, *words.ANIMALS, *words.THINGS)))
    elif kind < 0.75:
        where = rng.choice((*words.CITIES_AND_LANDS, words.HOME))
        han, rendered = place(rng, where)
        found = NounPhrase(han, rendered, rendered, "is", (where.han,))
    else:
        found = people(rng)
    return pair(found.han, found.subject)
