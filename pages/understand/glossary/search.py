"""Search for a term by any of its names."""

from collections.abc import Mapping

from views.text import Words
from views.text.glossary_term import Term
from views.text.glossary_terms import TERMS

EXACT, SAME_NORMALISED, SUBSTRING, MEANING = range(4)
_IGNORED = str.maketrans("", "", " _-^–./\\{}$")


def names_of(term: Term, texts: Words) -> tuple[str, ...]:
    """All names of a term, here and elsewhere."""
    others = [name for _, names in term.also for name in names]
    return (term.name, *texts.called.split(" / "), *others)


def rank(find: str, term: Term, texts: Words) -> int | None:
    """The rank of a term for a query, from ``EXACT`` (0) to ``MEANING``; None if it does not match.

    A single letter must match exactly; else case, spaces and punctuation are ignored.
    """
    names = names_of(term, texts)
    if find in names:
        return EXACT
    wanted, normalised = _normalised(find), [_normalised(name) for name in names]
    if wanted in normalised:
        return SAME_NORMALISED
    if len(wanted) < 2 and wanted.isascii():
        return None
    if any(wanted in name for name in normalised):
        return SUBSTRING
    return MEANING if len(find) > 2 and find.casefold() in texts.meaning.casefold() else None


def search_terms(find: str, texts: Mapping[str, Words]) -> list[tuple[int, Term]]:
    """The matching terms with their ranks, the best first; all terms for an empty query."""
    wanted = find.strip()
    if not wanted:
        return [(EXACT, term) for term in TERMS]
    ranked = [(rank(wanted, term, texts[term.name]), term) for term in TERMS]
    answers = [(place, term) for place, term in ranked if place is not None]
    best = [answer for answer in answers if answer[0] == EXACT]
    if len(wanted) == 1 and best:
        return best
    return sorted(answers, key=lambda answer: answer[0])


def _normalised(text: str) -> str:
    return text.casefold().translate(_IGNORED)
