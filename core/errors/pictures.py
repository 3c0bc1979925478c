"""Errors of pictures."""

from dataclasses import dataclass

from core.errors.base import InputError


@dataclass(eq=False)
class TooManyImages(InputError):
    """More images, hence samples in the batch, than the limit."""

    images: int
    limit: int
    message = "{images} images were given; the limit is {limit}"


@dataclass(eq=False)
class NotAnImage(InputError):
    """The bytes are no picture in a format that is read here."""

    message = "the file is not a PNG, JPEG, WebP, GIF, BMP or TIFF image"


@dataclass(eq=False)
class DamagedImage(InputError):
    """The file begins as a picture and then breaks off or contradicts itself."""

    message = "the image file is damaged or incomplete"


@dataclass(eq=False)
class ImageTooLarge(InputError):
    """More pixels than the limit, known before any of them is decoded."""

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
    """A picture whose file goes over its pixels again and again."""

    scanned: int
    limit: int
    message = "the scans of the image go over {scanned} pixels; the limit is {limit}"


@dataclass(eq=False)
class OverlappingParts(InputError):
    """A picture whose parts lie over each other in the file, and are long when put end to end."""

    read: int
    limit: int
    message = "the parts of the image overlap and take {read} bytes together; the limit is {limit}"


@dataclass(eq=False)
class RunsTooLong(InputError):
    """More pixels, or bytes of them, in runs than the limit for those."""

    limit: int
    message = "an image coded in runs of pixels may have {limit} pixels in all"


@dataclass(eq=False)
class DecodingTooLarge(InputError):
    """A picture that takes more memory to decode than the limit."""

    needed: int
    limit: int
    message = "decoding the image takes {needed} bytes; the limit is {limit}"


@dataclass(eq=False)
class PatchesDoNotFit(InputError):
    """The image side is no multiple of the patch side."""

    size: int
    patch: int
    message = "patches of {patch} do not divide an image of {size} pixels a side"


@dataclass(eq=False)
class PictureDoesNotFit(InputError):
    """What a model's processor makes of a picture is not the square that the model takes."""

    width: int
    height: int
    side: int
    message = "the processor makes {width} x {height} pixels; the model takes {side} x {side}"
