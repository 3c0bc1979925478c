import math
import re
from urllib.parse import quote, unquote

import numpy as np
from claims import for_all
from page_reader import Open, component_data, microscope, printed, texts
from streamlit.testing.v1 import AppTest

from core.sources.position import sinusoids
from core.sources.text import vector
from pages.understand.glossary.questions import ASKED
from views.navigation import PAGES
from views.text import GLOSSARY, words_beside
from views.text.glossary import TERMS

QUESTIONS = words_beside(PAGES["glossary"])

WORDS_OF_FIRST = ("我", "爱", "北京")
D, H, SEED = 8, 2, 7
D_K = D // H


def links(at: AppTest) -> list[tuple[str, dict[str, str]]]:
    """Page and query of every link in the main part but those that lead back."""
    page_links = []
    for element in at.main.get("page_link"):
        if element.proto.label.endswith("›"):
            continue
        query = dict(pair.split("=") for pair in element.proto.query_string.split("&") if pair)
        page_links.append((element.proto.page, query))
    return page_links


def example() -> dict[str, np.ndarray]:
    """Every step of the first example, by NumPy alone."""
    embedding = np.stack([vector(word, D, SEED) for word in WORDS_OF_FIRST])
    X = embedding + sinusoids(3, D)
    random, limit = np.random.default_rng(SEED), math.sqrt(6 / (D + D))
    W = [random.uniform(-limit, limit, (D, D)) for _ in range(4)]

    def heads(packed: np.ndarray) -> np.ndarray:
        return np.stack([packed[:, :D_K], packed[:, D_K:]])

    Q, K, V = (heads(X @ term) for term in W[:3])
    scores = Q @ K.transpose(0, 2, 1)
    weights = shared_out(scores / 2)
    return {
        "embedding": embedding, "X": X, "Q": Q, "K": K, "V": V, "scores": scores,
        "weights": weights, "W": np.array(W),
    }  # fmt: skip


def shared_out(scores: np.ndarray) -> np.ndarray:
    e = np.exp(scores)
    return e / e.sum(axis=-1, keepdims=True)


def output(X: np.ndarray, W: np.ndarray) -> np.ndarray:
    parts = []
    for head in range(H):
        own = slice(head * D_K, (head + 1) * D_K)
        Q, K, V = (X @ W[i][:, own] for i in range(3))
        parts.append(shared_out(Q @ K.T / 2) @ V)
    return np.concatenate(parts, axis=1) @ W[3]


def test_a_first_look_lists_every_term_with_shape_and_other_names(open_page: Open) -> None:
    at = open_page("glossary", lang="zh")
    assert not at.exception
    shown = texts(at)
    assert GLOSSARY["zh"].lesson.learnt in shown
    for term in TERMS:
        for _, names in term.also:
            assert all(f"`{name}`" in shown for name in names)
    assert r"\(batch 1, head 2, query 3, $d_{k}$ 4\)" in shown
    assert r"$d_{\text{model}}$ = 8" in shown


def test_every_link_opens_an_existing_step_or_an_experiment(open_page: Open) -> None:
    page_links = links(open_page("glossary", lang="zh"))
    steps = [(page, query) for page, query in page_links if "stage" in query]
    shown = [term for term in TERMS if term.stage]
    assert [query["stage"] for _, query in steps] == [term.stage for term in shown]
    assert [query.get("part", "") for _, query in steps] == [quote(term.part, "") for term in shown]
    alone = [query["example"] for page, query in page_links if page == "checkpoint"]
    assert alone == ["dinov2"] * (len(TERMS) - len(shown)) != []
    assert all(query["lang"] == "zh" for _, query in page_links)
    assert {page for page, _ in page_links} <= set(PAGES)
    # One link to each part of each page; that all others' steps exist: test_glossary_search.py.
    for page, query in {(page, query.get("part")): (page, query) for page, query in steps}.values():
        asked = {name: unquote(value) for name, value in query.items()}
        at = open_page(page, **asked)
        assert not at.exception
        assert at.query_params["stage"] == asked["stage"]
        assert microscope(at).chosen["stage"] == asked["stage"]
        assert not [one for one in component_data(at, "prose") if one["style"] == "notice"]


def test_a_search_finds_a_name_and_is_in_the_link(open_page: Open) -> None:
    at = open_page("glossary", lang="zh")
    at.text_input(key="find").set_value("c_attn").run()
    assert at.query_params["find"] == "c_attn"
    steps = [query["stage"] for page, query in links(at) if page == "sentence"]
    assert steps == ["W_Q", "W_K", "W_V"]
    again = open_page("glossary", lang="zh", find="c_attn")
    assert again.text_input(key="find").value == "c_attn"
    assert len([page for page, _ in links(again) if page == "sentence"]) == 3


def test_a_link_shows_one_term_first(open_page: Open) -> None:
    at = open_page("glossary", lang="zh", term="d_k")
    assert GLOSSARY["zh"].asked in texts(at)
    assert links(at)[0] == ("sentence", {"lang": "zh", "stage": "Q", "model": "seeded"})
    assert at.query_params["term"] == "d_k"


def test_shapes_are_those_of_the_users_sentence(open_page: Open) -> None:
    at = open_page("sentence", lang="en", text="She loves the sea", d_model="12", heads="3")
    at.query_params.clear()
    at.switch_page("../pages/understand/glossary/page.py").run()
    shown = texts(at)
    assert r"\(batch 1, head 3, query 4, key 4\)" in shown
    assert r"$d_{\text{model}}$ = 12" in shown
    assert "She loves the sea" in shown
    query = next(query for page, query in links(at) if page == "sentence")
    assert query["text"].replace("+", " ").replace("%20", " ") == "She loves the sea"


