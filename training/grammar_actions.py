"""What is done: a verb with its object or its place, before somebody does it."""

from dataclasses import dataclass
from random import Random

from training import grammar_words as words
from training.grammar_phrases import (
    Han,
    Item,
    NounPhrase,
    counted,
    generic,
    items,
    owned,
    people,
    place,
    somewhere,
)
from training.grammar_words import Noun, Verb


@dataclass(frozen=True)
class Action:
    """A verb and what belongs to it.

    before, han, after: the Chinese words around the verb, in order. english: what follows the
    English verb. wh: the asking word, which English puts in front. objects, places: what
    combinations are held out by, Chinese verbs with their objects, and places.
    """

    verb: Verb
    han: Han
    after: tuple[Han, ...] = ()
    english: tuple[Item, ...] = ()
    before: tuple[Han, ...] = ()
    wh: tuple[Item, ...] = ()
    objects: tuple[tuple[str, str], ...] = ()
    places: tuple[str, ...] = ()

    @property
    def stative(self) -> bool:
        """Whether it is a state, of which English says no "is loving"."""
        return self.verb in words.STATIVE


def intransitive(rng: Random) -> Action:
    """睡觉: sleep."""
    verb = rng.choice(words.INTRANSITIVE)
    return Action(verb, Han(verb.han))


def transitive(rng: Random, asks: bool) -> Action:
    """喝茶: drink tea; when it asks, 喝什么, what … drink."""
    verb = rng.choices(*zip(*_WEIGHTS, strict=True))[0]
    if asks and verb == words.READ:  # 看什么 could be either
        verb = words.WATCH
    han = Han(verb.han)
    particle = items(verb.particle, han)
    if asks:
        who = verb in _OF_PEOPLE or (verb in _OF_ANYTHING and rng.random() < 0.6)
        asked = Han("谁" if who else "什么")
        wh = (Item("who" if who else "what", (asked,)),)
        return Action(verb, han, (asked,), particle, wh=wh)
    found = acted_on(rng, verb)
    return Action(verb, han, found.han, (*particle, *found.object), objects=_objects(verb, found))


def how_many(rng: Random) -> Action:
    """有几本书: how many books … have."""
    verb = rng.choice((words.HAVE, words.HAVE, words.BUY, words.EAT))
    noun = rng.choice(_COUNTED[verb])
    many, counter, last, han = Han("几"), Han(noun.counter), Han(noun.han), Han(verb.han)
    wh = (*items("how many", many), Item(noun.many, (last,)))
    return Action(verb, han, (many, counter, last), wh=wh, objects=((verb.han, noun.han),))


def at_a_place(rng: Random, asks: bool) -> Action:
    """在学校学习中文: study Chinese at school; when it asks, 在哪里 …, where …"""
    inner = intransitive(rng) if rng.random() < 0.5 else transitive(rng, asks=False)
    while inner.stative:
        inner = transitive(rng, asks=False)
    if asks:
        where = Han(rng.choice(words.WHERE))
        wh = (Item("where", (where,)),)
        before = (Han("在"), where)
        return Action(inner.verb, inner.han, inner.after, inner.english, before, wh, inner.objects)
    found = rng.choice((*words.PLACES[:2], *words.PLACES[4:], words.HOME, words.HOME))
    before, there = somewhere(rng, found)
    english = (*inner.english, *there)
    return Action(
        inner.verb,
        inner.han,
        inner.after,
        english,
        before,
        objects=inner.objects,
        places=(found.han,),
    )


def going(rng: Random, asks: bool) -> Action:
    """去北京: go to Beijing; 坐火车去北京: go to Beijing by train; 去商店买书; 回家; 来."""
    verb = words.COME if rng.random() < 0.2 else words.GO
    han = Han(verb.han)
    if asks:
        where = Han(rng.choice(words.WHERE))
        return Action(verb, han, (where,), wh=(Item("where", (where,)),))
    if rng.random() < 0.12:
        home = Han("家")
        return Action(words.RETURN, Han("回"), (home,), (Item("home", (home,)),), places=("家",))
    if rng.random() < 0.1:
        return Action(verb, han)
    found = rng.choice(words.PLACES)
    where, there = place(rng, found)
    to = (Item("to", (han,)), *there)
    if rng.random() < 0.2:
        by, (vehicle, english) = Han("坐"), rng.choice(words.VEHICLES)
        means = Han(vehicle)
        by_train = (Item("by", (by,)), Item(english, (means,)))
        return Action(verb, han, where, to + by_train, (by, means), places=(found.han,))
    if rng.random() < 0.25:
        inner = intransitive(rng) if rng.random() < 0.4 else _errand(rng)
        if inner.stative:
            inner = _errand(rng)
        why = (Item("to"), Item(inner.verb.base, (inner.han,)), *inner.english)
        if rng.random() < 0.3:
            return Action(verb, han, (inner.han, *inner.after), why, objects=inner.objects)
        after = (*where, inner.han, *inner.after)
        return Action(verb, han, after, to + why, objects=inner.objects, places=(found.han,))
    return Action(verb, han, where, to, places=(found.han,))


