"""The sheets below a step."""

import inspect
import re
from functools import cache
from urllib.parse import parse_qs, urlsplit

import numpy as np
from claims import for_all
from shown_readings import in_both_languages
from shown_traces import BATCH, D_K, D_MODEL, HEADS, STAGES, TOKENS, TRACES, crossed, plain
from shown_traces import sentence as of_words

from core import Weights, multi_head_attention, ops, rules, scaled_dot_product_attention, trace_of
from core.sources import text
from views.figures.graph import graph_of
from views.scene.sheets import sheets
from views.text import GLOSSARY, LANGUAGES
from views.text.glossary import TERMS, find_term

EN = LANGUAGES["en"]
ORIGIN = "Random weights (seed 3)."


@cache
def sheets_of(trace, code="en", convention="rows"):
    return sheets(trace(), LANGUAGES[code], convention, ORIGIN)


def row_of(trace, key, convention="rows"):
    (row,) = (
        row for row in sheets_of(trace, convention=convention)["shapes"]["rows"]
        if row["key"] == key
    )  # fmt: skip
    return row


@for_all("name", TRACES)
def test_the_map_has_the_graph_s_boxes_and_lines(name):
    graph, data = graph_of(TRACES[name]()), sheets_of(TRACES[name])["map"]
    assert (data["width"], data["height"]) == (graph.width, graph.height)
    assert [(b["key"], *b["box"], b["given"]) for b in data["boxes"]] == [
        (b.key, b.x, b.y, b.width, b.height, b.given) for b in graph.boxes
    ]
    assert [(line["source"], line["target"], line["path"]) for line in data["lines"]] == [
        (line.source, line.target, line.path) for line in graph.lines
    ]


@for_all("name", TRACES)
def test_every_stage_has_a_row_with_its_axes_in_order(name):
    trace = TRACES[name]()
    rows = sheets_of(TRACES[name])["shapes"]["rows"]
    assert [row["key"] for row in rows] == list(trace)
    for row in rows:
        stage = trace[row["key"]]
        assert row["sizes"] == list(zip(stage.roles, stage.tensor.shape, strict=True))


def test_what_a_step_costs_is_reckoned_by_hand():
    q = row_of(of_words, "Q")
    values = BATCH * HEADS * TOKENS * D_K
    assert q["values"] == "210"
    assert values == 210
    # A dot product of d_model numbers, and the bias is added without a multiplication.
    assert q["multiply_adds"] == f"{values * D_MODEL:,}".replace(",", "\u202f") == "3\u202f570"
    assert q["bytes"] == "1.7 kB"  # 210 float64
    assert row_of(of_words, "W_Q")["multiply_adds"] == "—"


def test_where_a_token_is_a_column_a_row_s_axes_are_turned():
    assert row_of(of_words, "Q", "columns")["sizes"] == [
        ("batch", 2), ("head", 3), ("d_k", 5), ("query", 7),
    ]  # fmt: skip


def test_one_head_is_set_against_many_where_they_share_the_width_out():
    words = text.embed((("a", "b", "c"),), 8, seed=1)
    two = multi_head_attention(words, Weights.seeded(8, 2, 5))
    data = sheets(two, EN, "rows")["shapes"]["heads"]
    assert data["columns"] == ["for this input", "1 head", "2 heads"]
    counts = {"".join(t for t, _ in row["name"]): row["counts"] for row in data["rows"]}
    assert counts == {
        "parameters": ["256", "256"],  # 4 · 8²
        "multiply-adds of Q, K, V": ["576", "576"],  # 3 · 3 · 8²
        "multiply-adds of attention": ["144", "144"],  # 2 · 3² · 8
        "multiply-adds of WO": ["192", "192"],  # 3 · 8²
        "weights": ["9", "18"],  # h · 3²
    }
    assert sheets_of(crossed)["shapes"]["heads"] is None
    assert sheets_of(of_words)["shapes"]["heads"] is None  # 17 is not shared by 3


@for_all(("name", "key"), STAGES)
def test_a_step_shows_the_source_of_one_function_or_none(name, key):
    trace, data = TRACES[name](), sheets_of(TRACES[name])["code"]
    index = data["of"].get(key)
    if index is None:
        assert isinstance(trace[key].rule, rules.Given | rules.Stack | rules.Operand | rules.Sum)
        return
    function = data["functions"][index]
    assert function["text"].startswith(f"def {function['name']}(")
    path = inspect.getsourcefile(ops).rpartition("/core/")[0] + "/" + function["file"]
    with open(path, encoding="utf-8") as file:
        assert function["text"] in file.read()


def test_each_function_is_sent_once_and_the_right_one_is_shown():
    data = sheets_of(of_words)["code"]
    names = [each["name"] for each in data["functions"]]
    assert len(names) == len(set(names))
    assert {
        key: names[index] for key, index in data["of"].items() if key in "QKV"
    } == dict.fromkeys("QKV", "project")
    assert names[data["of"]["weights"]] == "softmax"
    assert names[data["of"]["scores"]] == "dot_product_scores"
    assert "W_Q" not in data["of"]
    assert sheets_of(of_words, convention="columns")["code"]["in_columns"]
    assert not data["in_columns"]


@in_both_languages
@for_all("name", TRACES)
def test_the_terms_of_a_step_link_to_their_page_or_their_entry_in_the_glossary(name, words):
    data = sheets_of(TRACES[name], words.code)["terms"]
    known = {term.name: GLOSSARY[words.code].terms[term.name].called for term in TERMS}
    assert list(data) == list(TRACES[name]())
    for pairs in data.values():
        for name, address in pairs:
            path, query = urlsplit(address).path, parse_qs(urlsplit(address).query)
            term = query.pop("term", [path])[0]
            assert name in (known[term], term)
            assert ("_" in name) == bool(re.fullmatch("[A-Za-z]_([A-Za-z]|ff|model)", name))
            of_its_own = find_term(term).page == term
            assert (path, query) == (term if of_its_own else "glossary", {"lang": [words.code]})


def test_what_depends_on_weights_is_named_and_the_origin_sent_as_it_was_given():
    data = sheets_of(plain)
    assert data["origin"] == ORIGIN
    assert {"W_Q", "Q", "scores", "weights", "output"} <= set(data["weighted"])
    ones = np.ones((1, 1, 2, 2))
    assert sheets(scaled_dot_product_attention(ones, ones, ones), EN, "rows")["weighted"] == []
    theirs = sheets(trace_of(ones, ones, ones, W_O=ones[0]), EN, "rows")
    assert {"Q", "weights", "output"} <= set(theirs["weighted"])
