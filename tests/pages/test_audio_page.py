import base64
from typing import Any

import numpy as np
from blob_reader import unpacked
from claims import for_all
from page_reader import SMALL, Open, blobs, component_data, floats, microscope, texts
from streamlit.testing.v1 import AppTest


def brought(at: AppTest) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    (packed,) = blobs(at, "samples")
    return unpacked(packed)


def timeline(at: AppTest) -> dict[str, Any]:
    (data,) = component_data(at, "timeline")
    return data


def row_of(at: AppTest) -> np.ndarray:
    return floats(timeline(at)["row"])


def allowed(at: AppTest) -> list[int]:
    return list(base64.b64decode(timeline(at)["allowed"]))


def test_the_loudest_frame_of_the_drums_has_peaks_at_their_repeats(
    open_page: Open,
) -> None:
    at = open_page("audio", lang="zh")
    assert not at.exception
    header, arrays = brought(at)
    assert (header["tokens"], header["pool"]) == (96, 4)
    assert arrays["levels"].shape == (384, 80)
    assert arrays["samples"].size == 2 * 61_440  # 16 bits each
    text = texts(at)
    assert "0.96" in text
    assert "0.24 s (0.090)" in text
    assert "0.72 s (0.090)" in text
    assert microscope(at).label("scores", "query") == "0.24 s"


def test_the_time_axis_has_the_weights_of_the_chosen_frame_and_head(open_page: Open) -> None:
    at = open_page("audio", lang="en", stage="weights", head="2", row="5", **SMALL["audio"])
    (row,) = microscope(at).arrays["weights"][:, 1, 4]
    np.testing.assert_array_equal(row_of(at), np.float32(row))
    assert timeline(at)["query"] == 4
    assert microscope(at).header["head"] is None


def test_the_first_frame_under_a_causal_mask_looks_only_at_itself(open_page: Open) -> None:
    at = open_page("audio", lang="en", mask="causal", row="1", **SMALL["audio"])
    assert "“0.00 s” may look only at “0.00 s”, which gets the whole unit." in texts(at)


def test_at_a_step_before_x_the_time_axis_keeps_the_frame(open_page: Open) -> None:
    at = open_page("audio", lang="en", stage="level", row="41", **SMALL["audio"])
    assert timeline(at)["query"] == 5  # frame 40 of 10 ms belongs to token 5 of 80 ms
    at = open_page("audio", lang="en", stage="pooled", row="6", **SMALL["audio"])
    assert timeline(at)["query"] == 5


@for_all(
    ("mask", "row", "expected"),
    [("causal", 4, range(4)), ("window", 11, range(7, 14)), ("both", 11, range(7, 11))],
)
def test_the_time_axis_shows_the_keys_that_a_mask_allows(
    open_page: Open, mask: str, row: int, expected: range
) -> None:
    at = open_page("audio", lang="en", mask=mask, window="3", row=str(row), **SMALL["audio"])
    assert np.flatnonzero(allowed(at)).tolist() == [*expected]
    assert mask != "causal" or "4 of 48" in texts(at)


def test_silence_can_be_masked_as_padding(open_page: Open) -> None:
    at = open_page("audio", lang="en", sound="notes", silence="1", row="2", **SMALL["audio"])
    levels = brought(at)[1]["levels"]
    quiet = levels.reshape(-1, 8, 80).max(axis=(1, 2)) == 0
    assert quiet.sum() > 3
    keys = np.array(allowed(at))
    assert not keys[quiet].any()
    assert keys[:5].all()


def test_positions_are_off_by_default_and_a_note_says_that_they_hide_repeats(
    open_page: Open,
) -> None:
    assert "position" not in microscope(open_page("audio", lang="en")).header["stages"]
    at = open_page("audio", lang="en", position="1")
    assert "position" in microscope(at).header["stages"]
    assert "no two frames are equal" in texts(at)


def test_many_frames_come_with_all_heads(open_page: Open) -> None:
    at = open_page("audio", lang="en", pool="10", head="3", stage="weights")
    shown = microscope(at)
    assert shown.header["stages"]["weights"]["shape"] == [1, 4, 384, 384]
    assert (shown.header["head"], shown.header["heads"]) == (None, 4)
    assert {*shown.header["stored"]} & {"scores", "scaled", "weights"} == set()


def test_a_link_to_an_upload_shows_an_example(open_page: Open) -> None:
    at = open_page("audio", lang="en", sound="upload", **SMALL["audio"])
    assert "a link cannot carry it" in texts(at)
    assert brought(at)[0]["tokens"] == 48
