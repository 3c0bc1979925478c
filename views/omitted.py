"""Values that are too long for a link, which the browser keeps (``views.widgets.long_values``).

The link has their names and checksums; a session that does not know a value asks the browser.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from zlib import crc32

OMITTED = "omitted"  # of a link, such as text~1a2b3c4d,memory~5e6f7a8b


@dataclass
class Omitted:
    """The values that an adopted link omits, and what the browser has of them.

    checksums: by name. asked: the names of those for which the browser is asked. answer: what it
    sent. lost: whether it did not have all of them.
    """

    checksums: Mapping[str, str] = field(default_factory=dict)
    asked: tuple[str, ...] = ()
    answer: Mapping[str, str] | None = None
    lost: bool = False

    def ask(self, name: str) -> None:
        """Ask the browser for a value if the link omits it."""
        if name in self.checksums:
            self.asked = (*self.asked, name)

    def found(self) -> dict[str, str]:
        """The values that the browser has sent, once; for what it did not have it is not asked."""
        if self.answer is None:
            return {}
        found = {
            name: text
            for name, text in self.answer.items()
            if name in self.asked and _checksum(text) == self.checksums[name]
        }
        self.lost = found.keys() != set(self.asked)
        self.checksums, self.asked, self.answer = {}, (), None
        return found


def checksums_of(written: str) -> dict[str, str]:
    """The checksums by name that the parameter of a link states."""
    pairs = (part.partition("~") for part in written.split(",") if part)
    return {name: checksum for name, _, checksum in pairs}


def written_checksums(values: Mapping[str, str]) -> str:
    """The parameter of a link that omits these values; the inverse of ``checksums_of``."""
    return ",".join(f"{name}~{_checksum(text)}" for name, text in values.items())


def _checksum(text: str) -> str:
    return f"{crc32(text.encode(errors='replace')):08x}"
