"""The table of terms, and the search in it by any of their names."""

from collections.abc import Mapping

import streamlit as st

from core import Trace
from pages.understand.glossary.questions import ASKED
from pages.understand.glossary.term_location import full_trace, last_sentence, shape, step_link
from views import link, parse
from views.figures.axis import shortened
from views.navigation import PAGE_INFO, PAGES
from views.preferences import in_language
from views.text import Words
from views.text.glossary import GROUPS, TERMS, Term, find_term
from views.text.spans import mathematics, plain, spans
from views.widgets.choice import option_input
from views.widgets.prose import heading, prose

LONGEST_NAME = 40


def part_input(texts: Words) -> str:
    """Draw the choice of ``words`` or ``questions``, and return it."""
    link.bind_param("find", "", _short)
    link.bind_param("term", "", parse.one_of([term.name for term in TERMS]))
    link.bind_param("question", next(iter(ASKED)), parse.one_of(list(ASKED)))
    part: str = option_input(
        " / ".join(texts.parts.values()), "part", texts.parts, texts.parts.__getitem__,
        label_visibility="collapsed",
    )  # fmt: skip
    return part


def table(texts: Words, words: Words) -> None:
    """Draw the search box, the term of the link, and the table."""
    sentence = last_sentence()
    trace = full_trace(sentence)
    find = st.text_input(
        texts.find, key="find", placeholder=texts.find_hint, max_chars=LONGEST_NAME,
    )  # fmt: skip
    linked: str = st.session_state["term"]
    if linked and not find.strip():
        heading(texts.asked)
        _row(find_term(linked), trace, texts, words, key="asked")
    answers = search_terms(find, texts.terms)
    quoted = shortened(find.strip(), LONGEST_NAME)
    if find.strip():
        same = sum(rank <= SAME_NORMALISED for rank, _ in answers)
        if not answers:
            prose([spans(texts.nothing, find=quoted)], key="nothing", style="notice")
        elif same > 1 and answers[0][0] == EXACT:
            prose([spans(texts.several, find=quoted, count=str(same))], key="several")
        for _, term in answers:
            _row(term, trace, texts, words, key="found")
    else:
        for group, members in GROUPS:
            heading(texts.groups[group])
            for term in members:
                _row(term, trace, texts, words, key="all")
    if all(term.model or not term.stage for _, term in answers):
        return
    written = shortened(sentence.written.replace("\n", " "), LONGEST_NAME)
    origin = sentence.model.origin(words)
    prose([spans(texts.yours, sentence=written, origin=origin)], key="yours", style="quiet")


def _row(term: Term, trace: Trace, texts: Words, words: Words, key: str) -> None:
    term_texts = texts.terms[term.name]
    with st.container(border=True, key=f"{key}_{term.name}_card"):
        name, meaning, also, see = st.columns([1.2, 2.5, 2.6, 1.05], gap="medium")
        called = mathematics(term.name)
        is_word = called == plain(term.name) and term.symbol not in ("", term.name)
        symbol = f"${term.symbol}$ " if is_word else ""
        name.markdown(f"{symbol}**{called}**  \n{mathematics(term_texts.called)}")
        sized = shape(term, trace, texts)
        meaning.markdown(mathematics(term_texts.meaning) + (f"  \n:gray[{sized}]" if sized else ""))
        also.markdown(
            " · ".join(
                f":gray[{plain(texts.sources[where])}] {' '.join(f'`{name}`' for name in names)}"
                for where, names in term.also
            )
        )
        with see:
            if term.stage:
                page, query = step_link(term, last_sentence())
                st.page_link(str(PAGES[page]), label=f"{texts.see} →", query_params=query)
            if term.page:
                label = f"{plain(in_language(PAGE_INFO)[term.page].title)} →"
                query = link.query_of(term.page) | ({} if term.stage else dict(term.needs))
                st.page_link(str(PAGES[term.page]), label=label, query_params=query)


def _short(text: str) -> str:
    if len(text) > LONGEST_NAME:
        raise ValueError(text)
    return text


EXACT, SAME_NORMALISED, SUBSTRING, MEANING = range(4)
_IGNORED = str.maketrans("", "", " _-^–./\\{}$")


def names_of(term: Term, texts: Words) -> tuple[str, ...]:
    """All names of a term, here and elsewhere."""
    others = [name for _, names in term.also for name in names]
    return (term.name, *texts.called.split(" / "), *others)


def rank_of(find: str, term: Term, texts: Words) -> int | None:
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
    ranked = [(rank_of(wanted, term, texts[term.name]), term) for term in TERMS]
    answers = [(rank, term) for rank, term in ranked if rank is not None]
    best = [answer for answer in answers if answer[0] == EXACT]
    if len(wanted) == 1 and best:
        return best
    return sorted(answers, key=lambda answer: answer[0])


def _normalised(text: str) -> str:
    return text.casefold().translate(_IGNORED)
