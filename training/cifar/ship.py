"""Measures what a run has learnt and writes it down: ``python -m training.cifar.ship PHOTOS …``.

The weights are rounded to float16 first; every figure is of these numbers, and so is the card.
The same weights are also written as ``transformers`` lays out a ViT.
"""

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors.torch import load_file

from core.models.stored import FOLDER, RUN, WEIGHTS, Stored, read_folder
from core.models.vision import Vision
from training.cards import COURSE
from training.cifar import data, hugging_face, looks, strange
from training.cifar.card import write_cards
from training.cifar.measure import logits, measured, refused
from training.cifar.model import Sizes, Weights, initial
from training.cifar.reference import REFERENCE, record
from training.cifar.stored import load, save

SHIPPED = FOLDER / "vision"
EACH = 30  # strange drawings of each kind
MARKED = 500  # drawings whose place is known


def app_of(weights: Weights, sizes: dict[str, Any]) -> Vision:
    """The app's model with these weights."""
    return Vision(Stored({name: one.numpy() for name, one in weights.items()}, sizes, {}))


def main() -> None:
    """Round, measure, write."""
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("photos", type=Path)
    asked.add_argument("drawings", type=Path, help="openclipart-png, unpacked")
    asked.add_argument("stamps", type=Path, help="tuxpaint-stamps-default, unpacked")
    asked.add_argument("--run", type=Path, required=True, help="the folder of training")
    asked.add_argument("--to", type=Path, default=SHIPPED)
    options = asked.parse_args()
    torch.set_num_threads(1)
    found = data.split(data.read(options.photos))
    weights, about = load(options.run)
    sizes = Sizes(**about["sizes"])
    about.pop("validation", None)
    about["data"] = {"sha256": data.SHA256, "learnt": len(found.learnt), "strange": strange.COUNT}
    said = logits(weights, sizes, found.validation.pixels)
    about["measured"] = measured(said, found.validation)
    others = strange.measured(options.drawings, options.stamps, EACH)
    about["strange"] = refused(
        said,
        found.validation,
        {kind: logits(weights, sizes, some) for kind, some in others.items()},
    )
    chosen_on, images = (
        looks.marked(options.drawings, found.validation.pixels, MARKED, sizes.patch, seed)
        for seed in (3, 4)
    )
    trained, before = (
        app_of(one, about["sizes"]) for one in (weights, initial(sizes, about["settings"]["seed"]))
    )
    about["looks"] = looks.figures(trained, before, chosen_on, images)
    options.to.mkdir(parents=True, exist_ok=True)
    save(options.to, weights, about)
    (options.to / COURSE).write_bytes((options.run / COURSE).read_bytes())
    write_cards(options.to)
    hugging_face.save(options.to.with_name("vit"), read_folder(options.to, np.float32))
    record(load_file(options.to / WEIGHTS), sizes, images.pixels[:1], REFERENCE)
    print(json.dumps(json.loads((options.to / RUN).read_text("utf-8")), indent=1))


if __name__ == "__main__":
    main()
