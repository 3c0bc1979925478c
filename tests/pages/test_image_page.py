import base64

import numpy as np
import pytest
from page_reader import Open, component_data, texts

SMALL = {"size": "64", "patch": "16", "d_model": "16", "heads": "2"}  # 4 × 4 patches
TITLES = {"zh": "每一行分掉 1", "en": "each row shares out 1"}


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_a_first_look_shows_the_weights_of_a_sample_with_a_patch_chosen(
    open_page: Open, lang: str
) -> None:
    at = open_page("image", lang=lang)
    assert not at.exception
    assert TITLES[lang] in texts(at)
    photo, relit = component_data(at, "picture")
    assert photo["grid"] == relit["grid"] == [14, 14]
    assert photo["chosen"] == relit["chosen"] == 7 * 14 + 7  # the middle


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_a_patch_is_called_a_patch_and_never_a_word(open_page: Open, lang: str) -> None:
    said = texts(open_page("image", lang=lang, **SMALL))
    name, other = {"zh": ("块 11", "词"), "en": ("patch 11", "token ")}[lang]
    assert name in said
    assert other not in said


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_next_leads_from_the_patches_to_the_last_stage(open_page: Open, lang: str) -> None:
    at = open_page("image", lang=lang, stage="patches", **SMALL)
    seen = []
    while not at.exception:
        (rail,) = component_data(at, "rail")
        seen.append(next(step["key"] for step in rail["steps"] if step["state"] == "now"))
        if at.button(key="forward").disabled:
            break
        at.button(key="forward").click().run()
    assert not at.exception
    assert seen == [
        "patches", "flattened", "embedding", "sequence", "position", "X", "Q", "K", "V",
        "scores", "scaled", "weights", "head_output", "concat", "output",
    ]  # fmt: skip


def test_the_photo_is_lit_by_a_row_of_weights_without_the_share_of_cls(open_page: Open) -> None:
    at = open_page("image", lang="en", head="2", row="3", **SMALL)
    relit = component_data(at, "picture")[1]
    lit = np.frombuffer(base64.b64decode(relit["weights"]), "<f4")
    assert lit.shape == (16,)
    assert 0 < lit.sum() < 1
    (opened,) = component_data(at, "opened")
    shares = [float(row[-1][0][0]) for row in opened["rows"]]
    assert opened["rows"][0][0][0][0] == "[CLS]"
    np.testing.assert_allclose(lit, shares[1:], atol=1e-4)


def test_without_cls_every_token_is_a_patch(open_page: Open) -> None:
    at = open_page("image", lang="en", cls="0", stage="X", **SMALL)
    (rail,) = component_data(at, "rail")
    shapes = {step["key"]: step["shape"] for step in rail["steps"]}
    assert shapes["X"] == [["token", "16"], ["d_model", "16"]]
    assert shapes["sequence"] == []


@pytest.mark.parametrize("name", ["cat", "ring", "lake", "tiles", "boat"])
def test_every_sample_can_be_looked_at(open_page: Open, name: str) -> None:
    at = open_page("image", lang="zh", picture=name, **SMALL)
    assert not at.exception
    assert len(component_data(at, "picture")) == 2


def test_a_step_that_is_not_there_is_answered_with_its_reason(open_page: Open) -> None:
    at = open_page("image", lang="en", stage="dropped", **SMALL)
    assert "Dropout is 0" in texts(at)
    assert TITLES["en"] in texts(at)
