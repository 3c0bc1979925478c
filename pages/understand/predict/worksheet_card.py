"""The printable worksheet: its seed, downloads and a preview."""

from collections.abc import Callable
from functools import partial
from ipaddress import ip_address
from urllib.parse import urlsplit

import streamlit as st

from core.limits import LAST_SEED
from core.models.worked import random_sheet
from pages.understand.predict.worksheet.sheet import Sheet, page
from views import link, parse
from views.export.bundle import ASSETS
from views.text import LANGUAGES, Words, words_beside
from views.widgets.prose import heading, prose

WORDS = words_beside(__file__)

FILES = {"sheet": "attention-worksheet", "key": "attention-answer-key"}
PREVIEW_HEIGHT = 640


def worksheet_card(causal: bool, texts: Words, words: Words) -> None:
    """Draw the seed, the files in all languages, and a preview."""
    with st.container(border=True, key="paper_card"):
        heading(texts.paper)
        prose([[(texts.paper_about, "")]], key="paper_about")
        link.bind_param("worksheet", 1, parse.number(0, LAST_SEED))
        link.bind_param("preview", "", parse.one_of(FILES))
        seed = st.number_input(texts.worksheet, 0, LAST_SEED, step=1, key="worksheet", width=160)
        link.write()
        trace = random_sheet(seed, causal=causal).trace()

        def worksheet_html(code: str, part: str) -> str:
            query = {"lang": code, "worksheet": str(seed), **({"causal": "1"} if causal else {})}
            address = link.url_with_query(query)
            sheet = Sheet(seed, trace, address if is_public(address) else "")
            template = (ASSETS / "worksheet" / "worksheet.html").read_text("utf-8")
            return page(template, sheet, part == "key", LANGUAGES[code])

        _downloads(worksheet_html, seed)
        link.show("previewed", st.session_state["preview"] or None)
        shown = st.pills(
            texts.preview, list(FILES), format_func=lambda part: texts.previewed[part],
            key="previewed", on_change=_previewed,
        )  # fmt: skip
        if shown:
            st.iframe(worksheet_html(words.code, shown), height=PREVIEW_HEIGHT)


def _downloads(worksheet_html: Callable[[str, str], str], seed: int) -> None:
    """Draw a button for each language and file; a file is made when it is downloaded."""
    with st.container(horizontal=True):
        for code, language in LANGUAGES.items():
            for part, name in FILES.items():
                label = WORDS[code].download.format(
                    language=language.name, part=WORDS[code].previewed[part]
                )
                st.download_button(
                    label, partial(worksheet_html, code, part), f"{name}-{seed}-{code}.html",
                    "text/html", key=f"{part}_{code}", on_click="ignore", icon=":material/print:",
                )  # fmt: skip


def _previewed() -> None:
    link.set_value("preview", st.session_state["previewed"] or "")


AT_HOME = (".local", ".localhost", ".localdomain", ".lan", ".home", ".internal", ".home.arpa")


def is_public(address: str) -> bool:
    """Whether the host is a public name or a global IP address."""
    host = (urlsplit(address).hostname or "").rstrip(".")
    try:
        return ip_address(host).is_global
    except ValueError:
        return "." in host and not host.endswith(AT_HOME)
