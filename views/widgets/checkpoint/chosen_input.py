"""The chosen model, its input, and one of its layers."""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
import streamlit as st

from core.models import checkpoint, pretrained
from core.models.folder import CONFIG, INDEX, SHARDS, WEIGHTS
from core.models.opened_model import Checkpoint
from core.models.pretrained import Pretrained
from core.models.processor import FILE as PREPROCESSOR
from core.sources import tokenizer

OPEN = 16  # models that the server keeps open, for all readers together; their files are mapped


@dataclass(frozen=True, eq=False)
class Chosen:
    """given: a text, a picture as the model takes it, (side, side, 3) uint8, or a sound, (n,).

    layer: from 1.
    """

    model: Checkpoint
    given: str | np.ndarray
    layer: int

    @property
    def attention(self) -> str:
        """The path of the layer's attention."""
        return f"encoder/{self.layer}/self"

    @property
    def multiply_adds(self) -> int:
        """Of one layer: n tokens through its matrices. Raises what ``Checkpoint.encode`` raises."""
        given, positions = self.given, self.model.config.positions
        n = len(self.model.encode(given).ids) if isinstance(given, str) else positions
        return n * self.per_token

    @property
    def per_token(self) -> int:
        """Multiply-adds of one token in the matrices of one layer."""
        config = self.model.config
        attention = 2 * (config.heads + config.shared_heads) * config.head_width
        matrices = 3 if config.gated else 2
        return config.d_model * (attention + matrices * config.d_ff)

    def reads_the_same(self, other: "Chosen") -> bool:
        """Whether the same model is given the same."""
        if self.model is not other.model:
            return False
        if isinstance(self.given, str):
            return self.given == other.given
        return np.array_equal(self.given, other.given)


def opened(
    folder: Path, name: str = "", parameter: str = "checkpoint", tower: str = ""
) -> Checkpoint:
    """The model in a folder, opened anew where its files have changed.

    name, parameter, tower: as for ``core.models.checkpoint.open``. Raises what that raises.
    """
    names = (CONFIG, WEIGHTS, INDEX, tokenizer.FILE, PREPROCESSOR)
    files = [folder, *(folder / name for name in names)]
    stamps = tuple(_stamp(file) for file in (*files, *sorted(folder.glob(SHARDS))))
    return _opened(folder, name, parameter, tower, stamps)


def opened_pretrained(model: Pretrained) -> Checkpoint:
    """SmolLM2, Gemma or DINOv2, opened anew where its files have changed.

    Raises what ``core.models.checkpoint.open`` raises.
    """
    folder = pretrained.hub_folder(model)
    if folder:
        return opened(folder, model.title, "trained")
    return _opened_pretrained(model, tuple(_stamp(file) for file in pretrained.packaged(model)))


def _stamp(file: Path) -> tuple[int, int, int] | None:
    """A key that changes with a file: its modification time, size and inode."""
    try:
        about = file.stat()
    except OSError:  # whether it is missed is found when the model is opened
        return None
    return about.st_mtime_ns, about.st_size, about.st_ino


@st.cache_resource(max_entries=OPEN, show_spinner=False)
def _opened(
    folder: Path,
    name: str,
    parameter: str,
    tower: str,
    stamps: tuple[tuple[int, int, int] | None, ...],
) -> Checkpoint:
    return checkpoint.open(folder, name, parameter, tower)


@st.cache_resource(max_entries=OPEN, show_spinner=False)
def _opened_pretrained(
    model: Pretrained, stamps: tuple[tuple[int, int, int] | None, ...]
) -> Checkpoint:
    return pretrained.open_checkpoint(model)


@lru_cache(maxsize=OPEN)
def pictured(model: Checkpoint, shape: tuple[int, int]) -> Checkpoint:
    """The same model for photos of this (height, width), the same object for the same shape."""
    return model.pictured(shape)
