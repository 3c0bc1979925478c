"""A component in which a query and a key are moved, and their arrows turn."""

from dataclasses import dataclass
from typing import Any

import streamlit as st

from pages.today.rotary.controls import LAST, Pair
from views import link, parse
from views.text import Words
from views.widgets.component import component


@dataclass
class Moves:
    """seen: the last move in the browser that the server knows of."""

    seen: int = 0


def turning(pair: Pair, texts: Words) -> None:
    """Draw the positions, the arrows of every pair of numbers, and the score by distance.

    texts: see ``assets/rotary/rotary.js``.
    """
    moves, freq = link.remembered(Moves), pair.positions.rotary.inv_freq
    chosen: int = link.bind_param("pair", 1, parse.number(1, len(freq)))

    def on_moved() -> None:
        message = st.session_state["turning"].moved
        if not message:
            return
        moves.seen = int(message["sent"])
        m, n = (int(position) for position in message["at"])
        if 0 <= n <= m <= LAST and 0 <= int(message["pair"]) < len(freq):
            link.set_value("at", (m, n))
            link.set_value("pair", int(message["pair"]) + 1)

    data: dict[str, Any] = {
        "q": pair.q.tolist(),
        "k": pair.k.tolist(),
        "freq": freq.tolist(),
        "names": pair.names,
        "at": pair.at,
        "pair": chosen - 1,
        "last": LAST,
        "said": texts.as_dict(),
        "seen": moves.seen,
    }
    component("rotary")(key="turning", data=data, on_moved_change=on_moved)
