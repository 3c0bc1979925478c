"""Writes expected.safetensors beside this file, with transformers 5.23 and Pillow 13.

What the image processors of ``transformers`` make of small photos, by the settings in cases.json.
Run from this folder in an environment that has it:  python write_processors.py
"""

import json
from pathlib import Path

import numpy as np
import transformers
from PIL import Image
from safetensors.numpy import save_file

HERE = Path(__file__).parent
SIDE = 6
SHAPES = ((6, 6), (4, 3), (23, 17), (9, 40), (41, 8), (51, 50))  # height, width
ENDINGS = ("ImageProcessorFast", "ImageProcessor", "FeatureExtractor")


def class_of(stated: dict) -> type:
    """The class that the settings name, in its version that works with Pillow."""
    names = [stated.pop(f"{kind}_type", None) for kind in ("image_processor", "feature_extractor")]
    name = next(filter(None, names), "ViTImageProcessor")
    ending = next(ending for ending in ENDINGS if name.endswith(ending))
    return getattr(transformers, f"{name.removesuffix(ending)}ImageProcessorPil")


if __name__ == "__main__":
    random, found = np.random.default_rng(29), {}
    for number, (height, width) in enumerate(SHAPES):
        found[f"photo/{number}"] = random.integers(0, 256, (height, width, 3), dtype=np.uint8)
    for case, stated in enumerate(json.loads((HERE / "cases.json").read_text("utf-8"))):
        processor = class_of(stated)(**stated)
        for number in range(len(SHAPES)):
            photo = Image.fromarray(found[f"photo/{number}"])
            (values,) = processor(photo, return_tensors="np")["pixel_values"]
            made = np.moveaxis(values, 0, -1).copy()
            if made.shape == (SIDE, SIDE, 3):
                found[f"values/{case}/{number}"] = made
            else:
                found[f"shape/{case}/{number}"] = np.array(made.shape)
    save_file(found, HERE / "expected.safetensors")
