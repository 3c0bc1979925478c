"""A model of a reader, layer by layer, beside what ``transformers`` computes of the same input."""

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import numpy as np

from core import nested
from core.errors import InputError
from core.models import checkpoint
from core.models.block import final_norm, output_stage

TEXT = "我爱北京"
CLOSE = 1e-3  # of float32 through all layers, relative to the largest number above 1


def verify(folder: Path, text: str = TEXT) -> Iterator[tuple[float, float]]:
    """The largest differences of the hidden states and of the weights, layer after layer.

    Hidden states are divided by their largest number if that is above 1. A model of pictures is
    given a drawn one. Tokens are those of this project, in both.

    Raises ImportError without PyTorch and transformers, ValueError for a model of sounds, of two
    towers or of two texts, and what opening and running the model raises.
    """
    torch, transformers = import_module("torch"), import_module("transformers")
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    model = checkpoint.open(folder)
    if model.listens or model.text_to_text or checkpoint.towers_of(folder) or folder.is_file():
        raise ValueError("verify compares folders of models of text or pictures with one encoder")
    given: str | np.ndarray = text
    if model.processor:
        drawn = np.random.default_rng(7)
        given = drawn.integers(0, 256, (*model.processor.shape, 3)).astype(np.uint8)
    streams: dict[int, np.ndarray] = {}
    first = model.run(given, 1, streams=streams)
    theirs = transformers.AutoModel.from_pretrained(
        folder, attn_implementation="eager", dtype=torch.float32
    ).eval()
    if isinstance(given, str):
        asked = {"input_ids": torch.tensor([model.encode(given).ids])}
    else:
        pixels = np.moveaxis(first["input/image"].tensor, -1, 1)
        asked = {"pixel_values": torch.tensor(pixels.astype(np.float32))}
    with torch.no_grad():
        found = theirs(**asked, output_hidden_states=True, output_attentions=True)
    for layer in range(1, model.layers + 1):
        trace = model.run(given, layer, streams=streams)
        hidden, weights = output_stage(trace), trace[f"encoder/{layer}/self/weights"]
        expected = found.hidden_states[layer]
        if layer == model.layers:  # theirs are behind the final norm
            expected = found.last_hidden_state
            if model.decodes:
                hidden = final_norm(hidden, model.decoder.final_norm())["normalised"]
            elif "final_norm" in nested.parts(trace):
                hidden = trace["final_norm/normalised"]
        size = max(1.0, float(np.abs(hidden.tensor).max()))
        yield (
            _apart(hidden.tensor, expected.numpy()) / size,
            _apart(weights.tensor, found.attentions[layer - 1].numpy()),
        )


def _apart(ours: np.ndarray, theirs: np.ndarray) -> float:
    if ours.size != theirs.size:
        raise InputError("shape_mismatch", name="transformers", expected=str(ours.shape),
                         shape=theirs.shape)  # fmt: skip
    return float(np.abs(ours.reshape(theirs.shape) - theirs).max())
