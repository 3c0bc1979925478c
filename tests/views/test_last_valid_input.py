"""What a page shows instead of an input that it refuses."""

import pytest

from views import link
from views.text import LANGUAGES
from views.widgets.errors import LastValidInput, computed

WORDS = LANGUAGES["en"]


class Overtaken(Exception):
    """Stands in for what Streamlit raises in a run that was overtaken, where it reads its state."""


def test_a_run_that_is_overtaken_while_it_computes_does_not_keep_its_input(state, monkeypatch):
    assert computed(lambda: 1, str, 0, WORDS) == (1, "1")
    kept = link.remembered(LastValidInput).inputs
    assert kept == {"": 1}

    def overtaken(value):
        def raises(kind):
            raise Overtaken

        kept[""] = 3  # the run that overtakes this one
        monkeypatch.setattr(link, "remembered", raises)
        return str(value)

    with pytest.raises(Overtaken):
        computed(lambda: 2, overtaken, 0, WORDS)
    assert kept == {"": 3}


def test_a_file_that_takes_the_place_of_another_brings_back_what_was_valid_with_that():
    valid = LastValidInput({"audio": "claps"})
    valid.file_removed("audio")
    valid.inputs["audio"] = "a sample"  # in the run without a file
    valid.file_added("audio")
    assert valid.inputs == {"audio": "claps"}
    valid.inputs["audio"] = "drums"
    valid.file_added("audio")  # in the place of none
    assert valid.inputs == {"audio": "drums"}
