"""The printable worksheet: its seed, downloads and a preview."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from core import Trace
from core.limits import LAST_SEED, ON_PAPER
from core.models.by_hand import Sheet as Numbers
from core.models.worked import random_gradients, random_sheet
from pages.understand.predict.worksheet.sheet import Sheet, page
from views import link, parse
from views.export.bundle import ASSETS
from views.text import LANGUAGES, Words, words_beside
from views.text.spans import spans
from views.widgets.choice import option_input
from views.widgets.microscope import is_hosted
from views.widgets.prose import heading, prose
from views.widgets.sheet_input import is_unedited

WORDS = words_beside(__file__)

FILES = {"sheet": "attention-worksheet", "key": "attention-answer-key"}
PREVIEW_HEIGHT = 640


def worksheet_card(shown: Numbers, trace: Trace, head: int, texts: Words, words: Words) -> None:
    """Draw the seed, the files in all languages, and a preview.

    shown, trace, head: of the page, of whose numbers a worksheet can be made.
    """
    with st.container(border=True, key="paper_card"):
        heading(texts.paper)
        prose([[(texts.paper_about, "")]], key="paper_about")
        link.bind_param("worksheet", 1, parse.number(0, LAST_SEED))
        link.bind_param("preview", "", parse.one_of(FILES))
        paper = option_input(
            texts.numbers, "paper", texts.papers, texts.papers.__getitem__,
            first="drawn" if is_unedited() else "shown",
        )  # fmt: skip
        direction = option_input(
            texts.direction, "direction", texts.directions, texts.directions.__getitem__
        )
        query = {"causal": "1"} if shown.options.causal else {}
        if direction == "backwards":
            query["direction"] = direction
        if paper == "drawn":
            seed = st.number_input(
                texts.worksheet, 0, LAST_SEED, step=1, key="worksheet", width=160
            )
            trace = random_sheet(seed, causal=shown.options.causal).trace()
            query["worksheet"] = str(seed)
        else:
            link.preserve_param("worksheet", 1, parse.number(0, LAST_SEED))
            seed, heads = None, trace["weights"].size("head")
            trace = one_head(shown, trace, head).trace()
            if max(max(trace[key].tensor.shape) for key in "QKV") > ON_PAPER:
                prose([spans(texts.off_paper, most=str(ON_PAPER))], key="off_paper", style="notice")
                return
            query |= link.in_link(link.sheet_here())[0] | {"paper": paper}
            if heads > 1:
                query["head"] = str(head + 1)
                prose([spans(texts.of_head, head=str(head + 1))], key="of_head", style="quiet")
        link.write()
        if direction == "backwards":
            trace = random_gradients(trace, seed or 0)

        def worksheet_html(code: str, part: str) -> str:
            address = link.url_with_query({"lang": code} | query)
            opens = is_hosted(address) and link.OMITTED not in query
            sheet = Sheet(seed, trace, address if opens else "")
            template = (ASSETS / "worksheet" / "worksheet.html").read_text("utf-8")
            return page(template, sheet, part == "key", LANGUAGES[code])

        name = "own" if seed is None else str(seed)
        _downloads(worksheet_html, name + "-backwards" * (direction == "backwards"))
        link.show("previewed", st.session_state["preview"] or None)
        previewed = st.pills(
            texts.preview, list(FILES), format_func=lambda part: texts.previewed[part],
            key="previewed", on_change=_previewed,
        )  # fmt: skip
        if previewed:
            st.iframe(worksheet_html(words.code, previewed), height=PREVIEW_HEIGHT)


def one_head(sheet: Numbers, trace: Trace, head: int) -> Numbers:
    """Q, K and V of one head as a sheet, without padding, which changes no other row."""
    real = len(sheet.tokens) - sheet.padded
    matrices = {key: trace[key].tensor[0, [head], :real] for key in "QKV"}
    return Numbers(sheet.tokens[:real], matrices, options=sheet.options)


def _downloads(worksheet_html: Callable[[str, str], str], number: str) -> None:
    """Draw a button for each language and file; a file is made when it is downloaded."""
    with st.container(horizontal=True):
        for code, language in LANGUAGES.items():
            for part, name in FILES.items():
                label = WORDS[code].download.format(
                    language=language.name, part=WORDS[code].previewed[part]
                )
                st.download_button(
                    label, partial(worksheet_html, code, part), f"{name}-{number}-{code}.html",
                    "text/html", key=f"{part}_{code}", on_click="ignore", icon=":material/print:",
                )  # fmt: skip


def _previewed() -> None:
    link.set_value("preview", st.session_state["previewed"] or "")
