"""Trains the vision transformer: ``python -m training.cifar.train PHOTOS --to FOLDER``.

AdamW, linear warm-up and cosine decay of the learning rate, label smoothing. Photos are mixed with
one another (mixup, CutMix), and PatchDropout keeps half of the patches, except in the last epochs.
Outlier exposure: each batch has pictures of none of the classes, for which all classes should be
equally likely. With ``--teacher``, its predictions take the place of the labels. After each epoch
a checkpoint is written, from which ``--resume`` continues; every few epochs the running mean of the
weights is evaluated on the validation photos.
"""

import argparse
import time
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import torch

from training.cards import HISTORY
from training.checkpoints import log_epoch
from training.cifar import data, outliers
from training.cifar.measure import accuracy, predict_logits
from training.cifar.model import ModelConfig, init_weights
from training.cifar.run import Run, Settings, TrainingData, load_checkpoint, save_checkpoint
from training.cifar.teacher import load_teacher


def start_run(args: argparse.Namespace, names: tuple[str, ...]) -> Run:
    """A run with random weights, or one that is resumed from a state or stored weights."""
    if not args.resume:
        settings = Settings()
        sizes = ModelConfig(names)
        run = Run(sizes, init_weights(sizes, settings.seed), settings)
    else:
        run = load_checkpoint(args.resume)
        source = args.resume if args.resume.is_dir() else args.resume.parent
        if source != args.to:
            (args.to / HISTORY).write_bytes((source / HISTORY).read_bytes())
    plan = {"epochs": args.epochs, "whole": args.whole, "rate": args.rate}
    plan = {name: value for name, value in plan.items() if value is not None}
    run.settings = replace(run.settings, **plan, distilled=args.teacher is not None)
    return run


def train(run: Run, dataset: data.Split, args: argparse.Namespace) -> None:
    """Train epoch after epoch, until ``args.until`` or the last epoch of the plan."""
    outlier_pixels = outliers.training_outliers(args.drawings, dataset.train.pixels)
    training_data = TrainingData(
        torch.from_numpy(dataset.train.pixels),
        torch.from_numpy(dataset.train.labels),
        torch.from_numpy(outlier_pixels),
        args.teacher and load_teacher(args.teacher),
    )
    validation: dict[str, float] = {}
    while run.epochs < run.settings.epochs and datetime.now() < args.until:
        started = time.perf_counter()
        loss = run.train_epoch(training_data, args.workers)
        record = {"epoch": run.epochs, "steps": run.step, "loss": round(loss, 4)}
        record["seconds"] = round(time.perf_counter() - started, 1)
        if run.settings.distilled:
            record["distilled"] = True
        if run.epochs % run.settings.measured == 0 or run.epochs == run.settings.epochs:
            logits = predict_logits(run.mean, run.sizes, dataset.validation.pixels)
            record["accuracy"] = round(accuracy(logits, dataset.validation.labels), 4)
            validation = {"epoch": run.epochs, "accuracy": record["accuracy"]}
        save_checkpoint(run, args.to, {"validation": validation})
        log_epoch(args.to, record)


def main() -> None:
    """Train on the photos, from random weights or from a checkpoint."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("photos", type=Path)
    parser.add_argument("drawings", type=Path, help="openclipart-png, unpacked")
    parser.add_argument("--to", type=Path, required=True)
    parser.add_argument("--resume", type=Path, help="a state.pt, or a folder with stored weights")
    parser.add_argument("--until", type=datetime.fromisoformat, default=datetime.max)
    parser.add_argument(
        "--epochs", type=int, help="the plan; that of the run which goes on, or 120"
    )
    parser.add_argument("--whole", type=int, help="the last epochs, which read whole photos")
    parser.add_argument("--rate", type=float, help="the largest learning rate")
    parser.add_argument("--teacher", type=Path, help="weights of training.cifar.teacher")
    parser.add_argument("--workers", type=int, default=2)
    args = parser.parse_args()
    torch.set_num_threads(1)
    args.to.mkdir(parents=True, exist_ok=True)
    dataset = data.split(data.read(args.photos))
    train(start_run(args, dataset.train.names), dataset, args)


if __name__ == "__main__":
    main()
