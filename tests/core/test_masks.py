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
def test_causal_lets_a_query_see_itself_and_what_came_before(query, key, expected):
    assert as_text(masks.causal(query, key)) == expected


def test_a_window_lets_a_query_see_its_neighbours():
    assert as_text(masks.window(4, 6, before=1, after=2)) == [
        "xxx...",
        "xxxx..",
        ".xxxx.",
        "..xxxx",
    ]


def test_a_key_mask_shows_as_many_keys_as_each_sample_has():
    assert as_text(masks.key_mask([3, 0, 5], 5)) == ["xxx..", ".....", "xxxxx"]


@for_all("reach", range(5))
def test_a_neighbourhood_is_a_square_of_patches_cut_off_at_the_border(reach):
    rows, columns = 3, 5
    mask = masks.neighbourhood(rows, columns, reach)
    assert mask.shape == (15, 15)
    for i, j, k, m in np.ndindex(rows, columns, rows, columns):
        near = max(abs(i - k), abs(j - m)) <= reach
        assert mask[i * columns + j, k * columns + m] == near
    if reach == 1:
        seen = [4, 6, 6, 6, 4, 6, 9, 9, 9, 6, 4, 6, 6, 6, 4]
        assert mask.sum(axis=1).tolist() == seen


@for_all("reach", [0, 1, 2, 7])
def test_a_neighbourhood_in_a_single_row_is_a_window(reach):
    assert np.array_equal(masks.neighbourhood(1, 7, reach), masks.window(7, 7, reach, reach))


def test_a_drawn_mask_lacks_just_the_cells_that_were_clicked():
    drawn = masks.without(3, 5, [(0, 4), (2, 0), (2, 1), (3, 0), (0, 5)])
    assert as_text(drawn) == ["xxxx.", "xxxxx", "..xxx"]
    assert masks.without(3, 5, []).all()


PARTS = {
    "causal": masks.causal(5, 7),
    "window": masks.window(5, 7, 2, 1),
    "padding": masks.key_mask([4], 7),
    "drawn": masks.without(5, 7, [(3, 1), (1, 1)]),
}


def test_what_is_allowed_is_what_every_mask_allows():
    allowed = masks.composed(5, 7, PARTS.values())
    for i in range(5):
        for j in range(7):
            by_hand = j <= i and i - 2 <= j <= i + 1 and j < 4 and (i, j) not in {(3, 1), (1, 1)}
            assert allowed[i, j] == by_hand


def test_no_mask_at_all_allows_everything():
    assert masks.composed(5, 7, []).all()
    assert masks.composed(5, 7, []).shape == (5, 7)


def test_masks_compose_in_any_order_and_group():
    a, b, c, d = PARTS.values()
    whole = masks.composed(5, 7, [a, b, c, d])
    assert np.array_equal(whole, masks.composed(5, 7, [d, b, a, c]))
    pairs = [masks.composed(5, 7, [a, b]), masks.composed(5, 7, [c, d])]
    assert np.array_equal(whole, masks.composed(5, 7, pairs))


@for_all("name", PARTS)
def test_a_mask_twice_is_the_mask_once(name):
    once = masks.composed(5, 7, [PARTS[name]])
    assert np.array_equal(once, masks.composed(5, 7, [PARTS[name]] * 2))


def test_causal_and_window_are_a_band_below_the_diagonal():
    band = masks.composed(5, 5, [masks.causal(5, 5), masks.window(5, 5, 2, 2)])
    assert as_text(band) == ["x....", "xx...", "xxx..", ".xxx.", "..xxx"]
    assert np.array_equal(band, masks.window(5, 5, before=2, after=0))


def test_composing_changes_none_of_the_parts():
    before = {name: mask.copy() for name, mask in PARTS.items()}
    masks.composed(5, 7, PARTS.values())
    for name, mask in PARTS.items():
        assert np.array_equal(mask, before[name])


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
def test_a_mask_is_given_the_axes_that_it_lacks_in_front(given, expected):
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
    options = AttentionOptions(**masks.CHOICES[name](4, 1))
    weights = scaled_dot_product_attention(Q, Q, Q, options)["weights"].tensor
    assert as_text(weights[0, 0] > 0) == expected


def test_a_masked_head_gives_no_weight_and_the_other_heads_are_as_before():
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
