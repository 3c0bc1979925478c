"""Readings of steps that look up, join, normalise or project values."""

import numpy as np
import pytest
from read_in_node import emptied_by, read, read_all
from shown_readings import called, in_both_languages, two_digits
from shown_traces import D_V, LINES, NOBODY, crossed, picture, sentence

from core import HeadWeights, Stage, Trace, Weights, multi_head_attention
from core.options import AttentionOptions
from core.rules import Given
from core.sources import text
from views.text import LANGUAGES


@in_both_languages
@pytest.mark.parametrize("trace", [sentence, picture])
def test_a_new_vector_takes_most_where_the_weight_after_dropout_is_largest(trace, words):
    asked, wanted = [], []
    name, head = trace.__name__, trace()["weights"].size("head") - 1
    mixed = trace()["dropped" if "dropped" in trace() else "weights"]
    noun = {
        "en": {"sentence": "token", "picture": "patch"},
        "zh": {"sentence": "词", "picture": "块"},
    }[words.code][name]
    for query in (0, 4, 5, 6):
        row = mixed.tensor[0, head, query].tolist()
        if not any(row):
            continue
        names = (mixed.axis("query").label(query), mixed.axis("key").label(row.index(max(row))))
        row_name, column = (called(trace(), label, words) for label in names)
        expected = words.reading.takes.format(
            row=row_name, column=column, weight=two_digits(max(row)), token=noun
        )
        asked.append((trace(), "head_output", {"head": head, "query": query}))
        wanted.append([expected.replace("patchs", "patches")])
    assert read_all(asked, words) == wanted


@in_both_languages
@pytest.mark.parametrize("key", ["dropped", "head_output"])
def test_every_row_after_dropout_says_what_was_lost(key, words):
    trace, wanted = sentence(), set()
    positions = [
        (batch, head, query)
        for batch, head, query in np.ndindex(2, 3, 7)
        if (batch, query) != NOBODY and not (batch and query > 3)
    ]
    asked = [
        (trace, key, {"batch": batch, "head": head, "query": query})
        for batch, head, query in positions
    ]
    for (batch, head, query), found in zip(positions, read_all(asked, words), strict=True):
        before = trace["weights"].tensor[batch, head, query].tolist()
        after = trace["dropped"].tensor[batch, head, query].tolist()
        if not any(before):
            template = words.reading.nobody
            masks = emptied_by(trace, words, batch, head, query)
            assert found == [template.format(row=LINES[batch][query], masks=masks)]
        elif not any(after):
            template = words.reading.all_lost
            assert found == [template]
        elif key == "dropped":
            lost = sum(b > 0 and a == 0 for b, a in zip(before, after, strict=True))
            template = words.reading.dropped if lost else words.reading.none_lost
            best = after.index(max(after))
            assert found == [template.format(
                lost=lost,
                times="1.43",  # 1 / (1 − 0.3)
                column=trace["weights"].axis("key").label(best, batch),
                before=two_digits(before[best]),
                after=two_digits(after[best]),
            )]  # fmt: skip
        else:
            continue
        wanted.add(template)
    assert words.reading.all_lost in wanted


@in_both_languages
def test_a_column_of_concat_belongs_to_a_head(words):
    wanted = [(0, 1, 1), (D_V - 1, 1, D_V), (D_V, 2, 1), (38, 3, 13)]
    asked = [(sentence(), "concat", {"concat": column}) for column, *_ in wanted]
    assert read_all(asked, words) == [
        [words.reading.from_head.format(column=column + 1, head=head, number=number)]
        for column, head, number in wanted
    ]


@in_both_languages
def test_what_each_head_gives_to_a_number_of_the_output(words):
    trace = sentence()
    x, W_O = trace["concat"].tensor[0, 1], trace["W_O"].tensor
    gives = [sum(x[h * D_V + v] * W_O[h, v, 6] for v in range(D_V)) for h in range(3)]
    parts = [
        words.reading.contribution.format(head=h, value=f"{value:.2f}".replace("-", "−"))
        for h, value in enumerate(gives, start=1)
    ]
    assert min(map(abs, gives)) >= 0.1
    expected = words.reading.contributions.format(parts=words.list_mark.join(parts))
    assert read(trace, "output", words, query=1, d_model=6) == [expected]


@in_both_languages
def test_layer_norm_is_described_by_mean_and_deviation(words):
    row = sentence()["residual"].tensor[0, 2].tolist()
    mean = sum(row) / len(row)
    deviation = (sum((x - mean) ** 2 for x in row) / len(row)) ** 0.5
    (sentences,) = read(sentence(), "normalised", words, query=2)
    after = deviation / (deviation**2 + 1e-5) ** 0.5
    expected = words.reading.shift.format(
        mean=f"{mean:.2f}".replace("-", "−"),
        mean_after="0.00",
        deviation=f"{deviation:.2f}",
        deviation_after=f"{after:.2f}",
    )
    assert sentences == expected


def test_a_row_of_one_number_has_no_deviation_in_its_reading():
    words = LANGUAGES["en"]
    trace = multi_head_attention(
        np.ones((1, 1, 1)), Weights.seeded(1, 1, 7), AttentionOptions(residual=True)
    )
    (sentences,) = read(trace, "normalised", words, query=0)
    assert "deviation from 0.00 to 0.00" in sentences


@in_both_languages
def test_the_reading_states_that_packed_and_separate_projections_agree(words):
    asked = [(trace(), key, {}) for trace in (sentence, crossed, picture) for key in "QKV"]
    before, after = words.viewer.same_numbers.split("{difference}")
    for (sentences,) in read_all(asked, words):
        shown = sentences.removeprefix(before).removesuffix(after)
        assert shown == "0" or "·10⁻" in shown


@in_both_languages
def test_a_difference_of_exactly_0_is_a_bare_0(words):
    """Whole numbers add up to the same in any order."""
    source = text.embed((("a", "b"),), 4, seed=1, position=False)
    X = Stage("X", "X", np.ones((1, 2, 4)), source["X"].axes, Given("input"))
    whole = [HeadWeights(*(np.full((4, 2), n) for n in (1.0, 2.0, 3.0)), np.ones((2, 4)))] * 2
    trace = multi_head_attention(Trace([X]), Weights.from_heads(whole))
    sentences = read_all([(trace, key, {}) for key in "QKV"], words)
    assert sentences == [[words.viewer.same_numbers.format(difference="0")]] * 3


@in_both_languages
def test_the_reading_of_patches_is_that_they_are_copied_and_given_stages_have_none(words):
    copied = [(picture(), key, {}) for key in ("patches", "flattened")]
    given = [(sentence(), key, {}) for key in ("X", "W_Q", "E", "causal", "residual")]
    sentences = read_all([*copied, *given], words)
    assert sentences == [[words.reading.unchanged]] * 2 + [[]] * 5
