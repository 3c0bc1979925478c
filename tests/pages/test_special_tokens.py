"""Which tokens can be hidden, and how much of the weight they take."""

import numpy as np
import pytest
from page_reader import FOLDERS

from core.models import checkpoint
from views.widgets.checkpoint.chosen_input import Chosen
from views.widgets.checkpoint.special import Special, shares, special_of


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
