"""A page with an invalid input shows its last valid one."""

import pytest

from views import link
from views.text import LANGUAGES
from views.widgets.errors import LastValidInput, computed

WORDS = LANGUAGES["en"]


class Overtaken(Exception):
    """Stands in for what Streamlit raises in a run that was overtaken, where it reads its state."""


def test_a_cancelled_run_does_not_store_its_input(state, monkeypatch):
    assert computed(lambda: 1, str, 0, WORDS) == (1, "1")
    stored = link.remembered(LastValidInput).inputs
    assert stored == {"": 1}

    def overtaken(value):
        def raises(kind):
            raise Overtaken

        stored[""] = 3  # the run that overtakes this one
        monkeypatch.setattr(link, "remembered", raises)
        return str(value)

    with pytest.raises(Overtaken):
        computed(lambda: 2, overtaken, 0, WORDS)
    assert stored == {"": 3}


def test_replacing_a_file_restores_the_last_valid_input():
    valid = LastValidInput({"audio": "claps"})
    valid.file_removed("audio")
    valid.inputs["audio"] = "a sample"  # in the run without a file
    valid.file_added("audio")
    assert valid.inputs == {"audio": "claps"}
    valid.inputs["audio"] = "drums"
    valid.file_added("audio")  # after none
    assert valid.inputs == {"audio": "drums"}
