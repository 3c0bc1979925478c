import numpy as np
import pytest
from claims import for_all
from shown_traces import (
    D_K,
    D_MODEL,
    D_V,
    KEYS,
    LINES,
    MEMORY,
    STAGES,
    TOKENS,
    TRACES,
    crossed,
    middle,
    picture,
    sentence,
)

from core.models import translator
from core.nested import parts, subtrace
from core.rules import Operand, operands
from views.figures.plane import drawn_roles, operand_plane, padding_positions, plane_of

PAD = "[PAD]"
DRAWN = {
    "tokens": (None, "token"),
    "E": ("vocabulary", "d_model"),
    "position": ("token", "d_model"),
    "X": ("token", "d_model"),
    "memory": ("key", "d_model"),
    "image": ("height", "width"),
    "patches": ("row", "column"),
    "flattened": ("patch", "pixel"),
    "W_E": ("pixel", "d_model"),
    "cls": (None, "d_model"),
    "segment": (None, "d_model"),
    "summed": ("token", "d_model"),
    "b_E": (None, "d_model"),
    "sequence": ("token", "d_model"),
    "W_Q": ("d_model", "d_k"),
    "W_K": ("d_model", "d_k"),
    "W_V": ("d_model", "d_v"),
    "W_O": ("d_v", "d_model"),
    "W_DKV": ("d_model", "d_c"),
    "W_UK": ("d_c", "d_k"),
    "W_UV": ("d_c", "d_v"),
    "latent": ("token", "d_c"),
    "b_Q": (None, "d_k"),
    "b_K": (None, "d_k"),
    "b_V": (None, "d_v"),
    "b_O": (None, "d_model"),
    "Q": ("query", "d_k"),
    "K": ("key", "d_k"),
    "V": ("key", "d_v"),
    "key_mask": (None, "key"),
    "causal": ("query", "key"),
    "allowed": ("query", "key"),
    "bias": (None, "key"),
    "keep": ("query", "key"),
    "scores": ("query", "key"),
    "scaled": ("query", "key"),
    "masked": ("query", "key"),
    "weights": ("query", "key"),
    "dropped": ("query", "key"),
    "head_output": ("query", "d_v"),
    "concat": ("query", "concat"),
    "output": ("query", "d_model"),
    "residual": ("query", "d_model"),
    "normalised": ("query", "d_model"),
    "embedding": ("token", "d_model"),
    "stream": ("token", "d_model"),
    "gamma": (None, "d_model"),
    "beta": (None, "d_model"),
    "W_1": ("d_model", "d_ff"),
    "b_1": (None, "d_ff"),
    "hidden": ("token", "d_ff"),
    "W_2": ("d_ff", "d_model"),
    "b_2": (None, "d_model"),
    "cls_vector": ("token", "d_model"),
    **dict.fromkeys(("gamma_Q", "gamma_K"), (None, "d_k")),
    **dict.fromkeys(("Q_normed", "Q_rotated"), ("query", "d_k")),
    **dict.fromkeys(("K_normed", "K_rotated"), ("key", "d_k")),
    "position_ids": (None, "token"),
    "inv_freq": (None, "pair"),
    **dict.fromkeys(("cos", "sin"), ("token", "pair")),
    **dict.fromkeys(("W_gate", "W_up"), ("d_model", "d_ff")),
    **dict.fromkeys(("b_gate", "b_up"), (None, "d_ff")),
    "b_down": (None, "d_model"),
    **dict.fromkeys(("gate", "up"), ("token", "d_ff")),
    "W_down": ("d_ff", "d_model"),
    "last_vector": ("token", "d_model"),
    "distillation": (None, "d_model"),
    "registers": ("register", "d_model"),
    "trained_position": ("trained", "d_model"),
    "interpolation": ("token", "trained"),
    "placed": ("token", "d_model"),
    "lambda": (None, "d_model"),
    "layer_scaled": ("query", "d_model"),
}
OF_PATCHES = {"embedding": ("patch", "d_model")}
FED = dict.fromkeys(("output", "residual", "normalised"), ("token", "d_model"))
ANSWERS = {
    over: {
        "W_P": ("d_model", over),
        "b_P": (None, over),
        "logits": ("token", over),
        "probabilities": ("token", over),
    }
    for over in ("vocabulary", "class")
}
ANSWERS["vocabulary"] |= dict.fromkeys(("others", "outcomes"), ("token", "vocabulary"))
OF_FRAMES = {
    **dict.fromkeys(("waveform", "padded", "silence"), (None, "sample")),
    **dict.fromkeys(("frames", "windowed"), ("frame", "place")),
    **dict.fromkeys(("cosine", "sine"), ("place", "frequency")),
    **dict.fromkeys(("real", "imaginary", "power"), ("frame", "frequency")),
    **dict.fromkeys(("mel", "log_mel", "level", "pooled"), ("frame", "mel")),
    "window": (None, "place"),
    "filters": ("frequency", "mel"),
    "W_E": ("mel", "d_model"),
    "embedding": ("frame", "d_model"),
}
ONE_HEAD = {
    **dict.fromkeys(("heads_before", "heads_after"), ("query", "concat")),
    "W_O": ("concat", "d_model"),
}
OTHERWISE = {
    "sound": OF_FRAMES,
    "one head": OF_FRAMES | ONE_HEAD,
    "picture": OF_PATCHES,
    "patches": OF_PATCHES,
    **dict.fromkeys(
        (
            "own patches",
            "own distilled patches",
            "own registered patches",
            "own normed patches",
            "own spaced patches",
        ),
        OF_PATCHES,
    ),
    "own sound": OF_FRAMES
    | dict.fromkeys(("filled", "mirrored_before", "mirrored_behind"), (None, "sample"))
    | dict.fromkeys(("mirror_before", "mirror_behind"), (None, "sample"))
    | dict.fromkeys(("floored", "limited", "edged_1"), ("frame", "mel"))
    | dict.fromkeys(("edge_1",), (None, "mel"))
    | dict.fromkeys(("edge_2", "b_C1", "b_C2"), (None, "d_model"))
    | dict.fromkeys(("conv_1", "edged_2"), ("frame", "d_model"))
    | dict.fromkeys(("context_1", "context_2"), ("frame", "tap"))
    | dict.fromkeys(("W_C1", "W_C2"), ("tap", "d_model")),
    "own scaled gate": FED | {"layer_scaled": ("token", "d_model")},
    "own feed-forward": FED,
    "own gated feed-forward": FED,
    "own biased gate": FED,
    "own local self": {"sliding_window": ("query", "key")},
    **{f"own {name} norm": {"normalised": ("token", "d_model")} for name in ("final", "unshifted")},
    "own next token": ANSWERS["vocabulary"],
    "post-norm feed-forward": FED,
    "pre-norm feed-forward": FED,
    "next word": ANSWERS["vocabulary"],
    "class": ANSWERS["class"],
}
OTHERWISE["today"] = OTHERWISE["half precision"] = {
    **dict.fromkeys(("K", "K_normed", "K_rotated"), ("new_key", "d_k")),
    "V": ("new_key", "d_v"),
    **{
        f"{time}_{name}": (role, f"d_{name.lower()}")
        for name in "KV"
        for time, role in (("past", "past_key"), ("present", "key"))
    },
    **dict.fromkeys(("capped", "distance", "sliding_window"), ("query", "key")),
    **dict.fromkeys(("slopes", "sinks", "head_mask"), (None, "head")),
    **dict.fromkeys(("cos", "sin"), ("token", "d_k")),
    "inv_freq": (None, "d_k"),
}


