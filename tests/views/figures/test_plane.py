import numpy as np
from claims import for_all
from shown_traces import (
    KEYS,
    MEMORY,
    STAGES,
    TOKENS,
    TRACES,
    crossed,
    middle,
    picture,
    sentence,
)

from core import scaled_dot_product_attention
from core.models import translator
from core.nested import parts, subtrace
from core.options import AttentionOptions
from core.rules import Operand, operands
from views.figures.plane import (
    drawn_roles,
    masked_cells,
    operand_plane,
    padding_positions,
    plane_of,
)

# The axes of every stage: after a bar those of the plane, before it the indexed ones.
AXES = """
    class; d_ff; d_k; head | d_k; kv_head | d_k; d_model; head | d_v; kv_head | d_v; head;
    batch | key; head | key; mel; pair; offset; sample; batch | sample; token; batch | token;
    vocabulary; d_ff d_model; d_model class; d_model d_c; d_model d_ff;
    d_model vocabulary; frequency mel; mel d_model; pixel d_model; offset frequency;
    register d_model; tap d_model; token d_k; token d_model; token pair; token trained;
    trained d_model; vocabulary d_model; kv_head | d_c d_k; kv_head | d_c d_v; head | d_model d_k;
    kv_head | d_model d_k; head | d_model d_v; kv_head | d_model d_v; head | d_v d_model;
    head | bucket; head | query key; query key; batch | query key; batch head | query key;
    head | query; head | query d_v; part d_model; part vocabulary; batch head | query d_k;
    batch head | query d_v; batch | query d_model; batch | query concat; batch head | key d_k;
    batch head | key d_v; batch kv_head | key d_k; batch kv_head | key d_v; batch | key d_model;
    batch kv_head | new_key d_k; batch kv_head | new_key d_v; batch kv_head | past_key d_k;
    batch kv_head | past_key d_v; batch | token d_model; batch | token class; batch | token d_c;
    batch | token d_ff; batch | token vocabulary; batch | patch d_model; batch | patch pixel;
    batch | frame d_model; batch | frame frequency; batch | frame mel; batch | frame offset;
    batch | frame tap; batch | height width | channel; batch patch | row column | channel
"""
DRAWN = {
    tuple(axes.replace("|", " ").split()): (None, *(axes.split("|") * 2)[1].split())[-2:]
    for axes in AXES.split(";")
}


def last(trace, key):
    """The last position along each axis of a stage."""
    return {role: trace[key].size(role) - 1 for role in trace[key].roles}


@for_all(("name", "key"), STAGES)
def test_tokens_go_down_and_features_or_keys_go_across(name, key):
    stage = TRACES[name]()[key]
    assert drawn_roles(stage) == DRAWN[stage.roles]


def test_every_list_of_axes_is_that_of_a_stage():
    assert {TRACES[name]()[key].roles for name, key in STAGES} == set(DRAWN)


@for_all("cell", [middle, last])
@for_all(("name", "key"), STAGES)
def test_a_plane_holds_the_numbers_of_its_sample_head_and_channel(name, key, cell):
    trace = TRACES[name]()
    stage, at = trace[key], cell(trace, key)
    row_role, column_role = drawn_roles(stage)
    plane = plane_of(stage, at)
    assert plane.values.shape == (stage.size(row_role or ""), stage.size(column_role))
    for i, j in np.ndindex(plane.values.shape):
        index = at | {row_role: i, column_role: j}
        assert plane.values[i, j] == stage.tensor[tuple(index[role] for role in stage.roles)]


def test_padding_positions_are_those_of_the_shorter_sample_in_every_part_and_none_along_keys():
    for role in ("query", "token"):
        assert padding_positions(sentence(), role, 1).tolist() == [False] * 4 + [True] * 3
    for trace, role, sample in ((sentence, "query", 0), (sentence, "key", 1), (sentence, "", 1),
                                (picture, "query", 1)):  # fmt: skip
        assert padding_positions(trace(), role, sample) is None
    whole = translator.load().encoder(("我", "爱", "北京"), ("我",))
    for path in parts(whole):
        assert padding_positions(subtrace(whole, path), "token", 1).tolist() == [False, True, True]
        assert padding_positions(subtrace(whole, path), "token", 0) is None, path


def operand_of(trace, key, read, at, rows, columns, sizes):
    (operand,) = (o for o in operands(trace[key].rule) if o.stage == read)
    return operand_plane(trace, operand, at, rows, columns, sizes)


def test_an_operand_without_an_axis_repeats_along_it_and_has_no_names_there():
    trace, at = crossed(), {"batch": 0, "head": 1}
    sizes = {"query": TOKENS, "key": KEYS}
    plane = operand_of(trace, "masked", "bias", at, "query", "key", sizes)
    assert plane.values.tolist() == [trace["bias"].tensor[1].tolist()] * TOKENS
    assert not plane.rows.named
    assert plane.columns.names == MEMORY
    alone = operand_plane(trace, Operand("b_O", (3,)), at, "query", "key", sizes)
    assert (alone.values == trace["b_O"].tensor[3]).all()
    assert alone.values.shape == (TOKENS, KEYS)


def test_only_weights_can_be_masked_and_only_where_something_is():
    at = {"batch": 0, "head": 1}
    for key in ("scores", "masked", "keep", "allowed"):
        assert masked_cells(sentence(), plane_of(sentence()[key], at), at) is None
    x, at = np.ones((1, 1, 3, 2)), {}
    free = scaled_dot_product_attention(x, x, x)
    assert masked_cells(free, plane_of(free["weights"], at), at) is None
    everything = scaled_dot_product_attention(
        x, x, x, AttentionOptions(allowed=np.ones((3, 3), dtype=bool))
    )
    assert masked_cells(everything, plane_of(everything["weights"], at), at) is None
