"""Helpers for tests of the page *By hand*."""

import json
from pathlib import Path

import numpy as np
from streamlit.testing.v1 import AppTest

EXAMPLES = json.loads(
    (Path(__file__).parents[1] / "core" / "data" / "worked_examples.json").read_text("utf-8")
)


def agree(found: np.ndarray, expected: list[list[float | None]]) -> None:
    known = [[-np.inf if x is None else x for x in row] for row in expected]
    np.testing.assert_allclose(found, known, rtol=0, atol=1e-9)


def paste(at: AppTest, text: str) -> None:
    at.text_area(key="paste").set_value(text)
    at.button(key="put").click().run()
    assert not at.exception


def press(at: AppTest, key: str) -> None:
    at.button(key=key).click().run()
    assert not at.exception
