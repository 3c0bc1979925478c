"""What can be wrong with an input, as ``ValueError``s that carry the numbers concerned.

Each class states its rule in one short English sentence. What a reader of the app sees instead is
worded per language in ``views.text``, from the same fields.
"""

from dataclasses import dataclass
from typing import ClassVar


class InputError(ValueError):
    """Something given by the caller breaks a stated rule; the fields say which numbers."""

    message: ClassVar[str]

    def __str__(self) -> str:
        """State the rule with this case's numbers."""
        return self.message.format(**vars(self))


@dataclass(eq=False)
class ShapeMismatch(InputError):
    """An array does not have the axes that its place asks for."""

    name: str
    expected: str
    shape: tuple[int, ...]
    message = "{name} should be {expected}, but its shape is {shape}"


@dataclass(eq=False)
class HeadsDoNotDivide(InputError):
    """A width cannot be shared out equally among the heads."""

    name: str
    width: int
    heads: int
    message = "{name} = {width} does not divide into h = {heads} heads"


@dataclass(eq=False)
class OutOfRange(InputError):
    """A number lies outside what its formula allows."""

    name: str
    value: float
    allowed: str
    message = "{name} = {value} is not allowed: {name} must be {allowed}"


@dataclass(eq=False)
class NotFinite(InputError):
    """An array holds NaN or an infinity, or grew into one."""

    name: str
    message = "{name} holds numbers that are not finite (NaN or too large)"


@dataclass(eq=False)
class NotBoolean(InputError):
    """A mask holds numbers, of which it cannot be told whether they are added or switch."""

    name: str
    message = "{name} must be boolean, True where there is something to see; numbers go into bias"


@dataclass(eq=False)
class LabelsDoNotFit(InputError):
    """An axis has more or fewer labels than the tensor has places along it."""

    name: str
    labels: int
    size: int
    message = "axis {name} has {labels} labels for {size} places"


@dataclass(eq=False)
class TraceTooLarge(InputError):
    """The stages of one computation would need more memory than is allowed."""

    needed: int
    limit: int
    message = "the stages would need {needed} bytes, more than the limit of {limit}"


@dataclass(eq=False)
class EmptyText(InputError):
    """There is no token to attend to."""

    message = "the text is empty or blank"


@dataclass(eq=False)
class TextTooLong(InputError):
    """More characters than the limit."""

    characters: int
    limit: int
    message = "the text has {characters} characters; the limit is {limit}"


@dataclass(eq=False)
class TooManyLines(InputError):
    """More lines, hence samples in the batch, than the limit."""

    lines: int
    limit: int
    message = "the text has {lines} lines; the limit is {limit}"


@dataclass(eq=False)
class TooManyTokens(InputError):
    """A line with more tokens than the limit."""

    line: int
    tokens: int
    limit: int
    message = "line {line} has {tokens} tokens; the limit is {limit}"


@dataclass(eq=False)
class InvisibleCharacters(InputError):
    """Control characters or bidirectional overrides, which would show as something else."""

    characters: str
    message = "the text holds invisible control characters: {characters}"


@dataclass(eq=False)
class FileTooLarge(InputError):
    """A file with more bytes than the limit."""

    size: int
    limit: int
    message = "the file has {size} bytes; the limit is {limit}"


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
