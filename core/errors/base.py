"""The base class of all errors of inputs."""

from typing import ClassVar


class InputError(ValueError):
    """Base class: an invalid input; ``message`` is formatted with the fields.

    file_name: of the uploaded file that is meant, if it was one.
    """

    message: ClassVar[str]
    file_name = ""

    def __str__(self) -> str:
        """The message with the fields filled in."""
        return self.message.format(**vars(self))
