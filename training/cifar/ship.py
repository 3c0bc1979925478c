"""Evaluates a run and writes the model that ships: ``python -m training.cifar.ship PHOTOS …``.

The weights are rounded to float16 before they are evaluated. The same weights are also written as
``transformers`` lays out a ViT.
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
from training.cards import HISTORY
from training.cifar import cls_attention, data, hugging_face, outliers
from training.cifar.card import write_cards
from training.cifar.measure import evaluate, evaluate_rejection, predict_logits
from training.cifar.model import ModelConfig, Weights, init_weights
from training.cifar.reference import REFERENCE, record
from training.cifar.stored import load, save
from training.cifar.teacher import load_teacher, validation_accuracy

DESTINATION = FOLDER / "vision"
OUTLIERS_PER_KIND = 30  # drawings
MASKED_IMAGES = 500  # images with a known object mask


def app_model(weights: Weights, sizes: dict[str, Any]) -> Vision:
    """The app's model with these weights."""
    return Vision(Stored({name: one.numpy() for name, one in weights.items()}, sizes, {}))


def main() -> None:
    """Round, evaluate, write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("photos", type=Path)
    parser.add_argument("drawings", type=Path, help="openclipart-png, unpacked")
    parser.add_argument("stamps", type=Path, help="tuxpaint-stamps-default, unpacked")
    parser.add_argument("teacher", type=Path, help="weights of training.cifar.teacher")
    parser.add_argument("--run", type=Path, required=True, help="the folder of training")
    parser.add_argument("--to", type=Path, default=DESTINATION)
    args = parser.parse_args()
    torch.set_num_threads(1)
    dataset = data.split(data.read(args.photos))
    weights, run_data = load(args.run)
    sizes = ModelConfig(**run_data["sizes"])
    run_data.pop("validation", None)
    run_data["data"] = {
        "sha256": data.SHA256,
        "learnt": len(dataset.train),
        "strange": outliers.COUNT,
    }
    teacher_accuracy = validation_accuracy(load_teacher(args.teacher), dataset.validation)
    run_data["teacher"] = {"accuracy": round(teacher_accuracy, 4)}
    logits = predict_logits(weights, sizes, dataset.validation.pixels)
    run_data["measured"] = evaluate(logits, dataset.validation)
    outlier_pixels = outliers.evaluation_outliers(args.drawings, args.stamps, OUTLIERS_PER_KIND)
    run_data["strange"] = evaluate_rejection(
        logits,
        dataset.validation,
        {kind: predict_logits(weights, sizes, pixels) for kind, pixels in outlier_pixels.items()},
    )
    selection_images, test_images = (
        cls_attention.images_with_masks(
            args.drawings, dataset.validation.pixels, MASKED_IMAGES, sizes.patch, seed
        )
        for seed in (3, 4)
    )
    trained, untrained = (
        app_model(one, run_data["sizes"])
        for one in (weights, init_weights(sizes, run_data["settings"]["seed"]))
    )
    run_data["looks"] = cls_attention.evaluate(trained, untrained, selection_images, test_images)
    args.to.mkdir(parents=True, exist_ok=True)
    save(args.to, weights, run_data)
    (args.to / HISTORY).write_bytes((args.run / HISTORY).read_bytes())
    write_cards(args.to)
    hugging_face.save(args.to.with_name("vit"), read_folder(args.to, np.float32))
    record(load_file(args.to / WEIGHTS), sizes, test_images.pixels[:1], REFERENCE)
    print(json.dumps(json.loads((args.to / RUN).read_text("utf-8")), indent=1))


if __name__ == "__main__":
    main()
