"""pytest adds this folder to the import path, so that all tests can import its modules."""

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import settings

from core import Weights, multi_head_attention
from core.sources import image
from views import link, selection

settings.register_profile("stable", deadline=None, derandomize=True, database=None, max_examples=50)
settings.load_profile("stable")


@pytest.fixture
def state(monkeypatch):
    st = SimpleNamespace(session_state={}, query_params=None, context=SimpleNamespace(locale="en"))
    monkeypatch.setattr(link, "st", st)
    monkeypatch.setattr(selection, "st", st)
    return st.session_state


@pytest.fixture(scope="module")
def square():
    """Nine patches behind [CLS]."""
    pixels = np.random.default_rng(9).uniform(-1, 1, (1, 6, 6, 3)).astype(np.float32)
    source = image.embed(pixels, 2, 8, seed=3)
    return multi_head_attention(source, Weights.seeded(8, 2, 11))
