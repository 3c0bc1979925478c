"""A page with an invalid input shows its last valid one."""

import pytest

from views import link
from views.text import LANGUAGES
from views.widgets.errors import LastValidInput, computed

WORDS = LANGUAGES["en"]


class Overtaken(Exception):
    """Stands in for what Streamlit raises in a run that was overtaken, where it reads its state."""


class State(dict):
    """Session state whose reading ends a run that was overtaken."""

    is_overtaken = False

    def __getitem__(self, key):
        if self.is_overtaken:
            raise Overtaken
        return super().__getitem__(key)


def test_a_run_that_is_overtaken_while_it_computes_does_not_store_its_input(state, monkeypatch):
    read = State(state)
    monkeypatch.setattr(link.st, "session_state", read)
    monkeypatch.setattr(link, "get_script_run_ctx", lambda: True)  # a thread of Streamlit's
    monkeypatch.setattr(link._thread, "session", None, raising=False)
    assert computed(lambda: 1, str, 0, WORDS) == (1, "1")
    stored = link.remembered(LastValidInput).inputs
    assert stored == {"": 1}

    def overtaken(value):
        stored[""] = 3  # by the run that overtakes this one
        read.is_overtaken = True
        return str(value)

    with pytest.raises(Overtaken):
        computed(lambda: 2, overtaken, 0, WORDS)
    assert stored == {"": 3}


def test_replacing_a_file_restores_the_last_valid_input():
    valid = LastValidInput({"audio": "claps", "audiospeech": "a sentence", "image": "a cat"})
    valid.file_removed("audio")
    valid.inputs |= {"audio": "a sample", "audiospeech": "a sample"}  # in the run without a file
    valid.file_added()
    assert valid.inputs == {"audio": "claps", "audiospeech": "a sentence", "image": "a cat"}
    valid.inputs["audio"] = "drums"
    valid.file_added()  # after none
    assert valid.inputs["audio"] == "drums"
