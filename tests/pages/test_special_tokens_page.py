"""Special tokens of one's own model: which can be hidden, and the sentence about their share."""

import numpy as np
import pytest
from claims import for_all
from page_reader import FOLDERS, Open, microscope, texts
from streamlit.testing.v1 import AppTest

from core.models import checkpoint
from views.widgets.checkpoint.chosen_input import Chosen
from views.widgets.checkpoint.special import Special, shares, special_of

pytestmark = pytest.mark.usefixtures("offered")
TEXT = {"bert": "爱 the Playing sun!", "gpt2": "love é lov 爱"}
HIDDEN = {"bert": (0, 7), "gpt2": (0,), "vit": (0,)}
LABELS = {"bert": "Show special tokens", "gpt2": "Show the first token", "vit": "Show [CLS]"}


def chosen(kind, given):
    return Chosen(checkpoint.open(FOLDERS / kind), given, 1)


def test_of_bert_they_are_those_that_the_tokenizer_puts_around_the_text_each_named_once():
    found = special_of(chosen("bert", "爱 the Playing sun!"))
    encoding = checkpoint.open(FOLDERS / "bert").encode("爱 the Playing sun!")
    last = len(encoding.tokens) - 1
    assert found == Special("special", (0, last), ("[CLS]", "[SEP]"))


def test_a_sep_between_two_sentences_counts_with_the_last_one_and_is_named_once():
    found = special_of(chosen("bert", "the [SEP] sun"))
    encoding = checkpoint.open(FOLDERS / "bert").encode("the [SEP] sun")
    assert encoding.tokens.count("[SEP]") == 2
    assert found.positions == (0, encoding.tokens.index("[SEP]"), len(encoding.tokens) - 1)
    assert found.names == ("[CLS]", "[SEP]")


def test_of_a_picture_it_is_the_token_before_the_patches():
    pixels = np.zeros((15, 15, 3), np.uint8)
    assert special_of(chosen("vit", pixels)) == Special("cls", (0,), ("[CLS]",))


def test_what_they_take_by_hand():
    weights = np.array([[0.5, 0.25, 0.25], [0.2, 0.7, 0.1], [0.8, 0.0, 0.2]])
    taken, even = shares(weights, np.zeros((3, 3)), (0, 2))
    assert taken == pytest.approx((0.75 + 0.3 + 1.0) / 3)
    assert even == pytest.approx(2 / 3)


def test_where_a_query_sees_only_what_came_before_an_even_share_is_larger_for_the_first_token():
    weights = np.array([[1.0, 0.0, 0.0], [0.6, 0.4, 0.0], [0.5, 0.3, 0.2]])
    logits = np.where(np.tri(3) > 0, 0.3, -np.inf)
    taken, even = shares(weights, logits, (0,))
    assert taken == pytest.approx((1 + 0.6 + 0.5) / 3)
    assert even == pytest.approx((1 + 1 / 2 + 1 / 3) / 3)


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
