"""The recorded runs that ship with the project: what is claimed of them, and that they open."""

import numpy as np
import pytest
from claims import for_all

from core import explain
from core.models import pretrained
from core.models.recorded import FOLDER, runs

MOST_BYTES, MOST_BYTES_EACH = 4_000_000, 1_700_000
TAKES = {  # the token that asks, and what it takes most from
    "mary": ("␣to", "␣Mary"),
    "river": ("␣bank", "␣river"),
    "money": ("␣bank", "␣money"),
    "gift": ("小", "明"),
    "dursley": ("␣D", "urs"),
    "previous": ("␣dog", "␣lazy"),
    "cat": ("102", "125"),
    "speech": ("␣little", "0.70 s"),
}
NEXT = {"mary": "␣Mary", "gift": "明", "dursley": "urs"}


def weights_of(name):
    """(query, key)."""
    return runs()[name].trace["weights"].tensor[0, 0]


def rows(x, epsilon, gamma, beta=None):
    """RMSNorm, or LayerNorm with a beta, in float64."""
    if beta is None:
        return gamma * x / np.sqrt((x**2).mean(axis=1, keepdims=True) + epsilon)
    centred = x - x.mean(axis=1, keepdims=True)
    variance = (centred**2).mean(axis=1, keepdims=True)
    return gamma * centred / np.sqrt(variance + epsilon) + beta


def rotated(x, theta):
    """Each pair (i, i + d/2) turned by position · theta^(−2i/d), as complex numbers."""
    half = x.shape[1] // 2
    angle = np.outer(np.arange(len(x)), theta ** (-np.arange(half) / half))
    turned = (x[:, :half] + 1j * x[:, half:]) * np.exp(1j * angle)
    return np.concatenate([turned.real, turned.imag], axis=1)


def by_numpy(name):
    """The weights of a run from its file alone, in float64."""
    run = runs()[name]
    with np.load(run.file) as file:
        given = {key: file[key].astype(np.float64) for key in file.files}
    epsilon, rotary = run.settings["epsilon"], run.settings["rotary"]
    X = rows(given["stream"], epsilon, given["gamma"], given.get("beta"))
    Q = X @ given["W_Q"] + given.get("b_Q", 0)
    K = given.get("memory", X) @ given["W_K"] + given.get("b_K", 0)
    if "gamma_Q" in given:
        Q, K = (rows(x, epsilon, given[f"gamma_{letter}"]) for x, letter in ((Q, "Q"), (K, "K")))
    if rotary:
        Q, K = rotated(Q, rotary["theta"]), rotated(K, rotary["theta"])
    scores = Q @ K.T / np.sqrt(Q.shape[1])
    if run.settings["causal"]:
        scores[np.triu_indices(len(scores), 1)] = -np.inf
    parts = np.exp(scores - scores.max(axis=1, keepdims=True))
    return parts / parts.sum(axis=1, keepdims=True)


def test_each_run_has_a_claim_and_all_fit_into_four_megabytes():
    assert runs().keys() == TAKES.keys()
    sizes = [path.stat().st_size for path in FOLDER.iterdir()]
    assert sum(sizes) <= MOST_BYTES
    assert max(sizes) <= MOST_BYTES_EACH
    assert {run.model for run in runs().values()} == pretrained.ALL.keys()


@for_all("name", TAKES)
def test_the_weights_are_those_that_plain_numpy_computes_and_each_row_sums_to_one(name):
    found = weights_of(name)
    assert found.sum(axis=1) == pytest.approx(1, abs=1e-5)
    np.testing.assert_allclose(found, by_numpy(name), atol=1e-4)


@for_all("name", TAKES)
def test_the_head_takes_most_from_what_is_claimed(name):
    run, weights = runs()[name], runs()[name].trace["weights"]
    asked, taken = TAKES[name]
    most = int(weights_of(name)[run.query].argmax())
    assert most in run.keys
    assert weights.axis("query").label(run.query) == asked
    assert weights.axis("key").label(most) == taken


@for_all("name", NEXT)
def test_the_models_next_token_is_the_one_that_is_named(name):
    (likeliest, _), *_ = runs()[name].predicted
    assert likeliest == NEXT[name]


@for_all("name", [name for name in TAKES if name not in ("cat", "speech")])
def test_the_next_tokens_probabilities_are_those_of_plain_numpy_and_all_others_share_the_rest(name):
    run = runs()[name]
    with np.load(run.file) as file:
        last, gamma, listed = (
            file[key].astype(np.float64) for key in ("last", "final_gamma", "rows")
        )
    logits = listed @ rows(last[None], run.settings["epsilon"], gamma)[0]
    assert (np.diff(logits) <= 0).all(), "the likeliest first"
    parts = np.exp(np.append(logits, run.others[0]))
    found = run.prediction["probabilities"]
    np.testing.assert_allclose(found.tensor[0, 0], parts / parts.sum(), atol=1e-5)
    assert found.axis("vocabulary").names() == (*run.likeliest, f"+ {run.others[1]}")
    assert [share for _, share in run.predicted] == found.tensor[0, 0, :-1].tolist()
    assert run.others[1] + len(run.likeliest) == {"smollm2": 49_152, "gemma": 262_144}[run.model]


def test_the_probabilities_are_those_of_the_model():
    run = runs()["mary"]
    model = pretrained.ALL[run.model]
    if not pretrained.packaged(model):
        pytest.skip(f"not installed: {model.command}")
    made = pretrained.open_checkpoint(model).predict(run.text)
    exact = made.probabilities[list(made.likeliest[: len(run.likeliest)])]
    np.testing.assert_allclose([share for _, share in run.predicted], exact, atol=1e-5)


def test_of_a_picture_and_a_sound_no_next_token_is_recorded():
    for name in ("cat", "speech"):
        assert (runs()[name].prediction, runs()[name].predicted) == (None, ())


def test_the_recorded_shares_are_those_of_the_weights():
    for name in ("mary", "river", "money", "gift", "dursley"):
        run = runs()[name]
        share = weights_of(name)[run.query, run.keys[0]]
        assert share == pytest.approx(run.share, abs=1e-3), name
    before = np.diagonal(weights_of("previous"), -1)[1:].mean()
    assert before == pytest.approx(runs()["previous"].share, abs=1e-3)
    left = [1 + 16 * row + column for row in (5, 6, 7) for column in (4, 5, 6)]
    given = weights_of("cat")[np.ix_(left, runs()["cat"].keys)].sum(axis=1)
    assert given.mean() == pytest.approx(runs()["cat"].share, abs=1e-3)
    assert weights_of("gift")[-1, 5] < weights_of("gift")[-1, 2] / 2  # 红, and 明


def test_both_banks_are_read_by_one_head():
    river, money = runs()["river"], runs()["money"]
    assert (river.layer, river.head) == (money.layer, money.head)


def test_speech_is_looked_for_from_left_to_right():
    looks = weights_of("speech")[3:-1].argmax(axis=1)  # of the tokens behind the prompt
    assert (np.diff(looks) > 0).all()


@for_all("name", TAKES)
def test_every_computed_number_opens_to_what_made_it(name):
    for trace in filter(None, (runs()[name].trace, runs()[name].prediction)):
        for key, stage in trace.items():
            if stage.computed_from:
                index = tuple(size - 1 for size in stage.tensor.shape)
                cell = explain(trace, key, index)
                assert cell.made_by.value == pytest.approx(cell.value, rel=1e-3, abs=1e-4), key
