from dataclasses import replace

import numpy as np
from claims import for_all
from page_reader import Open, charts, microscope, texts

from core.models.altered import Attention
from core.models.checkpoint import Checkpoint

TEXT = "The cat sat on the mat because it was warm"


def projected(attention: Attention, d_c: int) -> Attention:
    """W_K and W_V on the d_c strongest directions, by the eigenvectors of their squares."""
    weights = attention.weights
    A = np.concatenate([weights.W_K, weights.W_V], axis=1).astype(float)
    _, vectors = np.linalg.eigh(A @ A.T)
    best = (vectors[:, -d_c:] @ vectors[:, -d_c:].T @ A).astype(np.float32)
    keys = weights.W_K.shape[1]
    return replace(attention, weights=replace(weights, W_K=best[:, :keys], W_V=best[:, keys:]))


def test_a_first_look_halves_the_cache_and_says_what_the_decoder_makes_of_it(
    open_page: Open, decoder: Checkpoint
) -> None:
    at = open_page("latent", lang="en")
    assert not at.exception
    trained, latents, made, difference = (np.array(one["z"]) for one in charts(at)[0]["data"])
    assert (trained.shape, latents.shape) == ((11, 192), (11, 96))
    trace = decoder.run(TEXT, 4)
    K, V = (trace[f"encoder/4/self/{key}"].tensor[0] for key in "KV")
    np.testing.assert_allclose(trained[:, 48:96], K[1], atol=1e-6)
    np.testing.assert_allclose(trained[:, 96:144], V[0], atol=1e-6)
    low = projected(decoder.attention(TEXT, 4), 96).trace()
    np.testing.assert_allclose(made[:, :48], low["K"].tensor[0, 0], atol=1e-4)
    np.testing.assert_allclose(difference, made - trained, atol=1e-6)
    said = texts(at)
    assert "50\u00a0% of the cache" in said
    for change in (lambda attention: attention, lambda attention: projected(attention, 96)):
        told = decoder.log_probabilities(TEXT, change)
        assert f"{np.exp(-told.mean()):.2f}" in said


def test_the_strips_are_as_wide_as_what_they_hold(open_page: Open) -> None:
    layout = charts(open_page("latent", lang="zh", d_c="48"))[0]["layout"]
    assert layout["xaxis"]["domain"] == [0, 1]
    assert layout["xaxis2"]["domain"] == [0, 0.25]


def test_the_microscope_makes_keys_from_latents(open_page: Open) -> None:
    shown = microscope(open_page("latent", lang="en", d_c="16"))
    assert shown.chosen["stage"] == "K"
    assert "latent" in shown.steps
    assert not {"W_K", "W_V"} & shown.header["stages"].keys()
    assert "nothing was trained again" in shown.told()


@for_all(("d_c", "en"), [("8", "rises from"), ("96", "does not rise"), ("192", "nothing is saved")])
def test_what_is_said_follows_the_size(open_page: Open, d_c: str, en: str) -> None:
    at = open_page("latent", lang="en", d_c=d_c)
    assert en in texts(at)
    curve, _, here = charts(at)[1]["data"]
    assert here["y"] == [curve["y"][curve["x"].index(int(d_c))]]
    assert curve["y"][0] > curve["y"][-1]


def test_scores_without_keys_agree_to_rounding_and_not_with_rotary_positions(
    open_page: Open,
) -> None:
    at = open_page("latent", lang="en", d_c="32")
    said = texts(at)
    assert "·10⁻⁶, with scores" in said or "·10⁻⁵, with scores" in said
    assert "32 numbers in place of 48" in said
    named = at.table[1].value
    assert named.iloc[3, 1] == "512 + 64"
    assert named.iloc[0, 2].replace("\\", "") == "515.4 GB"  # 2 · 128 · 128 · 60 · 131072 · 2
    assert named.iloc[3, 2].replace("\\", "") == "9.1 GB"
