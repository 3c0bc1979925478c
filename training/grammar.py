"""A toy grammar of Chinese and English: pairs of sentences that say the same, word by word aligned.

Each derivation builds both sides at once, so that every English word knows the Chinese words that
it renders. A past form renders its verb and 了, "my" renders 我 and 的. Words that English grammar
alone asks for render nothing and have no alignment: do, does, did, the, "a" where Chinese says no
number, "to" before a verb, "is" where Chinese has no verb, the "will" that only 明天 calls for. The
alignment is for measuring: nothing is trained on it.

Held out are combinations: of a verb with an object, and of a subject with a place. A sentence with
any of them is for measuring, every other for training, so the two sets are disjoint.
"""

from collections.abc import Iterable, Iterator
from random import Random

from training.grammar_being import described, identified, located, named, weather
from training.grammar_doing import doing
from training.grammar_fixed import formula, fragment
from training.grammar_pairs import Pair

LONGEST = 12  # Chinese words in a sentence


def sentence(rng: Random) -> Pair:
    """Draw one sentence."""
    kinds, weights = zip(*_KINDS, strict=True)
    while True:
        found = rng.choices(kinds, weights)[0](rng)
        if len(found.source) <= LONGEST:
            return found


def sentences(seed: int, *, held_out: bool) -> Iterator[Pair]:
    """Draw sentences without end: only those that are held out, or only the others."""
    rng = Random(seed)
    while True:
        found = sentence(rng)
        if found.held_out == held_out:
            yield found


def distinct(pairs: Iterable[Pair]) -> Iterator[Pair]:
    """Each sentence the first time that it comes."""
    seen = set[tuple[str, ...]]()
    for found in pairs:
        if found.source not in seen:
            seen.add(found.source)
            yield found


_KINDS = (
    (doing, 70),
    (described, 9),
    (weather, 3),
    (named, 2),
    (identified, 7),
    (located, 5),
    (formula, 1.5),
    (fragment, 2.5),
)
