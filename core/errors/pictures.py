"""What can be wrong with a picture."""

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
class PatchesDoNotFit(InputError):
    """The image side is no multiple of the patch side."""

    size: int
    patch: int
    message = "patches of {patch} do not divide an image of {size} pixels a side"
