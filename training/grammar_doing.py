"""Somebody does something, somewhere, some time: 我明天去北京, I will go to Beijing tomorrow."""

from dataclasses import dataclass, replace
from random import Random
from typing import TypeVar

from training import grammar_words as words
from training.grammar_actions import (
    Action,
    at_a_place,
    going,
    how_many,
    intransitive,
    living,
    transitive,
)
from training.grammar_clauses import Group, adverb, clause, modal, simple, time, wish
from training.grammar_pairs import Pair, met, pair
from training.grammar_phrases import Han, Item, NounPhrase, animal, people, plain

T = TypeVar("T")
PRESENT, PAST, FUTURE, PROGRESSIVE = "present", "past", "future", "progressive"
SPEAKERS = {"我", "你", "我们", "你们"}  # of whom it is not said that they love themselves


@dataclass(frozen=True)
class Small:
    """The small words of one sentence. Each is None where the sentence has none.

    ongoing: 在 before a verb. reason: 为什么, 什么时候 or 怎么. done: 了. also: 也, 都 or 常常.
    """

    tense: str
    when: words.Time | None = None
    ongoing: Han | None = None
    reason: Item | None = None
    negation: Han | None = None
    helper: Han | None = None
    done: Han | None = None
    also: Item | None = None


def doing(rng: Random) -> Pair:
    """A sentence about what somebody does, or a question about it."""
    asks_wh = rng.random() < 0.12
    kinds, weights = zip(*_ACTIONS, strict=True)
    action = rng.choices(kinds, weights)[0](rng, asks_wh)
    who = not action.wh and rng.random() < 0.08
    subject = plain("谁", "who") if who else _actor(rng)
    while set(subject.heads) & {one for _, one in action.objects} & SPEAKERS:
        subject = _actor(rng)
    asked = bool(action.wh) or (not who and rng.random() < 0.25)
    combinations = met(subject.heads, action.objects, action.places)

    small = _timed(rng, action)
    if asked and not action.wh and rng.random() < 0.25:
        small = replace(small, reason=_reason(rng, action, small))
    small = replace(small, negation=_negation(rng, action, small))
    if small.negation and action.verb == words.HAVE:
        action = replace(action, han=small.negation)  # 没有: not … have
    small = replace(small, done=_done(rng, small))
    group, helper = _verb_group(rng, subject, action, small)
    small = replace(small, helper=helper)
    if not (asked or who):
        small = replace(small, also=_also(rng, subject, action, small))

    when_han, when_english = time(small.when) if small.when else (None, ())
    first = when_han is not None and not who and rng.random() < 0.3
    yes_or_no = asked and not action.wh and not small.reason
    han = (
        *_present(when_han if first else None),
        *subject.han,
        *_present(None if first else when_han),
        *(small.reason.of if small.reason else ()),
        *(small.also.of if small.also else ()),
        *_verb_words(rng, action, small),
        *_present(Han("吗") if yes_or_no else None),
    )
    english = clause(
        subject,
        group,
        (*action.english, *when_english),
        negation=small.negation,
        adverb=small.also,
        asked=asked,
        wh=action.wh or _present(small.reason),
    )
    return pair(han, english, combinations)


def _timed(rng: Random, action: Action) -> Small:
    """A time with the tense that it calls for; without one also 在, or the past that 了 shows."""
    if action.stative:
        return Small(PRESENT, words.NOW if rng.random() < 0.4 else None)
    if rng.random() < 0.4:
        when = rng.choice(words.TIMES)
        return Small(when.tense, when)
    moves = action.verb in (words.GO, words.COME, words.RETURN)
    if not moves and not action.before and rng.random() < 0.17:
        return Small(PROGRESSIVE, ongoing=Han("在"))
    return Small(PAST if rng.random() < 0.15 else PRESENT)


def _reason(rng: Random, action: Action, small: Small) -> Item:
    if action.verb in (words.GO, words.COME) and rng.random() < 0.3:
        return Item("how", (Han("怎么"),))
    han, english = words.REASONS[0] if small.when else rng.choice(words.REASONS)
    return Item(english, (Han(han),))


def _negation(rng: Random, action: Action, small: Small) -> Han | None:
    questioned = action.wh or (small.reason and small.reason.word != "why")
    if questioned or rng.random() > 0.2:
        return None
    if action.verb == words.HAVE or (small.tense == PAST and rng.random() < 0.3):
        return Han("没有")
    return Han("没" if small.tense == PAST else "不")


def _done(rng: Random, small: Small) -> Han | None:
    if small.tense != PAST or small.negation:
        return None
    return Han("了") if not small.when or rng.random() < 0.6 else None


def _also(rng: Random, subject: NounPhrase, action: Action, small: Small) -> Item | None:
    if (
        small.negation
        or small.ongoing
        or small.done
        or rng.random() > (0.3 if subject.two else 0.12)
    ):
        return None
    if small.helper and small.tense == FUTURE:
        return None
    found = adverb(rng, subject)
    habit = small.tense == PRESENT and not small.helper and not action.stative
    return found if found.word != "often" or habit else None


def _verb_group(
    rng: Random, subject: NounPhrase, action: Action, small: Small
) -> tuple[Group, Han | None]:
    """The English verb, and the Chinese modal before it if there is one."""
    verb, of, tense = action.verb, action.han, small.tense
    helped = action.verb not in _WITHOUT_MODAL and not small.ongoing and tense != PAST
    if helped and not action.stative and rng.random() < 0.25:
        helper, group = modal(rng, tense, verb, of)
        if not (small.negation and helper.word == "要"):
            return group, helper
    wished = helped and verb not in (words.LOVE, words.LIKE) and tense in (PRESENT, FUTURE)
    if wished and rng.random() < 0.2:
        helper, group = wish(rng, subject.agreement, verb, of)
        if tense == PRESENT or helper.word == "想":
            return group, helper
    if tense == FUTURE:
        return Group(Item("will"), (Item(verb.base, (of,)),)), None
    if tense == PROGRESSIVE:
        be = Item(subject.agreement, _present(small.ongoing))
        return Group(be, (Item(verb.ing, (of,)),)), None
    return simple(verb, (of, *_present(small.done)), tense, subject.agreement), None


def _verb_words(rng: Random, action: Action, small: Small) -> tuple[Han, ...]:
    """The Chinese words from the negation to the end: 不想在学校学习中文, 喝了茶, 去北京了."""
    if action.han == small.negation:
        return (action.han, *action.after)
    lead = tuple(one for one in (small.negation, small.helper, small.ongoing) if one)
    start = (*lead, *action.before, action.han)
    if small.done is None:
        return (*start, *action.after)
    if not action.wh and rng.random() < 0.3:
        return (*start, *action.after, small.done)
    return (*start, small.done, *action.after)


def _present(one: T | None) -> tuple[T, ...]:
    return () if one is None else (one,)


def _actor(rng: Random) -> NounPhrase:
    return animal(rng) if rng.random() < 0.08 else people(rng)


def _without_object(rng: Random, asks: bool) -> Action:
    return how_many(rng) if asks else intransitive(rng)


_WITHOUT_MODAL = (words.HAVE, words.WANT, words.MISS, words.KNOW_THAT)
_ACTIONS = (
    (transitive, 10),
    (_without_object, 3),
    (at_a_place, 4),
    (going, 5),
    (living, 2),
)
