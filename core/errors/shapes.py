"""Errors of arrays and sizes."""

from dataclasses import dataclass

from core.errors.base import InputError


@dataclass(eq=False)
class ShapeMismatch(InputError):
    """An array does not have the required shape."""

    name: str
    expected: str
    shape: tuple[int, ...]
    message = "{name} should be {expected}, but its shape is {shape}"


@dataclass(eq=False)
class LabelsDoNotFit(InputError):
    """The number of labels of an axis is not its size."""

    name: str
    labels: int
    size: int
    message = "axis {name} has {labels} labels for {size} places"


@dataclass(eq=False)
class HeadsDoNotDivide(InputError):
    """A width is not divisible by the number of heads."""

    name: str
    width: int
    heads: int
    message = "{name} = {width} does not divide into h = {heads} heads"


@dataclass(eq=False)
class OutOfRange(InputError):
    """A number is outside its allowed range."""

    name: str
    value: float
    allowed: str
    message = "{name} = {value} is not allowed: {name} must be {allowed}"


@dataclass(eq=False)
class NotFinite(InputError):
    """An array holds NaN or an infinity, or would overflow."""

    name: str
    message = "{name} holds numbers that are not finite (NaN or too large)"


@dataclass(eq=False)
class BeyondPrecision(InputError):
    """A result is too large for the half precision in which it is to be stored."""

    name: str
    value: str
    precision: str
    limit: str
    message = "{name} reaches {value}, and {precision} ends at {limit}"


@dataclass(eq=False)
class NotReal(InputError):
    """An array is not of real numbers, but complex, text, boolean or object."""

    name: str
    kind: str
    message = "{name} must hold real numbers, not {kind}"


@dataclass(eq=False)
class BooleanBias(InputError):
    """A bias is boolean; it would be added as 0 and 1 and mask nothing."""

    name: str
    message = "{name} is added and must hold numbers; true and false belong in allowed"


@dataclass(eq=False)
class NotBoolean(InputError):
    """A mask is not boolean, so that it might be meant as a bias."""

    name: str
    message = "{name} must be boolean, True where there is something to see; numbers go into bias"


@dataclass(eq=False)
class TraceTooLarge(InputError):
    """The stages of one trace need more bytes than the limit."""

    needed: int
    limit: int
    message = "the stages would need {needed} bytes, more than the limit of {limit}"
