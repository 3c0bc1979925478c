"""What can be wrong with an uploaded file, whatever should be in it."""

from dataclasses import dataclass

from core.errors.base import InputError


@dataclass(eq=False)
class FileTooLarge(InputError):
    """A file with more bytes than the limit."""

    size: int
    limit: int
    message = "the file has {size} bytes; the limit is {limit}"


@dataclass(eq=False)
class NotText(InputError):
    """The bytes of a file are no text."""

    message = "the file is not text"
