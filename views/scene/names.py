"""The labels of all axes, each list sent once."""


class Names:
    """Lists of names, each with its number; places that are merely counted have none."""

    def __init__(self) -> None:
        """Begin without any."""
        self._numbers: dict[tuple[str, ...], int] = {}

    def number(self, names: tuple[str, ...] | None) -> int | None:
        """The number of a list; None for 1, 2, 3 …, which the browser can count by itself."""
        if names is None or names == tuple(str(i + 1) for i in range(len(names))):
            return None
        return self._numbers.setdefault(names, len(self._numbers))

    def lists(self) -> list[tuple[str, ...]]:
        """The lists in the order of their numbers."""
        return list(self._numbers)
