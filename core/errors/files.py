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
    """Files exceed the limit of a session, or of all sessions together; some were discarded."""

    limit: int
    all: int
    message = "a session holds {limit} bytes of files, and all sessions together {all}"


@dataclass(eq=False)
class NotText(InputError):
    """The bytes of a file are not text."""

    message = "the file is not text"
