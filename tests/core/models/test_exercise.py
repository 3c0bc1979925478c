"""Exercises drawn from a seed: whole numbers, nothing symmetric, nothing to copy."""

import math

from core.models.worked import WO_AI_BEIJING, random_sheet

SEEDS = range(60)


def by_plain_loops(Q: list, K: list, V: list, causal: bool) -> dict[str, list[list[float]]]:
    """Every step with Python's own numbers; what the mask forbids is None."""
    scores = [[sum(a * b for a, b in zip(q, k, strict=True)) for k in K] for q in Q]
    scaled = [[x / math.sqrt(len(Q[0])) for x in row] for row in scores]
    masked = [
        [None if causal and j > i else x for j, x in enumerate(row)] for i, row in enumerate(scaled)
    ]
    weights, output = [], []
    for row in masked:
        powers = [0.0 if x is None else math.exp(x) for x in row]
        weights.append([power / sum(powers) for power in powers])
        pairs = list(zip(weights[-1], V, strict=True))
        output.append([sum(w * v[j] for w, v in pairs) for j in range(len(V[0]))])
    visible = [[w or None for w in row] for row in weights]
    return {"scores": scores, "scaled": masked, "weights": visible, "head_output": output}


def copied(steps: dict[str, list[list[float]]]) -> list[str]:
    """The cells below the first row that could be copied from another cell, to two digits."""
    found = []
    for key, rows in steps.items():
        cells = [(i, j, x) for i, row in enumerate(rows) for j, x in enumerate(row)]
        for i, j, x in cells:
            others = [y for k, m, y in cells if (k, m) != (i, j)]
            if i and x is not None and any(y is not None and abs(x - y) < 0.005 for y in others):
                found.append(f"{key}[{i}, {j}] = {x}")
    return found


def test_no_exercise_is_symmetric_and_no_cell_of_one_can_be_copied_from_another():
    faults = []
    for seed in SEEDS:
        for causal in (False, True):
            sheet = random_sheet(seed, causal=causal)
            Q, K, V = (sheet.matrices[name][0].tolist() for name in "QKV")
            steps = by_plain_loops(Q, K, V, causal)
            faults += [f"{seed}: {cell}" for cell in copied(steps)]
            scores, n = steps["scores"], len(Q)
            same = [
                (i, j) for i in range(n) for j in range(n) if i < j and scores[i][j] == scores[j][i]
            ]
            faults += [f"{seed}: symmetric at {index}" for index in same]
    assert not faults


def test_the_example_of_the_lesson_can_be_copied_from_which_is_why_none_is_like_it():
    Q, K, V = (WO_AI_BEIJING.matrices[name][0].tolist() for name in "QKV")
    assert "scores[1, 0] = 6.0" in copied(by_plain_loops(Q, K, V, causal=False))


def test_an_exercise_is_of_small_whole_numbers_and_a_root_without_a_remainder():
    for seed in SEEDS:
        matrices = random_sheet(seed).matrices
        assert [matrices[name].shape for name in "QKV"] == [(1, 3, 4), (1, 3, 4), (1, 3, 2)]
        for name, matrix in matrices.items():
            assert (matrix == matrix.round()).all(), (seed, name)
            assert -1 <= matrix.min() <= matrix.max() <= 9, (seed, name)


def test_a_seed_gives_the_same_exercise_and_another_gives_another():
    def written(seed: int) -> str:
        sheet = random_sheet(seed)
        return str((sheet.tokens, {name: m.tolist() for name, m in sheet.matrices.items()}))

    assert written(7) == written(7)
    assert len({written(seed) for seed in SEEDS}) == len(SEEDS)