def living(rng: Random, asks: bool) -> Action:
    """住在北京: live in Beijing; 从中国来: come from China."""
    if asks or rng.random() < 0.6:
        han, at = Han("住"), Han("在")
        if asks:
            where = Han(rng.choice(words.WHERE))
            return Action(words.LIVE, han, (at, where), wh=(Item("where", (where,)),))
        found = rng.choice(words.CITIES_AND_LANDS)
        where, there = place(rng, found)
        english = (Item(found.at, (at,)), *there)
        return Action(words.LIVE, han, (at, *where), english, places=(found.han,))
    found = rng.choice(words.CITIES_AND_LANDS)
    origin, where = Han("从"), Han(found.han)
    english = (Item("from", (origin,)), Item(found.english, (where,)))
    return Action(words.COME, Han("来"), (), english, (origin, where), places=(found.han,))


def acted_on(rng: Random, verb: Verb) -> NounPhrase:
    """An object that the verb can have."""
    if verb in _OF_PEOPLE or (verb in _OF_ANYTHING and rng.random() < 0.45):
        return people(rng)
    if verb in _COUNTED and rng.random() < (0.8 if verb == words.HAVE else 0.35):
        return counted(rng, rng.choice(_COUNTED[verb]))
    if verb in _OF_ANYTHING:
        kind = rng.random()
        if kind < 0.4:
            where = rng.choice((*words.PLACES[:4], *words.PLACES[:4], words.HOME))
            han, rendered = place(rng, where)
            return NounPhrase(han, rendered, rendered, "is", (where.han,))
        if kind < 0.5:
            return owned(rng, rng.choice((*words.ANIMALS, *words.THINGS)))
    if verb in (words.READ, words.BUY) and rng.random() < 0.25:
        return owned(rng, words.THINGS[0])
    choices = _OBJECTS[verb]
    one = generic(rng.choice(choices))
    if rng.random() > 0.1:
        return one
    other = generic(rng.choice(choices))
    if one.heads == other.heads:
        return one
    joint = Han("和")
    rendered = (*one.object, Item("and", (joint,)), *other.object)
    heads = one.heads + other.heads
    return NounPhrase((*one.han, joint, *other.han), rendered, rendered, "are", heads)


def _errand(rng: Random) -> Action:
    verb = rng.choice((words.BUY, words.BUY, words.EAT, words.DRINK, words.STUDY, words.WATCH))
    han, found = Han(verb.han), generic(rng.choice(_OBJECTS[verb]))
    return Action(verb, han, found.han, found.object, objects=_objects(verb, found))


def _objects(verb: Verb, found: NounPhrase) -> tuple[tuple[str, str], ...]:
    return tuple((verb.han, one) for one in found.heads)


_OF_PEOPLE = (words.KNOW, words.MISS, words.HELP, words.WAIT)
_OF_ANYTHING = (words.LOVE, words.LIKE)
_ANYTHING = (
    *words.FOOD,
    *words.COUNTED_FOOD,
    *words.DRINKS,
    *words.LANGUAGES,
    *words.ANIMALS,
    words.THINGS[0],
    words.MUSIC,
    words.MOVIE,
)
_OBJECTS: dict[Verb, tuple[Noun | words.Mass, ...]] = {
    words.LOVE: _ANYTHING,
    words.LIKE: _ANYTHING,
    words.HAVE: (*words.THINGS, *words.ANIMALS, *words.PEOPLE[2:3], *words.COUNTED_FOOD),
    words.WANT: (*words.DRINKS, *words.FOOD, *words.COUNTED_FOOD, *words.THINGS),
    words.EAT: (*words.FOOD, *words.COUNTED_FOOD),
    words.DRINK: words.DRINKS,
    words.BUY: (*words.FOOD, *words.COUNTED_FOOD, *words.DRINKS, *words.THINGS),
    words.STUDY: words.LANGUAGES,
    words.SPEAK: words.LANGUAGES,
    words.READ: words.THINGS[:1],
    words.WATCH: (words.MOVIE, words.TELEVISION),
    words.LISTEN: (words.MUSIC,),
}
_COUNTED: dict[Verb, tuple[Noun | words.Mass, ...]] = {
    words.HAVE: (
        *words.THINGS,
        *words.ANIMALS,
        *words.COUNTED_FOOD,
        *words.PEOPLE[1:3],
        *words.PEOPLE[4:],
    ),
    words.WANT: (*words.DRINKS, *words.THINGS, *words.COUNTED_FOOD),
    words.EAT: words.COUNTED_FOOD,
    words.DRINK: words.DRINKS,
    words.BUY: (*words.THINGS, *words.COUNTED_FOOD, *words.ANIMALS),
    words.READ: words.THINGS[:1],
}
_WEIGHTS = (
    (words.LOVE, 8),
    (words.LIKE, 8),
    (words.KNOW, 3),
    (words.MISS, 3),
    (words.HAVE, 4),
    (words.WANT, 3),
    (words.HELP, 2),
    (words.WAIT, 2),
    (words.EAT, 5),
    (words.DRINK, 5),
    (words.BUY, 4),
    (words.STUDY, 4),
    (words.SPEAK, 3),
    (words.READ, 2),
    (words.WATCH, 3),
    (words.LISTEN, 2),
)
