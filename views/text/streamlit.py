"""What Streamlit itself says on a page, in every language of the app."""

from views.text import STREAMLIT
from views.text.load import CODES

SPOKEN = "en"  # Streamlit's own language
STATUS = "AxiosError: Request failed with status code"
FAILED = {
    "busy": f"{STATUS} 503",
    "restarted": f"{STATUS} 400",
    "lost": "AxiosError: Network Error",
}


def failures(code: str) -> list[tuple[str, str]]:
    """What an uploader says of a file that did not arrive, and what is said instead."""
    return [(said, STREAMLIT[code].failed[name]) for name, said in FAILED.items()]


def translations(code: str) -> list[tuple[str, str]]:
    """What Streamlit says and what is said instead; templates may have ``{fields}``."""
    return [
        (said, STREAMLIT[code].says[name])
        for name, said in STREAMLIT[SPOKEN].says.items()
        if said != STREAMLIT[code].says[name]
    ]


def titles(name: str) -> list[str]:
    """One of Streamlit's texts, by its name in ``says``, in every language of the app."""
    return [STREAMLIT[code].says[name] for code in CODES]
