from collections.abc import Callable
from dataclasses import replace

import numpy as np
from claims import for_all
from decoder_reader import TEXT
from page_reader import Open, charts, microscope, texts

from core.models.altered import Attention
from core.models.opened_model import Checkpoint


def projected(attention: Attention, d_c: int) -> Attention:
    """W_K and W_V on the d_c strongest directions, by the eigenvectors of their squares."""
    weights = attention.weights
    A = np.concatenate([weights.W_K, weights.W_V], axis=1).astype(float)
    _, vectors = np.linalg.eigh(A @ A.T)
    best = (vectors[:, -d_c:] @ vectors[:, -d_c:].T @ A).astype(np.float32)
    keys = weights.W_K.shape[1]
    return replace(attention, weights=replace(weights, W_K=best[:, :keys], W_V=best[:, keys:]))


def test_the_first_run_shows_k_and_v_made_from_half_of_the_cache(
    open_page: Open, decoder: Checkpoint, perplexity: Callable[..., str]
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
    assert "50\u00a0% of the cache" in texts(at)
    assert perplexity() in texts(at)
    assert perplexity(lambda attention: projected(attention, 96)) in texts(at)


def test_the_width_of_a_strip_is_that_of_its_numbers(open_page: Open) -> None:
    layout = charts(open_page("latent", lang="zh", d_c="48"))[0]["layout"]
    assert layout["xaxis"]["domain"] == [0, 1]
    assert layout["xaxis2"]["domain"] == [0, 0.25]


def test_the_microscope_makes_keys_from_latents(open_page: Open) -> None:
    shown = microscope(open_page("latent", lang="en", d_c="16"))
    assert shown.chosen["stage"] == "K"
    assert "latent" in shown.steps
    assert not {"W_K", "W_V"} & shown.header["stages"].keys()
    assert "nothing was trained again" in shown.description()


@for_all(("d_c", "en"), [("8", "rises from"), ("96", "does not rise"), ("192", "nothing is saved")])
def test_the_sentence_and_the_curve_follow_the_size_of_the_latents(
    open_page: Open, d_c: str, en: str
) -> None:
    at = open_page("latent", lang="en", d_c=d_c)
    assert en in texts(at)
    curve, _, here = charts(at)[1]["data"]
    assert here["y"] == [curve["y"][curve["x"].index(int(d_c))]]
    assert curve["y"][0] > curve["y"][-1]
