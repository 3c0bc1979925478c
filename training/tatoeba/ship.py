"""Measures what a run has learnt and writes it down: ``python -m training.tatoeba.ship PAIRS``.

Of how many checkpoints the mean is taken is chosen on the validation sentences. It is rounded to
float16 first; every figure is of these numbers, and so is the model card.
"""

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors.torch import save_file
from tokenizers import Tokenizer

from core.models import translator
from core.models.translator import PIECES, WORDS
from core.sources import unigram
from core.sources.unigram import Unigram
from training.tatoeba import alignment, data
from training.tatoeba.batches import LONGEST
from training.tatoeba.card import write_cards
from training.tatoeba.measure import bleu, translations
from training.tatoeba.model import Model, Parts, Sizes, Weights
from training.tatoeba.run import STATE, Settings, averaged
from training.tatoeba.stored import save, shipped
from training.tatoeba.train import going_on

SHIPPED = Path(__file__).parents[2] / "assets" / "models" / "translator"
REFERENCE = SHIPPED.parents[2] / "tests/core/models/data/translator_reference.safetensors"
RECORDED = ("我明天去北京。", "I'm going to Beijing tomorrow.")
BEAM = 4
TYPED = ("我爱北京", "你想吃什么？", "小猫在沙发上睡觉", "他昨天没有来学校。", "这本书多少钱？")


def figures(
    model: Model, words: Unigram, pieces: Tokenizer, found: data.Split
) -> dict[str, dict[str, float]]:
    """BLEU of both ways to search, and the share of sentences that equal a reference."""
    return {
        name: {"sentences": len(cases)}
        | {
            f"{way} {figure}": value
            for way, beam in (("greedy", 1), (f"beam {BEAM}", BEAM))
            for figure, value in _of(model, words, pieces, cases, beam).items()
        }
        for name, cases in (("validation", found.validation), ("test", found.test))
    }


def _of(
    model: Model, words: Unigram, pieces: Tokenizer, cases: Sequence[data.Case], beam: int
) -> dict[str, float]:
    said = translations(model, words, pieces, [case.source for case in cases], beam)
    exact = sum(one in case.references for one, case in zip(said, cases, strict=True))
    return {"BLEU": round(bleu(said, cases), 2), "exact": round(exact / len(cases), 4)}


def _rounded(sizes: Sizes, weights: Weights) -> Model:
    return Model(sizes, {name: one.float() for name, one in weights.items()}, None)


def found_by_heads(folder: Path) -> dict[str, Any]:
    """Which head of cross-attention finds most words of the sentences aligned by hand, and all."""
    pairs = alignment.read()
    shares, words = alignment.share_found(translator.load(folder), pairs)
    layer, head = (int(i) + 1 for i in np.unravel_index(shares.argmax(), shares.shape))
    every = [[round(float(one), 4) for one in row] for row in shares]
    return {"sentences": len(pairs), "words": words, "layer": layer, "head": head, "heads": every}


def record(model: Model, words: Unigram, pieces: Tokenizer, path: Path) -> None:
    """Write what PyTorch computes for one pair with the target given, for the tests."""
    source, target = RECORDED
    ids = [0, *pieces.encode(target).ids]  # [START] and the pieces
    read = torch.tensor([words.ids(words.cut(source))])
    real = torch.ones_like(read, dtype=torch.bool)
    with torch.no_grad():
        memory = model.encode(read, real)
        decoded = model.decode(memory, real, torch.tensor([ids]))
        shares = model.logits(decoded).softmax(-1)
    tensors = {"memory": memory[0], "decoded": decoded[0], "probabilities": shares[0]}
    save_file(tensors, path, {"source": source, "target": target})
    path.chmod(0o644)


def main() -> None:
    """Average, round, measure, write."""
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("pairs", type=Path)
    asked.add_argument("--run", type=Path, required=True, help="the folder of training")
    asked.add_argument("--to", type=Path, default=SHIPPED)
    options = asked.parse_args()
    torch.set_num_threads(2)
    options.to.mkdir(parents=True, exist_ok=True)
    run = going_on(options.run / STATE, options.to, Settings())
    words = unigram.read(options.to / WORDS)
    pieces = Tokenizer.from_file(str(options.to / PIECES))
    found = data.split(data.read(options.pairs))
    means = {
        count: shipped(averaged(run, options.run, count), words, Parts(words.tokens))
        for count in (1, 2, run.settings.kept)
    }
    models = {count: _rounded(run.sizes, weights) for count, weights in means.items()}
    chosen = {
        count: _of(model, words, pieces, found.validation, 1)["BLEU"]
        for count, model in models.items()
    }
    best = max(chosen, key=chosen.__getitem__)
    model = models[best]
    about = {
        "data": {
            "sha256": data.SHA256,
            "learnt": len(found.learnt),
            "supplement": len(data.supplement(found)),
        },
        "sizes": asdict(run.sizes),
        "longest": LONGEST,
        "settings": asdict(run.settings),
        "epochs": run.epochs,
        "steps": run.step,
        "checkpoints": best,
        "validation BLEU by checkpoints": chosen,
        "measured": figures(model, words, pieces, found),
        "samples": dict(zip(TYPED, translations(model, words, pieces, TYPED), strict=True)),
    }
    save(options.to, means[best], about)
    about["alignment"] = found_by_heads(options.to)
    save(options.to, means[best], about)
    write_cards(options.to)
    record(model, words, pieces, REFERENCE)
    print(json.dumps(about["measured"], indent=1))


if __name__ == "__main__":
    main()
