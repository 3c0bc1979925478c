"""The head overview: what a cell says and how strongly, where it leads, and that it can be read."""

import re

from claims import for_all
from streamlit.testing.v1 import AppTest
from wcag import contrast

from core.experiments.head_patterns import HeadPattern
from views.export.bundle import ASSETS
from views.figures.palette import PALETTES, rgb
from views.widgets.checkpoint.head_overview import _cell

KIND = re.compile(r"\.(\w+)(?:, \.(\w+))? \{ --kind: var\(--(\w+)\); \}")
SHARE = re.compile(r"var\(--kind\) calc\((\d+)% \+ (\d+)% \* var\(--strength\)\)")
ROLE = re.compile(r"--(\w+): light-dark\((#\w{6}), (#\w{6})\);")
MIXED = dict(evenness=0.2, peak=0.41, itself=0.1, previous=0.2, following=0.3, favourite=2,
             share=0.4, special=0.25)  # fmt: skip


@for_all(
    ("changed", "cell"),
    [
        ({}, ("mixed", "0.41", 0.0, "")),
        ({"peak": 0.9}, ("mixed", "0.90", 0.0, "")),
        ({"evenness": 0.95}, ("broadly", "0.95", 0.0, "")),
        ({"evenness": 0.975}, ("broadly", "0.98", 0.5, "")),
        ({"previous": 0.5}, ("previous", "0.50", 0.0, "")),
        ({"previous": 0.75}, ("previous", "0.75", 0.5, "")),
        ({"special": 1.0}, ("special", "1.00", 1.0, "")),
        ({"share": 0.75}, ("one", "0.75", 0.5, "c")),
        ({"share": 0.75, "favourite": 0}, ("first", "0.75", 0.5, "a")),
    ],
)
def test_a_cell_is_as_strong_as_its_measure_stands_above_the_least_of_its_kind(changed, cell):
    kind, value, strength, favourite = _cell(HeadPattern(**MIXED | changed), ("a", "b", "c"))
    assert (kind, value, strength, favourite) == cell


def page():
    import streamlit as st

    from views import link
    from views.widgets.checkpoint.head_overview import HeadLink, open_head

    link.begin("checkpoint")
    for name, first in {"layer": 1, "head": 1, "part": "encoder/1/self", "stage": "X"}.items():
        link.bind_param(name, first, type(first))
    st.button("go", key="go", on_click=open_head, args=(HeadLink(3, 5),))
    link.end()


@for_all(
    ("part", "stage"),
    [
        ("encoder/2/self", "head_output"),
        ("encoder/2/feed_forward", "weights"),
        ("input", "weights"),
    ],
)
def test_a_cell_leads_to_its_layer_and_head_at_the_same_step_of_attention(part, stage):
    at = AppTest.from_function(page, default_timeout=30)
    at.query_params["part"], at.query_params["stage"] = part, "head_output"
    at.run()
    at.button(key="go").click().run()
    assert not at.exception
    shown = {name: at.session_state[name] for name in ("layer", "head", "part", "stage")}
    assert shown == {"layer": 3, "head": 5, "part": "encoder/3/self", "stage": stage}
    assert at.query_params["layer"] == "3"


def test_what_stands_on_a_cell_of_any_kind_and_strength_can_be_read():
    style = (ASSETS / "head_overview" / "head_overview.css").read_text("utf-8")
    colours = {name: pair for name, *pair in ROLE.findall((ASSETS / "common.css").read_text())}
    kinds = {one: colour for *both, colour in KIND.findall(style) for one in both if one}
    assert len(kinds) == 9
    for index, (theme, (least, more)) in enumerate(
        zip(("light", "dark"), SHARE.findall(style), strict=True)
    ):
        palette = PALETTES[theme]
        for colour in kinds.values():
            for part in (int(least) / 100, (int(least) + int(more)) / 100):
                ground = part * rgb(colours[colour][index]) + (1 - part) * rgb(palette.card)
                assert contrast(ground, rgb(palette.ink)) >= 4.5
