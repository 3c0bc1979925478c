"""Evaluates a run and writes the model that ships: ``python -m training.translator.ship PAIRS``.

The number of checkpoints that are averaged is chosen on the validation sentences. The mean is
rounded to float16 before it is evaluated.
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
from training import tatoeba as data
from training.cards import write
from training.checkpoints import STATE, Weights, save
from training.translator import alignment, corpora, first_sentences
from training.translator.batches import LONGEST
from training.translator.card import cards
from training.translator.measure import bleu, calibration, translate
from training.translator.model import Model, ModelConfig, WordParts
from training.translator.run import Settings, average_checkpoints, to_stored
from training.translator.templates import read_lexicon, read_templates
from training.translator.train import resume_run

DESTINATION = Path(__file__).parents[2] / "assets" / "models" / "translator"
REFERENCE = DESTINATION.parents[2] / "tests/core/models/data/translator_reference.safetensors"
REFERENCE_PAIR = ("我明天去北京。", "I'm going to Beijing tomorrow.")
BEAM = 4
SAMPLES = ("我爱北京", "你想吃什么？", "小猫在沙发上睡觉", "他昨天没有来学校。", "这本书多少钱？")


def bleu_scores(
    model: Model, words: Unigram, pieces: Tokenizer, dataset: data.Split
) -> dict[str, dict[str, float]]:
    """BLEU and the share of exact matches, with greedy decoding and with beam search."""
    return {
        name: {"sentences": len(cases)}
        | {
            f"{way} {figure}": value
            for way, beam in (("greedy", 1), (f"beam {BEAM}", BEAM))
            for figure, value in _scores(model, words, pieces, cases, beam).items()
        }
        for name, cases in (("validation", dataset.validation), ("test", dataset.test))
    }


def _scores(
    model: Model, words: Unigram, pieces: Tokenizer, cases: Sequence[data.Case], beam: int
) -> dict[str, float]:
    hypotheses = translate(model, words, pieces, [case.source for case in cases], beam)
    exact = sum(one in case.references for one, case in zip(hypotheses, cases, strict=True))
    return {"BLEU": round(bleu(hypotheses, cases), 2), "exact": round(exact / len(cases), 4)}


def _rounded(sizes: ModelConfig, weights: Weights) -> Model:
    return Model(sizes, {name: one.float() for name, one in weights.items()}, None)


def evaluate_alignment(folder: Path, path: Path) -> dict[str, Any]:
    """The share of hand-aligned words that each cross-attention head finds, and the best head."""
    pairs = alignment.read(path)
    shares, words = alignment.found_by_head(translator.load(folder), pairs)
    layer, head = (int(i) + 1 for i in np.unravel_index(shares.argmax(), shares.shape))
    shares_by_head = [[round(float(one), 4) for one in row] for row in shares]
    return {
        "sentences": len(pairs),
        "words": words,
        "layer": layer,
        "head": head,
        "heads": shares_by_head,
    }


def evaluate_first_sentences(
    model: Model, words: Unigram, pieces: Tokenizer, name: str
) -> dict[str, Any]:
    """The translations of a list of first sentences, and which of them a person judged right.

    right: None where nobody judged that translation yet.
    """
    sources = [one.source for one in first_sentences.read(name)]
    judged = first_sentences.judgements()
    found = zip(sources, translate(model, words, pieces, sources), strict=True)
    return {zh: {"translation": en, "right": judged.get((zh, en))} for zh, en in found}


def evaluate_names(model: Model, words: Unigram, pieces: Tokenizer) -> dict[str, Any]:
    """By class of name: how many are looked for, and which are lost in which sentence."""
    named = list(first_sentences.named(read_lexicon()))
    sources = [source for _, _, sentences in named for source in sentences]
    found = dict(zip(sources, translate(model, words, pieces, sources), strict=True))
    return {
        kind: {
            "names": sum(one == kind for one, _, _ in named),
            "lost": {
                source: found[source]
                for one, name, sentences in named
                for source in sentences
                if one == kind and not first_sentences.contains(found[source], name)
            },
        }
        for kind in first_sentences.NAMES
    }


def record(model: Model, words: Unigram, pieces: Tokenizer, path: Path) -> None:
    """Write what PyTorch computes for one pair with teacher forcing: a reference for the tests."""
    source, target = REFERENCE_PAIR
    ids = [0, *pieces.encode(target).ids]  # [START] and the pieces
    source_ids = torch.tensor([words.ids(words.tokenize(source))])
    key_mask = torch.ones_like(source_ids, dtype=torch.bool)
    with torch.no_grad():
        memory = model.encode(source_ids, key_mask)
        decoded = model.decode(memory, key_mask, torch.tensor([ids]))
        shares = model.logits(decoded).softmax(-1)
    tensors = {"memory": memory[0], "decoded": decoded[0], "probabilities": shares[0]}
    save_file(tensors, path, {"source": source, "target": target})
    path.chmod(0o644)


def main() -> None:
    """Average, round, evaluate, write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pairs", type=Path)
    parser.add_argument("--run", type=Path, required=True, help="the folder of training")
    parser.add_argument("--to", type=Path, default=DESTINATION)
    args = parser.parse_args()
    torch.set_num_threads(2)
    args.to.mkdir(parents=True, exist_ok=True)
    run = resume_run(args.run / STATE, args.to, Settings())
    words = unigram.read(args.to / WORDS)
    pieces = Tokenizer.from_file(str(args.to / PIECES))
    dataset = data.split(data.read(args.pairs))
    averages = {
        count: to_stored(average_checkpoints(run, args.run, count), words, WordParts(words.tokens))
        for count in (1, 2, run.settings.kept)
    }
    models = {count: _rounded(run.sizes, weights) for count, weights in averages.items()}
    validation_bleu = {
        count: _scores(model, words, pieces, dataset.validation, 1)["BLEU"]
        for count, model in models.items()
    }
    best = max(validation_bleu, key=validation_bleu.__getitem__)
    model = models[best]
    run_data = {
        "data": {
            "sha256": data.SHA256,
            "learnt": len(dataset.train),
            "graded": len(corpora.graded()),
            "written": len(corpora.written("everyday")),
            "greetings": len(corpora.written("greetings")),
            "templates": len(read_templates()),
            "dictionary": len(corpora.dictionary()),
        },
        "sizes": asdict(run.sizes),
        "longest": LONGEST,
        "settings": asdict(run.settings),
        "epochs": run.epochs,
        "steps": run.step,
        "checkpoints": best,
        "validation BLEU by checkpoints": validation_bleu,
        "measured": bleu_scores(model, words, pieces, dataset),
        "calibration": calibration(model, words, pieces, dataset.validation),
        "first_sentences": {
            name: evaluate_first_sentences(model, words, pieces, name)
            for name in first_sentences.LISTS
        },
        "names": evaluate_names(model, words, pieces),
        "samples": dict(zip(SAMPLES, translate(model, words, pieces, SAMPLES), strict=True)),
    }
    save(args.to, averages[best], run_data)
    run_data["alignment"] = evaluate_alignment(args.to, alignment.PAIRS)
    run_data["own_alignment"] = evaluate_alignment(args.to, alignment.OWN)
    save(args.to, averages[best], run_data)
    write(args.to, cards(args.to))
    record(model, words, pieces, REFERENCE)
    print(json.dumps(run_data["measured"], indent=1))
    for sentences in run_data["first_sentences"].values():
        for source, one in sentences.items():
            if one["right"] is None:
                print("not judged:", source, one["translation"], sep="\t")


if __name__ == "__main__":
    main()
