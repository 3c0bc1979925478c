"""Hidden special tokens of one's own model, and the sentence about their share."""

import pytest
from claims import for_all
from page_reader import FOLDERS, Open, microscope, texts
from streamlit.testing.v1 import AppTest

from core.models import checkpoint

pytestmark = pytest.mark.usefixtures("offered")
TEXT = {"bert": "爱 the Playing sun!", "gpt2": "love é lov 爱"}
HIDDEN = {"bert": (0, 7), "gpt2": (0,), "vit": (0,)}
LABELS = {"bert": "Show special tokens", "gpt2": "Show the first token", "vit": "Show [CLS]"}


def query(kind: str, **more: str) -> dict[str, str]:
    text = {"text": TEXT[kind]} if kind in TEXT else {}
    part = {"layer": "2", "part": "encoder/2/self"}
    return {"lang": "en", "model": kind, "stage": "weights", "head": "2"} | part | text | more


def hidden(at: AppTest) -> tuple[int, ...]:
    assert not at.exception
    return tuple(microscope(at).header["hidden"])


def sentence(at: AppTest) -> str:
    return next(line for line in texts(at).splitlines() if "of all attention" in line)


def test_they_are_shown_at_first_and_the_switch_hides_them_and_says_so_in_the_link(
    open_page: Open,
) -> None:
    at = open_page("checkpoint", **query("bert"))
    assert hidden(at) == ()
    assert "special" not in at.query_params
    assert at.checkbox(key="special").value
    at.checkbox(key="special").uncheck().run()
    assert hidden(at) == HIDDEN["bert"]
    assert at.query_params["special"] == "0"
    at.checkbox(key="special").check().run()
    assert hidden(at) == ()
    assert "special" not in at.query_params


@for_all("kind", HIDDEN)
def test_the_switch_is_called_after_the_tokens_that_it_hides(open_page: Open, kind: str) -> None:
    at = open_page("checkpoint", **query(kind, special="0"))
    switch = at.checkbox(key="special")
    assert (hidden(at), switch.value, switch.label) == (HIDDEN[kind], False, LABELS[kind])


@pytest.mark.parametrize("kind", TEXT)
def test_the_sentence_says_what_they_take_in_the_chosen_head_and_what_would_be_even(
    open_page: Open, kind: str
) -> None:
    at = open_page("checkpoint", **query(kind))
    trace = checkpoint.open(FOLDERS / kind).run(TEXT[kind], 2)
    weights = trace["encoder/2/self/weights"].tensor[0, 1].tolist()
    n = len(weights)
    taken = sum(row[token] for row in weights for token in HIDDEN[kind]) / n
    allowed = [n if kind == "bert" else i + 1 for i in range(n)]
    even = sum(len(HIDDEN[kind]) / count for count in allowed) / n
    text = sentence(at)
    assert f"receive{'s' * (kind == 'gpt2')} {100 * taken:.0f}\u00a0% of" in text
    assert text.endswith(f"({100 * even:.0f}\u00a0% if spread evenly).")
    assert "In head 2, " in text
    assert ("[CLS] and [SEP]" in text) == (kind == "bert")
    assert ("No special tokens here" in text) == (kind == "gpt2")


def test_the_choice_outlives_another_model_and_another_part(open_page: Open) -> None:
    at = open_page("checkpoint", **query("bert", special="0"))
    next(box for box in at.selectbox if box.label == "Model").set_value("gpt2").run()
    assert hidden(at) == (0,)
    assert at.query_params["special"] == "0"
    at.session_state["part"] = "encoder/2/feed_forward"
    at.run()
    assert not at.checkbox(key="special").value
