"""Trains the translator: ``python -m training.tatoeba.train PAIRS --to FOLDER``.

Adam, linear warm-up and then 1/√step for the learning rate ("Attention Is All You Need", section
5.3), label smoothing. With ``--settle`` the rate falls to 0 in the last epochs. After each epoch a
checkpoint is written, from which ``--resume`` continues; every few epochs BLEU is measured on the
validation sentences, of the checkpoint and of the mean of the last few.
"""

import argparse
import json
import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import torch
from tokenizers import Tokenizer

from core.models.translator import PIECES, WORDS
from core.sources import unigram
from training.cards import HISTORY
from training.tatoeba import data, vocabulary
from training.tatoeba.batches import encoded
from training.tatoeba.measure import bleu, translate
from training.tatoeba.model import Model, Sizes, WordParts, init_weights
from training.tatoeba.run import (
    Run,
    Settings,
    average_checkpoints,
    load_checkpoint,
    save_checkpoint,
)
from training.tatoeba.word_alignment import align


def new_run(pairs: Sequence[data.Pair], to: Path, settings: Settings) -> Run:
    """A run with random weights; its vocabularies are written into the folder ``to``."""
    words, pieces = vocabulary.train_words(pairs), vocabulary.train_pieces(pairs)
    words.write(to / WORDS)
    pieces.save(str(to / PIECES))
    sizes = Sizes(len(words.tokens), pieces.get_vocab_size())
    return Run(sizes, init_weights(sizes, settings.seed), settings)


def resume_run(path: Path, to: Path, settings: Settings) -> Run:
    """A resumed run, from a state or from stored weights; its files are copied into ``to``."""
    source = path if path.is_dir() else path.parent
    if source != to:
        for name in (WORDS, PIECES, HISTORY):
            (to / name).write_bytes((source / name).read_bytes())
    return load_checkpoint(path, settings)


def train(run: Run, dataset: data.Split, args: argparse.Namespace) -> None:
    """Train epoch after epoch, until ``args.until`` or the last of ``args.epochs``."""
    to, settings = args.to, run.settings
    words, pieces = unigram.read(to / WORDS), Tokenizer.from_file(str(to / PIECES))
    pairs = (*dataset.train, *data.supplement(dataset))
    parts, examples = WordParts(words.tokens), encoded(pairs, words, pieces)
    if settings.aligned:
        links = align(examples, pieces)
        examples = [replace(one, links=by_id) for one, by_id in zip(examples, links, strict=True)]
    while run.epochs < args.epochs and datetime.now() < args.until:
        started = time.perf_counter()
        run.rate_factor = min(1.0, (args.epochs - run.epochs) / (args.settle + 1))
        loss = run.train_epoch(examples, words, parts, args.workers)
        record = {"epoch": run.epochs, "steps": run.step, "loss": round(loss, 4)}
        record["seconds"] = round(time.perf_counter() - started, 1)
        save_checkpoint(run, to)
        if run.epochs % settings.measured == 0:
            sources = [case.source for case in dataset.validation]
            for name, count in (("bleu", 1), ("bleu of the mean", settings.kept)):
                model = Model(run.sizes, average_checkpoints(run, to, count), parts)
                hypotheses = translate(model, words, pieces, sources)
                record[name] = round(bleu(hypotheses, dataset.validation), 2)
        with (to / HISTORY).open("a", encoding="utf-8") as file:
            file.write(json.dumps(record) + "\n")
        print(json.dumps(record), flush=True)


def main() -> None:
    """Train on the pairs, from random weights or from a checkpoint."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pairs", type=Path)
    parser.add_argument("--to", type=Path, required=True)
    parser.add_argument("--resume", type=Path, help="a state.pt, or a folder with stored weights")
    parser.add_argument("--until", type=datetime.fromisoformat, default=datetime.max)
    parser.add_argument("--epochs", type=int, default=100)
    parser.add_argument(
        "--settle",
        type=int,
        default=0,
        help="of the epochs the last ones, in which the rate falls to 0",
    )
    parser.add_argument(
        "--aligned",
        type=float,
        default=0.0,
        help="the weight of the loss that teaches one head the word alignment",
    )
    parser.add_argument("--workers", type=int, default=2)
    args = parser.parse_args()
    torch.set_num_threads(1)
    args.to.mkdir(parents=True, exist_ok=True)
    dataset, settings = data.split(data.read(args.pairs)), Settings(aligned=args.aligned)
    if args.resume:
        run = resume_run(args.resume, args.to, settings)
    else:
        run = new_run(dataset.train, args.to, settings)
    train(run, dataset, args)


if __name__ == "__main__":
    main()
