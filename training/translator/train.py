"""Trains the translator: ``python -m training.translator.train PAIRS --to FOLDER``.

Muon (Jordan et al., 2024) for matrices, Adam for tables, biases and norms; linear warm-up and then
1/√step for the learning rate ("Attention Is All You Need", section 5.3), label smoothing. With
``--settle`` the rate falls to 0 in the last epochs. After each epoch a checkpoint is written, from
which ``--resume`` continues; every few epochs BLEU is measured on the validation sentences, of the
checkpoint and of the mean of the last few."""

import argparse
import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory

import torch
from eflomal import Aligner
from tokenizers import Tokenizer

from core.models.translator import PIECES, WORDS
from core.sources import unigram
from training import tatoeba as data
from training.cards import HISTORY
from training.checkpoints import log_epoch
from training.translator import alignment, corpora, first_sentences, vocabulary
from training.translator.batches import Encoded, Links, encoded
from training.translator.corpora import SWAPPED, Corpus
from training.translator.gloss import entries
from training.translator.measure import bleu, translate
from training.translator.model import Model, ModelConfig, WordParts, init_weights
from training.translator.run import (
    Run,
    Settings,
    average_checkpoints,
    load_checkpoint,
    save_checkpoint,
)
from training.translator.templates import Lexicon, read_lexicon

SPACE = "▁"  # begins the pieces that begin a word


def align(pairs: Sequence[Encoded], pieces: Tokenizer) -> list[Links]:
    """The links of each pair: for each target id the positions of its source tokens, from 0.

    All pieces of an English word have the links of the word.
    """
    words = [_words(pair.pieces, pieces) for pair in pairs]
    with TemporaryDirectory() as folder:
        files = [Path(folder) / name for name in ("forward", "reverse")]
        Aligner().align(
            [" ".join(_printed(token) for token in pair.words) + "\n" for pair in pairs],
            [" ".join(word for word, _ in some) + "\n" for some in words],
            *map(str, files),
        )
        forward, reverse = (file.read_text("utf-8").split("\n") for file in files)
    return [
        _of_pieces(len(pair.pieces), some, _links(one) & _links(other))
        for pair, some, one, other in zip(pairs, words, forward, reverse, strict=False)
    ]


def _printed(token: str) -> str:
    return token.replace(" ", SPACE)


def _words(ids: Sequence[int], pieces: Tokenizer) -> list[tuple[str, range]]:
    """The lower-case words and punctuation marks of a target, with the ranges of their pieces."""
    found: list[tuple[str, range]] = []
    for position, piece in enumerate(ids):
        text = pieces.id_to_token(piece)
        word = text.lstrip(SPACE).lower()
        if found and text[:1].isalnum() and found[-1][0][-1:].isalnum():
            before, positions = found[-1]
            found[-1] = before + word, range(positions.start, position + 1)
        else:
            found.append((word or SPACE, range(position, position + 1)))
    return found


def _links(line: str) -> set[tuple[int, int]]:
    return {(int(i), int(j)) for i, _, j in (link.partition("-") for link in line.split())}


def _of_pieces(
    count: int, words: Sequence[tuple[str, range]], links: set[tuple[int, int]]
) -> Links:
    found: list[tuple[int, ...]] = [()] * count
    for number, (_, positions) in enumerate(words):
        sources = tuple(sorted(i for i, j in links if j == number))
        for position in positions:
            found[position] = sources
    return tuple(found)


NOUNS = ("animal", "drink", "food", "furniture", "job", "kin", "language", "spot", "thing")
LOOKED_UP = 8_000  # of the dictionary's words that are tokens, wherever they occur
ALIGNED_EPOCHS = 6  # different epochs that the alignment loss goes through in turn


def new_run(corpus: Corpus, to: Path, settings: Settings) -> Run:
    """A run with random weights; its vocabularies are written into the folder ``to``."""
    names = [entry for kind in SWAPPED for entry in corpus.lexicon[kind]]
    nouns = [entry["zh"] for kind in NOUNS for entry in corpus.lexicon[kind]]
    sample = corpus.epoch(settings.seed)
    common = list(dict.fromkeys(pair.source for pair in corpus.dictionary))
    words = vocabulary.train_words(
        sample,
        {entry["simplified"] for entry in entries()},
        [*common[:LOOKED_UP], *nouns, *(entry["zh"] for entry in names)],
    )
    pieces = vocabulary.train_pieces([pair.target for pair in sample], [e["en"] for e in names])
    words.write(to / WORDS)
    pieces.save(str(to / PIECES))
    sizes = ModelConfig(len(words.tokens), pieces.get_vocab_size())
    return Run(sizes, init_weights(sizes, settings.seed), settings)


def resume_run(path: Path, to: Path, settings: Settings) -> Run:
    """A resumed run, from a state or from stored weights; its files are copied into ``to``."""
    source = path if path.is_dir() else path.parent
    if source != to:
        for name in (WORDS, PIECES, HISTORY):
            (to / name).write_bytes((source / name).read_bytes())
    return load_checkpoint(path, settings)


def measured_beside(lexicon: Lexicon) -> list[str]:
    """The sentences that are measured beside the held-out pairs of Tatoeba."""
    aligned = [pair.source for pair in alignment.read()]
    probes = (sentences for _, _, sentences in first_sentences.named(lexicon))
    listed = (one.source for name in first_sentences.LISTS for one in first_sentences.read(name))
    return [*aligned, *listed, *chain(*probes)]


def train(run: Run, dataset: data.Split, corpus: Corpus, args: argparse.Namespace) -> None:
    """Train epoch after epoch, until ``args.until`` or the last of ``args.epochs``."""
    to, settings = args.to, run.settings
    words, pieces = unigram.read(to / WORDS), Tokenizer.from_file(str(to / PIECES))
    parts, links = WordParts(words.tokens), {}
    if settings.aligned:
        pairs = [pair for seed in range(ALIGNED_EPOCHS) for pair in corpus.epoch(seed)]
        learnt = encoded(dict.fromkeys(pairs), words, pieces)
        aligned = zip(learnt, align(learnt, pieces), strict=True)
        links = {(one.words, one.pieces): by_id for one, by_id in aligned}
    while run.epochs < args.epochs and datetime.now() < args.until:
        started = time.perf_counter()
        run.rate_factor = min(1.0, (args.epochs - run.epochs) / (args.settle + 1))
        seed = run.epochs % ALIGNED_EPOCHS if settings.aligned else run.epochs
        examples = encoded(corpus.epoch(seed), words, pieces)
        examples = [replace(one, links=links.get((one.words, one.pieces), ())) for one in examples]
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
        log_epoch(to, record)


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
    parser.add_argument("--precision", default="bfloat16", choices=("bfloat16", "float32"))
    parser.add_argument("--workers", type=int, default=2)
    args = parser.parse_args()
    torch.set_num_threads(1)
    args.to.mkdir(parents=True, exist_ok=True)
    dataset = data.split(data.read(args.pairs))
    settings = Settings(aligned=args.aligned, precision=args.precision)
    lexicon = read_lexicon()
    corpus = corpora.read(dataset, lexicon, measured_beside(lexicon))
    if args.resume:
        run = resume_run(args.resume, args.to, settings)
    else:
        run = new_run(corpus, args.to, settings)
    train(run, dataset, corpus, args)


if __name__ == "__main__":
    main()
