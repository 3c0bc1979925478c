"""Trains the decoder: ``python -m training.decoder.train PAIRS --to FOLDER``.

AdamW, a rate that rises and then falls along half a cosine, dropout, bfloat16 where it pays. Each
epoch ends with a measurement on the validation sentences and a state from which ``--resume`` goes
on; what is kept is the running mean of the weights, at its best.
"""

import argparse
import json
import time
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import torch
from tokenizers import Tokenizer

from training.cards import COURSE
from training.decoder.measure import counted, perplexity
from training.decoder.run import Run, Settings, fresh, keep, resumed
from training.decoder.sentences import Sentences, sentences
from training.decoder.vocabulary import tokenizer_of
from training.tatoeba import data

PIECES = 6_000
TOKENIZER = "tokenizer.json"


def train(run: Run, found: Sentences, cuts: Tokenizer, options: argparse.Namespace) -> None:
    """Epoch after epoch, up to a time of day or to the last one planned."""
    while run.epochs < run.settings.epochs and datetime.now() < options.until:
        started = time.perf_counter()
        loss = run.learn(found.learnt[: options.sentences], cuts)
        seconds = time.perf_counter() - started
        measured = perplexity(counted(run.mean, run.sizes, cuts, found.validation))
        keep(run, options.to, measured.token)
        line = {
            "epoch": run.epochs,
            "steps": run.step,
            "loss": round(loss, 4),
            "per token": round(measured.token, 2),
            "per character": round(measured.character, 3),
            "seconds": round(seconds, 1),
        }
        with (options.to / COURSE).open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
        print(json.dumps(line), flush=True)


def main() -> None:
    """Train on the sentences, from random weights or from where a run stopped."""
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("pairs", type=Path)
    asked.add_argument("--to", type=Path, required=True)
    asked.add_argument("--resume", action="store_true", help="go on from the state in --to")
    asked.add_argument("--until", type=datetime.fromisoformat, default=datetime.max)
    asked.add_argument("--epochs", type=int, default=Settings.epochs)
    asked.add_argument("--sentences", type=int, help="of all; for a trial")
    options = asked.parse_args()
    torch.set_num_threads(1)
    options.to.mkdir(parents=True, exist_ok=True)
    found = sentences(data.split(data.read(options.pairs)))
    settings = replace(Settings(), epochs=options.epochs)
    if options.resume:
        cuts = Tokenizer.from_file(str(options.to / TOKENIZER))
        run = resumed(options.to, settings)
    else:
        cuts = tokenizer_of(found.learnt, PIECES)
        cuts.save(str(options.to / TOKENIZER))
        run = fresh(cuts.get_vocab_size(), settings)
    train(run, found, cuts, options)


if __name__ == "__main__":
    main()
