import numpy as np
from read_in_node import emptied_by, read, read_all
from shown_readings import called, in_both_languages, two_digits
from shown_traces import (
    ATTENDING,
    BATCH,
    D_MEMORY,
    D_MODEL,
    KEYS,
    LINES,
    NOBODY,
    STAGES,
    TOKENS,
    TRACES,
    crossed,
    many_patches,
    middle,
    numbers,
    sentence,
    sound,
    weights,
)

from core import Axis, Stage, Weights, multi_head_attention, scaled_dot_product_attention
from core.options import AttentionOptions
from core.rules import Given
from core.sources import text
from views.text import LANGUAGES

PAD = "[PAD]"


def looking(shares, **options):
    """One query with these weights, as by hand: its scores are their logarithms."""
    K = np.log(np.array(shares, dtype=float)).reshape(1, 1, -1, 1)
    return scaled_dot_product_attention(
        np.ones((1, 1, 1, 1)), K, K, AttentionOptions(scale=1, **options)
    )


@in_both_languages
def test_the_reading_has_the_largest_weight_of_the_row_and_its_even_share(words):
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
    asked = (*NEARLY_EVEN, *FAR_FROM_EVEN)
    sentences = read_all([(looking(shares), "weights", {}) for shares in asked], words)
    wrong = [
        shares
        for shares, (sentence,) in zip(asked, sentences, strict=True)
        if (begins in sentence) != (shares in NEARLY_EVEN)
    ]
    assert wrong == []


@in_both_languages
def test_the_even_share_is_among_the_keys_that_are_not_masked(words):
    trace = looking([0.22, 0.28, 0.4, 0.1], allowed=np.array([True, True, False, False]))
    expected = words.reading.nearly_even.format(row="1", column="2", weight="0.56", share="0.50")
    assert read(trace, "weights", words) == [expected]


@in_both_languages
def test_a_query_that_sees_one_key_only_gives_it_weight_1(words):
    trace = looking([0.1, 0.7, 0.2], allowed=np.array([False, False, True]))
    assert read(trace, "weights", words) == [words.reading.only_one.format(row="1", column="3")]


@in_both_languages
def test_a_fully_masked_query_has_a_reading_of_its_own(words):
    sample, query = NOBODY
    masks = emptied_by(sentence(), words, sample, 0, query)
    assert masks
    expected = words.reading.nobody.format(row=LINES[sample][query], masks=masks)
    at = {"batch": sample, "query": query}
    asked = [(sentence(), key, at) for key in ("weights", "dropped", "head_output")]
    assert read_all(asked, words) == [[expected]] * 3


@in_both_languages
def test_every_row_of_every_trace_is_described_by_its_own_weights(words):
    asked, expected = [], []
    for of in ATTENDING.values():
        for at, sentences in expected_of_weights(of(), words):
            asked.append((of(), "weights", at))
            expected.append([sentences])
    assert read_all(asked, words) == expected


def expected_of_weights(trace, words):
    """Each row, and the expected sentence."""
    weights, logits = trace["weights"], trace.get("masked", trace["scaled"]).tensor
    silent = ~trace["key_mask"].tensor if trace.token == "frame" and "key_mask" in trace else None
    for batch, head, query in np.ndindex(weights.tensor.shape[:3]):
        row = weights.tensor[batch, head, query].tolist()
        allowed = sum(np.isfinite(score) for score in logits[batch, head, query])
        names = {
            "row": called(trace, weights.axis("query").label(query, batch), words),
            "column": called(trace, weights.axis("key").label(row.index(max(row)), batch), words),
            "masks": emptied_by(trace, words, batch, head, query),
        }
        if silent is not None and silent[batch, query]:
            template = words.reading.is_silence
        elif names["row"] == PAD:
            template = words.reading.is_padding
        elif allowed < 2:
            template = words.reading.only_one if allowed else words.reading.nobody
        else:
            shares = [
                weight
                for weight, score in zip(row, logits[batch, head, query], strict=True)
                if np.isfinite(score)
            ]
            even = 0.8 / allowed <= min(shares) and max(shares) <= 1.2 / allowed
            template = words.reading.nearly_even if even else words.reading.looks
            names |= {"weight": two_digits(max(row)), "share": two_digits(1 / allowed)}
        yield {"batch": batch, "head": head, "query": query}, template.format(**names)


