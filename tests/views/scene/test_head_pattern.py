"""The one-line description of a head, from weights that are given by hand."""

import numpy as np
import pytest
from claims import for_all
from shown_traces import ATTENDING, BATCH, HEADS, TRACES

from core import Axis, Stage, Trace
from core.experiments.head_patterns import head_patterns
from core.rules import Given
from views.scene.readings import head_lines
from views.text import LANGUAGES

EN = LANGUAGES["en"]
TOKENS = ("我", "爱", "{value}", "$x$", "e")
FIVE = np.eye(5)
BROADLY = "spreads broadly: {}\N{NO-BREAK SPACE}% of the maximum entropy"


def stage(key, tensor, *axes):
    return Stage(key, key, np.asarray(tensor), axes, Given("input"))


def attending(*heads, masked=None, key_mask=None, memory=None, special=()):
    """A trace of one sample whose heads have exactly these weights."""
    weights = np.array(heads, dtype=float)[None]
    batch, head = Axis("batch", "B"), Axis("head", "h")
    keys = TOKENS[: weights.shape[3]] if memory is None else memory
    kinds = tuple("special" if i in special else "piece" for i in range(len(keys)))
    looked_at = Axis("key", "n", keys, kinds)
    axes = batch, head, Axis("query", "n", TOKENS[: weights.shape[2]]), looked_at
    stages = [stage("scaled", np.zeros(weights.shape), *axes), stage("weights", weights, *axes)]
    if masked is not None:
        logits = np.where(masked, np.zeros(weights.shape), -np.inf)
        stages.insert(1, stage("masked", logits, *axes))
    if key_mask is not None:
        stages.insert(0, stage("key_mask", [key_mask], batch, Axis("key", "n", keys)))
    if memory is not None:
        width = Axis("d_model", "d")
        tensor = np.zeros((1, len(memory), 1))
        stages.insert(0, stage("memory", tensor, batch, Axis("key", "n", keys), width))
    return Trace(stages)


def lines(*heads, words=EN, **options):
    return head_lines(attending(*heads, **options), 0, words)


def only(key):
    """Every query gives all to one key."""
    return np.tile(FIVE[key], (5, 1))


def before():
    """Every query gives all to the one before; the first to itself."""
    return np.eye(5, k=-1) + np.outer(FIVE[0], FIVE[0])


CAUSAL = np.tri(5, dtype=bool)
NEXT, THREE = np.roll(FIVE, 1, axis=1), np.eye(3)  # the last has no next one and looks at the first
FRAME = 0.4 * only(0) + 0.3 * only(4) + 0.3 * np.eye(5, k=2)  # two tokens with less than half each
FRAME[3:, 2] += 0.3
MOSTLY_BEFORE = 0.75 * np.eye(5, k=-1) + 0.25 * FIVE
MOSTLY_BEFORE[0] = FIVE[0]
VWX, MOVES = {"memory": tuple("vwx")}, "moves from word to word: {:.2f}, {} of 3 reached"
NOBODY = {"masked": np.zeros((5, 5), bool)}
LINES = [  # the weights of a head, other conditions, and the sentence
    (FIVE, {}, "looks at itself: 1.00"),
    (0.6 * FIVE + 0.1 * (1 - FIVE), {}, "looks at itself: 0.60"),
    (before(), {}, "looks at the one before: 1.00"),
    (MOSTLY_BEFORE, {}, "looks at the one before: 0.75"),
    (NEXT, {}, "looks at the next one: 1.00"),
    (0.75 * NEXT + 0.25 * FIVE, {}, "looks at the next one: 0.75"),
    # half is a pattern; the rest goes to the next but one, which is none
    (0.51 * FIVE + 0.49 * np.roll(FIVE, 2, axis=1), {}, "looks at itself: 0.51"),
    (0.49 * FIVE + 0.51 * np.roll(FIVE, 2, axis=1), {}, "no clear pattern; peak 0.51"),
    (only(1), {}, "looks at “爱”: 1.00"),
    (0.7 * only(1) + 0.3 * only(0), {}, "looks at “爱”: 0.70"),
    (only(4), {}, "looks at “e”: 1.00"),
    (0.7 * only(4) + 0.3 * only(0), {}, "looks at “e”: 0.70"),
    (only(2), {}, "looks at “{value}”: 1.00"),
    (only(3), {}, "looks at “$x$”: 1.00"),
    (FRAME, {}, "no clear pattern; peak 0.44"),
    (FRAME, {"special": (0, 4)}, "looks at special tokens: 0.76"),
    (FRAME, {"special": (0, 4), "memory": tuple("vwxyz")}, "no clear pattern; peak 0.44"),
    (only(1), {"memory": tuple("vwxyz")}, "looks at “w”: 1.00"),
    # along another sequence the reached keys decide, though most rows go to one key
    (THREE[[0, 1, 2, 2, 2]], VWX, MOVES.format(1, 3)),
    (0.75 * THREE[[0, 0, 2]] + 0.25 * THREE[[1, 1, 1]], VWX, MOVES.format(0.75, 2)),
    (THREE[[2, 2, 2]], VWX, "looks at “x”: 1.00"),
    (0.5 * THREE[[0, 1, 2]] + 0.5 * THREE[[1, 2, 0]], VWX, "no clear pattern; peak 0.50"),
    (np.full((5, 5), 0.2), {}, BROADLY.format(100)),
    (CAUSAL / CAUSAL.sum(axis=1, keepdims=True), {"masked": CAUSAL}, BROADLY.format(100)),
    (FIVE, {"masked": FIVE.astype(bool)}, EN.head_pattern.no_choice),
    (np.zeros((5, 5)), NOBODY, EN.head_pattern.no_choice),
]


