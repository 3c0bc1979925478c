"""Image preprocessing by ``preprocessor_config.json``.

As in the Pillow image processors of ``transformers``: resize, centre crop, and
value = (pixel / 255 − mean) / std. Defaults are those of the class that the file names.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.errors import InputError, wrong_setting
from core.limits import PHOTO_SIDE as LONGEST
from core.models.config_values import is_integer, is_number, printable
from core.sources import picture

FILE = "preprocessor_config.json"
FLAGS = ("do_resize", "do_center_crop", "do_rescale", "do_normalize", "do_pad", "default_to_square")
# Settings with the only value that is supported.
FIXED = {"do_rescale": True, "do_pad": False}
VIT_DEFAULTS: Mapping[str, Any] = {
    "do_resize": True,
    "resample": picture.FILTERS.index("bilinear"),
    "default_to_square": True,
    "do_center_crop": False,
    "do_rescale": True,
    "rescale_factor": 1 / 255,
    "do_normalize": True,
    "image_mean": 0.5,
    "image_std": 0.5,
    "do_pad": False,
}
BICUBIC = {"resample": picture.FILTERS.index("bicubic")}
CLIP_DEFAULTS = BICUBIC | {
    "size": 224,
    "default_to_square": False,
    "do_center_crop": True,
    "crop_size": 224,
    "image_mean": [0.48145466, 0.4578275, 0.40821073],
    "image_std": [0.26862954, 0.26130258, 0.27577711],
}
# The supported classes, with their defaults where they differ from ViT's.
KINDS: Mapping[str, Mapping[str, Any]] = {
    "ViT": {},
    "DeiT": BICUBIC | {"size": 256, "do_center_crop": True, "crop_size": 224},
    "Beit": BICUBIC | {"size": 224, "crop_size": 224},
    "Siglip": BICUBIC | {"size": [224, 224], "default_to_square": False},
    "CLIP": CLIP_DEFAULTS,
    "Bit": CLIP_DEFAULTS,
}
CLASSES = ("ImageProcessorFast", "ImageProcessorPil", "ImageProcessor", "FeatureExtractor")


@dataclass(frozen=True)
class Colours:
    """Mean and standard deviation per channel, of pixels from 0 to 1: (3,) each."""

    mean: np.ndarray
    deviation: np.ndarray

    def values(self, pixels: np.ndarray) -> np.ndarray:
        """value = (pixel / 255 − mean) / deviation. pixels: (…, 3) uint8; returns float32."""
        rescaled = (pixels * (1 / 255)).astype(np.float32)
        return (rescaled - self.mean) / self.deviation


@dataclass(frozen=True)
class Processor:
    """Preprocesses a photo to pixels, (height, width, 3) uint8, and pixels to values.

    shape: the (height, width) of what the model takes.
    size: the (height, width) to resize to, or the length of the shorter edge, or None.
    resample: one of ``core.sources.picture.FILTERS``. crop: the (height, width) of a centre crop,
    or None.
    """

    shape: tuple[int, int]
    size: tuple[int, int] | int | None
    resample: str
    crop: tuple[int, int] | None
    colours: Colours

    def pixels(self, photo: picture.Picture) -> np.ndarray:
        """The resized and cropped photo: (height, width, 3) uint8.

        Raises image_too_large, and picture_does_not_fit if the result does not have the model's
        size.
        """
        image = photo
        if self.size is not None:
            image = picture.resized(image, *self._resized_to(*image.size), self.resample)
        if self.crop is not None:
            image = picture.cropped(image, *self.crop)
        (width, height), (rows, columns) = image.size, self.shape
        if (height, width) != (rows, columns):
            raise InputError("picture_does_not_fit", width=width, height=height, side=rows)
        return np.asarray(image)

    def geometry(self) -> dict[str, Any]:
        """All that ``pixels`` depends on."""
        return {name: value for name, value in vars(self).items() if name != "colours"}

    def _resized_to(self, width: int, height: int) -> tuple[int, int]:
        """Height and width to resize to; the longer edge is rounded down."""
        if not isinstance(self.size, int):
            assert self.size is not None
            return self.size
        longer = int(self.size * max(width, height) / min(width, height))
        return (longer, self.size) if width <= height else (self.size, longer)


def read_photo(data: bytes, **geometry: Any) -> tuple[dict[str, Any], np.ndarray]:
    """The pixels of a picture file; no facts. geometry: the fields of ``Processor.geometry``.

    Raises what ``picture.open_picture`` and ``Processor.pixels`` raise.
    """
    nothing = Colours(np.zeros(3, np.float32), np.ones(3, np.float32))
    made = Processor(**geometry, colours=nothing)
    return {}, made.pixels(picture.open_picture(data, whole=True))


def fitted_shape(size: tuple[int, int], patch: int, patches: int) -> tuple[int, int]:
    """The (height, width) of about so many whole patches that a whole photo fits best.

    size: the (width, height) of the photo. patch: the side of a patch.
    """
    width, height = size
    columns = min(max(1, round(math.sqrt(patches * width / height))), patches)
    return max(1, round(patches / columns)) * patch, columns * patch


def read_whole_photo(
    data: bytes, *, patch: int, patches: int, resample: str, larger: int
) -> tuple[dict[str, Any], np.ndarray]:
    """The whole photo of a file, resized to about so many whole patches, and so many times larger.

    Returns its height and width, and the pixels of both, (n,) uint8, one behind the other. Raises
    what ``picture.open_picture`` raises, and image_too_large.
    """
    photo = picture.open_picture(data, whole=True)
    height, width = fitted_shape(photo.size, patch, patches)
    sizes = ((times * height, times * width) for times in (1, larger))
    made = [np.asarray(picture.resized(photo, *size, resample)).ravel() for size in sizes]
    return {"height": height, "width": width}, np.concatenate(made)


def processor(stated: Mapping[str, Any], side: int, patch: int = 0) -> Processor:
    """The processor of a ``preprocessor_config.json``. side: of the model's pictures, in pixels.

    patch: for a model that takes any square of whole patches, the side of one; then the file says
    how large the pictures are, and ``side`` is the default. 0 for a model that takes one size.

    Raises wrong_setting for invalid or unsupported settings, and for an output size that does not
    suit the model.
    """
    merged = {**VIT_DEFAULTS, "size": side, **KINDS[_kind(stated)], **stated}
    merged |= {name: False for name in FLAGS if merged[name] is None}
    for name in FLAGS:
        if not isinstance(merged[name], bool):
            raise wrong_setting(FILE, name, printable(merged[name]), "true, false")
    for name, value in FIXED.items():
        if merged[name] != value:
            raise wrong_setting(FILE, name, printable(merged[name]), printable(value))
    size, resample = (_size(merged), _filter(merged)) if merged["do_resize"] else (None, "")
    crop = _pair(merged, "crop_size") if merged["do_center_crop"] else None
    image = crop or ((size, size) if isinstance(size, int) else size)
    name = "crop_size" if crop else "size"
    if patch and image:
        if image[0] != image[1] or image[0] % patch:
            allowed = f"height = width = {patch} n (patch_size {patch})"
            raise wrong_setting(FILE, name, printable(merged[name]), allowed)
        side = image[0]
    elif image not in (None, (side, side)):
        raise wrong_setting(FILE, name, printable(merged[name]), f"{side} × {side} (image_size)")
    return Processor((side, side), size, resample, crop, _colours(merged))


def _kind(stated: Mapping[str, Any]) -> str:
    """The key of KINDS that the file names; ViT by default."""
    for name in ("image_processor_type", "feature_extractor_type", "auto_map"):
        named = stated.get(name)
        if named is not None:
            known = {f"{kind}{ending}": kind for kind in KINDS for ending in CLASSES}
            if not isinstance(named, str) or named not in known:
                allowed = ", ".join(f"{kind}ImageProcessor" for kind in KINDS)
                raise wrong_setting(FILE, name, printable(named), allowed)
            return known[named]
    return "ViT"


def _size(merged: Mapping[str, Any]) -> tuple[int, int] | int:
    """The size to resize to: (height, width) or the shorter edge."""
    value = merged["size"]
    if isinstance(value, dict) and value.keys() == {"shortest_edge"}:
        value = value["shortest_edge"]
    elif merged["default_to_square"] or not _is_side(value):
        return _pair(merged, "size", ", shortest_edge")
    if not _is_side(value):
        raise wrong_setting(FILE, "size", printable(value), f"1 … {LONGEST}")
    return int(value)


def _pair(merged: Mapping[str, Any], name: str, more: str = "") -> tuple[int, int]:
    """A (height, width); a single number counts as both."""
    value = merged.get(name)
    if isinstance(value, dict) and value.keys() == {"height", "width"}:
        value = [value["height"], value["width"]]
    pair: list[Any] = value if isinstance(value, list) else [value, value]
    if len(pair) != 2 or not all(map(_is_side, pair)):
        raise wrong_setting(FILE, name, printable(value), f"1 … {LONGEST}, height + width{more}")
    return pair[0], pair[1]


def _is_side(value: object) -> bool:
    return is_integer(value, 1, LONGEST)


def _filter(merged: Mapping[str, Any]) -> str:
    value, known = merged["resample"], dict(enumerate(picture.FILTERS))
    if not isinstance(value, int) or isinstance(value, bool) or value not in known:
        allowed = ", ".join(f"{number} ({name})" for number, name in known.items())
        raise wrong_setting(FILE, "resample", printable(value), allowed)
    return known[value]


def _colours(merged: Mapping[str, Any]) -> Colours:
    factor = merged["rescale_factor"]
    if not is_number(factor) or not math.isclose(factor, 1 / 255, rel_tol=1e-6):
        raise wrong_setting(FILE, "rescale_factor", printable(factor), "1 / 255")
    if not merged["do_normalize"]:
        return Colours(np.zeros(3, np.float32), np.ones(3, np.float32))
    statistics = []
    for name in ("image_mean", "image_std"):
        value = merged[name]
        parts = value if isinstance(value, list) else [value] * 3
        if len(parts) != 3 or not all(is_number(part) and abs(part) <= 255 for part in parts):
            raise wrong_setting(FILE, name, printable(value), "[0.5, 0.5, 0.5]")
        statistics.append(np.array(parts, np.float32))
    if not (statistics[1] >= 1e-3).all():
        raise wrong_setting(FILE, "image_std", printable(merged["image_std"]), "≥ 0.001")
    return Colours(*statistics)
