"""Trains the translator: ``python -m training.tatoeba.train PAIRS --to FOLDER``.

Adam, a rate that rises and then falls with 1/√step (section 5.3 of the paper), label smoothing.
With ``--settle`` the rate falls to 0 in the last epochs.
Each epoch ends with a checkpoint from which ``--resume`` goes on; every few epochs it is
measured on the validation sentences, and so is the mean of the last few: at first it is the worse.
"""

import argparse
import json
import time
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

import torch
from tokenizers import Tokenizer

from core.models.translator import PIECES, WORDS
from core.sources import unigram
from training.cards import COURSE
from training.tatoeba import data, vocabulary
from training.tatoeba.batches import encoded
from training.tatoeba.measure import bleu, translations
from training.tatoeba.model import Model, Parts, Sizes, initial
from training.tatoeba.run import Run, Settings, averaged, keep, resumed


def fresh(learnt: Sequence[data.Pair], to: Path, settings: Settings) -> Run:
    """A run that begins with random weights; its tokens are written."""
    words, pieces = vocabulary.words_of(learnt), vocabulary.pieces_of(learnt)
    words.write(to / WORDS)
    pieces.save(str(to / PIECES))
    sizes = Sizes(len(words.tokens), pieces.get_vocab_size())
    return Run(sizes, initial(sizes, settings.seed), settings)


def going_on(path: Path, to: Path, settings: Settings) -> Run:
    """A run that goes on from a state or stored weights, with their tokens and their course."""
    before = path if path.is_dir() else path.parent
    if before != to:
        for name in (WORDS, PIECES, COURSE):
            (to / name).write_bytes((before / name).read_bytes())
    return resumed(path, settings)


def train(run: Run, found: data.Split, options: argparse.Namespace) -> None:
    """Epoch after epoch, up to a time of day or a number of them."""
    to, settings = options.to, run.settings
    words, pieces = unigram.read(to / WORDS), Tokenizer.from_file(str(to / PIECES))
    pairs = (*found.learnt, *data.supplement(found))
    parts, learnt = Parts(words.tokens), encoded(pairs, words, pieces)
    while run.epochs < options.epochs and datetime.now() < options.until:
        started = time.perf_counter()
        run.pace = min(1.0, (options.epochs - run.epochs) / (options.settle + 1))
        loss = run.learn(learnt, words, parts, options.workers)
        line = {"epoch": run.epochs, "steps": run.step, "loss": round(loss, 4)}
        line["seconds"] = round(time.perf_counter() - started, 1)
        keep(run, to)
        if run.epochs % settings.measured == 0:
            sources = [case.source for case in found.validation]
            for name, count in (("bleu", 1), ("bleu of the mean", settings.kept)):
                model = Model(run.sizes, averaged(run, to, count), parts)
                said = translations(model, words, pieces, sources)
                line[name] = round(bleu(said, found.validation), 2)
        with (to / COURSE).open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
        print(json.dumps(line), flush=True)


def main() -> None:
    """Train on the pairs, from random weights or from where a run stopped."""
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("pairs", type=Path)
    asked.add_argument("--to", type=Path, required=True)
    asked.add_argument("--resume", type=Path, help="a state.pt, or a folder with stored weights")
    asked.add_argument("--until", type=datetime.fromisoformat, default=datetime.max)
    asked.add_argument("--epochs", type=int, default=100)
    asked.add_argument(
        "--settle",
        type=int,
        default=0,
        help="of the epochs the last ones, in which the rate falls to 0",
    )
    asked.add_argument("--workers", type=int, default=2)
    options = asked.parse_args()
    torch.set_num_threads(1)
    options.to.mkdir(parents=True, exist_ok=True)
    found, settings = data.split(data.read(options.pairs)), Settings()
    if options.resume:
        run = going_on(options.resume, options.to, settings)
    else:
        run = fresh(found.learnt, options.to, settings)
    train(run, found, options)


if __name__ == "__main__":
    main()
