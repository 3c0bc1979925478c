"""What each brake adds to a large decoder."""

import streamlit as st

from core.experiments.cache_size import CONTEXT, LLAMA_8B
from core.experiments.soft_cap import extras
from views.preferences import in_language
from views.text import DECODER, Words, numbers
from views.text.spans import mathematics, plain
from views.widgets.prose import heading
from views.widgets.table import table


def costs(texts: Words) -> None:
    """Draw a table of parameters, additional work and cache of each brake."""
    heading(in_language(DECODER).costs)
    st.caption(
        mathematics(texts.of_named.format(name=LLAMA_8B.name, tokens=numbers.count(CONTEXT)))
    )
    rows = [
        [
            texts.names[name],
            plain(f"+ {numbers.count(extra.parameters)}"),
            plain(
                texts.calls[name].format(
                    calls=numbers.power_of_ten(extra.calls) if extra.calls else "0",
                    d_k=LLAMA_8B.d_k,
                )
            ),
            texts.cache,
        ]
        for name, extra in extras(LLAMA_8B, CONTEXT).items()
    ]
    table(texts.columns, rows)