def test_every_question_has_answer_figure_and_link(open_page: Open) -> None:
    at = open_page("glossary", lang="zh", part="questions")
    assert not at.exception
    titles = [expander.label.replace("\\", "") for expander in at.main.expander]
    asked = [QUESTIONS["zh"].questions[name].asked for name in ASKED]
    assert titles == asked
    assert [expander.proto.expanded for expander in at.main.expander] == [True] + [False] * 9
    assert len(component_data(at, "grids")) == len(ASKED)
    more = links(at)[: len(ASKED)]
    assert more == [(page, {"lang": "zh"}) for _, page in ASKED.values()]
    assert "{" not in texts(at)


def test_a_link_opens_one_question(open_page: Open) -> None:
    at = open_page("glossary", lang="en", part="questions", question="bias")
    assert [e.proto.expanded for e in at.main.expander].index(True) == 7


def test_the_numbers_of_the_answers_are_those_of_an_independent_computation(
    open_page: Open,
) -> None:
    at = open_page("glossary", lang="en", part="questions")
    page_text = texts(at)
    figures = {
        name: [printed(grid) for grid in data["grids"]]
        for name, data in zip(ASKED, component_data(at, "grids"), strict=True)
    }
    here, near = example(), {"atol": 0.0051}
    Q, K, scores, weights, X, W = (here[k] for k in ("Q", "K", "scores", "weights", "X", "W"))

    for shown, value in zip(figures["transpose"], (Q[0], K[0].T, scores[0]), strict=True):
        np.testing.assert_allclose(shown, value, **near)
    assert f"{scores[0, 0, 2]:.2f}" in page_text

    whole = np.exp(scores[0] / 2) / np.exp(scores[0] / 2).sum()
    np.testing.assert_allclose(figures["axis"][0], weights[0], **near)
    np.testing.assert_allclose(figures["axis"][1], whole, **near)
    assert f"{whole[0].sum():.2f}" in page_text
    assert " · ".join(f"{value:.2f}" for value in weights[0].sum(axis=0)) in page_text

    both = np.stack([shared_out(scores[0, 0] / math.sqrt(width)) for width in (D_K, D)])
    np.testing.assert_allclose(figures["root"][0], both, **near)
    drawn = np.random.default_rng(SEED)
    random = np.concatenate([drawn.standard_normal((2, 200, 4096)) for _ in range(10)], 1)[..., :64]
    measured = math.sqrt(np.mean(np.sum(random[0] * random[1], axis=1) ** 2))
    for value in (measured, measured / 8, measured / math.sqrt(512)):
        assert f"{value:.2f}" in page_text

    np.testing.assert_allclose(figures["shape"][1], weights[1], **near)
    assert "(1, 2, 3, 3)" in page_text

    np.testing.assert_allclose(figures["again"][0], X @ X.T, **near)
    assert f"{np.abs(scores[0] - scores[0].T).max():.2f}" in page_text

    np.testing.assert_allclose(figures["lengths"][0], weights[0, :1], **near)
    assert "(1 × 4)" in page_text

    whose = np.repeat([1, 2, 3], D).reshape(-1, D_K)[:3]
    np.testing.assert_array_equal(figures["view"][1], whose)
    misplaced = int((whose != np.array([[1], [2], [3]])).sum())
    assert f"In {misplaced} of 12 " in page_text

    b = np.random.default_rng(SEED).standard_normal(D)
    shift = Q[0] @ b[:D_K] / 2
    np.testing.assert_allclose(figures["bias"][1], scores[0] / 2 + shift[:, None], **near)
    np.testing.assert_allclose(figures["bias"][2], weights[0], **near)
    assert " · ".join(f"{value:+.2f}".replace("-", "−") for value in shift) in page_text
    assert re.search(r"than (0|\d\.\d·10⁻¹[⁶⁷])", page_text)

    np.testing.assert_allclose(figures["heads"][0], weights[:, 0], **near)
    assert re.search(rf"\b{4 * D * D}\b", page_text)
    assert str(4 * 3 * D * D + 2 * 9 * D) in page_text

    positions = sinusoids(3, D)
    np.testing.assert_allclose(figures["position"][2], X[:, :4], **near)
    turned = output(here["embedding"][::-1] + positions, W)[::-1]
    assert f"{np.abs(turned - output(X, W)).max():.2f}" in page_text


def test_answers_use_the_first_six_words_of_the_users_sentence(open_page: Open) -> None:
    at = open_page("sentence", lang="en", text="The cat sat on the mat because it was warm")
    at.query_params.clear()
    at.query_params["part"] = "questions"
    at.switch_page("../pages/understand/glossary/page.py").run()
    assert not at.exception
    assert "“The cat sat on the mat”" in texts(at)
    grid = component_data(at, "grids")[0]["grids"][2]
    assert grid["rows"] == ["The", "cat", "sat", "on", "the", "mat"]


@for_all("text", ["<b>x</b> $a$", "我\n你好"])
def test_questions_are_answered_for_any_sentence(open_page: Open, text: str) -> None:
    at = open_page("sentence", lang="en", text=text)
    at.query_params.clear()
    at.query_params["part"] = "questions"
    at.switch_page("../pages/understand/glossary/page.py").run()
    assert not at.exception
    assert not any("<b>" in element.value for element in at.markdown)
    at.button_group(key="part").set_value("words").run()
    assert not at.exception
