"""Trains the vision transformer: ``python -m training.cifar.train PHOTOS --to FOLDER``.

AdamW, a rate that rises and then falls with a cosine to the end of the plan, label smoothing. Half
of the patches of a photo are left out, except in the last epochs. Beside the photos stand pictures
of nothing known, of which every class shall be as likely. Each epoch ends with a checkpoint
from which ``--resume`` goes on; every few epochs the running mean of the weights is measured on the
validation photos.
"""

import argparse
import json
import time
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import torch

from training.cards import COURSE
from training.cifar import data, strange
from training.cifar.measure import accuracy, logits
from training.cifar.model import Sizes, initial
from training.cifar.run import Lessons, Run, Settings, keep, resumed


def begun(options: argparse.Namespace, names: tuple[str, ...]) -> Run:
    """A run with random weights, or one that goes on from a state or stored weights."""
    if not options.resume:
        settings = Settings()
        sizes = Sizes(names)
        run = Run(sizes, initial(sizes, settings.seed), settings)
    else:
        run = resumed(options.resume)
        before = options.resume if options.resume.is_dir() else options.resume.parent
        if before != options.to:
            (options.to / COURSE).write_bytes((before / COURSE).read_bytes())
    plan = {"epochs": options.epochs, "whole": options.whole}
    run.settings = replace(run.settings, **{name: n for name, n in plan.items() if n})
    return run


def train(run: Run, found: data.Split, options: argparse.Namespace) -> None:
    """Epoch after epoch, up to a time of day or the end of the plan."""
    others = strange.learnt(options.drawings, found.learnt.pixels)
    lessons = Lessons(
        torch.from_numpy(found.learnt.pixels),
        torch.from_numpy(found.learnt.labels),
        torch.from_numpy(others),
    )
    told: dict[str, float] = {}
    while run.epochs < run.settings.epochs and datetime.now() < options.until:
        started = time.perf_counter()
        loss = run.learn(lessons, options.workers)
        line = {"epoch": run.epochs, "steps": run.step, "loss": round(loss, 4)}
        line["seconds"] = round(time.perf_counter() - started, 1)
        if run.epochs % run.settings.measured == 0 or run.epochs == run.settings.epochs:
            said = logits(run.mean, run.sizes, found.validation.pixels)
            line["accuracy"] = round(accuracy(said, found.validation.labels), 4)
            told = {"epoch": run.epochs, "accuracy": line["accuracy"]}
        keep(run, options.to, {"validation": told})
        with (options.to / COURSE).open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
        print(json.dumps(line), flush=True)


def main() -> None:
    """Train on the photos, from random weights or from where a run stopped."""
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("photos", type=Path)
    asked.add_argument("drawings", type=Path, help="openclipart-png, unpacked")
    asked.add_argument("--to", type=Path, required=True)
    asked.add_argument("--resume", type=Path, help="a state.pt, or a folder with stored weights")
    asked.add_argument("--until", type=datetime.fromisoformat, default=datetime.max)
    asked.add_argument("--epochs", type=int, help="the plan; that of the run which goes on, or 120")
    asked.add_argument("--whole", type=int, help="the last epochs, which read whole photos")
    asked.add_argument("--workers", type=int, default=2)
    options = asked.parse_args()
    torch.set_num_threads(1)
    options.to.mkdir(parents=True, exist_ok=True)
    found = data.split(data.read(options.photos))
    train(begun(options, found.learnt.names), found, options)


if __name__ == "__main__":
    main()
