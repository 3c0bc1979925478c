"""What Streamlit itself says on a page, in every language of the app."""

from collections.abc import Mapping
from dataclasses import dataclass

from views.text.load import CODES, load

SPOKEN = "en"  # Streamlit's own language
STATUS = "AxiosError: Request failed with status code"
FAILED = {
    "much": f"{STATUS} 429",
    "busy": f"{STATUS} 503",
    "restarted": f"{STATUS} 400",
    "lost": "AxiosError: Network Error",
}


@dataclass(frozen=True)
class StreamlitWords:
    """says: buttons, hints and names of what has no text, by a name of ours.

    failed: what an uploader says of a file that did not arrive, instead of what stands in
    ``FAILED``.
    """

    says: Mapping[str, str]
    failed: Mapping[str, str]


WORDS = load(StreamlitWords, __file__)


def failures(code: str, minute: str) -> list[tuple[str, str]]:
    """What an uploader says of a file that did not arrive, and what is said instead.

    minute: how much a reader may send in a minute.
    """
    return [(said, WORDS[code].failed[name].format(minute=minute)) for name, said in FAILED.items()]


def translations(code: str) -> list[tuple[str, str]]:
    """What Streamlit says and what is said instead; templates may have ``{fields}``."""
    return [
        (said, WORDS[code].says[name])
        for name, said in WORDS[SPOKEN].says.items()
        if said != WORDS[code].says[name]
    ]


def titles(name: str) -> list[str]:
    """One of Streamlit's texts, by its name in ``says``, in every language of the app."""
    return [WORDS[code].says[name] for code in CODES]
