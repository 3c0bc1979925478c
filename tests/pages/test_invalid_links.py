"""Invalid parameters of a link are quoted on the page and have no other effect."""

from itertools import zip_longest

import pytest
from page_reader import Open, drawn, texts

Query = dict[str, str]
NONSENSE = [  # a page, what is sound in the link, and what is not: values for one link each
    ("around", {}, {"p": "1.0", "draw": "-1", "factor": "3", "shift": "99", "text": ("a\nb",)}),
    ("audio", {}, {"heads": "0", "mask": "all", "sound": "none", "pool": "7"}),
    ("audio", {"pool": "10", "d_model": "16", "heads": "2"}, {"head": "3"}),
    ("before", {}, {"radius": "99", "times": "0", "tanh": "x", "seed": "-1"}),
    ("soft_cap", {}, {"factor": "3", "limits": "abs", "cap": "0", "sink": "nan",
                    "temperature": "1e3"}),
    ("break_it", {}, {"mistake": "none", "d_k": "99", "heads": "0", "head": "x", "seed": "-1",
                      "text": ("a\nb",)}),
    ("by_hand", {}, {"Q": "1_x~2", "X": "1~~2", "preset": "none", "divisor": "0",
                    "direction": "up",
                     "mask": "all", "against": "you", "tokens": ("a " * 30,), "V": "1e308~1~1",
                     "matrix": "Z", "of_head": "0"}),
    ("cross", {}, {"source": "both", "seed": "-1", "stage": "score"}),
    ("errata", {}, {"erratum": "none", "book": "?", "printed": "W", "printed_head": "9",
                    "row": "0"}),
    ("glossary", {}, {"term": "nowhere", "part": "x", "find": "y" * 200, "question": "z"}),
    ("grouped_query", {}, {"kv_heads": "3", "layer": "7"}),
    ("heads", {"seed": "4"}, {"mute": "1,x", "heads": "99", "d_model": "0", "row": "0",
                              "column": "nan"}),
    ("image", {}, {"part": "encoder/7/self", "head": "99"}),
    ("image", {"part": "prediction"}, {"head": "5"}),
    ("image", {"part": "encoder/1/feed_forward"}, {"head": "99"}),
    ("kv_cache", {}, {"step": "-1", "fault": "x", "of_head": "5"}),
    ("latent", {}, {"d_c": "97"}),
    ("learning", {}, {"steps": "61", "rate": "2", "matrix": "W", "mistake": "all", "power": "0",
                      "number": "x"}),
    ("masks", {"seed": "4"}, {"on": "causal,magic", "drawn": "zz", "way": "never", "near": "-1",
                              "length": "99", "patch": "0"}),
    ("sliding_window", {}, {"window": "25", "sinks": "5", "global": "12", "query": "12",
                          "layer": "7"}),
    ("order", {}, {"order": "0,0,1 0,1 -1,0,1"} | dict.fromkeys(
        ("kind", "picture", "columns", "seed", "causal", "width"), "<b>7.5")),
    ("predict", {}, {"preset": "nothing", "stage": "X", "cover": "none", "seed": "1e9",
                     "cells": "1.2-x", "column": "abc", "head": "0", "causal": "yes",
                     "worksheet": "10000", "preview": "window"}),
    ("rotary", {}, {"at": "1,2,3 70,1", "pair": "25", "of_head": "5", "kind": "x"}),
    ("rotary", {"key": "11"}, {"at": "1"}),
    ("scaling", {}, {"d_k": "3 2048", "seed": "-1 1e308", "divisor": "none"}),
    ("sentence", {}, {"stage": "nowhere", "row": "77", "seed": "1e9", "what": "ever"}),
    ("sentence", {"model": "translator", "part": "encoder/1/feed_forward"}, {"head": "99"}),
    ("sizes", {}, {"batch": "0", "n": "1e9", "heads": "-1", "d_model": "x", "preset": "?"}),
    ("softmax", {}, {"scores": " 1 1,2,3,4,5,6,7,8,9 1,nan 11,0",
                     "temperature": "0.06", "over": "x", "constant": "5"}),
    ("story", {}, {"scene": "10"}),
    ("tiles", {}, {"tile": "0", "tile_keys": "5", "tile_queries": "x"}),
    ("translation", {}, {"word": "77", "layer": "4", "head": "9", "by": "all",
                         "part": "decoder/4/cross", "forced": "yes", "stage": "score",
                         "model": "other", "search": "wide"}),
    ("translation", {"part": "prediction"}, {"head": "99"}),
]  # fmt: skip
CLIPPED = [  # and what is taken instead
    ("by_hand", {"preset": "d4_h2", "matrix": "W_Q"}, {"of_head": "99"}, {"of_head": "2"}),
    ("by_hand", {"direction": "backwards"}, {"watched": "4"}, {"watched": "1"}),
    ("heads", {}, {"row": "8", "column": "16"}, {"row": "3", "column": "8"}),
    ("kv_cache", {}, {"step": "7"}, {"step": "4"}),
    ("learning", {"matrix": "W_P"}, {"number": "13"}, {"number": "1"}),
    ("predict", {}, {"row": "99"}, {"row": "3"}),
    ("rotary", {}, {"query": "20"}, {"query": "11"}),
]


@pytest.mark.parametrize(("page", "sound", "asked"), NONSENSE)
def test_nonsense_is_quoted_and_changes_nothing(
    open_page: Open, page: str, sound: Query, asked: dict[str, str | tuple[str, ...]]
) -> None:
    expected = drawn(open_page(page, lang="en", **sound))
    every = (v.split(" ") if isinstance(v, str) else v for v in asked.values())
    for values in zip_longest(*every):
        link = {name: v for name, v in zip(asked, values, strict=True) if v is not None}
        at = open_page(page, lang="en", **sound | link)
        assert not at.exception
        text = texts(at)
        shown = {name: v.partition("\n")[0].replace(" ", "␣") for name, v in link.items()}
        quoted = [f"{name}={v}"[:40] for name, v in shown.items()]
        assert [one for one in quoted if one not in text] == []
        assert drawn(at) == expected


@pytest.mark.parametrize(("page", "sound", "asked", "taken"), CLIPPED)
def test_of_a_number_beyond_the_last_the_last_is_taken(
    open_page: Open, page: str, sound: Query, asked: Query, taken: Query
) -> None:
    at = open_page(page, lang="en", **sound | asked)
    assert not at.exception
    assert drawn(at) == drawn(open_page(page, lang="en", **sound | taken))
