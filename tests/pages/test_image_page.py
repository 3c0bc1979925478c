import numpy as np
import pytest
from page_reader import SMALL, Open, component_data, floats, microscope, texts

from core import Trace
from core.models import vision
from core.models.vision import Vision
from pages.see.image.controls import Pictures, image_trace


def test_the_first_run_shows_the_weights_of_the_middle_patch(open_page: Open) -> None:
    at = open_page("image", lang="zh", model="seeded")
    assert not at.exception
    assert "每行权重之和为 1" in texts(at)
    photo, relit = component_data(at, "picture")
    assert photo["grid"] == relit["grid"] == [14, 14]
    assert photo["chosen"] == relit["chosen"] == 7 * 14 + 7  # the middle
    shown = microscope(at)
    assert shown.chosen["stage"] == "weights"
    assert shown.label("weights", "query") == str(7 * 14 + 8)  # counted from 1, behind [CLS]


def test_the_overlay_is_a_row_of_weights_without_that_of_cls(open_page: Open) -> None:
    at = open_page("image", lang="en", head="2", row="3", **SMALL["image"])
    relit = component_data(at, "picture")[1]
    lit = floats(relit["weights"])
    assert lit.shape == (16,)
    assert 0 < lit.sum() < 1
    shown = microscope(at)
    (row,) = shown.arrays["weights"][:, 1, 2].tolist()
    assert shown.names("weights", "key")[0] == "[CLS]"
    np.testing.assert_array_equal(lit, np.float32(row[1:]))


def test_the_overlay_can_be_the_mean_of_all_heads(open_page: Open) -> None:
    at = open_page("image", lang="en", row="3", light="mean", **SMALL["image"])
    relit = component_data(at, "picture")[1]
    lit = floats(relit["weights"])
    rows = microscope(at).arrays["weights"][0, :, 2, 1:].astype(float)
    np.testing.assert_allclose(lit, rows.mean(axis=0), rtol=1e-6)


def test_samples_are_cached_for_all_sessions_and_uploads_are_not(
    open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing of an upload stays behind when its session ends."""
    computed, trace = [], Vision.trace

    def counted(model: Vision, images: np.ndarray, *names: object) -> Trace:
        computed.append(images)
        return trace(model, images, *names)

    monkeypatch.setattr(Vision, "trace", counted)
    open_page("image", lang="en", picture="tabby", model="vision")
    first = len(computed)
    open_page("image", lang="en", picture="tabby", model="vision")
    assert first <= 1
    assert len(computed) == first
    model, own = vision.load(), np.zeros((1, 32, 32, 3), np.uint8)
    for _ in range(2):
        image_trace(Pictures(own, model.patch, True, model))
    assert len(computed) == first + 2
