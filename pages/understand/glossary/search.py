"""Find a term by what any book calls it."""

from collections.abc import Mapping

from views.text.glossary_term import Term, TermWords
from views.text.glossary_terms import TERMS

EXACT, ALIKE, PART, MEANT = range(4)
_LOOSE = str.maketrans("", "", " _-^–./\\{}$")


def names_of(term: Term, texts: TermWords) -> tuple[str, ...]:
    """All that the term is called, here and elsewhere."""
    others = [name for _, names in term.also for name in names]
    return (term.name, *texts.called.split(" / "), *others)


def rank(find: str, term: Term, texts: TermWords) -> int | None:
    """How well the term answers to a name: 0 is best, None not at all.

    A single letter is a whole name; otherwise capitals, spaces and underlines do not count.
    """
    names = names_of(term, texts)
    if find in names:
        return EXACT
    wanted, loose = _loose(find), [_loose(name) for name in names]
    if wanted in loose:
        return ALIKE
    if len(wanted) < 2 and wanted.isascii():
        return None
    if any(wanted in name for name in loose):
        return PART
    return MEANT if len(find) > 2 and find.casefold() in texts.meaning.casefold() else None


def found(find: str, texts: Mapping[str, TermWords]) -> list[tuple[int, Term]]:
    """The terms that answer to a name, the best first; all of them where nothing is asked."""
    wanted = find.strip()
    if not wanted:
        return [(EXACT, term) for term in TERMS]
    ranked = [(rank(wanted, term, texts[term.name]), term) for term in TERMS]
    answers = [(place, term) for place, term in ranked if place is not None]
    best = [answer for answer in answers if answer[0] == EXACT]
    if len(wanted) == 1 and best:
        return best
    return sorted(answers, key=lambda answer: answer[0])


def _loose(text: str) -> str:
    return text.casefold().translate(_LOOSE)
