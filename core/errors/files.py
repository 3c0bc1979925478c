"""Errors of uploaded files."""

from dataclasses import dataclass

from core.errors.base import InputError


@dataclass(eq=False)
class FileTooLarge(InputError):
    """A file with more bytes than the limit."""

    size: int
    limit: int
    message = "the file has {size} bytes; the limit is {limit}"


@dataclass(eq=False)
class UploadsTooLarge(InputError):
    """Files that together exceed the limit of a session; the oldest were discarded."""

    limit: int
    message = "the files together are larger than the {limit} bytes that a session holds"


@dataclass(eq=False)
class NotText(InputError):
    """The bytes of a file are not text."""

    message = "the file is not text"
