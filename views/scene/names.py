"""The labels of all axes and the kinds of their positions, each distinct list sent once."""


class NumberedLists:
    """Distinct lists, numbered from 0 in the order of their first use."""

    def __init__(self) -> None:
        """An empty collection."""
        self._numbers: dict[str | tuple[str, ...], int] = {}

    def number(self, labels: str | tuple[str, ...] | None) -> int | None:
        """The number of a list, or of a string that applies to all positions; None for neither."""
        return self._numbers.setdefault(labels, len(self._numbers)) if labels else None

    def lists(self) -> list[str | tuple[str, ...]]:
        """The lists in the order of their numbers."""
        return list(self._numbers)


class Names(NumberedLists):
    """Lists of labels; ``kinds`` has the lists of kinds of positions."""

    def __init__(self) -> None:
        """An empty collection."""
        super().__init__()
        self.kinds = NumberedLists()

    def number(self, labels: str | tuple[str, ...] | None) -> int | None:
        """The number of a list; None for the labels 1, 2, 3 …, which the browser generates."""
        counted = labels and labels == tuple(str(i + 1) for i in range(len(labels)))
        return None if counted else super().number(labels)
