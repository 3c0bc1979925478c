"""The files of a trained model, enough to translate or to resume the training.

model.safetensors        float16 weights; the source embeddings folded, not yet times √d_model
words.json, pieces.json  the vocabularies of both sides
epochs.jsonl             loss and BLEU of each epoch
run.json                 sizes, settings, figures
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save_file

from core.models.stored import RUN, WEIGHTS
from core.sources.unigram import Unigram
from training.translator.model import Weights, WordParts


def mean_weights(checkpoints: Sequence[Weights]) -> Weights:
    """The mean of the weights of several checkpoints."""
    return {
        name: torch.stack([one[name] for one in checkpoints]).mean(0) for name in checkpoints[0]
    }


def to_stored(weights: Weights, words: Unigram, parts: WordParts) -> Weights:
    """Float16 weights with folded source embeddings; characters never seen get the row of [UNK]."""
    E = parts.folded(weights["source/E"])
    part_of_word = {c for token in words.tokens if len(token) > 1 for c in token}
    for row, (token, count) in enumerate(zip(words.tokens, words.counts, strict=True)):
        if not count and token not in part_of_word:
            E[row] = E[0]
    return {name: one.half() for name, one in (weights | {"source/E": E}).items()}


def save(folder: Path, weights: Weights, run_data: dict[str, Any]) -> None:
    """Write the weights and ``run.json``."""
    save_file({name: one.contiguous() for name, one in weights.items()}, folder / WEIGHTS)
    (folder / WEIGHTS).chmod(0o644)
    (folder / RUN).write_text(json.dumps(run_data, indent=1, ensure_ascii=False) + "\n", "utf-8")


def load(folder: Path) -> tuple[Weights, dict[str, Any]]:
    """The stored weights in float32, and the content of ``run.json``."""
    weights = {name: one.float() for name, one in load_file(folder / WEIGHTS).items()}
    return weights, json.loads((folder / RUN).read_text("utf-8"))
