"""The first view: the numbers of one word, and the one line about it, from a scene."""

import numpy as np
import pytest
from in_node import evaluate
from shown_readings import in_both_languages

from core import scaled_dot_product_attention
from core.axis import Axis
from core.models import translator
from core.nested import subtrace
from core.options import AttentionOptions
from views.scene.scene import scene
from views.text import LANGUAGES, numbers

MODULES = [
    *(f"microscope/engine/{name}.js" for name in ("blob", "trace", "numbers")),
    *(f"microscope/first_view/{name}.js" for name in ("attention_row", "takes_most")),
]
STORE = """
  const shown = new trace.Trace(blob.unpacked(given.scene));
  const store = { trace: shown, head: given.head };
  const row = attention_row.attentionRow(store, given.query);
"""


def seen(trace, query, head, body):
    given = {"scene": scene(trace, "weights", 0, head, (), LANGUAGES["en"])}
    return evaluate(MODULES, STORE + body, given | {"query": query, "head": head})


@pytest.fixture(scope="module")
def encoded():
    return subtrace(translator.load().encoder(["我", "爱", "北京"]), "encoder/3/self")


def test_scores_shares_values_and_the_new_vector_of_a_word_are_those_of_the_trace(encoded):
    for head, query in ((0, 0), (5, 2)):
        found = seen(encoded, query, head, """
          const mix = attention_row.mixOf(store, row, row.keys);
          const rows = [row.scores, row.shares, ...mix.values, mix.vector].map((one) => [...one]);
          const { by, d_k, undivided } = attention_row.division(shown, row);
          return [row.keys, row.isCausal, mix.stage, rows, [by, d_k], undivided];
        """)  # fmt: skip
        keys, causal, stage, rows, divided, undivided = found
        weights = encoded["weights"].tensor[0, head, query]
        assert (keys, causal, stage) == (np.argsort(-weights).tolist(), False, "V")
        V = encoded["V"].tensor[0, head]
        expected = [encoded["scores"].tensor[0, head, query], weights]
        for one, other in zip(rows, [*expected, *V[keys], weights @ V], strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-6)
        d_k = encoded["Q"].tensor.shape[-1]
        assert divided == pytest.approx([d_k**0.5, d_k])
        powers = np.exp(expected[0][keys])
        np.testing.assert_allclose(undivided, powers / powers.sum(), rtol=1e-4)


WORDS = ("When", "\u2423Mary", "and", "John")


def line(shares, query, first="When", kind="word", **options):
    """The line about one of four words that all have these shares, as by hand."""
    K = np.log(np.array(shares)).reshape(1, 1, -1, 1)
    axis = Axis("key", "n", (first, *WORDS[1:]), kinds=(kind, *["word"] * 3))
    labels = {"query": WORDS, "key": axis}
    options = AttentionOptions(scale=1, **options)
    trace = scaled_dot_product_attention(np.ones(K.shape), K, K, options, labels=labels)
    return seen(trace, query, 0, "return takes_most.takesMost(shown, row);")


def test_the_line_names_the_word_from_which_most_is_taken_and_its_share():
    john, mary = ["John", "query"], ["Mary", "key"]
    assert line([0.1, 0.6, 0.2, 0.1], 3) == [
        "takes", {"row": john, "column": mary, "weight": "60\u00a0%"},
    ]  # fmt: skip
    assert line([0.1, 0.2, 0.1, 0.6], 3) == ["takes_itself", {"row": john, "weight": "60\u00a0%"}]
    assert line([0.25, 0.25, 0.25, 0.25], 3) == ["takes_evenly", {"row": john}]


def test_a_share_left_on_a_first_token_is_not_said_to_be_taken_from_a_word():
    shares = [0.5, 0.25, 0.15, 0.1]
    fields = {
        "row": ["John", "query"], "column": ["When", "key"], "weight": "50\u00a0%",
        "other": ["Mary", "key"], "share": "25\u00a0%",
    }  # fmt: skip
    assert line(shares, 3)[0] == "takes"  # where every word sees all, none is a place for the rest
    assert line(shares, 3, causal=True) == ["takes_first", fields]
    assert line(shares, 0, causal=True) == ["takes_alone", {"row": ["When", "query"]}]
    alone = {"row": ["Mary", "query"], "column": ["[CLS]", "key"], "weight": "67\u00a0%"}
    assert line(shares, 1, "[CLS]", "special", causal=True) == ["takes_rest", alone]
    fields["column"] = ["[CLS]", "key"]
    assert line(shares, 3, first="[CLS]", kind="special") == ["takes_special", fields]


def test_a_long_row_shows_its_largest_and_says_what_is_left():
    body = """
      const { shares } = given;
      return [6, 7, 9].map((count) => {
        const row = { shares, keys: [...shares.keys()].slice(0, count) };
        const { shown, left, share } = attention_row.largestOf(row, false);
        return [shown.length, left, share];
      });
    """
    shares = [0.3, 0.2, 0.2, 0.1, 0.1, 0.04, 0.03, 0.02, 0.01]
    found = evaluate(MODULES, body, {"shares": shares})
    assert [one[:2] for one in found] == [[6, 0], [5, 2], [5, 4]]
    assert [one[2] for one in found] == pytest.approx([0, 0.07, 0.1])


def test_shares_are_written_as_the_server_writes_them():
    shares = [0, 0.0004, 0.0449, 0.0994, 0.09949, 0.0995, 0.1, 0.705, 0.9999, 1]
    body = "return given.map((share) => numbers.perCent(share));"
    assert evaluate(MODULES, body, shares) == [numbers.per_cent(share) for share in shares]


@in_both_languages
def test_each_line_says_who_takes_and_from_whom(words):
    says = words.first_view
    for name, text in says.items():
        if name.startswith("takes"):
            assert "{row}" in text, name
            assert ("{weight}" in text) == (name not in ("takes_evenly", "takes_alone")), name
