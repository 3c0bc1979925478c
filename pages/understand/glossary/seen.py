"""Where a term is seen: its shape there, and the way to it."""

from dataclasses import replace
from functools import cache

import numpy as np

from core import Trace
from core.limits import IN_LINK
from core.models import translator, vision
from core.nested import subtrace
from views import link
from views.spans import mathematics, plain
from views.text.glossary import GlossaryWords
from views.text.glossary_term import Term
from views.widgets.errors import LastValidInput
from views.widgets.mask_input import CAUSAL
from views.widgets.sentence_input import FIRST, FIRST_TEXT, Sentence, sentence_trace

OF_SENTENCE = (
    "mode", "d_model", "heads", "seed", "mask", "position", "temperature", "dropout", "residual",
)  # fmt: skip
ENCODER = ("source", "encoder")


def last_sentence() -> Sentence:
    """What the reader last wrote on the page Sentence in this session, or its first example."""
    good: Sentence = link.remembered(LastValidInput).inputs.get("sentence", FIRST)
    return good


def whole_trace(sentence: Sentence) -> Trace:
    """The trace of the sentence with every step that there can be."""
    model = replace(sentence.model, mask=CAUSAL, dropout=sentence.model.dropout or 0.1)
    return sentence_trace(replace(sentence, model=replace(model, residual=True)))


@cache
def model_trace(name: str) -> Trace:
    """Every step of ``translator`` for 我爱北京, or of ``vision`` for a picture."""
    if name == "translator":
        return translator.load().translate(FIRST_TEXT).trace
    model = vision.load()
    return model.trace(np.zeros((1, model.side, model.side, 3), np.float32))


def shape(each: Term, trace: Trace, texts: GlossaryWords) -> str:
    """The shape of a term in the reader's sentence or in a trained model, as Markdown."""
    if not each.is_step:
        return ""
    if not each.model:
        return _shape(each, trace)
    found = _shape(each, subtrace(model_trace(each.model), each.part))
    return f"{found} · {plain(texts.models[each.model])}"


def way(each: Term, sentence: Sentence) -> tuple[str, dict[str, str]]:
    """The page and the query that lead to the step, on the reader's own sentence if it has it."""
    query = {"lang": link.session().language, "stage": each.stage} | dict(each.needs)
    if each.model:
        query |= {"part": each.part}
        if each.model == "vision":
            return "image", query
        if each.part.partition("/")[0] not in ENCODER:
            return "translation", query
        return "sentence", query | {"model": each.model}
    asked = link.query_of("sentence")
    query = {name: text for name, text in asked.items() if name in OF_SENTENCE} | query
    query |= {"model": "seeded"}
    if sentence.written != FIRST_TEXT and len(sentence.written) <= IN_LINK:
        query |= {"text": sentence.written}
    return "sentence", query


def _shape(each: Term, trace: Trace) -> str:
    if not each.role:
        stage = trace[each.stage]
        return mathematics(f"({', '.join(f'{role} {stage.size(role)}' for role in stage.roles)})")
    return f"{mathematics(each.name)} = {trace[each.stage].size(each.role)}"
