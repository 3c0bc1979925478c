import base64
from typing import Any

import numpy as np
import pytest
from blob_reader import unpacked
from claims import for_all
from page_reader import Open, blobs, component_data, microscope, texts
from streamlit.testing.v1 import AppTest

SMALL = {"pool": "80", "d_model": "16", "heads": "2"}
STEPS = [
    "frames", "windowed", "power", "mel", "log_mel", "level", "pooled", "embedding", "X",
    "Q", "K", "V", "scores", "scaled", "weights", "head_output", "concat", "output",
]  # fmt: skip


def brought(at: AppTest) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    (packed,) = blobs(at, "samples")
    return unpacked(packed)


def timeline(at: AppTest) -> dict[str, Any]:
    (data,) = component_data(at, "timeline")
    return data


def row_of(at: AppTest) -> np.ndarray:
    return np.frombuffer(base64.b64decode(timeline(at)["row"]), "<f4")


def allowed(at: AppTest) -> list[int]:
    return list(base64.b64decode(timeline(at)["allowed"]))


def test_a_first_look_shows_a_drum_pattern_whose_loudest_frame_finds_its_repeats(
    open_page: Open,
) -> None:
    at = open_page("audio", lang="zh")
    assert not at.exception
    header, arrays = brought(at)
    assert (header["tokens"], header["pool"]) == (96, 4)
    assert arrays["levels"].shape == (384, 80)
    assert arrays["samples"].size == 2 * 61_440  # 16 bits each
    said = texts(at)
    assert "0.96" in said
    assert "0.24 s (0.090)" in said
    assert "0.72 s (0.090)" in said
    assert microscope(at).label("scores", "query") == "0.24 s"


@for_all("lang", ["zh", "en"])
def test_a_frame_is_called_a_frame_and_neither_a_word_nor_a_patch(
    open_page: Open, lang: str
) -> None:
    said = texts(open_page("audio", lang=lang, stage="weights", **SMALL))
    name, others = {"zh": ("帧", ("词，", "块")), "en": ("frame", ("token ", "patch"))}[lang]
    assert name in said
    assert not any(other in said.replace("A token every", "") for other in others)


@for_all("step", [*STEPS[::4], STEPS[-1]])
def test_a_link_leads_to_a_step_from_the_frames_to_the_last(open_page: Open, step: str) -> None:
    at = open_page("audio", lang="zh", stage=step, **SMALL)
    assert not at.exception
    seen = microscope(at)
    assert seen.chosen["stage"] == step
    assert seen.header["drawings"][step]["planes"][-1]["stage"] == step
    assert [key for key, absent in seen.steps.items() if not absent] == STEPS


@for_all("name", ["drums", "notes", "rise", "vowels"])
def test_every_sample_can_be_heard_and_looked_at(open_page: Open, name: str) -> None:
    at = open_page("audio", lang="en", sound=name, **SMALL)
    assert not at.exception
    header, arrays = brought(at)
    assert arrays["levels"].max() == 255
    assert len(row_of(at)) == header["tokens"]


def test_the_time_axis_has_the_row_of_the_chosen_frame_and_head(open_page: Open) -> None:
    at = open_page("audio", lang="en", stage="weights", head="2", row="5", **SMALL)
    (row,) = microscope(at).arrays["weights"][:, 0, 4]
    np.testing.assert_array_equal(row_of(at), np.float32(row))
    assert timeline(at)["query"] == 4
    assert microscope(at).header["head"] == 1


def test_at_a_step_before_x_the_time_axis_keeps_the_frame(open_page: Open) -> None:
    at = open_page("audio", lang="en", stage="level", row="41", **SMALL)
    assert timeline(at)["query"] == 5  # frame 40 of 10 ms belongs to token 5 of 80 ms
    at = open_page("audio", lang="en", stage="pooled", row="6", **SMALL)
    assert timeline(at)["query"] == 5


@for_all(
    ("mask", "row", "heard"),
    [("causal", 4, range(4)), ("window", 11, range(7, 14)), ("both", 11, range(7, 11))],
)
def test_a_mask_lets_a_frame_hear_the_past_its_neighbours_or_the_near_past(
    open_page: Open, mask: str, row: int, heard: range
) -> None:
    at = open_page("audio", lang="en", mask=mask, window="3", row=str(row), **SMALL)
    assert np.flatnonzero(allowed(at)).tolist() == [*heard]
    assert mask != "causal" or "4 of 48" in texts(at)


