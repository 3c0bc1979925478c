"""What the reader chose on this page: a model, what it is given, and one of its layers."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import streamlit as st

from core.models import checkpoint
from core.models.checkpoint import Checkpoint
from core.models.folder import CONFIG, WEIGHTS
from core.sources import tokenizer

OPEN = 4  # models that the server holds open, for all readers together


@dataclass(frozen=True, eq=False)
class Chosen:
    """given: a text, or a picture as the model takes it, (side, side, 3) uint8. layer: from 1."""

    model: Checkpoint
    given: str | np.ndarray
    layer: int

    @property
    def attention(self) -> str:
        """The path of the layer's attention."""
        return f"encoder/{self.layer}/self"

    @property
    def multiply_adds(self) -> int:
        """Of one layer: n tokens through its matrices. Raises what ``Checkpoint.cut`` raises."""
        sizes = self.model.sizes
        given = self.given
        n = len(self.model.cut(given).numbers) if isinstance(given, str) else sizes.positions
        return n * sizes.d_model * (4 * sizes.d_model + 2 * sizes.d_ff)

    def reads_the_same(self, other: "Chosen") -> bool:
        """Whether the same model is given the same."""
        return self.model is other.model and np.array_equal(self.given, other.given)


def opened(place: Path) -> Checkpoint:
    """The model in a folder, opened anew where its files have changed.

    Raises what ``core.models.checkpoint.open`` raises.
    """
    files = (place / name for name in (CONFIG, WEIGHTS, tokenizer.FILE))
    stamps = tuple(file.stat().st_mtime_ns if file.exists() else 0 for file in files)
    return _opened(place, stamps)


@st.cache_resource(max_entries=OPEN, show_spinner=False)
def _opened(place: Path, stamps: tuple[int, ...]) -> Checkpoint:
    return checkpoint.open(place)
