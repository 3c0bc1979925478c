"""A trace as a notebook of plain NumPy, whose cells are run."""

import ast
import json

import numpy as np
import pytest
from claims import for_all
from shown_traces import (
    TRACES,
    crossed,
    intervened,
    latent,
    many_patches,
    picture,
    sentence,
    shared_out,
    spaced,
    today,
)

from core.errors import InputError
from core.models.by_hand import Sheet
from core.models.worked import WO_AI_BEIJING
from core.nested import attention_alone, one_head
from views.export.numpy_notebook import ipynb
from views.text import EXPORT, LANGUAGES


def in_halves():
    return today("bfloat16")


def by_hand():
    return Sheet.trace(WO_AI_BEIJING)


@for_all(
    "made",
    [
        by_hand, sentence, crossed, picture, today, in_halves, latent, intervened, shared_out,
        spaced, many_patches,
    ],
)  # fmt: skip
def test_its_cells_run_and_compute_the_numbers_of_every_stage(made):
    trace = made()
    cells = json.loads(ipynb(trace, LANGUAGES["zh"], {"head": 2}))["cells"]
    if made is many_patches:  # too many numbers for all of it
        trace = one_head(attention_alone(trace), 0, 2)
        note = EXPORT["zh"].reduced.format(head=3, heads=4)
        assert note in "".join(cells[0]["source"])
    assert EXPORT["zh"].notebook_says in "".join(cells[0]["source"])
    headings = [line for cell in cells for line in cell["source"] if line.startswith("## ")]
    assert not any(r"\$" in line for line in headings)  # formulas in them are set
    assert any("$W^Q$ · " in line for line in headings) == ("W_Q" in trace)
    code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    found: dict = {}
    for source in code:
        imported = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Import)]
        assert {alias.name for node in imported for alias in node.names} <= {"numpy"}
        exec(source, found)
    for key, stage in trace.items():
        off = 1e-9 if stage.tensor.dtype != np.float32 else 1e-2 if made is in_halves else 1e-5
        numbers = found[key.replace("/", "_")]
        assert numbers.shape == stage.tensor.shape, key
        np.testing.assert_allclose(numbers, stage.tensor, off, off, err_msg=key)


def test_too_many_numbers_to_read_are_refused():
    with pytest.raises(InputError, match="too_many_numbers"):
        ipynb(TRACES["own sound"](), LANGUAGES["en"])
