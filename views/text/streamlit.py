"""What Streamlit itself says on a page, in every language of the app."""

from collections.abc import Mapping
from dataclasses import dataclass

from views.text.load import load

SPOKEN = "en"  # Streamlit's own language


@dataclass(frozen=True)
class StreamlitWords:
    """says: buttons, hints and names of what has no text, by a name of ours."""

    says: Mapping[str, str]


WORDS = load(StreamlitWords, __file__)


def translations(code: str) -> list[tuple[str, str]]:
    """What Streamlit says and what is said instead; templates may have ``{fields}``."""
    return [
        (said, WORDS[code].says[name])
        for name, said in WORDS[SPOKEN].says.items()
        if said != WORDS[code].says[name]
    ]
