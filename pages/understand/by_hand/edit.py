"""The editor: choose a matrix, edit its cells, undo, redo, import and export."""

from collections.abc import Callable
from functools import partial

import numpy as np
import streamlit as st

from core import Trace
from core.errors import InputError
from core.limits import MATRIX, SHEET
from core.models.by_hand import ROLES, Sheet
from core.sources import matrix
from pages.understand.by_hand.table import (
    Table,
    clear_error,
    followed,
    has_error,
    history,
    in_convention,
    report_error,
    reset_table,
    set_matrix,
    set_sheet,
    table,
)
from views import link, parse
from views.figures.symbols import Convention
from views.text import Words
from views.text.spans import mathematics, plain
from views.widgets import sheet_input
from views.widgets.errors import error_sentence
from views.widgets.prose import heading, prose

SYMBOLS = {"W_Q": "$W^Q$", "W_K": "$W^K$", "W_V": "$W^V$", "W_O": "$W^O$"}


def edit(sheet: Sheet, trace: Trace, words: Words, texts: Words, convention: Convention) -> None:
    """Draw the editor of all matrices of the sheet."""
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        heading(texts.title)
        _history(texts)
    name, head = _chosen(sheet, texts)
    whole = sheet.matrices[name] if name in sheet.matrices else trace[name].tensor[0]
    shown = whole[head] if whole.ndim == 3 else whole
    _given_or_computed(sheet, name, whole, texts, convention)
    now = table(sheet, name, head, shown, texts, convention)
    with st.container():
        if now.error:
            lines = (error_sentence(now.error, words), texts.still_valid)
            prose([[(line, "")] for line in lines], key="cell_error", style="error")
        if resized := followed():
            pasted, *others = resized
            named = [texts.of_tokens if other == sheet_input.TOKENS else other for other in others]
            line = texts.followed.format(name=pasted, names=words.list_mark.join(named))
            prose([[(line, "")]], key="followed", style="notice")
    with st.expander(texts.more):
        import_export(sheet, now, shown, texts)


def _history(texts: Words) -> None:
    past = history()
    states, at = past.states, past.at
    for label, icon, to in (
        (texts.undo, ":material/undo:", at - 1),
        (texts.redo, ":material/redo:", at + 1),
    ):
        possible = 0 <= to < len(states)
        st.button(
            label, key=f"to_{'undo' if to < at else 'redo'}", icon=icon, disabled=not possible,
            on_click=_back_to, args=(states[to] if possible else {},),
        )  # fmt: skip
    st.button(
        texts.reset, key="to_preset", icon=":material/restart_alt:",
        disabled=sheet_input.is_unedited() and not has_error(),
        on_click=_back_to,
    )  # fmt: skip


def _back_to(written: sheet_input.State | None = None) -> None:
    """Callback: restore a state of the sheet, or that of the preset."""
    if written is None:
        sheet_input.reset()
    else:
        sheet_input.restore(written)
    reset_table()


def _chosen(sheet: Sheet, texts: Words) -> tuple[str, int]:
    """Draw the choice of a matrix and a head; return its name and the head from 0."""
    names = [name for name in ROLES if name in sheet.matrices or name in "QKV"]
    names = [n for n in names if not (n.startswith("W_") and n[-1] in sheet.matrices)]
    link.bind_param("matrix", "", parse.one_of(["", *ROLES]))
    first = "X" if "X" in names else "Q"
    linked = st.session_state["matrix"]
    key = f"matrix_{''.join(names)}"
    link.show(key, linked if linked in names else first)
    st.pills(
        texts.matrix, names, format_func=lambda name: SYMBOLS.get(name, name), key=key,
        on_change=lambda: link.set_value("matrix", st.session_state[key]), required=True,
        label_visibility="collapsed",
    )  # fmt: skip
    name = str(st.session_state[key])
    heads = len(next(m for m in sheet.matrices.values() if m.ndim == 3))
    link.bind_param("of_head", 1, parse.number(1, MATRIX.heads))
    if len(ROLES[name]) == 2 or heads == 1:
        return name, 0
    st.session_state["of_head"] = min(st.session_state["of_head"], heads)
    head = st.segmented_control(
        texts.head, range(1, heads + 1), format_func=lambda i: texts.head_number.format(number=i),
        key="of_head", required=True, label_visibility="collapsed",
    )  # fmt: skip
    return name, int(head or 1) - 1


def _given_or_computed(
    sheet: Sheet, name: str, whole: np.ndarray, texts: Words, convention: Convention
) -> None:
    """Draw whether Q, K or V is given or computed, and a button to change that."""
    if name not in "QKV" or "X" not in sheet.matrices:
        st.caption(plain(texts.hint))
        return
    given = name in sheet.matrices
    label = texts.compute if given else texts.write
    value = "" if given else matrix.to_link(whole)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(
            mathematics(texts.hint if given else texts.computed[convention].format(name=name))
        )
        st.button(
            plain(label.format(name=name)), key="given", on_click=link.set_value, args=(name, value)
        )


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
            set_sheet(*matrix.read_sheet(text))
        else:
            array = read(text, table.name)
            followed = set_matrix(table.name, array, table.head, turned=table.turned)
    except InputError as error:
        report_error(error)
    else:
        clear_error((table.name, *followed) if followed else ())