def last(trace, key):
    """The last cell of a stage, and a place for each of its roles."""
    return {role: trace[key].size(role) - 1 for role in trace[key].roles}


@for_all(("name", "key"), STAGES)
def test_tokens_go_down_and_features_or_keys_go_across(name, key):
    expected = (DRAWN | OTHERWISE.get(name, {}))[key]
    assert drawn_roles(TRACES[name]()[key]) == expected


@for_all("place", [middle, last])
@for_all(("name", "key"), STAGES)
def test_a_plane_holds_the_numbers_of_its_sample_head_and_channel(name, key, place):
    trace = TRACES[name]()
    stage, at = trace[key], place(trace, key)
    row_role, column_role = drawn_roles(stage)
    plane = plane_of(stage, at)
    assert plane.values.shape == (stage.size(row_role or ""), stage.size(column_role))
    for i, j in np.ndindex(plane.values.shape):
        cell = at | {row_role: i, column_role: j}
        assert plane.values[i, j] == stage.tensor[tuple(cell[role] for role in stage.roles)]


def test_repeated_tokens_stay_apart_and_none_is_changed():
    for sample, line in enumerate(LINES):
        plane = plane_of(sentence()["scores"], {"batch": sample})
        filled = (*line, *[PAD] * (TOKENS - len(line)))
        assert plane.rows.names == plane.columns.names == filled
        assert (plane.rows.role, plane.columns.role) == ("query", "key")
        assert plane.rows.named
        assert plane.columns.named