@in_both_languages
def test_a_padded_row_is_described_as_padding_and_nothing_else(words):
    keys, at = ("scores", "weights", "head_output", "output", "X", "tokens"), {"batch": 1}
    filled = [(sentence(), key, at | {"query": 5, "token": 5}) for key in keys]
    *found, word = read_all([*filled, (sentence(), "scores", at)], words)
    expected = words.reading.is_padding.format(row=PAD)
    assert found == [[expected]] * len(keys)
    assert expected not in word


@in_both_languages
def test_a_frame_of_silence_is_described_as_silence(words):
    trace = sound()
    silent = int(np.argmin(trace["key_mask"].tensor[0]))
    expected = words.reading.is_silence.format(row=trace["X"].axis("token").label(silent))
    at = {"query": silent, "token": silent}
    asked = [(trace, key, at) for key in ("X", "scores", "output")]
    assert read_all(asked, words) == [[expected]] * 3


def test_a_query_is_filling_by_its_own_sequence_and_not_by_the_one_it_looks_at():
    """Of the other sequence the first five keys are filled up; of its own words the last three."""
    words, key_mask = LANGUAGES["en"], np.arange(KEYS) >= np.array([[0], [5]])
    axes = (Axis("batch", "B"), Axis("key", "n_k"), Axis("d_model", "d"))
    memory = Stage("memory", "M", numbers(BATCH, KEYS, D_MEMORY, seed=7), axes, Given("input"))
    source = text.embed(LINES, D_MODEL, seed=3)
    trace = multi_head_attention(
        source, weights(D_MEMORY), AttentionOptions(key_mask=key_mask), memory=memory
    )
    asked = [(trace, "scores", {"batch": 1, "query": query}) for query in range(TOKENS)]
    expected = [words.reading.is_padding.format(row=PAD)]
    filled = [sentences == expected for sentences in read_all(asked, words)]
    assert filled == [False] * 4 + [True] * 3


@in_both_languages
def test_the_largest_score_is_named(words):
    row = crossed()["scores"].tensor[1, 2, 3].tolist()
    column = crossed()["scores"].axis("key").label(row.index(max(row)))
    value = f"{max(row):.2f}"
    expected = words.reading.largest.format(row="love", column=column, value=value)
    assert read(crossed(), "scores", words, batch=1, head=2, query=3) == [expected]


SCALED = (
    ((3, -7), 1, "−7.00", "−3.50"),
    ((-3, 7), 1, "7.00", "3.50"),
    ((3, -7), 0.1, "−7.00", "−35.00"),
    ((0, 0), 1, "0.00", "0.00"),
)


@in_both_languages
def test_scaling_is_described_by_the_largest_of_the_row_before_and_after(words):
    asked, expected = [], []
    for keys, temperature, before, after in SCALED:
        Q, K = np.ones((1, 1, 1, 4)), np.zeros((1, 1, 2, 4))
        K[0, 0, :, 0] = keys
        trace = scaled_dot_product_attention(Q, K, K, AttentionOptions(temperature=temperature))
        asked.append((trace, "scaled", {}))
        expected.append([words.reading.shrinks.format(before=before, after=after)])
    assert read_all(asked, words) == expected


@in_both_languages
def test_a_mask_is_described_by_how_many_keys_it_allows(words):
    trace = looking([0.1, 0.2, 0.3, 0.4], allowed=np.array([True, False, True, True]))
    expected = words.reading.allowed.format(row="1", allowed="3", all="4")
    assert read(trace, "masked", words) == [expected]


def some_cells(trace, key):
    """A cell off every edge, and both corners."""
    stage = trace[key]
    yield middle(trace, key)
    yield dict.fromkeys(stage.roles, 0)
    yield {role: stage.size(role) - 1 for role in stage.roles}


