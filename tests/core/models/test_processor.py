"""A photo in one's own ViT is what ``transformers`` makes of it, or is refused by name."""

import io
import json
from pathlib import Path

import numpy as np
import PIL
from PIL import ExifTags, Image
from refuses import refuses
from safetensors.numpy import load_file

from core.errors import InputError
from core.models.processor import processor
from core.sources.picture import open_picture

RECORDED = Path(__file__).parent / "data" / "processors"
CASES = json.loads((RECORDED / "cases.json").read_text("utf-8"))
EXPECTED = load_file(RECORDED / "expected.safetensors")
PHOTOS = [EXPECTED[f"photo/{i}"] for i in range(6)]
SIDE = 6
# Recorded with Pillow 13, from which older ones differ in resizing: by this many levels of 256.
LEVELS = 0 if int(PIL.__version__.split(".")[0]) >= 13 else 2


def test_a_photo_of_any_size_has_the_values_that_transformers_gives_it():
    wrong = []
    for case, stated in enumerate(CASES):
        made = processor(stated, SIDE)
        for number, photo in enumerate(PHOTOS):
            expected = EXPECTED.get(f"values/{case}/{number}", np.inf)
            try:
                pixels = made.pixels(Image.fromarray(photo))
            except InputError as refusal:
                height, width, _ = EXPECTED.get(f"shape/{case}/{number}", np.zeros(3)).tolist()
                expected = {"width": width, "height": height, "side": SIDE}
                if (refusal.code, refusal.fields) != ("picture_does_not_fit", expected):
                    wrong.append((stated, photo.shape, str(refusal)))
            else:
                levels = range(-LEVELS, LEVELS + 1)
                near = [np.clip(pixels.astype(int) + level, 0, 255) for level in levels]
                far = np.min(
                    [np.abs(made.colours.values(one.astype(np.uint8)) - expected) for one in near],
                    axis=0,
                )
                if not far.max() <= 1e-6:
                    wrong.append((stated, photo.shape, far.max()))
    assert not wrong


def test_without_a_file_a_photo_is_resized_by_pillows_bilinear_filter():
    photo = Image.fromarray(PHOTOS[3])
    found = processor({}, SIDE).pixels(photo)
    expected = photo.resize((SIDE, SIDE), Image.Resampling.BILINEAR)
    np.testing.assert_array_equal(found, np.asarray(expected))


REFUSED = [
    ("size", {"size": 7}),
    ("size", {"size": {"height": 6, "width": 8}}),
    ("size", {"size": {"shortest_edge": 7}}),
    ("size", {"size": {"shortest_edge": 6, "longest_edge": 9}}),
    ("size", {"size": {"longest_edge": 6}}),
    ("size", {"size": {"shortest_edge": 0}}),
    ("size", {"size": [6]}),
    ("size", {"size": None}),
    ("size", {"size": "6"}),
    ("size", {"size": True}),
    ("size", {"size": 6.0}),
    ("size", {"size": 10**9, "do_center_crop": True, "crop_size": 6}),
    ("size", {"image_processor_type": "SiglipImageProcessor", "size": {"shortest_edge": [6]}}),
    ("crop_size", {"do_center_crop": True}),
    ("crop_size", {"do_center_crop": True, "crop_size": 5}),
    ("crop_size", {"do_center_crop": True, "crop_size": {"shortest_edge": 6}}),
    ("crop_size", {"image_processor_type": "DeiTImageProcessor"}),
    *(("resample", {"resample": value}) for value in (6, 9)),
    ("resample", {"resample": -1}),
    ("resample", {"resample": True}),
    ("resample", {"resample": None}),
    ("resample", {"resample": "bilinear"}),
    ("do_resize", {"do_resize": "yes"}),
    ("do_center_crop", {"do_center_crop": 1}),
    ("do_pad", {"do_pad": True}),
    ("do_rescale", {"do_rescale": None}),
    ("do_rescale", {"do_rescale": False}),
    *(("rescale_factor", {"rescale_factor": value}) for value in (1 / 127.5, "1/255")),
    *(("do_normalize", {"do_normalize": value}) for value in (0, "no")),
    *(
        ("image_mean", {"image_mean": value})
        for value in (None, [0.5, 0.5], "grey", [0.5, 0.5, float("nan")], [256, 0, 0])
    ),
    *(
        ("image_std", {"image_std": value})
        for value in (0, [0, 0, 0], [1, 1, 10**400], [0.5, 0.5, -0.5], [1, 1e-4, 1])
    ),
    ("image_processor_type", {"image_processor_type": "ConvNextImageProcessor"}),
    ("image_processor_type", {"image_processor_type": ["ViTImageProcessor"]}),
    ("feature_extractor_type", {"feature_extractor_type": "LevitFeatureExtractor"}),
    ("auto_map", {"auto_map": {"AutoImageProcessor": "own.Own"}}),
]


def test_unsupported_image_processor_settings_are_refused_by_name():
    wrong = []
    for name, stated in REFUSED:
        try:
            processor(stated, SIDE)
        except InputError as refusal:
            reported = (refusal.code, refusal.fields["file"], refusal.fields["name"])
            if reported != ("wrong_setting", "preprocessor_config.json", name):
                wrong.append((stated, reported))
        else:
            wrong.append((stated, "taken"))
    assert not wrong


def test_a_long_strip_that_would_become_a_huge_picture_is_refused():
    made = processor({"size": {"shortest_edge": 224}, "do_center_crop": True, "crop_size": 6}, 6)
    with refuses("image_too_large"):
        made.pixels(Image.new("RGB", (1, 300_000)))


def test_a_large_rotated_photo_is_resized_from_all_its_pixels():
    random = np.random.default_rng(5)
    photo = Image.fromarray(random.integers(0, 256, (2100, 2300, 3), dtype=np.uint8))
    exif, file = Image.Exif(), io.BytesIO()
    exif[ExifTags.Base.Orientation] = 6
    photo.save(file, "JPEG", exif=exif)
    decoded = Image.open(io.BytesIO(file.getvalue())).transpose(Image.Transpose.ROTATE_270)
    expected = decoded.resize((14, 14), Image.Resampling.BILINEAR)
    found = processor({}, 14).pixels(open_picture(file.getvalue(), whole=True))
    np.testing.assert_array_equal(found, np.asarray(expected))
    reduced = processor({}, 14).pixels(open_picture(file.getvalue()))
    assert not np.array_equal(reduced, found)
