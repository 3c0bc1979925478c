"""Token names, and import and export of matrices: pasted text and CSV."""

from collections.abc import Callable
from functools import partial

import numpy as np
import streamlit as st

from core.errors import InputError
from core.limits import MATRIX, SHEET
from core.models.by_hand import Sheet
from core.sources import matrix
from pages.understand.by_hand import state
from pages.understand.by_hand.table import (
    Table,
    clear_error,
    in_convention,
    report_error,
)
from views.text import Words
from views.text.spans import plain

PASTED, UPLOADED = "paste", "csv"


def import_export(sheet: Sheet, table: Table, shown: np.ndarray, texts: Words) -> None:
    """Draw the token names, and paste, import and export of the shown matrix or the sheet.

    One matrix has the orientation of the table; in a whole sheet, tokens are always rows.
    """
    st.text_input(
        texts.tokens, key="tokens", help=plain(texts.tokens_help),
        max_chars=SHEET.text,
    )  # fmt: skip
    _paste(table, texts)
    _import(table, texts)
    _export(sheet, table.name, in_convention(shown, table.turned), texts)


def _paste(table: Table, texts: Words) -> None:
    name = table.name
    st.text_area(
        texts.paste.format(name=name), key=PASTED, help=texts.paste_help, height=96,
        placeholder="2\t0\t2\n0\t1\t0", max_chars=MATRIX.text,
    )  # fmt: skip
    st.button(plain(texts.put.format(name=name)), key="put", on_click=partial(_pasted, table))


def _import(table: Table, texts: Words) -> None:
    st.file_uploader(
        texts.upload.format(name=table.name), key=UPLOADED, help=plain(texts.upload_help),
        max_upload_size=MATRIX.file_bytes // 1_000_000,
        on_change=partial(_uploaded, table),
    )  # fmt: skip


def _export(sheet: Sheet, name: str, shown: np.ndarray, texts: Words) -> None:
    with st.container(horizontal=True):
        st.download_button(
            plain(texts.save.format(name=name)), matrix.write_matrix(shown), f"{name}.csv",
            "text/csv", key="save", on_click="ignore", icon=":material/download:",
        )  # fmt: skip
        st.download_button(
            texts.save_all, "\ufeff" + matrix.write_sheet(sheet.tokens, sheet.matrices),
            "sheet.csv", "text/csv", key="save_all", on_click="ignore",
            icon=":material/download:",
        )  # fmt: skip


def _pasted(table: Table) -> None:
    _take(st.session_state[PASTED], table, matrix.read_pasted)


def _uploaded(table: Table) -> None:
    file = st.session_state[UPLOADED]
    if file is None:
        clear_error()
        return
    try:
        text = matrix.read_bytes(file.getvalue())
    except InputError as error:
        report_error(error)
    else:
        _take(text, table, matrix.read_text)


def _take(text: str, table: Table, read: Callable[[str, str], np.ndarray]) -> None:
    followed: tuple[str, ...] = ()
    try:
        if matrix.is_sheet(text):
            state.set_sheet(*matrix.read_sheet(text))
        else:
            array = read(text, table.name)
            followed = state.set_matrix(table.name, array, table.head, turned=table.turned)
    except InputError as error:
        report_error(error)
    else:
        clear_error((table.name, *followed) if followed else ())
