"""Vision transformers of many sizes with random weights, saved and computed by ``transformers``."""

import numpy as np
import pytest
from PIL import Image
from transformers_models import compare, transformers, with_random_weights

from core.models import checkpoint

IMAGENET = {"image_mean": [0.485, 0.456, 0.406], "image_std": [0.229, 0.224, 0.225]}
PHOTOS = ((90, 70), (64, 64), (40, 111))
DINO = [  # hidden_size, heads, image_size, patch_size, crop, and what else
    (12, 2, 28, 7, 28, {}),
    (12, 3, 70, 7, 28, {"num_register_tokens": 1}),
    (15, 5, 28, 7, 42, {"use_swiglu_ffn": True}),
    (24, 4, 35, 5, 30, {"use_swiglu_ffn": True, "qkv_bias": False, "num_register_tokens": 2}),
    (16, 1, 28, 7, 56, {"hidden_act": "relu", "qkv_bias": False, "num_register_tokens": 8}),
    (18, 6, 42, 6, 24, {"hidden_act": "gelu_pytorch_tanh", "mlp_ratio": 3}),
    (12, 2, 40, 8, 48, {"num_register_tokens": 0}),
    (20, 4, 518, 14, 224, {"num_hidden_layers": 1}),
]
PLAIN = [  # hidden_size, heads, image_size, patch_size, and what else
    (12, 2, 28, 7, {}),
    (15, 3, 24, 8, {"hidden_act": "relu"}),
    (26, 2, 21, 3, {"hidden_act": "gelu", "layer_norm_eps": 1e-3}),
]


def cases():
    for name in ("Dinov2", "Dinov2WithRegisters"):
        for d_model, heads, side, patch, crop, more in DINO:
            if name == "Dinov2":
                more = {key: more[key] for key in more if key != "num_register_tokens"}
            for head in ("Model", "ForImageClassification"):
                yield name, head, (d_model, heads, side, patch), more, crop
    for d_model, heads, side, patch, more in PLAIN:
        sizes = (d_model, heads, side, patch)
        for head in ("Model", "ForImageClassification", "ForImageClassificationWithTeacher"):
            yield "DeiT", head, sizes, {"intermediate_size": 37, **more}, side
        for head in ("Model", "ModelWithProjection"):
            yield "CLIPVision", head, sizes, {"intermediate_size": 37, **more}, side


def processor_of(name, crop):
    if name == "DeiT":
        return transformers.DeiTImageProcessorPil(size=crop + 6, crop_size=crop, **IMAGENET)
    if name == "CLIPVision":
        return transformers.CLIPImageProcessorPil(size={"shortest_edge": crop}, crop_size=crop)
    size = {"shortest_edge": crop + 5}
    return transformers.BitImageProcessorPil(size=size, crop_size=crop, **IMAGENET)


@pytest.mark.parametrize(("name", "head", "sizes", "more", "crop"), [*cases()], ids=str)
def test_a_photo_is_prepared_and_computed_alike(name, head, sizes, more, crop, tmp_path):
    d_model, heads, side, patch = sizes
    config = getattr(transformers, f"{name}Config")(
        hidden_size=d_model, num_attention_heads=heads, image_size=side, patch_size=patch,
        **{"num_hidden_layers": 3, **more},
    )  # fmt: skip
    made = getattr(transformers, f"{name}{head}")(config).eval()
    with_random_weights(made, d_model + side, 0.3)
    made.save_pretrained(tmp_path)
    theirs = processor_of(name, crop)
    theirs.save_pretrained(tmp_path)
    ours = checkpoint.open(tmp_path).processor
    random = np.random.default_rng(3)
    for shape in PHOTOS:
        photo = Image.fromarray(random.integers(0, 256, (*shape, 3), dtype=np.uint8))
        values = theirs(photo, return_tensors="pt")
        pixels = ours.pixels(photo)
        found = ours.colours.values(pixels).transpose(2, 0, 1)
        assert np.abs(found - values["pixel_values"][0].numpy()).max() <= 1e-6
        compare(tmp_path, pixels, dict(values))
