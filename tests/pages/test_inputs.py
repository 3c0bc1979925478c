"""The pages Sentence, Image and Audio alike: their steps, and their names of a token."""

import re

from claims import for_all
from page_reader import SMALL, STEPS, Open, microscope, texts


@for_all(
    ("page", "step"),
    [(page, step) for page, steps in STEPS.items() for step in (*steps[::4], steps[-1])],
)
def test_a_link_opens_its_step(open_page: Open, page: str, step: str) -> None:
    at = open_page(page, lang="zh", stage=step, **SMALL[page])
    assert not at.exception
    shown = microscope(at)
    assert shown.chosen["stage"] == step
    assert shown.header["drawings"][step]["planes"][-1]["stage"] == step
    assert [key for key, absent in shown.steps.items() if not absent] == STEPS[page]
    assert at.query_params["stage"] == step


@for_all(
    ("page", "lang", "reason"),
    [("sentence", "zh", "dropout 为 0"), ("image", "en", "Dropout is 0")],
)
def test_a_link_to_an_absent_step_gives_its_reason_and_shows_the_one_before(
    open_page: Open, page: str, lang: str, reason: str
) -> None:
    at = open_page(page, lang=lang, stage="dropped", **SMALL[page])
    assert reason in texts(at)
    assert microscope(at).chosen["stage"] == "weights"


WIDGETS = (
    "selectbox",
    "text_input",
    "button_group",
    "file_uploader",
    "audio_input",
    "checkbox",
    "toggle",
)


@for_all(
    ("page", "query", "inputs", "settings"),
    [
        ("translation", {"forced": "1"}, {"text", "target"}, {"search", "forced"}),
        ("image", SMALL["image"], {"picture", "upload"}, {"model", "cls"}),
        ("image", {}, {"picture", "upload"}, {"model"}),
        ("audio", SMALL["audio"], {"sound", "record", "upload"}, {"pool", "same", "silence"}),
    ],
)
def test_what_is_read_stands_above_the_figure_and_settings_in_the_sidebar(
    open_page: Open, page: str, query: dict[str, str], inputs: set[str], settings: set[str]
) -> None:
    at = open_page(page, lang="en", **query)
    above, beside = (
        {
            re.sub(r"_\d{5,}$", "", str(element.key))
            for kind in WIDGETS
            for element in block.get(kind)
        }
        for block in (at.main, at.sidebar)
    )
    assert inputs <= above - beside
    assert settings <= beside - above
