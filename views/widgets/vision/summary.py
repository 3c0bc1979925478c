"""Sentences about a row of attention, and about measurements on many pictures.

The browser fills them in for the selected head and query.
"""

from dataclasses import asdict, dataclass, field
from functools import cache

from core.models.vision import Vision
from views.preferences import in_language
from views.text import VISION, Words, numbers, proportions
from views.text.spans import Span, pieces, spans
from views.widgets.component import component
from views.widgets.prose import Style
from views.widgets.vision.answer import percent
from views.widgets.vision.attention_source import HEAD, MEAN, ROLLOUT
from views.widgets.vision.picture_attention import PictureAttention

FOLDER = "vision"
Value = bool | str | list[bool] | list[str] | list[list[bool]] | list[list[str]]
LOW = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


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
    seen: PictureAttention,
    paragraphs: list[list[Sentence]],
    words: Words,
    key: str,
    style: Style = "",
) -> None:
    """Draw sentences that follow the selected head and query of the microscope."""
    data = seen.followed(words) | {
        "paragraphs": [[asdict(one) for one in sentences] for sentences in paragraphs],
        "style": style,
        "language": words.code,
    }
    component("summary", FOLDER)(key=key, data=data)


def origin(model: Vision, words: Words) -> str:
    """Where the weights come from, in words."""
    measured = model.stored.training["measured"]
    photos = measured["photos"]
    return VISION[words.code].origin.format(
        right=proportions.count_of(measured["accuracy"], photos),
        held_out=numbers.count(photos),
        margin=proportions.confidence_interval(measured["accuracy"], photos),
    )


def bright_share(seen: PictureAttention) -> list[Sentence]:
    """Sentences on the total weight of the patches above average."""
    text, bright, look = in_language(VISION).looks, seen.bright, seen.look
    template = {HEAD: text.head_gives, MEAN: text.mean_gives, ROLLOUT: text.rollout_gives}[look.by]
    counts = bright.count.tolist()
    even = cache(lambda count: percent(count / bright.tokens))
    tokens: dict[str, Value] = {"tokens": str(bright.tokens)}
    fields: dict[str, Value] = {
        "layer": str(look.layer),
        "share": [[percent(share) for share in row] for row in bright.share.tolist()],
        "count": [[str(count) for count in row] for row in counts],
        "n": str(seen.patches.size),
        "even": [[even(count) for count in row] for row in counts],
    }
    return [
        Sentence(
            pieces(template), fields | tokens, [[count > 0 for count in row] for row in counts]
        ),
        Sentence(pieces(text.none), tokens, [[count == 0 for count in row] for row in counts]),
    ]


def evidence(model: Vision, seen: PictureAttention) -> list[list[Sentence]]:
    """Paragraphs on what one picture proves, measurements on many, and the formula of rollout."""
    text = in_language(VISION).looks
    paragraphs = [[Sentence(spans(text.proves)), *_measured(model, seen)]]
    if seen.look.by == ROLLOUT:
        layers = range(model.layers, 0, -1)
        product = " · ".join(f"Ã{layer}".translate(LOW) for layer in layers)
        paragraphs.append([Sentence(spans(text.how_rollout, product=(product, "")))])
    return paragraphs


def _measured(model: Vision, seen: PictureAttention) -> list[Sentence]:
    """Measurements on many pictures for [CLS], by head and for rollout; none for the mean."""
    text, measured = in_language(VISION).looks, model.stored.training["looks"]
    if seen.look.by == MEAN:
        return []
    if seen.look.by == HEAD:
        template = text.head_proves
        peaks = measured["heads"][seen.look.layer - 1]
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
