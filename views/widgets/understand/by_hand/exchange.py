"""Tokens, and numbers that come from elsewhere or go there: pasted text and CSV."""

from collections.abc import Callable
from functools import partial

import numpy as np
import streamlit as st

from core.errors import InputError
from core.models.by_hand import Sheet
from core.sources import matrix
from views import link
from views.spans import plain
from views.text.understand.by_hand import EditWords
from views.widgets.understand.by_hand import state as on_paper
from views.widgets.understand.by_hand.table import accept, refuse

PASTED, UPLOADED = "paste", "csv"


def exchange(sheet: Sheet, name: str, head: int, shown: np.ndarray, said: EditWords) -> None:
    """Name the tokens; paste, import and export the shown matrix or the whole sheet."""
    st.text_input(
        said.tokens, key="tokens", help=plain(said.tokens_help), on_change=link.touch,
        max_chars=on_paper.TOKENS.text,
    )  # fmt: skip
    _paste(name, head, said)
    _import(name, head, said)
    _export(sheet, name, shown, said)


def _paste(name: str, head: int, said: EditWords) -> None:
    st.text_area(
        said.paste.format(name=name), key=PASTED, help=said.paste_help, height=96,
        placeholder="2\t0\t2\n0\t1\t0", max_chars=matrix.LIMITS.text,
    )  # fmt: skip
    st.button(plain(said.put.format(name=name)), key="put", on_click=partial(_pasted, name, head))


def _import(name: str, head: int, said: EditWords) -> None:
    st.file_uploader(
        said.upload.format(name=name), key=UPLOADED, help=plain(said.upload_help),
        on_change=partial(_uploaded, name, head),
    )  # fmt: skip


def _export(sheet: Sheet, name: str, shown: np.ndarray, said: EditWords) -> None:
    with st.container(horizontal=True):
        st.download_button(
            plain(said.save.format(name=name)), matrix.write_matrix(shown), f"{name}.csv",
            "text/csv", key="save", on_click="ignore", icon=":material/download:",
        )  # fmt: skip
        st.download_button(
            said.save_all, "\ufeff" + matrix.write_sheet(sheet.tokens, sheet.matrices),
            "sheet.csv", "text/csv", key="save_all", on_click="ignore",
            icon=":material/download:",
        )  # fmt: skip


def _pasted(name: str, head: int) -> None:
    _take(st.session_state[PASTED], name, head, matrix.read_pasted)


def _uploaded(name: str, head: int) -> None:
    file = st.session_state[UPLOADED]
    if file is None:
        accept()
        return
    try:
        text = matrix.read_bytes(file.getvalue())
    except InputError as error:
        refuse(error)
    else:
        _take(text, name, head, matrix.read_text)


def _take(text: str, name: str, head: int, read: Callable[[str, str], np.ndarray]) -> None:
    try:
        if matrix.is_sheet(text):
            on_paper.put_all(*matrix.read_sheet(text))
        else:
            on_paper.put(name, read(text, name), head)
    except InputError as error:
        refuse(error)
    else:
        accept()
