"""The downstream changes of an edit."""

import numpy as np

from core.exercises.difference import difference, differences
from core.models.worked import D4_H2, PADDED, WO_AI_BEIJING


def changed_cells(before, after):
    found = differences(before.trace(), after.trace())
    return {key: by for key, by in found if by is None or by.any()}


def test_editing_one_query_changes_only_its_row():
    Q = np.array([[[2.0], [7.0], [5.0]]])
    found = changed_cells(WO_AI_BEIJING, WO_AI_BEIJING.with_matrix("Q", Q))
    assert set(found) == {"Q", "scores", "scaled", "weights", "head_output"}
    np.testing.assert_array_equal(found["scores"][0, 0], [[0, 0, 0], [8, 12, 20], [0, 0, 0]])
    for by in found.values():
        assert by[0, 0, 1].all()
        assert not by[0, 0, [0, 2]].any()


def test_changes_from_and_to_infinity():
    masked = PADDED.trace()["masked"]
    other = WO_AI_BEIJING.with_tokens(("a",) * 10).trace()["scaled"]
    assert not difference(masked, masked).any()
    by = difference(masked, other)
    assert np.isposinf(by[0, 0, :, 3:]).all()
    assert np.isfinite(by[0, 0, :, :3]).all()


def test_rounding_is_no_change():
    rounded = D4_H2.with_matrix("Q", D4_H2.trace()["Q"].tensor[0].round(12))
    assert not changed_cells(D4_H2, rounded)
    before, after = (
        WO_AI_BEIJING.with_matrix("Q", np.array([[[1e6], [small], [0]]])).trace()["Q"]
        for small in (1, 1 + 1e-5)
    )
    assert not difference(before, after).any()  # beside a million a change of 1e-5 is rounding


def test_another_shape_cannot_be_compared():
    wider = WO_AI_BEIJING.with_matrix("V", np.ones((1, 3, 2)))
    found = changed_cells(WO_AI_BEIJING, wider)
    assert found == {"V": None, "head_output": None}
