"""Measures what a run has learnt and writes it down: ``python -m training.tatoeba.ship PAIRS``.

Of how many checkpoints the mean is taken is chosen on the validation sentences. It is rounded to
float16 first; every figure is of these numbers.
"""

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import torch
from tokenizers import Tokenizer

from training.tatoeba import data
from training.tatoeba.batches import LONGEST
from training.tatoeba.measure import bleu, translations
from training.tatoeba.model import Model, Parts, Sizes, Weights
from training.tatoeba.run import STATE, Settings, averaged
from training.tatoeba.stored import PIECES, WORDS, save, shipped
from training.tatoeba.train import going_on
from training.tatoeba.words import Words, read_words

CHECKPOINTS = Path(__file__).parents[1] / "checkpoints" / "tatoeba"
BEAM = 4
SHOWN = 12  # translations of the test sentences that are written beside the figures
TYPED = ("我爱北京", "你想吃什么？", "小猫在沙发上睡觉", "他昨天没有来学校。", "这本书多少钱？")


def figures(
    model: Model, words: Words, pieces: Tokenizer, found: data.Split
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
    model: Model, words: Words, pieces: Tokenizer, cases: Sequence[data.Case], beam: int
) -> dict[str, float]:
    said = translations(model, words, pieces, [case.source for case in cases], beam)
    exact = sum(one in case.references for one, case in zip(said, cases, strict=True))
    return {"BLEU": round(bleu(said, cases), 2), "exact": round(exact / len(cases), 4)}


def _rounded(sizes: Sizes, weights: Weights) -> Model:
    return Model(sizes, {name: one.float() for name, one in weights.items()}, None)


def samples(
    model: Model, words: Words, pieces: Tokenizer, cases: Sequence[data.Case]
) -> list[dict[str, object]]:
    """What the model says greedily, in tokens, of what readers type and of test sentences."""
    shown = [*(data.Case(one, ()) for one in TYPED), *cases[:SHOWN]]
    said = translations(model, words, pieces, [case.source for case in shown])
    return [
        {
            "source": case.source,
            "tokens": words.cut(case.source),
            "said": one,
            "references": case.references,
        }
        for case, one in zip(shown, said, strict=True)
    ]


def main() -> None:
    """Average, round, measure, write."""
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("pairs", type=Path)
    asked.add_argument("--run", type=Path, required=True, help="the folder of training")
    asked.add_argument("--to", type=Path, default=CHECKPOINTS)
    options = asked.parse_args()
    torch.set_num_threads(2)
    options.to.mkdir(parents=True, exist_ok=True)
    run = going_on(options.run / STATE, options.to, Settings())
    words = read_words(options.to / WORDS)
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
        "data": {"sha256": data.SHA256, "learnt": len(found.learnt)},
        "sizes": asdict(run.sizes),
        "longest": LONGEST,
        "settings": asdict(run.settings),
        "epochs": run.epochs,
        "steps": run.step,
        "checkpoints": best,
        "validation BLEU by checkpoints": chosen,
        "measured": figures(model, words, pieces, found),
        "samples": samples(model, words, pieces, found.test),
    }
    save(options.to, means[best], about)
    print(json.dumps(about["measured"], indent=1))


if __name__ == "__main__":
    main()
