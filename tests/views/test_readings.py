import numpy as np
import pytest
from shown_readings import called, in_both_languages, read, two_digits
from shown_traces import ATTENDING, LINES, NOBODY, STAGES, TRACES, crossed, middle, sentence

from core import scaled_dot_product_attention
from views.text import LANGUAGES

PAD = "[PAD]"


def looking(shares, **options):
    """One query with these weights, as by hand: its scores are their logarithms."""
    K = np.log(np.array(shares, dtype=float)).reshape(1, 1, -1, 1)
    return scaled_dot_product_attention(np.ones((1, 1, 1, 1)), K, K, scale=1, **options)


@in_both_languages
def test_the_largest_weight_of_the_row_and_its_even_share_are_told(words):
    expected = words.reading.looks.format(row="1", column="2", weight="0.70", share="0.33")
    assert read(looking([0.1, 0.7, 0.2]), "weights", words) == [expected]


NEARLY_EVEN = (
    (0.45, 0.55), (0.41, 0.59), (0.3, 0.31, 0.39), (0.27, 0.34, 0.39), (0.24, 0.22, 0.25, 0.29),
    (0.1,) * 8 + (0.09, 0.11),
)  # fmt: skip
FAR_FROM_EVEN = (
    (0.27, 0.73), (0.39, 0.61), (0.17, 0.27, 0.56), (0.25, 0.36, 0.39), (0.29, 0.3, 0.41),
    (0.15, 0.27, 0.28, 0.3), (0.44, 0.46, 0.05, 0.05), (0.11,) * 8 + (0.01, 0.11),
)  # fmt: skip


@in_both_languages
def test_a_row_is_nearly_even_where_no_share_is_a_fifth_off_the_even_one(words):
    """By hand: of two from 0.40 to 0.60, of three from 0.267 to 0.400, of four from 0.20."""
    begins = words.reading.nearly_even.split("{weight}")[0].split("{share}")[0].split("“{row}”")[1]
    wrong = [
        shares
        for shares in (*NEARLY_EVEN, *FAR_FROM_EVEN)
        if (begins in read(looking(shares), "weights", words)[0]) != (shares in NEARLY_EVEN)
    ]
    assert wrong == []


@in_both_languages
def test_the_even_share_is_among_those_that_may_be_seen(words):
    trace = looking([0.22, 0.28, 0.4, 0.1], allowed=np.array([True, True, False, False]))
    expected = words.reading.nearly_even.format(row="1", column="2", weight="0.56", share="0.50")
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
@pytest.mark.parametrize("name", ATTENDING)
def test_every_row_of_every_trace_is_told_by_its_own_weights(name, words):
    trace = ATTENDING[name]()
    weights, logits = trace["weights"], trace.get("masked", trace["scaled"]).tensor
    filled = trace["padding"].tensor if "padding" in trace else None
    for batch, head, query in np.ndindex(weights.tensor.shape[:3]):
        row = weights.tensor[batch, head, query].tolist()
        seen = sum(np.isfinite(score) for score in logits[batch, head, query])
        names = {
            "row": called(trace, weights.axis("query").label(query, batch), words),
            "column": called(trace, weights.axis("key").label(row.index(max(row)), batch), words),
        }
        if "memory" not in trace and "padding" in trace and not filled[batch, query]:
            filling = {"frame": words.reading.is_silence}
            template = filling.get(trace.token, words.reading.is_padding)
        elif seen < 2:
            template = words.reading.only_one if seen else words.reading.nobody
        else:
            shares = [
                weight
                for weight, score in zip(row, logits[batch, head, query], strict=True)
                if np.isfinite(score)
            ]
            even = 0.8 / seen <= min(shares) and max(shares) <= 1.2 / seen
            template = words.reading.nearly_even if even else words.reading.looks
            names |= {"weight": two_digits(max(row)), "share": two_digits(1 / seen)}
        said = read(trace, "weights", words, batch=batch, head=head, query=query)
        assert said == [template.format(**names)]


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
@pytest.mark.parametrize(
    ("keys", "temperature", "before", "after"),
    [
        ((3, -7), 1, "−7.00", "−3.50"),
        ((-3, 7), 1, "7.00", "3.50"),
        ((3, -7), 0.1, "−7.00", "−35.00"),
        ((0, 0), 1, "0.00", "0.00"),
    ],
)
def test_scaling_is_told_by_the_largest_of_the_row_before_and_after(
    keys, temperature, before, after, words
):
    Q, K = np.ones((1, 1, 1, 4)), np.zeros((1, 1, 2, 4))
    K[0, 0, :, 0] = keys
    trace = scaled_dot_product_attention(Q, K, K, temperature=temperature)
    expected = words.reading.shrinks.format(before=before, after=after)
    assert read(trace, "scaled", words) == [expected]


@in_both_languages
def test_a_mask_is_told_by_how_many_it_allows(words):
    trace = looking([0.1, 0.2, 0.3, 0.4], allowed=np.array([True, False, True, True]))
    expected = words.reading.allowed.format(row="1", allowed="3", all="4")
    assert read(trace, "masked", words) == [expected]


@in_both_languages
@pytest.mark.parametrize(("name", "key"), STAGES)
def test_every_step_can_be_read_and_only_attention_tells_of_heads(name, key, words):
    trace = TRACES[name]()
    said = read(trace, key, words, **middle(trace, key))
    assert len(said) <= 1
    assert not any("{" in sentence.replace("{row}", "").replace("{x}", "") for sentence in said)
    if "head_output" not in trace:
        contributes = words.reading.contributions.split("{parts}")[0]
        assert not any(sentence.startswith(contributes) for sentence in said)


@in_both_languages
@pytest.mark.parametrize(
    ("name", "key", "before"),
    [
        ("sentence", "normalised", "residual"),
        ("post-norm cross", "normalised", "residual"),
        ("post-norm feed-forward", "normalised", "residual"),
        ("pre-norm self", "X", "stream"),
        ("pre-norm feed-forward", "X", "stream"),
    ],
)
def test_layernorm_is_told_by_mean_and_deviation_before_and_after(name, key, before, words):
    trace = TRACES[name]()
    place = (0, 1)
    of = {
        side: trace[source].tensor[place].tolist()
        for side, source in (("", before), ("_after", key))
    }
    fields = {}
    for side, row in of.items():
        mean = sum(row) / len(row)
        fields[f"mean{side}"] = mean
        fields[f"deviation{side}"] = (sum((x - mean) ** 2 for x in row) / len(row)) ** 0.5
    printed = {field: f"{value:.2f}".replace("-", "−") for field, value in fields.items()}
    printed = {field: "0.00" if text == "−0.00" else text for field, text in printed.items()}
    assert read(trace, key, words, query=1, token=1) == [words.reading.shift.format(**printed)]


@in_both_languages
@pytest.mark.parametrize(("name", "over"), [("next word", "vocabulary"), ("class", "class")])
@pytest.mark.parametrize("key", ["logits", "probabilities"])
def test_of_all_answers_the_largest_is_named(name, over, key, words):
    trace = TRACES[name]()
    row = trace[key].tensor[0, 0].tolist()
    best = row.index(max(row))
    expected = words.reading.largest.format(
        row=trace[key].axis("token").label(0),
        column=trace[key].axis(over).label(best),
        value=f"{max(row):.2f}".replace("-", "−"),
    )
    assert read(trace, key, words) == [expected]
