import numpy as np
from page_reader import Open, component_data, microscope, texts, titled
from streamlit.testing.v1 import AppTest

from core import Weights, multi_head_attention
from core.sources import text


def flow(at: AppTest) -> dict:
    (data,) = component_data(at, "cross")
    return data


def scores(query_tokens: list[str], key_tokens: list[str], seed: int) -> np.ndarray:
    X, memory = (text.embed([tokens], 8, seed) for tokens in (query_tokens, key_tokens))
    trace = multi_head_attention(X, Weights.seeded(8, 2, seed), memory=memory["X"])
    return trace["scores"].tensor[0]


def rounded(values: np.ndarray) -> list[list[str]]:
    return [[f"{value:.2f}".replace("-", "−") for value in row] for row in values]


def test_a_first_look_shows_rectangular_scores_of_both_sentences(open_page: Open) -> None:
    at = open_page("cross", lang="en")
    assert not at.exception
    viewer = microscope(at)
    assert viewer.chosen["stage"] == "scores"
    assert (viewer.label("scores", "query"), viewer.label("scores", "key")) == ("love", "北京")
    assert viewer.arrays["scores"].shape == (1, 2, 3, 4)
    assert [(one["symbol"], one["feeds"]) for one in flow(at)["sources"]] == [
        ("X", "Q"),
        ("memory", "KV"),
    ]
    assert flow(at)["shapes"]["scores"] == "(query 3, key 4)"
    assert "the pattern means nothing" in texts(at)


def test_self_attention_computes_q_k_and_v_from_x(open_page: Open) -> None:
    at = open_page("cross", lang="zh")
    at.button_group(key="source").set_value("self").run()
    assert not at.exception
    assert at.query_params["source"] == "self"
    assert [(one["symbol"], one["feeds"]) for one in flow(at)["sources"]] == [("X", "QKV")]
    assert flow(at)["shapes"]["scores"] == "(query 3, key 3)"
    assert at.text_input(key="memory").disabled
    assert "memory" not in microscope(at).header["stages"]


def test_self_attention_without_the_step_memory_shows_scores(
    open_page: Open,
) -> None:
    at = open_page("cross", lang="en", stage="memory")
    assert microscope(at).chosen["stage"] == "memory"
    at.button_group(key="source").set_value("self").run()
    assert not at.exception
    assert microscope(at).chosen["stage"] == "scores"


def test_a_swap_transposes_the_shape_of_the_scores_but_not_their_numbers(open_page: Open) -> None:
    at = open_page("cross", lang="en", seed="5")
    there = scores(["I", "love", "Beijing"], ["我", "爱", "北京", "天安门"], 5)
    back = scores(["我", "爱", "北京", "天安门"], ["I", "love", "Beijing"], 5)
    assert titled(at)["scores, as above"]["printed"] == rounded(there[0])
    assert titled(at)["scores, swapped"]["printed"] == rounded(back[0])
    far = np.abs(there - back.swapaxes(1, 2)).max()
    assert f"by up to {far:.2f} over all heads" in texts(at)
    at.button(key="swap").click().run()
    assert at.text_input(key="text").value == "我爱北京天安门"
    assert at.text_input(key="memory").value == "I love Beijing"
    assert microscope(at).arrays["scores"].shape == (1, 2, 4, 3)
    assert titled(at)["scores, as above"]["printed"] == rounded(back[0])
    assert at.query_params["text"] == "我爱北京天安门"


def test_questions_are_answered_with_the_shapes_of_this_trace(open_page: Open) -> None:
    at = open_page("cross", lang="zh", text="a b c", memory="u v w x y")
    shown = texts(at)
    for shape in ("(query 3, d_k 4)", "(key 5, d_k 4)", "(query 3, key 5)", "(query 3, d_model 8)"):
        assert shape.replace("d_", "") in shown.replace("d_", "")
    labels = [one.label for one in at.expander]
    assert any("1, 2, 3, 4" in label for label in labels)
    table = at.table[0].value
    assert list(table["scores"]) == ["batch 1", "head 2", "query 3", "key 5"]
    assert list(table["K"]) == ["batch 1", "head 2", "key 5", "$d_{k}$ 4"]
    same = "四个数一模一样"
    assert same not in shown
    assert same in texts(open_page("cross", lang="zh"))
