"""Somebody is something, somehow or somewhere: 北京很大, 我是学生, 妈妈在家, 你叫什么."""

from random import Random

from training import grammar_words as words
from training.grammar_clauses import adverb, being, clause, time
from training.grammar_pairs import Pair, met, pair
from training.grammar_phrases import (
    Han,
    Item,
    NounPhrase,
    animal,
    definite,
    generic,
    home,
    indefinite,
    items,
    owned,
    people,
    place,
    plain,
    somewhere,
)

Qualities = tuple[tuple[str, str], ...]


def described(rng: Random) -> Pair:
    """北京很大: Beijing is big; 你好吗: how are you."""
    subject, qualities = rng.choices(_DESCRIBED, (6, 3, 1, 1, 1, 1))[0](rng)
    quality = rng.choice(qualities)
    when = rng.choice(words.DAYS) if rng.random() < 0.2 else None
    return _somehow(rng, subject, quality, when, first=rng.random() < 0.5)


def weather(rng: Random) -> Pair:
    """今天很热: it is hot today; 今天天气好吗; 天气怎么样: how is the weather."""
    when = rng.choice(words.DAYS)
    if rng.random() < 0.5:
        it = NounPhrase((), (Item("it"),), (Item("it"),), "is", ())
        return _somehow(rng, it, rng.choice(words.OF_WEATHER), when, first=True)
    han = Han("天气")
    rendered = (Item("the"), Item("weather", (han,)))
    subject = NounPhrase((han,), rendered, rendered, "is", ())
    day = when if rng.random() < 0.5 else None
    if rng.random() < 0.5:
        return _somehow(rng, subject, ("好", "good"), day, first=True)
    asked = Han("怎么样")
    before, tense, when_english = _timed(day)
    group, wh = being((), tense, "is"), (Item("how", (asked,)),)
    english = clause(subject, group, when_english, asked=True, wh=wh)
    return pair((*before, han, asked), english)


def _somehow(
    rng: Random,
    subject: NounPhrase,
    quality: tuple[str, str],
    when: words.Time | None,
    *,
    first: bool,
) -> Pair:
    day, tense, when_english = _timed(when)
    before, after = (day, ()) if first else ((), day)
    start = (*before, *subject.han, *after)
    group, han, english = being((), tense, subject.agreement), Han(quality[0]), quality[1]
    asked = rng.random() < 0.3
    if asked and english == "fine":
        question = Han("吗")
        wh = (Item("how", (han, question)),)
        rendered = clause(subject, group, when_english, asked=True, wh=wh)
        return pair((*start, han, question), rendered)
    tail = (Item(english, (han,)), *when_english)
    if han.word in words.FELT and tense == "present" and not asked and rng.random() < 0.4:
        return pair((*start, han, Han("了")), clause(subject, group, tail))
    negation = Han("不") if rng.random() < 0.25 else None
    degree, shade = rng.choices(words.DEGREES, (6, 2, 2))[0]
    how = () if negation or (asked and rng.random() < 0.8) else (Han(degree),)
    also = None if negation or asked or not subject.han else _sometimes(rng, subject)
    rendered = clause(
        subject,
        group,
        (*(items(shade, *how) if how else ()), *tail),
        negation=negation,
        adverb=also,
        asked=asked,
    )
    middle = (*(also.of if also else ()), *((negation,) if negation else how), han)
    return pair((*start, *middle, *((Han("吗"),) if asked else ())), rendered)


def named(rng: Random) -> Pair:
    """你叫什么名字: what is your name; 我叫小明: my name is Xiaoming."""
    found = rng.choice(words.PRONOUNS)
    owner = Han(found.han)
    if rng.random() < 0.5:
        be, start, whose = Han("叫"), (owner,), (owner,)
        name = be
    else:
        be, of, name = Han("是"), Han("的"), Han("名字")
        start, whose = (owner, of, name), (owner, of)
    last: tuple[Han, ...] = ()
    if rng.random() < 0.5:
        han, english = rng.choice(words.NAMES)
        called = Han(han)
        subject = (Item(found.possessive, whose), Item("name", (name,)))
        end = (Item("is", (be,)), Item(english, (called,)))
        return pair((*start, be, called), (*subject, *end))
    if name == be and rng.random() < 0.6:
        name = Han("名字")
        last = (name,)
    what = Han("什么")
    subject = (Item(found.possessive, whose), Item("name", (name,)))
    return pair((*start, be, what, *last), (Item("what", (what,)), Item("is", (be,)), *subject))


