"""The classification of a picture, and sentences on a row of attention and on many pictures."""

from dataclasses import dataclass, field
from functools import cache

import numpy as np

from core.models.vision import Classification, Vision
from views.preferences import in_language
from views.text import VISION, Words, numbers, proportions
from views.text.spans import Span, pieces, spans
from views.widgets.component import component
from views.widgets.prose import Style, heading
from views.widgets.vision.attention import HEAD, MEAN, ROLLOUT, PictureAttention

SHOWN = 5
NAMED_FACTORS = 6  # of rollout
THIN = "\u202f"  # narrow no-break space
Value = bool | str | list[bool] | list[str] | list[list[bool]] | list[list[str]]
LOW = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def answer(model: Vision, result: Classification, texts: Words, language: str) -> None:
    """Draw the most probable class, or "unknown" below the threshold, and the next ones as bars."""
    text, strange = texts.answer, model.stored.training["strange"]
    is_changed = bool(model.stored.interventions)  # then what was measured is not of it
    unknown = result.confidence < model.unknown_below and not is_changed
    said = text.changed if is_changed else text.why if unknown else text.sure
    note = said.format(
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
    component("answer")(key="answer", data=data)


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


@dataclass(frozen=True)
class Sentence:
    """A sentence with fields, as spans.

    fields: values; each is one value, a list by head, or a list by head and query. The browser
    fills in ``head`` and ``query``. when: whether to show the sentence, with the same structure;
    False beyond the end of a list.
    """

    pieces: list[Span]
    fields: dict[str, Value] = field(default_factory=dict)
    when: Value = True


def live_prose(
    attention: PictureAttention,
    paragraphs: list[list[Sentence]],
    words: Words,
    key: str,
    style: Style = "",
) -> None:
    """Draw sentences that follow the selected head and query of the microscope."""
    data = attention.followed(words) | {
        "paragraphs": [[vars(one) for one in sentences] for sentences in paragraphs],
        "style": style,
        "language": words.code,
    }
    component("summary")(key=key, data=data)


def origin(model: Vision, words: Words) -> str:
    """Where the weights come from, and what was measured of them without changes."""
    texts = VISION[words.code]
    if model.stored.interventions:
        return str(texts.origin)
    measured = model.stored.training["measured"]
    photos = measured["photos"]
    result = texts.measured.format(
        right=proportions.count_of(measured["accuracy"], photos),
        held_out=numbers.count(photos),
        margin=proportions.confidence_interval(measured["accuracy"], photos),
    )
    return str(words.both.format(first=texts.origin, second=result))


def bright_share(attention: PictureAttention) -> list[Sentence]:
    """Sentences on the total weight of the patches above average."""
    text, look = in_language(VISION).looks, attention.look
    template = {HEAD: text.head_gives, MEAN: text.mean_gives, ROLLOUT: text.rollout_gives}[look.by]
    return attention.trace.derived(
        ("bright share", attention.sample, attention.begins, look, template),
        lambda: _bright_share(attention, template, text.none),
    )


def _bright_share(attention: PictureAttention, template: str, none: str) -> list[Sentence]:
    bright, look = attention.bright, attention.look
    counts = bright.count.tolist()
    even = cache(lambda count: percent(count / bright.tokens))
    tokens: dict[str, Value] = {"tokens": str(bright.tokens)}
    fields: dict[str, Value] = {
        "layer": str(look.layer),
        "share": [[percent(share) for share in row] for row in bright.share.tolist()],
        "count": [[str(count) for count in row] for row in counts],
        "n": str(attention.patches.size),
        "even": [[even(count) for count in row] for row in counts],
    }
    return [
        Sentence(
            pieces(template), fields | tokens, [[count > 0 for count in row] for row in counts]
        ),
        Sentence(pieces(none), tokens, [[count == 0 for count in row] for row in counts]),
    ]


def evidence(model: Vision, attention: PictureAttention) -> list[list[Sentence]]:
    """Paragraphs on what one picture proves, measurements on many, and the formula of rollout."""
    text = in_language(VISION).looks
    paragraphs = [[Sentence(spans(text.proves)), *_measured(model, attention)]]
    if attention.look.by == ROLLOUT:
        paragraphs.append([rollout_formula(model.layers)])
    return paragraphs


def rollout_formula(layers: int) -> Sentence:
    """How rollout is computed, and what it leaves out; of many layers some factors are named."""
    names = [f"Ã{layer}".translate(LOW) for layer in range(layers, 0, -1)]
    if layers > NAMED_FACTORS:
        names[2:-1] = ["…"]
    product = " · ".join(names)
    return Sentence(spans(in_language(VISION).looks.how_rollout, product=(product, "")))


def _measured(model: Vision, attention: PictureAttention) -> list[Sentence]:
    """Measurements on many pictures for [CLS], by head and for rollout; none for the mean.

    Nor for a model that is changed on purpose.
    """
    text, measured = in_language(VISION).looks, model.stored.training["looks"]
    if attention.look.by == MEAN or model.stored.interventions:
        return []
    if attention.look.by == HEAD:
        template = text.head_proves
        peaks = measured["heads"][attention.look.layer - 1]
        untrained = measured["untrained"]["best_head"]
    else:
        template, peaks = text.rollout_proves, [measured["rollout"]]
        untrained = measured["untrained"]["rollout"]
    fixed, pictures = measured["best_fixed_patch"], measured["pictures"]
    fields: dict[str, Value] = {
        "held_out": numbers.count(pictures),
        "peak": [percent(peak) for peak in peaks],
        "untrained": percent(untrained),
        "fixed": percent(fixed),
        "off": [proportions.margin_of_error((peak, untrained, fixed), pictures) for peak in peaks],
    }
    return [Sentence(pieces(template), fields, [[True]] * len(peaks))]
