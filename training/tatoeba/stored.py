"""What a training leaves: weights in float16 and all that it takes to translate or to go on.

translator.safetensors  the source's table folded, embeddings not yet times √d_model
words.json, pieces.json the tokens of both sides
epochs.jsonl            loss and BLEU while it was trained, a line an epoch
run.json                sizes, settings, figures
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save_file

from core.models.stored import RUN, WEIGHTS
from core.sources.unigram import Unigram
from training.tatoeba.model import Parts, Weights


def mean(many: Sequence[Weights]) -> Weights:
    """The mean of several checkpoints."""
    return {name: torch.stack([one[name] for one in many]).mean(0) for name in many[0]}


def shipped(weights: Weights, words: Unigram, parts: Parts) -> Weights:
    """What is stored: one row for a token, and for characters never read that of [UNK]."""
    E = parts.folded(weights["source/E"])
    part_of_word = {c for token in words.tokens if len(token) > 1 for c in token}
    for row, (token, count) in enumerate(zip(words.tokens, words.counts, strict=True)):
        if not count and token not in part_of_word:
            E[row] = E[0]
    return {name: one.half() for name, one in (weights | {"source/E": E}).items()}


def save(folder: Path, weights: Weights, about: dict[str, Any]) -> None:
    """Write the weights, and what there is to say of them."""
    save_file({name: one.contiguous() for name, one in weights.items()}, folder / WEIGHTS)
    (folder / WEIGHTS).chmod(0o644)
    (folder / RUN).write_text(json.dumps(about, indent=1, ensure_ascii=False) + "\n", "utf-8")


def load(folder: Path) -> tuple[Weights, dict[str, Any]]:
    """The weights as they are stored, in float32, and what was said of them."""
    weights = {name: one.float() for name, one in load_file(folder / WEIGHTS).items()}
    return weights, json.loads((folder / RUN).read_text("utf-8"))
