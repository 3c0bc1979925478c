"""The table of terms: what each is, its shape in the reader's sentence, and its other names."""

import streamlit as st

from core import Trace
from pages.understand.glossary.search import ALIKE, EXACT, found
from pages.understand.glossary.seen import (
    last_sentence,
    shape,
    way,
    whole_trace,
)
from pages.understand.glossary.words import ASKED
from views import link, parse
from views.doors import DOORS
from views.figures.axis import shortened
from views.menu import PAGES
from views.reader import in_language
from views.spans import mathematics, plain, spans
from views.text import Words
from views.text.glossary import GlossaryWords
from views.text.glossary_term import Term
from views.text.glossary_terms import GROUPS, TERMS, term
from views.widgets.prose import heading, prose

LONGEST_NAME = 40


def part_input(texts: GlossaryWords) -> str:
    """Words or questions."""
    link.bind_param("part", "words", parse.one_of(list(texts.parts)))
    link.bind_param("find", "", _short)
    link.bind_param("term", "", parse.one_of([each.name for each in TERMS]))
    link.bind_param("question", ASKED[0][0], parse.one_of([name for name, _ in ASKED]))
    st.segmented_control(
        "part", list(texts.parts), format_func=lambda name: texts.parts[name], key="part",
        required=True, label_visibility="collapsed",
    )  # fmt: skip
    part: str = st.session_state["part"]
    return part


def table(texts: GlossaryWords, words: Words) -> None:
    """The box for a name, the term that a link asks for, and the table."""
    sentence = last_sentence()
    trace = whole_trace(sentence)
    find = st.text_input(
        texts.find, key="find", placeholder=texts.find_hint, max_chars=LONGEST_NAME,
    )  # fmt: skip
    asked: str = st.session_state["term"]
    if asked and not find.strip():
        heading(texts.asked)
        _row(term(asked), trace, texts, words, key="asked")
    answers = found(find, texts.terms)
    quoted = shortened(find.strip(), LONGEST_NAME)
    if find.strip():
        same = sum(place <= ALIKE for place, _ in answers)
        if not answers:
            prose([spans(texts.nothing, find=quoted)], key="nothing", style="notice")
        elif same > 1 and answers[0][0] == EXACT:
            prose([spans(texts.several, find=quoted, count=str(same))], key="several")
        for _, each in answers:
            _row(each, trace, texts, words, key="found")
    else:
        for group, members in GROUPS:
            heading(texts.groups[group])
            for each in members:
                _row(each, trace, texts, words, key="all")
    if all(each.model for _, each in answers):
        return
    written = shortened(sentence.written.replace("\n", " "), LONGEST_NAME)
    origin = sentence.model.origin(words)
    prose([spans(texts.yours, sentence=written, origin=origin)], key="yours", style="quiet")


def _row(each: Term, trace: Trace, texts: GlossaryWords, words: Words, key: str) -> None:
    told = texts.terms[each.name]
    with st.container(border=True, key=f"{key}_{each.name}_card"):
        name, meaning, also, see = st.columns([1.2, 2.5, 2.6, 1.05], gap="medium")
        called = mathematics(each.name)
        is_word = called == plain(each.name) and each.symbol not in ("", each.name)
        symbol = f"${each.symbol}$ " if is_word else ""
        name.markdown(f"{symbol}**{called}**  \n{mathematics(told.called)}")
        sized = shape(each, trace, texts)
        meaning.markdown(mathematics(told.meaning) + (f"  \n:gray[{sized}]" if sized else ""))
        also.markdown(
            " · ".join(
                f":gray[{plain(texts.places[place])}] {' '.join(f'`{name}`' for name in names)}"
                for place, names in each.also
            )
        )
        with see:
            page, query = way(each, last_sentence())
            st.page_link(str(PAGES[page]), label=f"{texts.see} →", query_params=query)
            if each.page:
                label, query = (
                    f"{plain(in_language(DOORS)[each.page].title)} →",
                    link.query_of(each.page),
                )
                st.page_link(str(PAGES[each.page]), label=label, query_params=query)


def _short(text: str) -> str:
    if len(text) > LONGEST_NAME:
        raise ValueError(text)
    return text
