"""The widget's Python side: what it holds, what it refuses, and what it brings when asked."""

import subprocess
import sys
from pathlib import Path

import pytest
from blob_reader import unpacked
from shown_traces import many_patches, plain, sentence

from core import UnknownStage
from core.nested import compose
from views.export.notebook import Microscope


def header(widget):
    return unpacked(widget._scene)[0]


def test_it_is_made_without_streamlit_and_without_plotly():
    script = (
        "import sys, views.export.notebook; "
        "print([name for name in ('streamlit', 'plotly') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True,
        cwd=Path(__file__).parents[3],
    )  # fmt: skip
    assert done.stdout.strip() == "[]"


def test_the_first_step_is_one_with_something_to_see():
    widget = Microscope(sentence())
    assert widget.place == {"stage": "weights", "head": 0, "places": {"query": 1, "key": 2}}
    assert Microscope(plain(), place={"stage": "Q", "head": 1}).place == {
        "stage": "Q", "head": 1, "places": {"query": 1, "key": 2}
    }  # fmt: skip


@pytest.mark.parametrize(("lang", "said"), [("en", "head {number}"), ("zh", "头 {number}")])
def test_words_are_in_the_language_that_is_asked_for(lang, said):
    assert header(Microscope(plain(), lang=lang))["words"]["head"] == said


def test_the_origin_of_the_weights_is_shown():
    assert header(Microscope(plain(), origin="By hand."))["sheets"]["origin"] == "By hand."


def test_a_step_that_the_trace_does_not_have_raises_unknown_stage():
    with pytest.raises(UnknownStage, match="no stage 'nowhere'"):
        Microscope(plain(), place={"stage": "nowhere"})
    widget = Microscope(plain())
    with pytest.raises(UnknownStage, match="no stage 'nowhere'"):
        widget.place = {"stage": "nowhere"}
    assert widget.place["stage"] == "weights"


def test_of_a_model_one_part_is_shown_and_the_way_to_it_is_said():
    model = compose({"encoder/1/self": plain()}, {})
    with pytest.raises(ValueError, match=r"core\.nested\.subtrace\(trace, 'encoder/1/self'\)"):
        Microscope(model)


def test_a_requested_head_is_sent():
    widget = Microscope(many_patches())
    assert header(widget)["head"] == 0
    widget._asked = {"stage": "weights", "head": 2}
    assert header(widget)["head"] == 2
    widget._asked = {"stage": "patches", "head": 2}
    assert "patches" in header(widget)["drawings"]
