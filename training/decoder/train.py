"""Trains the decoder: ``python -m training.decoder.train PAIRS --to FOLDER``.

AdamW, linear warm-up and cosine decay of the learning rate, dropout, bfloat16 autocast. After each
epoch the perplexity on the validation sentences is measured and a checkpoint is written, from which
``--resume`` continues; the best running mean of the weights is saved apart.
"""

import argparse
import time
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import torch
from tokenizers import Tokenizer

from core.sources.tokenizer import FILE as TOKENIZER
from training import tatoeba as data
from training.checkpoints import log_epoch
from training.decoder.measure import evaluate, perplexity
from training.decoder.run import Run, Settings, load_checkpoint, new_run, save_checkpoint
from training.decoder.sentences import Sentences, sentences
from training.decoder.vocabulary import train_tokenizer

PIECES = 6_000


def train(run: Run, dataset: Sentences, tokenizer: Tokenizer, args: argparse.Namespace) -> None:
    """Train epoch after epoch, until ``args.until`` or the last epoch of the plan."""
    while run.epochs < run.settings.epochs and datetime.now() < args.until:
        started = time.perf_counter()
        loss = run.train_epoch(dataset.train[: args.sentences], tokenizer)
        seconds = time.perf_counter() - started
        validation = perplexity(evaluate(run.mean, run.sizes, tokenizer, dataset.validation))
        save_checkpoint(run, args.to, validation.token)
        record = {
            "epoch": run.epochs,
            "steps": run.step,
            "loss": round(loss, 4),
            "per token": round(validation.token, 2),
            "per character": round(validation.character, 3),
            "seconds": round(seconds, 1),
        }
        log_epoch(args.to, record)


def main() -> None:
    """Train on the sentences, from random weights or from a checkpoint."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pairs", type=Path)
    parser.add_argument("--to", type=Path, required=True)
    parser.add_argument("--resume", action="store_true", help="go on from the state in --to")
    parser.add_argument("--until", type=datetime.fromisoformat, default=datetime.max)
    parser.add_argument("--epochs", type=int, default=Settings.epochs)
    parser.add_argument("--sentences", type=int, help="of all; for a trial")
    args = parser.parse_args()
    torch.set_num_threads(1)
    args.to.mkdir(parents=True, exist_ok=True)
    dataset = sentences(data.split(data.read(args.pairs)))
    settings = replace(Settings(), epochs=args.epochs)
    if args.resume:
        tokenizer = Tokenizer.from_file(str(args.to / TOKENIZER))
        run = load_checkpoint(args.to, settings)
    else:
        tokenizer = train_tokenizer(dataset.train, PIECES)
        tokenizer.save(str(args.to / TOKENIZER))
        run = new_run(tokenizer.get_vocab_size(), settings)
    train(run, dataset, tokenizer, args)


if __name__ == "__main__":
    main()