def test_silence_may_be_masked_as_padding(open_page: Open) -> None:
    at = open_page("audio", lang="en", sound="notes", silence="1", row="2", **SMALL)
    levels = brought(at)[1]["levels"]
    quiet = levels.reshape(-1, 8, 80).max(axis=(1, 2)) == 0
    assert quiet.sum() > 3
    heard = np.array(allowed(at))
    assert not heard[quiet].any()
    assert heard[:5].all()


def test_without_a_mask_nothing_is_grey(open_page: Open) -> None:
    assert timeline(open_page("audio", lang="en", **SMALL))["allowed"] is None


def test_one_matrix_for_queries_and_keys_makes_the_scores_symmetric(open_page: Open) -> None:
    def scores(**query: str) -> np.ndarray:
        at = open_page("audio", lang="en", **SMALL, **query)
        return microscope(at).arrays["scores"][0, 0]

    np.testing.assert_allclose(scores(), scores().T, atol=1e-5)
    assert not np.allclose(scores(same="0"), scores(same="0").T, atol=1e-2)


def test_position_is_off_until_it_is_asked_for_and_then_said_to_hide_repeats(
    open_page: Open,
) -> None:
    assert "position" not in microscope(open_page("audio", lang="en")).header["stages"]
    at = open_page("audio", lang="en", position="1")
    assert "position" in microscope(at).header["stages"]
    assert "no two frames are equal" in texts(at)


def test_many_frames_are_computed_one_head_at_a_time_under_its_number(open_page: Open) -> None:
    at = open_page("audio", lang="en", pool="10", head="3", stage="weights")
    seen = microscope(at)
    assert seen.header["stages"]["weights"]["shape"] == [1, 1, 384, 384]
    assert (seen.header["one"], seen.header["heads"]) == (2, 4)
    assert "one head at a time" in texts(at)
    assert at.query_params["head"] == "3"


ABSENT = {
    "zh": "dropout 为 0：使用训练好的模型时就是这样。"
    "在侧栏“更多”里把 dropout 调到 0 以上，就有这一步。",
    "en": "Dropout is 0, as it is whenever a trained model is used. "
    "Set dropout above 0, under “More” in the sidebar, to see it.",
}


@for_all("lang", ["zh", "en"])
def test_a_step_that_one_head_at_a_time_goes_without_says_what_is_so(
    open_page: Open, monkeypatch: pytest.MonkeyPatch, lang: str
) -> None:
    monkeypatch.setattr("pages.see.audio.controls.ALL_HEADS", 5)
    steps = microscope(open_page("audio", lang=lang, **SMALL)).steps
    assert steps["dropped"] == ABSENT[lang]
    assert steps["residual"]
    chosen = {"dropout": "0.4", "residual": "1", "causal": "1"}
    steps = microscope(open_page("audio", lang=lang, **SMALL, **chosen)).steps
    assert [key for key, absent in steps.items() if not absent] == [
        *STEPS[: STEPS.index("head_output")], "dropped", *STEPS[STEPS.index("head_output") :],
        "residual", "normalised",
    ]  # fmt: skip


def test_one_head_at_a_time_is_dropped_and_added_up_as_all_heads_are(
    open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen = {**SMALL, "head": "2", "row": "9", "dropout": "0.4", "residual": "1"}
    together = microscope(open_page("audio", lang="en", **chosen)).arrays
    monkeypatch.setattr("pages.see.audio.controls.ALL_HEADS", 5)
    alone = microscope(open_page("audio", lang="en", **chosen)).arrays
    assert not alone["keep"].all()
    for key in ("weights", "keep", "output", "normalised"):  # of the heads, number 2 alone is sent
        np.testing.assert_allclose(alone[key], together[key], rtol=1e-4, atol=1e-5, err_msg=key)


def test_the_head_looked_at_alone_has_the_weights_that_it_has_among_all(
    open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    together = row_of(open_page("audio", lang="en", head="3", row="10"))
    monkeypatch.setattr("pages.see.audio.controls.ALL_HEADS", 5)
    alone = row_of(open_page("audio", lang="en", head="3", row="10"))
    np.testing.assert_allclose(alone, together, rtol=1e-5)


def test_a_link_to_an_upload_says_that_none_came_along(open_page: Open) -> None:
    at = open_page("audio", lang="en", sound="upload", **SMALL)
    assert "a link cannot carry it" in texts(at)
    assert brought(at)[0]["tokens"] == 48


def test_heads_that_do_not_divide_are_refused_and_an_example_is_shown(open_page: Open) -> None:
    at = open_page("audio", lang="en", d_model="16", heads="3")
    assert "cannot be split evenly" in texts(at)
    assert brought(at)[0]["tokens"] == 96
