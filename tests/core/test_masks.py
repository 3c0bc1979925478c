import numpy as np
from claims import for_all
from refuses import refuses

from core import masks, scaled_dot_product_attention
from core.options import AttentionOptions


def as_text(mask):
    return ["".join("x" if cell else "." for cell in row) for row in mask]


@for_all(
    ("query", "key", "expected"),
    [
        (3, 3, ["x..", "xx.", "xxx"]),
        (2, 5, ["x....", "xx..."]),
        (5, 2, ["x.", "xx", "xx", "xx", "xx"]),
    ],
)
def test_causal_allows_keys_up_to_the_query(query, key, expected):
    assert as_text(masks.causal(query, key)) == expected


def test_a_window_allows_keys_near_the_query():
    for before, after, expected in (
        (1, 2, ["xxx...", "xxxx..", ".xxxx.", "..xxxx"]),
        (-1, 0, ["x.....", "xx....", "xxx...", "xxxx.."]),
        (0, -1, ["xxxxxx", ".xxxxx", "..xxxx", "...xxx"]),
    ):
        assert as_text(masks.window(4, 6, before, after)) == expected


@for_all("reach", range(5))
def test_a_neighbourhood_is_a_square_clipped_at_the_border(reach):
    rows, columns = 3, 5
    mask = masks.neighbourhood(rows, columns, reach)
    assert mask.shape == (15, 15)
    for i, j, k, m in np.ndindex(rows, columns, rows, columns):
        near = max(abs(i - k), abs(j - m)) <= reach
        assert mask[i * columns + j, k * columns + m] == near
    if reach == 1:
        counts = [4, 6, 6, 6, 4, 6, 9, 9, 9, 6, 4, 6, 6, 6, 4]
        assert mask.sum(axis=1).tolist() == counts


def test_without_removes_the_given_cells():
    drawn = masks.without(3, 5, [(0, 4), (2, 0), (2, 1), (3, 0), (0, 5)])
    assert as_text(drawn) == ["xxxx.", "xxxxx", "..xxx"]
    assert masks.without(3, 5, []).all()


PARTS = {
    "causal": masks.causal(5, 7),
    "window": masks.window(5, 7, 2, 1),
    "padding": masks.key_mask([4], 7),
    "drawn": masks.without(5, 7, [(3, 1), (1, 1)]),
}


def test_composed_is_the_conjunction_of_masks():
    allowed = masks.composed(5, 7, PARTS.values())
    for i in range(5):
        for j in range(7):
            by_hand = j <= i and i - 2 <= j <= i + 1 and j < 4 and (i, j) not in {(3, 1), (1, 1)}
            assert allowed[i, j] == by_hand
    assert masks.composed(5, 7, []).tolist() == np.ones((5, 7)).tolist()


def test_a_mask_of_another_size_does_not_compose():
    with refuses("shape_mismatch", expected="broadcastable to (5, 7)"):
        masks.composed(5, 7, [masks.causal(5, 5)])


@for_all(
    ("given", "expected"),
    [
        ((), (1, 1, 1, 1)), ((7,), (1, 1, 1, 7)), ((5, 7), (1, 1, 5, 7)), ((5, 1), (1, 1, 5, 1)),
        ((3, 1, 7), (1, 3, 1, 7)), ((2, 3, 5, 7), (2, 3, 5, 7)),
    ],
)  # fmt: skip
def test_aligned_adds_leading_axes(given, expected):
    mask = np.arange(np.prod(given, dtype=int)).reshape(given)
    aligned = masks.aligned("allowed", mask, (2, 3, 5, 7))
    assert aligned.shape == expected
    assert np.array_equal(aligned.ravel(), mask.ravel())


@for_all("given", [(5,), (7, 5), (2, 5, 7), (0,), (1, 2, 3, 5, 7)])
def test_a_mask_that_does_not_broadcast_is_refused(given):
    with refuses("shape_mismatch", name="allowed", expected="broadcastable to (2, 3, 5, 7)"):
        masks.aligned("allowed", np.ones(given, dtype=bool), (2, 3, 5, 7))


@for_all(
    ("name", "expected"),
    [
        ("none", ["xxxx", "xxxx", "xxxx", "xxxx"]),
        ("causal", ["x...", "xx..", "xxx.", "xxxx"]),
        ("window", ["xx..", "xxx.", ".xxx", "..xx"]),
        ("both", ["x...", "xx..", ".xx.", "..xx"]),
    ],
)
def test_a_choice_allows_what_all_its_masks_allow(name, expected):
    Q = np.zeros((1, 1, 4, 2))
    ways = [masks.CHOICES[name]]
    if name in masks.MASKS:  # as is given a mask that is no step of its own
        ways.append(masks._allowed(masks.MASKS[name]))
    for way in ways:
        options = AttentionOptions(**way(4, 1))
        weights = scaled_dot_product_attention(Q, Q, Q, options)["weights"].tensor
        assert as_text(weights[0, 0] > 0) == expected


def test_a_head_mask_zeroes_the_weights_of_its_heads_only():
    rng = np.random.default_rng(5)
    Q, K, V = rng.normal(size=(3, 2, 3, 5, 4))
    plain = scaled_dot_product_attention(Q, K, V)["weights"].tensor
    options = AttentionOptions(head_mask=np.array([True, False, True]), causal=False)
    trace = scaled_dot_product_attention(Q, K, V, options)
    assert not trace["weights"].tensor[:, 1].any() and not trace["head_output"].tensor[:, 1].any()
    np.testing.assert_array_equal(trace["weights"].tensor[:, ::2], plain[:, ::2])
    with refuses("shape_mismatch", name="head_mask"):
        scaled_dot_product_attention(Q, K, V, AttentionOptions(head_mask=np.ones(2, bool)))
    with refuses("not_boolean"):
        scaled_dot_product_attention(Q, K, V, AttentionOptions(head_mask=np.ones(3)))
