"""The base class of all errors of inputs."""

from typing import ClassVar


class InputError(ValueError):
    """Base class: an invalid input; ``message`` is formatted with the fields."""

    message: ClassVar[str]

    def __str__(self) -> str:
        """The message with the fields filled in."""
        return self.message.format(**vars(self))
