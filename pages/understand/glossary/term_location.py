"""The step that shows a term: its shape there, and a link to it."""

from dataclasses import replace
from functools import cache

import numpy as np

from core import Trace
from core.limits import IN_LINK
from core.models import checkpoint, translator, vision
from core.models.stored import FOLDER
from core.nested import subtrace
from views import link
from views.text import Words
from views.text.glossary import Term
from views.text.spans import mathematics, plain
from views.widgets.errors import LastValidInput
from views.widgets.mask_input import CAUSAL
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
