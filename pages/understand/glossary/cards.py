"""The table of terms, and the search in it by any of their names."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache

import numpy as np
import streamlit as st

from core import Trace
from core.limits import IN_LINK
from core.models import checkpoint, translator, vision
from core.models.stored import FOLDER
from core.nested import subtrace
from pages.understand.glossary.questions import ASKED
from views import link, parse
from views.figures.axis import shortened
from views.navigation import PAGE_INFO, PAGES
from views.preferences import in_language
from views.text import Words
from views.text.glossary import GROUPS, TERMS, Term, find_term
from views.text.spans import mathematics, plain, spans
from views.widgets.choice import option_input
from views.widgets.errors import LastValidInput
from views.widgets.mask_input import CAUSAL
from views.widgets.prose import heading, prose
from views.widgets.sentence_input import FIRST, FIRST_TEXT, Sentence, sentence_trace

OF_SENTENCE = (
    "mode", "d_model", "heads", "seed", "mask", "position", "temperature", "dropout", "residual",
)  # fmt: skip
ENCODER = ("source", "encoder")


def last_sentence() -> Sentence:
    """The last valid input of the page Sentence in this session, or its example."""
    good: Sentence = link.remembered(LastValidInput).inputs.get("sentence", FIRST)
    return good


def full_trace(sentence: Sentence) -> Trace:
    """The trace of the sentence with all optional steps."""
    model = replace(sentence.model, mask=CAUSAL, dropout=sentence.model.dropout or 0.1)
    return sentence_trace(replace(sentence, model=replace(model, residual=True)))


@cache
def model_trace(name: str) -> Trace:
    """The trace of ``translator`` or ``decoder`` for 我爱北京, or of ``vision`` for black."""
    if name == "translator":
        return translator.load().translate(FIRST_TEXT).trace
    if name == "decoder":
        return checkpoint.open(FOLDER / name).run(FIRST_TEXT, 1)
    model = vision.load()
    return model.trace(np.zeros((1, model.side, model.side, 3), np.float32))


def shape(term: Term, trace: Trace, texts: Words) -> str:
    """The shape of a term in the user's sentence or in a trained model, as Markdown."""
    if not term.is_step:
        return ""
    if not term.model:
        return _shape(term, trace)
    in_model = _shape(term, subtrace(model_trace(term.model), term.part))
    return f"{in_model} · {plain(texts.models[term.model])}"


def step_link(term: Term, sentence: Sentence) -> tuple[str, dict[str, str]]:
    """The page and the query of the step, with the user's sentence if it has that step."""
    query = {"lang": link.session().language, "stage": term.stage} | dict(term.needs)
    if term.model:
        query |= {"part": term.part}
        if term.model == "vision":
            return "image", query
        if term.model == "translator" and term.part.partition("/")[0] not in ENCODER:
            return "translation", query
        return "sentence", query | {"model": term.model}
    last_query = link.query_of("sentence")
    query = {name: text for name, text in last_query.items() if name in OF_SENTENCE} | query
    query |= {"model": "seeded"}
    if sentence.written != FIRST_TEXT and len(sentence.written) <= IN_LINK:
        query |= {"text": sentence.written}
    return "sentence", query


def _shape(term: Term, trace: Trace) -> str:
    if not term.role:
        stage = trace[term.stage]
        return mathematics(f"({', '.join(f'{role} {stage.size(role)}' for role in stage.roles)})")
    return f"{mathematics(term.name)} = {trace[term.stage].size(term.role)}"


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
