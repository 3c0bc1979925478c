"""The labels of all axes and what their places are, each list sent once."""


class Lists:
    """Lists, each with its number."""

    def __init__(self) -> None:
        """Begin without any."""
        self._numbers: dict[str | tuple[str, ...], int] = {}

    def number(self, found: str | tuple[str, ...] | None) -> int | None:
        """The number of a list, or of what holds of all places; None for nothing."""
        return self._numbers.setdefault(found, len(self._numbers)) if found else None

    def lists(self) -> list[str | tuple[str, ...]]:
        """The lists in the order of their numbers."""
        return list(self._numbers)


class Names(Lists):
    """Lists of names, and in ``kinds`` what the places are; those merely counted have no names."""

    def __init__(self) -> None:
        """Begin without any."""
        super().__init__()
        self.kinds = Lists()

    def number(self, found: str | tuple[str, ...] | None) -> int | None:
        """The number of a list; None for 1, 2, 3 …, which the browser can count by itself."""
        counted = found and found == tuple(str(i + 1) for i in range(len(found)))
        return None if counted else super().number(found)
