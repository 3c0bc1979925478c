import numpy as np
import pytest
from shown_traces import D_V, LINES, NOBODY, TRACES, crossed, picture, sentence

from core import scaled_dot_product_attention
from views.readings import readings
from views.selection import Selection
from views.text import LANGUAGES

in_both_languages = pytest.mark.parametrize("words", LANGUAGES.values(), ids=LANGUAGES)
PAD = "[PAD]"


def read(trace, key, words, **at):
    """The sentences about a cell, and the role of each piece of a reader's text in them."""
    place = dict.fromkeys(("batch", "head", "query", "key", "token", "patch", "d_model"), 0)
    found = readings(trace, Selection(key, place | at), words)
    return ["".join(text for text, _ in spans) for spans in found]


def looking(shares, **options):
    """One query with these weights, as by hand: its scores are their logarithms."""
    K = np.log(np.array(shares, dtype=float)).reshape(1, 1, -1, 1)
    return scaled_dot_product_attention(np.ones((1, 1, 1, 1)), K, K, scale=1, **options)


@in_both_languages
def test_the_largest_weight_of_the_row_and_its_even_share_are_told(words):
    expected = words.reading.looks.format(row="1", column="2", weight="0.70", share="0.33")
    assert read(looking([0.1, 0.7, 0.2]), "weights", words) == [expected]


@in_both_languages
@pytest.mark.parametrize(("largest", "is_even"), [(0.49, True), (0.51, False)])
def test_below_twice_the_even_share_a_row_is_nearly_even(largest, is_even, words):
    rest = (1 - largest) / 3
    template = words.reading.nearly_even if is_even else words.reading.looks
    expected = template.format(row="1", column="4", weight=f"{largest}", share="0.25")
    assert read(looking([rest, rest, rest, largest]), "weights", words) == [expected]


@in_both_languages
def test_the_even_share_is_among_those_that_may_be_seen(words):
    trace = looking([0.2, 0.3, 0.4, 0.1], allowed=np.array([True, True, False, False]))
    expected = words.reading.nearly_even.format(row="1", column="2", weight="0.60", share="0.50")
    assert read(trace, "weights", words) == [expected]


@in_both_languages
def test_who_sees_one_key_only_gives_it_the_whole_unit(words):
    trace = looking([0.1, 0.7, 0.2], allowed=np.array([False, False, True]))
    assert read(trace, "weights", words) == [words.reading.only_one.format(row="1", column="3")]


@in_both_languages
@pytest.mark.parametrize("key", ["weights", "dropped", "head_output"])
def test_who_may_look_at_nobody_is_said_to(key, words):
    sample, query = NOBODY
    expected = words.reading.nobody.format(row=LINES[sample][query])
    assert read(sentence(), key, words, batch=sample, query=query) == [expected]


@in_both_languages
@pytest.mark.parametrize("name", TRACES)
def test_every_row_of_every_trace_is_told_by_its_own_weights(name, words):
    trace = TRACES[name]()
    weights, logits = trace["weights"], trace.get("masked", trace["scaled"]).tensor
    for batch, head, query in np.ndindex(weights.tensor.shape[:3]):
        row = weights.tensor[batch, head, query].tolist()
        seen = sum(np.isfinite(score) for score in logits[batch, head, query])
        names = {
            "row": weights.axis("query").label(query, batch),
            "column": weights.axis("key").label(row.index(max(row)), batch),
        }
        if names["row"] == PAD and "memory" not in trace:
            template = words.reading.is_padding
        elif seen < 2:
            template = words.reading.only_one if seen else words.reading.nobody
        else:
            even = max(row) < 2 / seen
            template = words.reading.nearly_even if even else words.reading.looks
            names |= {"weight": two_digits(max(row)), "share": two_digits(1 / seen)}
        said = read(trace, "weights", words, batch=batch, head=head, query=query)
        assert said == [template.format(**names)]


def two_digits(share):
    """The share with two digits that mean something."""
    return f"{share:.2f}" if share >= 0.1 else f"{share:.2g}".ljust(5, "0")


