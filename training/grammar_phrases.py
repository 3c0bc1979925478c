"""Phrases in both languages at once: each English word knows the Chinese words that it renders."""

from dataclasses import dataclass
from random import Random

from training import grammar_words as words
from training.grammar_words import Mass, Noun, Place, Pronoun


@dataclass(frozen=True, eq=False)
class Han:
    """One Chinese word where it stands; two that read alike are two."""

    word: str


@dataclass(frozen=True)
class Item:
    """One English word. of: the Chinese words it renders; empty where only English asks for it."""

    word: str
    of: tuple[Han, ...] = ()


@dataclass(frozen=True)
class NounPhrase:
    """Somebody or something.

    subject, object: its words where it acts and where it is acted on: I, me. agreement: the form
    of "be" it takes. heads: the Chinese nouns in it by which combinations are held out.
    """

    han: tuple[Han, ...]
    subject: tuple[Item, ...]
    object: tuple[Item, ...]
    agreement: str
    heads: tuple[str, ...]

    @property
    def several(self) -> bool:
        """Whether it is certainly more than one; "you" can be one."""
        return self.agreement == "are" and self.heads != ("你",)

    @property
    def two(self) -> bool:
        """Whether two are joined in it, of which English says "both"."""
        return len(self.heads) == 2


def items(english: str, *of: Han) -> tuple[Item, ...]:
    """Several English words that render the same Chinese ones."""
    return tuple(Item(word, of) for word in english.split())


def pronoun(found: Pronoun) -> NounPhrase:
    """我: I, me."""
    han = Han(found.han)
    subject, acted_on = items(found.subject, han), items(found.object, han)
    return NounPhrase((han,), subject, acted_on, found.agreement, (found.han,))


def plain(han: str, english: str, agreement: str = "is") -> NounPhrase:
    """A word that is the same everywhere: a name, a language, a drink, apples."""
    one = Han(han)
    rendered = items(english, one)
    return NounPhrase((one,), rendered, rendered, agreement, (han,))


def definite(noun: Noun) -> NounPhrase:
    """老师: the teacher."""
    han = Han(noun.han)
    rendered = (Item("the"), Item(noun.one, (han,)))
    return NounPhrase((han,), rendered, rendered, "is", (noun.han,))


def generic(noun: Noun | Mass) -> NounPhrase:
    """苹果: apples; 茶: tea; 手机: a phone."""
    if isinstance(noun, Mass):
        return plain(noun.han, noun.english)
    return indefinite(noun) if noun.singly else plain(noun.han, noun.many, "are")


def indefinite(noun: Noun) -> NounPhrase:
    """老师 after 是: a teacher."""
    han = Han(noun.han)
    rendered = (Item(noun.article), Item(noun.one, (han,)))
    return NounPhrase((han,), rendered, rendered, "is", (noun.han,))


def counted(rng: Random, noun: Noun | Mass) -> NounPhrase:
    """两本书: two books; 一杯茶: a cup of tea."""
    number, english = rng.choice(words.NUMBERS)
    first, counter, last = Han(number), Han(noun.counter), Han(noun.han)
    if isinstance(noun, Mass):
        cups = (Item("cup" if number == "一" else "cups", (counter,)), Item("of", (counter,)))
        counted_words = (*cups, Item(noun.english, (last,)))
    else:
        counted_words = (Item(noun.one if number == "一" else noun.many, (last,)),)
    article = "a" if isinstance(noun, Mass) else noun.article
    rendered = (Item(english or article, (first,)), *counted_words)
    agreement = "is" if number == "一" else "are"
    return NounPhrase((first, counter, last), rendered, rendered, agreement, (noun.han,))


def possessor(rng: Random) -> tuple[tuple[Han, ...], Item]:
    """我的: my; 小明的: Xiaoming's."""
    owner, of = Han(""), Han("的")
    if rng.random() < 0.75:
        found = rng.choice(words.PRONOUNS)
        owner = Han(found.han)
        return (owner, of), Item(found.possessive, (owner, of))
    han, english = rng.choice((*words.NAMES, *words.PARENTS))
    owner = Han(han)
    return (owner, of), Item(f"{english}'s", (owner, of))


