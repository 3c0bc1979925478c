"""The number of key and value heads; traces and perplexities of a sentence by that number."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial

from core import Trace
from core.experiments.grouped_query import shared
from core.models.altered import Attention
from views.text import Words
from views.widgets.decoder_input import Reading, sentence_perplexity, trained_perplexity
from views.widgets.option_input import option_input


@dataclass(frozen=True, eq=False)
class Variants:
    """One layer, and the whole model, with every number of key and value heads that divides h.

    traces: of the layer. perplexities: of the model on the sentence, changed in all layers.
    """

    reading: Reading
    traces: Mapping[int, Trace]
    perplexities: Mapping[int, float]

    @classmethod
    def of(cls, reading: Reading) -> "Variants":
        """Traces and perplexities of a sentence. Raises core.errors.InputError."""
        heads = reading.attention.weights.heads
        counts = [n for n in range(heads, 0, -1) if heads % n == 0]
        changes = {n: partial(_changed, n) for n in counts}
        return cls(
            reading,
            {n: change(reading.attention).trace() for n, change in changes.items()},
            {
                n: sentence_perplexity(reading, ("kv_heads", n), changes[n])
                if n != reading.attention.weights.kv_heads
                else trained_perplexity(reading)
                for n in counts
            },
        )

    @property
    def trained(self) -> int:
        """The number of key and value heads that the decoder was trained with."""
        return self.reading.attention.weights.kv_heads

    @property
    def heads(self) -> int:
        """The number of query heads."""
        return self.reading.attention.weights.heads

    def name(self, kv_heads: int, names: Mapping[str, str]) -> str:
        """The name of attention with this number of K and V heads. names: mha, gqa and mqa."""
        if kv_heads == self.heads:
            return names["mha"]
        return names["mqa" if kv_heads == 1 else "gqa"]


def _changed(kv_heads: int, attention: Attention) -> Attention:
    return replace(attention, weights=shared(attention.weights, kv_heads))


def choice_of_heads(variants: Variants, texts: Words) -> int:
    """Draw the choice of the number of key and value heads; return it."""
    counts = list(variants.traces)

    def label(count: int) -> str:
        named = texts.choice.format(
            name=variants.name(count, texts.names), heads=variants.heads, kv_heads=count
        )
        return f"{named}{texts.trained}" if count == variants.trained else str(named)

    return int(option_input(texts.kv_heads, "kv_heads", counts, label, first=counts[-1]))