@in_both_languages
@pytest.mark.parametrize("key", ["scores", "weights", "head_output", "output", "X", "tokens"])
def test_a_row_of_mere_filling_is_said_to_be_that_and_nothing_else(key, words):
    at = {"batch": 1, "query": 5, "token": 5}
    assert read(sentence(), key, words, **at) == [words.reading.is_padding.format(row=PAD)]
    assert words.reading.is_padding.format(row=PAD) not in read(
        sentence(), "scores", words, batch=1
    )


def test_no_query_is_filling_because_another_sequence_is_filled_up():
    words = LANGUAGES["en"]
    said = read(crossed(), "scores", words, batch=1, query=5)
    assert said != [words.reading.is_padding.format(row=PAD)]


@in_both_languages
def test_the_largest_score_is_named(words):
    row = crossed()["scores"].tensor[1, 2, 3].tolist()
    column = crossed()["scores"].axis("key").label(row.index(max(row)))
    value = f"{max(row):.2f}"
    expected = words.reading.largest.format(row="love", column=column, value=value)
    assert read(crossed(), "scores", words, batch=1, head=2, query=3) == [expected]


@in_both_languages
def test_scaling_is_told_by_the_largest_of_the_row_before_and_after(words):
    Q, K = np.ones((1, 1, 1, 4)), np.zeros((1, 1, 2, 4))
    K[0, 0, :, 0] = 3, -7
    expected = words.reading.shrinks.format(before="7.00", after="3.50")
    assert read(scaled_dot_product_attention(Q, K, K), "scaled", words) == [expected]


@in_both_languages
def test_a_mask_is_told_by_how_many_it_allows(words):
    trace = looking([0.1, 0.2, 0.3, 0.4], allowed=np.array([True, False, True, True]))
    expected = words.reading.allowed.format(row="1", allowed="3", all="4")
    assert read(trace, "masked", words) == [expected]


@in_both_languages
def test_a_new_vector_takes_most_where_the_weight_after_dropout_is_largest(words):
    trace = sentence()
    for query in (0, 4, 5, 6):
        row = trace["dropped"].tensor[0, 1, query].tolist()
        if not any(row):
            continue
        column, weight = LINES[0][row.index(max(row))], two_digits(max(row))
        row_name = LINES[0][query]
        expected = words.reading.takes.format(row=row_name, column=column, weight=weight)
        assert read(trace, "head_output", words, head=1, query=query) == [expected]


@in_both_languages
@pytest.mark.parametrize(
    ("column", "head", "place"), [(0, 1, 1), (D_V - 1, 1, D_V), (D_V, 2, 1), (38, 3, 13)]
)
def test_a_column_of_concat_belongs_to_a_head(column, head, place, words):
    expected = words.reading.from_head.format(column=column + 1, head=head, place=place)
    assert read(sentence(), "concat", words, concat=column) == [expected]


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
def test_layer_norm_is_told_by_mean_and_deviation(words):
    row = sentence()["residual"].tensor[0, 2].tolist()
    mean = sum(row) / len(row)
    deviation = (sum((x - mean) ** 2 for x in row) / len(row)) ** 0.5
    (said,) = read(sentence(), "normalised", words, query=2)
    parts = words.reading.shift.format(mean="|", deviation="|").split("|")
    shown = said.removeprefix(parts[0]).removesuffix(parts[2]).split(parts[1])
    assert [float(text.replace("−", "-")) for text in shown] == pytest.approx(
        [mean, deviation], rel=0.05
    )


@in_both_languages
def test_packed_and_separate_projections_are_told_to_agree(words):
    for trace in (sentence(), crossed(), picture()):
        for key in "QKV":
            (said,) = read(trace, key, words)
            before, after = words.viewer.same_numbers.split("{difference}")
            shown = said.removeprefix(before).removesuffix(after)
            assert shown == "0.00" or "·10⁻" in shown


@in_both_languages
def test_patches_are_told_to_be_copied_and_what_is_given_needs_no_reading(words):
    for key in ("patches", "flattened"):
        assert read(picture(), key, words) == [words.reading.unchanged]
    for key in ("X", "W_Q", "E", "causal", "residual"):
        assert read(sentence(), key, words) == []
