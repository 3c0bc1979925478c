"""The trained vision transformer in the layout of transformers is the model of the page Image."""

import json

import numpy as np
import pytest

from core.models import checkpoint, vision
from core.models.block import output_stage
from core.models.stored import FOLDER, read_folder
from core.nested import subtrace
from training.cifar import hugging_face

PICTURE = np.random.default_rng(5).integers(0, 256, (32, 32, 3), np.uint8)
TOLERANCE = 1e-4


def test_the_folder_is_what_the_export_writes_of_the_apps_weights(tmp_path):
    hugging_face.save(tmp_path, read_folder(FOLDER / "vision", np.float32))
    files = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert files == {name: (FOLDER / "vit" / name).read_bytes() for name in files}
    assert len(files) == 3


def test_every_layer_of_the_folder_computes_what_the_page_image_shows():
    model, ours = checkpoint.open(FOLDER / "vit"), vision.load().classify(PICTURE).trace
    assert model.layers == vision.load().layers
    differences = {
        (layer, key): np.abs(model.run(PICTURE, layer)[key].tensor - ours[key].tensor).max()
        for layer in range(1, model.layers + 1)
        for key in (
            f"encoder/{layer}/self/weights",
            f"encoder/{layer}/feed_forward/"
            + output_stage(subtrace(ours, f"encoder/{layer}/feed_forward")).key,
        )
    }
    assert {at: found for at, found in differences.items() if found > TOLERANCE} == {}


def test_transformers_names_what_the_page_image_names():
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    model = transformers.ViTForImageClassification.from_pretrained(
        FOLDER / "vit", dtype=torch.float32
    ).eval()
    processor = transformers.AutoImageProcessor.from_pretrained(FOLDER / "vit")
    with torch.no_grad():
        logits = model(**processor(images=PICTURE, return_tensors="pt")).logits
    ours = vision.load().classify(PICTURE)
    assert np.abs(logits.softmax(-1)[0].numpy() - ours.probabilities).max() < TOLERANCE
    names = json.loads((FOLDER / "vit" / "config.json").read_text("utf-8"))["id2label"]
    assert names[str(int(logits.argmax()))] == ours.label
