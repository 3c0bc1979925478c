"""Errors of arrays and sizes."""

from dataclasses import dataclass

from core.errors.base import InputError


@dataclass(eq=False)
class ShapeMismatch(InputError):
    """An array does not have the axes that its place asks for."""

    name: str
    expected: str
    shape: tuple[int, ...]
    message = "{name} should be {expected}, but its shape is {shape}"


@dataclass(eq=False)
class LabelsDoNotFit(InputError):
    """An axis has more or fewer labels than the tensor has places along it."""

    name: str
    labels: int
    size: int
    message = "axis {name} has {labels} labels for {size} places"


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
class NotReal(InputError):
    """An array holds something else than real numbers: complex ones, texts, truths, objects."""

    name: str
    kind: str
    message = "{name} must hold real numbers, not {kind}"


@dataclass(eq=False)
class BooleanBias(InputError):
    """A bias holds truths, which would be added as 0 and 1 and hide nothing."""

    name: str
    message = "{name} is added and must hold numbers; true and false belong in allowed"


@dataclass(eq=False)
class NotBoolean(InputError):
    """A mask holds numbers, of which it cannot be told whether they are added or switch."""

    name: str
    message = "{name} must be boolean, True where there is something to see; numbers go into bias"


@dataclass(eq=False)
class TraceTooLarge(InputError):
    """The stages of one computation would need more memory than is allowed."""

    needed: int
    limit: int
    message = "the stages would need {needed} bytes, more than the limit of {limit}"
