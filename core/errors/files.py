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
class EmptyFile(InputError):
    """A file without a single byte. file: its name; empty for an upload."""

    file: str = ""
    message = "the file {file} is empty"


@dataclass(eq=False)
class WrongFileType(InputError):
    """A file of another type than is read here.

    name, group: as in ``core.sources.file_type.FileType``. wanted: what is read here, a key of
    ``next`` in the words. file: its name; empty for an upload.
    """

    name: str
    group: str
    wanted: str
    file: str = ""
    message = "the file {file} is of type {name} ({group}); {wanted} is read here"


@dataclass(eq=False)
class NotText(InputError):
    """The bytes of a file are not text."""

    message = "the file is not text"
