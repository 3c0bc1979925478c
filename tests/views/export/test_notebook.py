"""The Python side of the widget: its state, its errors, and the scenes that it sends."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from blob_reader import unpacked
from refuses import refuses
from shown_traces import many_patches, plain, sentence

from attention_microscope import html, ipynb, paper, xlsx
from core import Trace, UnknownStage
from core.nested import compose, parts
from core.rules import Given
from views.export.notebook import Microscope


def header(widget):
    return unpacked(widget._scene)[0]


def test_the_widget_imports_neither_streamlit_nor_plotly():
    script = (
        "import sys, views.export.notebook; "
        "print([name for name in ('streamlit', 'plotly') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True,
        cwd=Path(__file__).parents[3],
    )  # fmt: skip
    assert done.stdout.strip() == "[]"


def test_the_initial_selection_is_the_weights_or_as_given():
    widget = Microscope(sentence())
    assert widget.selection == {"stage": "weights", "head": 0, "positions": {"query": 1, "key": 2}}
    assert Microscope(plain(), selection={"stage": "Q", "head": 1}).selection == {
        "stage": "Q", "head": 1, "positions": {"query": 1, "key": 2}
    }  # fmt: skip


def test_a_step_that_the_trace_does_not_have_raises_unknown_stage():
    with pytest.raises(UnknownStage, match="no stage 'nowhere'"):
        Microscope(plain(), selection={"stage": "nowhere"})
    widget = Microscope(plain())
    with pytest.raises(UnknownStage, match="no stage 'nowhere'"):
        widget.selection = {"stage": "nowhere"}
    assert widget.selection["stage"] == "weights"


def test_of_several_parts_the_first_attention_is_shown_until_another_is_chosen():
    entrance = Trace([replace(plain()["X"], rule=Given("input"))])
    fed = compose({"input": entrance, "encoder/1/self": plain(), "encoder/2/self": plain()}, {})
    widget = Microscope(fed)
    assert widget.selection["part"] == "encoder/1/self"
    assert [path for path, _ in widget._parts["paths"]] == [*parts(fed)]
    widget.selection = {**widget.selection, "part": "encoder/2/self", "stage": "nowhere", "head": 9}
    assert widget.selection == {
        "part": "encoder/2/self", "stage": "weights", "head": 2, "positions": {"query": 1, "key": 2}
    }  # fmt: skip
    with pytest.raises(UnknownStage, match="no part 'decoder'; this trace has input, encoder/1"):
        widget.selection = {"part": "decoder"}


def test_a_language_and_a_head_that_there_are_not_are_refused_with_those_that_there_are():
    for show in (Microscope, html, xlsx, ipynb, paper):
        with pytest.raises(ValueError, match=r"lang is one of .*zh.*, not 'de'"):
            show(plain(), lang="de")
    with refuses("out_of_range", name="head", value=7, allowed="0 … 2"):
        Microscope(plain(), selection={"head": 7})


def test_a_requested_head_is_sent():
    widget = Microscope(many_patches())
    assert header(widget)["head"] == 0
    widget._asked = {"stage": "weights", "head": 2}
    assert header(widget)["head"] == 2
    widget._asked = {"stage": "patches", "head": 2}
    assert "patches" in header(widget)["drawings"]
