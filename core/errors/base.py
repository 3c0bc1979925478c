"""The base class of all errors of inputs."""

from typing import ClassVar


class InputError(ValueError):
    """Something given by the caller breaks a stated rule; the fields say which numbers."""

    message: ClassVar[str]

    def __str__(self) -> str:
        """State the rule with this case's numbers."""
        return self.message.format(**vars(self))
