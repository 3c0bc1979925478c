"""The perplexity of a reader's sentence in the decoder with other attention in all layers."""

from collections.abc import Hashable
from dataclasses import dataclass, field

from core.limits import TODAY
from core.models.altered import Change, perplexity
from views import link
from views.widgets.decoder_input import Reading


@dataclass
class Perplexities:
    """Those of the last text. found: by what was changed."""

    text: str = ""
    found: dict[Hashable, float] = field(default_factory=dict)


def sentence_perplexity(reading: Reading, name: Hashable, change: Change) -> float:
    """The perplexity of the sentence, computed once in a session: it takes some 25 ms.

    name: tells apart the changes that any page makes. change: of the attention of every layer.
    Raises as ``Checkpoint.log_probabilities``.
    """
    kept = link.remembered(Perplexities)
    if kept.text != reading.text:
        kept.text, kept.found = reading.text, {}
    if name not in kept.found:
        told = reading.model.log_probabilities(reading.text, change, TODAY)
        kept.found[name] = perplexity(told)
    return kept.found[name]
