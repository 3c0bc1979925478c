"""Errors of pictures."""

from dataclasses import dataclass

from core.errors.base import InputError


@dataclass(eq=False)
class TooManyImages(InputError):
    """More images in a batch than the limit."""

    images: int
    limit: int
    message = "{images} images were given; the limit is {limit}"


@dataclass(eq=False)
class NotAnImage(InputError):
    """The bytes are not a picture in a supported format."""

    message = "the file is not a PNG, JPEG, WebP, GIF, BMP or TIFF image"


@dataclass(eq=False)
class DamagedImage(InputError):
    """The picture is truncated or inconsistent."""

    message = "the image file is damaged or incomplete"


@dataclass(eq=False)
class ImageTooLarge(InputError):
    """More pixels than the limit, by the header."""

    width: int
    height: int
    limit: int
    message = "the image is {width} x {height} pixels; the limit is {limit} pixels in all"


@dataclass(eq=False)
class TooManyParts(InputError):
    """A picture file of more segments, chunks or blocks than the limit."""

    limit: int
    message = "the image file is cut into more than {limit} parts"


@dataclass(eq=False)
class TooManyScans(InputError):
    """A picture whose scans cover more pixels than the limit."""

    scanned: int
    limit: int
    message = "the scans of the image go over {scanned} pixels; the limit is {limit}"


@dataclass(eq=False)
class OverlappingParts(InputError):
    """A picture whose parts overlap in the file, with a total length beyond the limit."""

    read: int
    limit: int
    message = "the parts of the image overlap and take {read} bytes together; the limit is {limit}"


@dataclass(eq=False)
class RunsTooLong(InputError):
    """More run-length encoded pixels than the limit."""

    limit: int
    message = "an image coded in runs of pixels may have {limit} pixels in all"


@dataclass(eq=False)
class DecodingTooLarge(InputError):
    """Decoding the picture takes more memory than the limit."""

    needed: int
    limit: int
    message = "decoding the image takes {needed} bytes; the limit is {limit}"


@dataclass(eq=False)
class PatchesDoNotFit(InputError):
    """The image side is not a multiple of the patch side."""

    size: int
    patch: int
    message = "patches of {patch} do not divide an image of {size} pixels a side"


@dataclass(eq=False)
class PictureDoesNotFit(InputError):
    """The output of the image processor does not have the model's size."""

    width: int
    height: int
    side: int
    message = "the processor makes {width} x {height} pixels; the model takes {side} x {side}"