@in_both_languages
def test_every_step_has_a_reading_and_only_attention_names_heads(words):
    asked = [
        (TRACES[name](), key, at) for name, key in STAGES for at in some_cells(TRACES[name](), key)
    ]
    contributes = words.reading.contributions.split("{parts}")[0]
    for (trace, *_), sentences in zip(asked, read_all(asked, words), strict=True):
        assert len(sentences) <= 1
        assert not any(
            "{" in sentence.replace("{row}", "").replace("{x}", "") for sentence in sentences
        )
        if "head_output" not in trace:
            assert not any(sentence.startswith(contributes) for sentence in sentences)


NORMED = (
    ("sentence", "normalised", "residual"),
    ("post-norm cross", "normalised", "residual"),
    ("post-norm feed-forward", "normalised", "residual"),
    ("pre-norm self", "X", "stream"),
    ("pre-norm feed-forward", "X", "stream"),
    ("own words", "X", "summed"),
)


@in_both_languages
def test_layernorm_is_described_by_mean_and_deviation_before_and_after(words):
    asked = [(TRACES[name](), key, {"query": 1, "token": 1}) for name, key, _ in NORMED]
    sentences = read_all(asked, words)
    assert sentences == [[shifted(TRACES[name](), key, of, words)] for name, key, of in NORMED]


def shifted(trace, key, before, words):
    index = (0, 1)
    fields = {}
    for side, source in (("", before), ("_after", key)):
        row = trace[source].tensor[index].tolist()
        mean = sum(row) / len(row)
        fields[f"mean{side}"] = mean
        fields[f"deviation{side}"] = (sum((x - mean) ** 2 for x in row) / len(row)) ** 0.5
    printed = {field: f"{value:.2f}".replace("-", "−") for field, value in fields.items()}
    printed = {field: "0.00" if text == "−0.00" else text for field, text in printed.items()}
    return words.reading.shift.format(**printed)


ANSWERS = [
    (name, over, key)
    for name, over in (("next word", "vocabulary"), ("class", "class"))
    for key in ("logits", "probabilities")
]


@in_both_languages
def test_the_largest_probability_is_named(words):
    asked, expected = [], []
    for name, over, key in ANSWERS:
        trace = TRACES[name]()
        row = trace[key].tensor[0, 0].tolist()
        best = row.index(max(row))
        asked.append((trace, key, {}))
        expected.append([words.reading.largest.format(
            row=trace[key].axis("token").label(0),
            column=trace[key].axis(over).label(best),
            value=f"{max(row):.2f}".replace("-", "−"),
        )])  # fmt: skip
    assert read_all(asked, words) == expected


def of_words(count, **options):
    source = text.embed((tuple(f"w{i}" for i in range(count)),), 16, seed=3)
    return multi_head_attention(
        source, Weights.seeded(16, 2, 11), AttentionOptions(residual=True, **options)
    )


@in_both_languages
def test_one_head_of_a_large_trace_and_a_plane_of_colours_are_read_by_their_rules(words):
    """Of 300 words the planes of pairs go as colours; of 196 patches one head goes at a time."""
    pairs, patches = of_words(300, causal=True, dropout=0.1, seed=3), many_patches()
    keys = ("scores", "scaled", "masked", "weights", "dropped", "head_output", "concat", "output")
    asked = [
        (trace, key, {"head": head, "query": query, "d_model": 5, "concat": 17})
        for trace, head, query in ((pairs, 1, 298), (pairs, 0, 7), (patches, 2, 100))
        for key in keys
        if key in trace
    ]
    cells = [(id(trace), key, at["query"]) for trace, key, at in asked]
    sentences = dict(zip(cells, read_all(asked, words), strict=True))
    row = pairs["weights"].tensor[0, 1, 298]
    best = int(row.argmax())
    assert sentences[id(pairs), "masked", 298] == [
        words.reading.allowed.format(row="w298", allowed="299", all="300")
    ]
    assert sentences[id(pairs), "weights", 298] == [words.reading.looks.format(
        row="w298", column=f"w{best}", weight=two_digits(row[best]), share="0.0033"
    )]  # fmt: skip
    assert sentences[id(patches), "concat", 100] == [
        words.reading.from_head.format(column=18, head=1, number=18)
    ]