def test_the_sides_of_cross_attention_have_the_names_of_their_own_sequences():
    plane = plane_of(crossed()["weights"], {"batch": 0, "head": 2})
    assert plane.rows.names == LINES[0]
    assert plane.columns.names == MEMORY


def test_places_without_names_are_counted_from_1():
    side = plane_of(sentence()["Q"], {}).columns
    assert side.names == ("1", "2", "3", "4", "5")
    assert not side.named


def test_what_has_one_axis_is_a_single_row_without_a_name():
    plane = plane_of(sentence()["b_O"], {}, {"d_model": 3})
    assert plane.values.shape == (1, D_MODEL)
    assert (plane.rows.role, plane.rows.names) == ("", ("",))
    assert (plane.row, plane.column) == (0, 3)


def test_only_what_is_asked_for_is_marked():
    stage = sentence()["scores"]
    marked = plane_of(stage, {}, {"query": 5, "key": 2, "head": 1})
    assert (marked.row, marked.column) == (5, 2)
    unmarked = plane_of(stage, {"query": 5, "key": 2})
    assert (unmarked.row, unmarked.column) == (None, None)


@pytest.mark.parametrize("role", ["query", "token"])
def test_filling_is_where_a_shorter_sample_was_filled_up(role):
    found = padding_positions(sentence(), role, 1)
    assert found.tolist() == [False] * 4 + [True] * 3


@for_all(
    ("trace", "role", "sample"),
    [(sentence, "query", 0), (sentence, "key", 1), (sentence, "", 1), (picture, "query", 1)],
)
def test_nothing_is_filling_in_a_full_sample_along_keys_or_without_padding(trace, role, sample):
    assert padding_positions(trace(), role, sample) is None


def test_padding_of_another_sequence_fills_no_query():
    assert crossed()["key_mask"].tensor[1].tolist() == [True] * 6 + [False] * 5
    assert padding_positions(crossed(), "query", 1).tolist() == [False] * 4 + [True] * 3


def test_filling_is_filling_in_every_part_of_a_model():
    whole = translator.load().encoder(("我", "爱", "北京"), ("我",))
    for path in parts(whole):
        assert padding_positions(subtrace(whole, path), "token", 1).tolist() == [
            False,
            True,
            True,
        ], path
        assert padding_positions(subtrace(whole, path), "token", 0) is None, path


def seen_through(trace, key, read, at, rows, columns, sizes):
    (operand,) = (o for o in operands(trace[key].rule) if o.stage == read)
    return operand_plane(trace, operand, at, rows, columns, sizes)


def test_keys_are_seen_transposed_beside_queries_that_are_not():
    trace, at = crossed(), {"batch": 1, "head": 2, "query": 0, "key": 0}
    sizes = {"query": 7, "key": 11, "d_k": D_K}
    K = seen_through(trace, "scores", "K", at, "d_k", "key", sizes)
    Q = seen_through(trace, "scores", "Q", at, "query", "d_k", sizes)
    assert (K.transposed, Q.transposed) == (True, False)
    assert K.columns.names == MEMORY
    assert K.values.tolist() == [
        [trace["K"].tensor[1, 2, j, k] for j in range(11)] for k in range(D_K)
    ]
    np.testing.assert_array_equal(Q.values, trace["Q"].tensor[1, 2])


def test_the_matrices_of_all_heads_are_seen_one_below_the_other():
    trace, columns = sentence(), 3 * D_V
    sizes = {"concat": columns, "d_model": D_MODEL}
    seen = seen_through(trace, "output", "W_O", {"batch": 0}, "concat", "d_model", sizes)
    for c, m in np.ndindex(columns, D_MODEL):
        assert seen.values[c, m] == trace["W_O"].tensor[c // D_V, c % D_V, m]


def test_an_operand_without_an_axis_repeats_along_it_and_has_no_names_there():
    trace, at = crossed(), {"batch": 0, "head": 1}
    sizes = {"query": TOKENS, "key": KEYS}
    seen = seen_through(trace, "masked", "bias", at, "query", "key", sizes)
    assert seen.values.tolist() == [trace["bias"].tensor[1].tolist()] * TOKENS
    assert not seen.rows.named
    assert seen.columns.names == MEMORY
    alone = operand_plane(trace, Operand("b_O", (3,)), at, "query", "key", sizes)
    assert (alone.values == trace["b_O"].tensor[3]).all()
    assert alone.values.shape == (TOKENS, KEYS)
