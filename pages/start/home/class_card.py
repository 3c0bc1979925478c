"""The address of this server for a class, and its QR code, where the operator asked for them."""

import streamlit as st

from views.server import classroom
from views.text import Words
from views.widgets.component import component
from views.widgets.prose import heading, prose


def class_card(words: Words) -> None:
    """Open where the server runs, as on the teacher's projector; folded for those who found it."""
    if not classroom.is_asked_for():
        return
    text = words.classroom
    if st.context.ip_address is None:
        with st.container(border=True, key="class_card"):
            heading(text.title)
            _address(words)
    else:
        with st.expander(text.title):
            _address(words)


def _address(words: Words) -> None:
    text, address = words.classroom, classroom.class_url()
    setting = classroom.loopback_only()
    if setting and not classroom.is_named():
        prose([[(text.loopback.format(setting=setting), "")]], key="class_address", style="notice")
    elif address is None:
        prose([[(text.no_network, "")]], key="class_address", style="notice")
    else:
        names = {
            "qr": text.qr.format(address=address),
            "larger": text.larger,
            "close": text.close,
        }
        data = {"address": address, "modules": classroom.modules(address), "words": names}
        component("class_address")(key="class_address", data=data)