@for_all(("weights", "options", "line"), LINES)
def test_what_a_head_does_is_described_in_one_line(weights, options, line):
    assert lines(weights, **options) == [line]


@pytest.mark.parametrize(("share", "percent"), [(0.3, 98), (0.35, 96)])
def test_a_head_looks_broadly_down_to_95_percent_of_the_largest_entropy(share, percent):
    """One key gets ``share`` and four split the rest."""
    weights = np.full((5, 5), (1 - share) / 4)
    weights[:, 4] = share
    rest = (1 - share) / 4
    entropy = -(share * np.log(share) + 4 * rest * np.log(rest)) / np.log(5)
    assert round(100 * entropy) == percent
    assert lines(weights) == [BROADLY.format(percent)]


def test_padding_rows_are_left_out():
    weights = FIVE.copy()
    weights[3:] = FIVE[0]
    assert lines(weights, key_mask=[True] * 3 + [False] * 2) == ["looks at itself: 1.00"]


def test_where_no_query_attends_no_head_is_described():
    assert ATTENDING.keys() < TRACES.keys()
    for name in TRACES.keys() - ATTENDING.keys():
        assert head_patterns(TRACES[name](), 0) == []


@for_all("trace", ATTENDING)
def test_every_head_of_every_sample_has_the_pattern_of_plain_recomputation(trace):
    made = ATTENDING[trace]()
    logits = made["masked" if "masked" in made else "scaled"].tensor
    for sample, head in np.ndindex(min(BATCH, len(logits)), min(HEADS, logits.shape[1])):
        rows = []
        for query, row in enumerate(made["weights"].tensor[sample, head]):
            allowed = np.isfinite(logits[sample, head, query]).sum()
            own = "key_mask" in made and "memory" not in made
            if allowed > 1 and not (own and not made["key_mask"].tensor[sample, query]):
                rows.append((query, allowed, row.tolist()))
        found = head_patterns(made, sample)[head]
        if not rows:  # the head is masked
            assert found is None
            continue
        peaks = [max(row) for _, _, row in rows]
        assert found.peak == pytest.approx(sum(peaks) / len(rows))
        columns = [sum(row[j] for _, _, row in rows) / len(rows) for j in range(len(rows[0][2]))]
        assert (found.favourite, found.share) == (
            columns.index(max(columns)), pytest.approx(max(columns))
        )  # fmt: skip
        evenness = [
            -sum(w * np.log(w) for w in row if w > 0) / np.log(allowed) for _, allowed, row in rows
        ]
        assert found.evenness == pytest.approx(sum(evenness) / len(rows))
        past = made["past_K"].size("past_key") if "past_K" in made else 0
        own = [row[past + query] for query, _, row in rows if past + query < len(row)]
        itself = sum(own) / len(rows)
        assert found.itself == (0 if "memory" in made else pytest.approx(itself))
        assert not found.previous or "memory" not in made


def test_of_two_patterns_that_fit_alike_both_languages_say_the_same():
    """Of two words the second looks at the first: at the one before, and at one token."""
    weights = np.array([[1.0, 0.0], [1.0, 0.0]])
    is_previous = {}
    for code, words in LANGUAGES.items():
        (line,) = lines(weights, masked=np.tri(2, dtype=bool), words=words)
        is_previous[code] = line == words.head_pattern.previous.format(value="1.00")
    assert is_previous["zh"] == is_previous["en"]
