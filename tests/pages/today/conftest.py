from collections.abc import Callable

import numpy as np
import pytest
from decoder_reader import TEXT

from core.models import checkpoint
from core.models.altered import Attention, Change
from core.models.installed import shipped
from core.models.opened_model import Checkpoint


@pytest.fixture(scope="session")
def decoder() -> Checkpoint:
    """The shipped decoder, which the pages of this chapter read a sentence with."""
    return checkpoint.open(shipped()["decoder"], "decoder", "trained")


def as_trained(attention: Attention) -> Attention:
    return attention


@pytest.fixture
def perplexity(decoder: Checkpoint) -> Callable[..., str]:
    """A function for the printed perplexity of a text with changed attention in all layers."""

    def printed(change: Change = as_trained, text: str = TEXT) -> str:
        return f"{np.exp(-decoder.log_probabilities(text, change).mean()):.2f}"

    return printed