def identified(rng: Random) -> Pair:
    """我的老师是中国人: my teacher is Chinese; 这是什么: what is this."""
    kind = rng.choices(("this", "who", "nation", "person"), (35, 15, 25, 25))[0]
    if kind == "this":
        subject = plain(*rng.choice(words.POINTERS))
        if rng.random() < 0.3:
            return _asked(subject, *rng.choice(words.ASKED))
        noun = rng.choice((*words.THINGS, *words.PEOPLE, *words.ANIMALS))
        return _equal(rng, subject, owned(rng, noun) if rng.random() < 0.6 else indefinite(noun))
    if kind == "who" and rng.random() < 0.4:
        be, what, who = Han("是"), owned(rng, rng.choice(words.PEOPLE)), plain("谁", "who")
        return pair((*who.han, be, *what.han), (*who.subject, Item("is", (be,)), *what.object))
    subject = people(rng)
    if kind == "who":
        return _asked(subject, "谁", "who")
    if kind == "nation":
        return _equal(rng, subject, plain(*rng.choice(words.NATIONS)))
    its_own = rng.random() < 0.5
    if subject.several:
        several = rng.choice(words.PEOPLE[:4])
        what = owned(rng, several, many=True) if its_own else generic(several)
    else:
        what = (
            owned(rng, rng.choice(words.PEOPLE))
            if its_own
            else indefinite(rng.choice(words.TRADES))
        )
    return _equal(rng, subject, what)


def located(rng: Random) -> Pair:
    """妈妈在家: mom is at home; 你在哪里: where are you."""
    subject = rng.choices((people, animal, _thing), (6, 1, 1))[0](rng)
    when = rng.choice((*words.DAYS, words.NOW)) if rng.random() < 0.25 else None
    day, tense, when_english = _timed(when)
    start = (*subject.han, *day)
    if rng.random() < 0.25:
        at, where = Han("在"), Han(rng.choice(words.WHERE))
        group, wh = being((at,), tense, subject.agreement), (Item("where", (where,)),)
        english = clause(subject, group, when_english, asked=True, wh=wh)
        return pair((*start, at, where), english)
    negation = Han("不") if rng.random() < 0.2 else None
    asked = rng.random() < 0.25
    found = words.HOME if rng.random() < 0.3 else rng.choice(words.PLACES)
    han, there = somewhere(rng, found)
    group = being((), tense, subject.agreement)
    rendered = clause(subject, group, (*there, *when_english), negation=negation, asked=asked)
    end = (*((negation,) if negation else ()), *han, *((Han("吗"),) if asked else ()))
    return pair((*start, *end), rendered, met(subject.heads, (), (found.han,)))


def _equal(rng: Random, subject: NounPhrase, what: NounPhrase) -> Pair:
    be, negation = Han("是"), Han("不") if rng.random() < 0.2 else None
    asked = rng.random() < 0.25
    also = None if negation or asked else _sometimes(rng, subject)
    group = being((be,), "present", subject.agreement)
    rendered = clause(subject, group, what.object, negation=negation, adverb=also, asked=asked)
    middle = (*((negation,) if negation else ()), *(also.of if also else ()), be)
    end = (*what.han, *((Han("吗"),) if asked else ()))
    return pair((*subject.han, *middle, *end), rendered)


def _asked(subject: NounPhrase, asked: str, wh: str) -> Pair:
    be, han = Han("是"), Han(asked)
    english = (Item(wh, (han,)), Item(subject.agreement, (be,)), *subject.subject)
    return pair((*subject.han, be, han), english)


def _sometimes(rng: Random, subject: NounPhrase) -> Item | None:
    """Also, or all; never often."""
    found = adverb(rng, subject)
    said = rng.random() < (0.3 if subject.two else 0.15)
    return found if said and found.word != "often" else None


def _timed(when: words.Time | None) -> tuple[tuple[Han, ...], str, tuple[Item, ...]]:
    """The Chinese time, the tense that it gives to "be", the English time."""
    if when is None:
        return (), "present", ()
    han, english = time(when)
    return (han,), when.tense if when.tense != "progressive" else "present", english


def _people(rng: Random) -> tuple[NounPhrase, Qualities]:
    return people(rng), words.OF_PEOPLE


def _place(rng: Random) -> tuple[NounPhrase, Qualities]:
    found = rng.choice(words.PLACES)
    han, rendered = place(rng, found)
    qualities = words.OF_PLACES + (words.OF_WEATHER if found in words.CITIES_AND_LANDS else ())
    return NounPhrase(han, rendered, rendered, "is", (found.han,)), qualities


def _book(rng: Random) -> tuple[NounPhrase, Qualities]:
    noun = rng.choice(words.THINGS)
    return rng.choice((definite(noun), owned(rng, noun))), words.OF_THINGS


def _language(rng: Random) -> tuple[NounPhrase, Qualities]:
    return generic(rng.choice(words.LANGUAGES)), words.OF_LANGUAGES


def _meal(rng: Random) -> tuple[NounPhrase, Qualities]:
    return generic(rng.choice(words.SERVED)), words.OF_FOOD


def _animal(rng: Random) -> tuple[NounPhrase, Qualities]:
    return animal(rng), words.OF_ANIMALS


def _thing(rng: Random) -> NounPhrase:
    if rng.random() < 0.3:
        han, rendered = home(rng)
        return NounPhrase(han, rendered, rendered, "is", ("家",))
    return _book(rng)[0]


_DESCRIBED = (_people, _place, _book, _language, _meal, _animal)
