"""What a row of attention says in numbers, and what that is worth."""

from core.models.vision import Vision
from views import margins, numbers
from views.reader import in_language
from views.spans import Span, spans
from views.text import Words
from views.text.vision import WORDS
from views.widgets.vision_answer import percent
from views.widgets.vision_look import HEAD, MEAN, ROLLOUT
from views.widgets.vision_seen import Seen

LOW = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def origin(model: Vision) -> str:
    """Where the weights come from, in words."""
    training = model.stored.training
    pictures = training["held_out"]
    return in_language(WORDS).origin.format(
        right=margins.cases(training["accuracy"], pictures),
        held_out=numbers.count(pictures),
        margin=margins.interval(training["accuracy"], pictures),
        seed=training["seed"],
    )


def gives(seen: Seen, words: Words) -> list[Span]:
    """How much of the token's one unit falls on the bright patches."""
    text, found, look = in_language(WORDS).looks, seen.bright, seen.look
    told = {HEAD: text.head_gives, MEAN: text.mean_gives, ROLLOUT: text.rollout_gives}[look.by]
    fields: dict[str, str | Span] = {
        "head": str(look.head),
        "layer": str(look.layer),
        "query": (seen.name(words), "query"),
        "share": percent(found.share),
        "count": str(found.count),
        "n": str(seen.patches.size),
        "tokens": str(len(seen.rows)),
        "even": percent(found.even),
    }
    return spans(told if found.count else text.none, **fields)


def proves(model: Vision, seen: Seen) -> list[list[Span]]:
    """What one picture is worth, what many were, and what rollout is."""
    text = in_language(WORDS).looks
    found = [spans(text.proves) + _measured(model, seen)]
    if seen.look.by == ROLLOUT:
        layers = range(model.layers, 0, -1)
        product = " · ".join(f"Ã{layer}".translate(LOW) for layer in layers)
        found.append(spans(text.how_rollout, product=(product, "")))
    return found


def _measured(model: Vision, seen: Seen) -> list[Span]:
    """What was measured on many pictures: of [CLS], in each head and by rollout."""
    text, training = in_language(WORDS).looks, model.stored.training
    if seen.patch is not None or seen.look.by == MEAN:
        return []
    if seen.look.by == HEAD:
        told = text.head_proves
        peak = training["heads"][seen.look.layer - 1][seen.look.head - 1]["peak_on_object"]
        untrained = training["untrained"]["best_head"]["peak_on_object"]
    else:
        told, peak = text.rollout_proves, training["rollout_peak_on_object"]
        untrained = training["untrained"]["rollout_peak_on_object"]
    fixed, pictures = training["best_fixed_patch_on_object"], training["held_out"]
    return spans(
        told,
        held_out=numbers.count(pictures),
        peak=percent(peak),
        untrained=percent(untrained),
        fixed=percent(fixed),
        off=margins.points((peak, untrained, fixed), pictures),
    )
