"""Streamlit's own texts on a page, in every language of the app."""

from views.text import STREAMLIT
from views.text.load import CODES

ORIGINAL = "en"  # Streamlit's own language
STATUS = "AxiosError: Request failed with status code"
FAILED = {
    "busy": f"{STATUS} 503",
    "restarted": f"{STATUS} 400",
    "lost": "AxiosError: Network Error",
}


def failures(code: str) -> list[tuple[str, str]]:
    """Streamlit's messages for a failed upload in English, each with its replacement."""
    return [(english, STREAMLIT[code].failed[name]) for name, english in FAILED.items()]


def translations(code: str) -> list[tuple[str, str]]:
    """Streamlit's texts in English, each with its replacement; both may have ``{fields}``."""
    return [
        (english, STREAMLIT[code].says[name])
        for name, english in STREAMLIT[ORIGINAL].says.items()
        if english != STREAMLIT[code].says[name]
    ]


def titles(name: str) -> list[str]:
    """One of Streamlit's texts, by its name in ``says``, in every language of the app."""
    return [STREAMLIT[code].says[name] for code in CODES]