def owned(rng: Random, noun: Noun, *, many: bool = False) -> NounPhrase:
    """我的老师: my teacher; of several people, my teachers."""
    before, whose = possessor(rng)
    han = Han(noun.han)
    rendered = (whose, Item(noun.many if many else noun.one, (han,)))
    return NounPhrase((*before, han), rendered, rendered, "is", (noun.han,))


def parent(rng: Random) -> NounPhrase:
    """妈妈: mom; 我妈妈, 我的妈妈: my mom."""
    han, english = rng.choice(words.PARENTS)
    if rng.random() < 0.4:
        return plain(han, english)
    owner, last = Han(rng.choice(words.PRONOUNS).han), Han(han)
    of = (Han("的"),) if rng.random() < 0.5 else ()
    possessive = next(one.possessive for one in words.PRONOUNS if one.han == owner.word)
    rendered = (Item(possessive, (owner, *of)), Item(english, (last,)))
    return NounPhrase((owner, *of, last), rendered, rendered, "is", (han,))


def both(one: NounPhrase, other: NounPhrase) -> NounPhrase:
    """小明和我: Xiaoming and I; English names "you" first and "I" last, whatever Chinese does."""
    joint = Han("和")
    first, second = sorted((one, other), key=_turn)
    between = (Item("and", (joint,)),)
    return NounPhrase(
        (*one.han, joint, *other.han),
        first.subject + between + second.subject,
        first.object + between + second.object,
        "are",
        one.heads + other.heads,
    )


def _turn(one: NounPhrase) -> int:
    head = one.heads[0] if len(one.han) == 1 else ""
    return 2 * (head in words.FIRST_PERSON) - (head in words.SECOND_PERSON)


def somebody(rng: Random) -> NounPhrase:
    """One person: a pronoun, a name, a parent, a person of somebody's."""
    kind = rng.choices(("pronoun", "name", "parent", "owned", "definite"), (10, 5, 2, 3, 2))[0]
    if kind == "pronoun":
        return pronoun(rng.choice(words.PRONOUNS))
    if kind == "name":
        return plain(*rng.choice(words.NAMES))
    if kind == "parent":
        return parent(rng)
    if kind == "owned":
        return owned(rng, rng.choice(words.PEOPLE))
    return definite(rng.choice(words.PEOPLE))


def people(rng: Random) -> NounPhrase:
    """One person, or two of them joined by 和."""
    one = somebody(rng)
    if rng.random() > 0.16:
        return one
    other = somebody(rng)
    alike = set(one.heads) & set(other.heads)
    return one if len(one.han) > 1 or alike or _of_one_side(one, other) else both(one, other)


def _of_one_side(one: NounPhrase, other: NounPhrase) -> bool:
    """Whether both are first or both second person: 我 and 我们."""
    sides = (words.FIRST_PERSON, words.SECOND_PERSON)
    return any({one.heads[0], other.heads[0]} <= set(side) for side in sides)


def animal(rng: Random) -> NounPhrase:
    """小猫: the kitten; 我的狗: my dog."""
    noun = rng.choice(words.ANIMALS)
    return definite(noun) if rng.random() < 0.7 else owned(rng, noun)


def home(rng: Random) -> tuple[tuple[Han, ...], tuple[Item, ...]]:
    """我家, 我的家: my home."""
    owner, han = rng.choice(words.PRONOUNS), Han(words.HOME.han)
    whose = (Han(owner.han), Han("的")) if rng.random() < 0.4 else (Han(owner.han),)
    return (*whose, han), (Item(owner.possessive, whose), Item(words.HOME.english, (han,)))


def place(rng: Random, found: Place) -> tuple[tuple[Han, ...], tuple[Item, ...]]:
    """北京: Beijing; 公园: the park; 我家: my home. Returns both sides, without a preposition."""
    if found == words.HOME and rng.random() < 0.3:
        return home(rng)
    han = Han(found.han)
    article = (Item("the"),) if found.the else ()
    return (han,), (*article, Item(found.english, (han,)))


def somewhere(rng: Random, found: Place) -> tuple[tuple[Han, ...], tuple[Item, ...]]:
    """在学校: at school; the preposition renders 在."""
    at = Han("在")
    han, rendered = place(rng, found)
    return (at, *han), (Item(found.at, (at,)), *rendered)
