"""The classification of a picture, and whether its confidence is above the threshold."""

import numpy as np

from core.models.vision import Classification, Vision
from views.text import Words, numbers
from views.widgets.component import component
from views.widgets.prose import heading

FOLDER = "vision"
SHOWN = 5
THIN = "\u202f"  # narrow no-break space


def answer(model: Vision, result: Classification, texts: Words, language: str) -> None:
    """Draw the most probable class, or "unknown" below the threshold, and the next ones as bars."""
    text, strange = texts.answer, model.stored.training["strange"]
    unknown = result.confidence < model.unknown_below
    note = (text.why if unknown else text.sure).format(
        confidence=percent(result.confidence),
        threshold=percent(model.unknown_below),
        passed=percent(1 - strange["known_lost"]),
        right=percent(strange["accuracy_of_the_rest"]),
    )
    heading(text.heading)
    data = {
        "title": text.unknown if unknown else texts.classes[result.label].capitalize(),
        "note": note,
        "unknown": unknown,
        "rows": _rows(model, result.probabilities, texts),
        "language": language,
    }
    component("answer", FOLDER)(key="answer", data=data)


def percent(share: float) -> str:
    """A share (0 … 1) in per cent; 0 and 100 only if they are exact."""
    if 0 < share < 0.0005:
        return f"< 0.1{THIN}%"
    if 0.9995 < share < 1:
        return f"> 99.9{THIN}%"
    return numbers.per_cent(share, 1).replace(numbers.PER_CENT, f"{THIN}%")


def _rows(model: Vision, probabilities: np.ndarray, texts: Words) -> list[dict[str, object]]:
    order = np.argsort(-probabilities, kind="stable")
    named = [(texts.classes[model.classes[i]], float(probabilities[i])) for i in order[:SHOWN]]
    others = order[SHOWN:]
    if others.size:
        rest = texts.answer.others.format(count=others.size)
        named.append((rest, float(probabilities[others].sum())))
    return [{"called": name, "share": p, "printed": percent(p)} for name, p in named]
