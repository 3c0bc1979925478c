"""How English builds a clause: its auxiliary, its negation, the order of its questions."""

from dataclasses import dataclass
from random import Random

from training import grammar_words as words
from training.grammar_phrases import Han, Item, NounPhrase, items
from training.grammar_words import Verb

BE_PAST = {"am": "was", "is": "was", "are": "were"}


@dataclass(frozen=True)
class Group:
    """A verb with what helps it.

    auxiliary: "will", "does", "is"; silent: it is said only in questions and beside "not".
    finite: the verb of a plain statement, in place of a silent auxiliary. rest: the verb after one
    that is said, and what belongs to it.
    """

    auxiliary: Item
    rest: tuple[Item, ...]
    finite: tuple[Item, ...] = ()
    silent: bool = False


def simple(verb: Verb, of: tuple[Han, ...], tense: str, agreement: str) -> Group:
    """Go, goes, went; helped by do, does, did, which render nothing."""
    third = agreement == "is"
    form = verb.past if tense == "past" else verb.third if third else verb.base
    helper = "did" if tense == "past" else "does" if third else "do"
    return Group(Item(helper), (Item(verb.base, of),), (Item(form, of),), silent=True)


def being(of: tuple[Han, ...], tense: str, agreement: str) -> Group:
    """Am, is, are, was, were, will be."""
    if tense == "future":
        return Group(Item("will"), (Item("be", of),))
    return Group(Item(BE_PAST[agreement] if tense == "past" else agreement, of), ())


def followed(group: Group, tail: tuple[Item, ...]) -> Group:
    """The group with more words behind its verb: want + to go."""
    finite = (*group.finite, *tail) if group.silent else ()
    return Group(group.auxiliary, (*group.rest, *tail), finite, group.silent)


def clause(
    subject: NounPhrase,
    group: Group,
    tail: tuple[Item, ...],
    *,
    negation: Han | None = None,
    adverb: Item | None = None,
    asked: bool = False,
    wh: tuple[Item, ...] = (),
) -> tuple[Item, ...]:
    """The English order: of a statement; or, when it is asked, with the auxiliary in front."""
    extra = (adverb,) if adverb else ()
    negated = (Item("not", (negation,)),) if negation else ()
    if asked:
        return (*wh, group.auxiliary, *subject.subject, *negated, *extra, *group.rest, *tail)
    if group.silent and not negation:
        return (*subject.subject, *extra, *group.finite, *tail)
    helper = (group.auxiliary, *negated)
    if negation and group.auxiliary.word == "can":
        helper = (Item("cannot", (negation, *group.auxiliary.of)),)
    return (*subject.subject, *helper, *extra, *group.rest, *tail)


def modal(rng: Random, tense: str, verb: Verb, of: Han) -> tuple[Han, Group]:
    """会: can, beside 明天 will; 要: will; 应该: should."""
    han, english = rng.choice(words.AUXILIARIES)
    word = Han(han)
    if han == "会" and tense == "future":
        english = "will"
    return word, Group(Item(english, (word,)), (Item(verb.base, (of,)),))


def wish(rng: Random, agreement: str, verb: Verb, of: Han) -> tuple[Han, Group]:
    """想去: want to go; 喜欢喝: like to drink."""
    wished = rng.choice(words.WISHES)
    word = Han(wished.han)
    group = simple(wished, (word,), "present", agreement)
    return word, followed(group, (Item("to"), Item(verb.base, (of,))))


def adverb(rng: Random, subject: NounPhrase) -> Item:
    """也: also; 常常: often; 都: all, of two both."""
    choices = [("也", "also"), ("常常", "often")]
    if subject.two:
        choices += [("都", "both")] * 4
    elif subject.several:
        choices += [("都", "all")] * 2
    han, english = rng.choice(choices)
    return Item(english, (Han(han),))


def time(found: words.Time) -> tuple[Han, tuple[Item, ...]]:
    """明天: tomorrow; 早上: in the morning."""
    han = Han(found.han)
    rendered = items(found.english, han)
    return han, tuple(Item("the") if one.word == "the" else one for one in rendered)
