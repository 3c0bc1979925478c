import re

import pytest
from page_reader import Open, component_data, texts

TITLES = {"zh": "每个词问每个词", "en": "every token asks every token"}


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_a_first_look_shows_the_scores_of_the_sample_with_one_cell_opened(
    open_page: Open, lang: str
) -> None:
    at = open_page("sentence", lang=lang)
    assert not at.exception
    assert TITLES[lang] in texts(at)
    (opened,) = component_data(at, "opened")
    label = {"zh": "头 1", "en": "head 1"}[lang]
    assert "".join(text for text, _ in opened["title"]) == f"scores[{label}, 爱, 北京]"
    terms = [float(term["value"][0][0][2:].replace("−", "-")) for term in opened["terms"]]
    total = float(opened["total"].replace("−", "-"))
    assert len(terms) == 4
    assert sum(terms) == pytest.approx(total, abs=1e-9)


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_next_leads_through_every_stage_to_the_last_and_previous_leads_back(
    open_page: Open, lang: str
) -> None:
    at = open_page("sentence", lang=lang, stage="tokens", mask="causal", residual="1")
    seen = []
    while not at.exception:
        (rail,) = component_data(at, "rail")
        seen.append(next(step["key"] for step in rail["steps"] if step["state"] == "now"))
        if at.button(key="forward").disabled:
            break
        at.button(key="forward").click().run()
    assert not at.exception
    assert seen == [
        "tokens", "embedding", "position", "X", "Q", "K", "V", "scores", "scaled", "masked",
        "weights", "head_output", "concat", "output", "residual", "normalised",
    ]  # fmt: skip
    at.button(key="back").click().run()
    assert at.query_params["stage"] == "residual"


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_the_sentence_about_a_row_sets_its_largest_weight_against_an_even_share(
    open_page: Open, lang: str
) -> None:
    said = texts(open_page("sentence", lang=lang, stage="weights", mask="causal", row="2"))
    assert "0.50" in said  # 爱 may look at 我 and 爱: an even share is a half
    only = {"zh": "“我”只能看“我”", "en": "“我” may look only at “我”"}[lang]
    assert only in texts(open_page("sentence", lang=lang, stage="weights", mask="causal", row="1"))


def test_steps_that_do_not_apply_are_greyed_with_their_reason(open_page: Open) -> None:
    (rail,) = component_data(open_page("sentence", lang="en"), "rail")
    off = {step["key"]: step["reason"] for step in rail["steps"] if step["state"] == "off"}
    assert set(off) == {"masked", "dropped", "residual", "normalised"}
    assert all(off.values())


def test_every_choice_of_the_link_reaches_its_widget_and_the_trace(open_page: Open) -> None:
    at = open_page(
        "sentence", lang="en", text="a b c d", mode="custom", d_model="12", heads="3", seed="5",
        mask="causal", temperature="2.0", dropout="0.3", residual="1", position="0",
        stage="weights", head="3", row="4", column="2",
    )  # fmt: skip
    assert not at.exception
    assert at.text_area(key="text").value == "a b c d"
    assert at.number_input(key="d_model").value == 12
    assert at.number_input(key="heads").value == 3
    assert at.slider(key="temperature").value == 2.0
    assert at.checkbox(key="position").value is False
    (opened,) = component_data(at, "opened")
    assert "".join(text for text, _ in opened["title"]) == "weights[head 3, d, b]"
    assert component_data(at, "heads")[0]["chosen"] == 2


def test_the_language_switch_keeps_every_value(open_page: Open) -> None:
    at = open_page("sentence", lang="zh", text="她爱海", seed="9", stage="Q", row="2")
    before = component_data(at, "opened")[0]["total"]
    at.button_group(key="lang").set_value("en").run()
    assert at.text_area(key="text").value == "她爱海"
    assert at.query_params["lang"] == "en"
    assert at.query_params["stage"] == "Q"
    assert component_data(at, "opened")[0]["total"] == before
    assert "what each token asks for" in texts(at)


def test_another_step_keeps_the_chosen_query_and_key(open_page: Open) -> None:
    at = open_page("sentence", lang="en", stage="scores", row="3", column="1")
    at.button(key="forward").click().run()
    assert at.query_params["row"] == "3"
    assert at.query_params["column"] == "1"
    for _ in range(2):  # weights, head_output: rows are still queries
        at.button(key="forward").click().run()
    assert at.query_params["stage"] == "head_output"
    assert at.query_params["row"] == "3"


def test_the_shape_table_names_every_axis(open_page: Open) -> None:
    table = open_page("sentence", lang="en", below="shapes").table[0].value
    shapes = dict(zip(table["step"], table["named shape"], strict=True))
    assert shapes["Q"] == r"(batch 1, head 2, query 3, d\_k 4)"
    assert shapes["**scores**"] == "(batch 1, head 2, query 3, key 3)"
    work = dict(zip(table["step"], table["multiply-adds"], strict=True))
    assert work["Q"] == "192"  # 2 heads · 3 queries · 4 columns · 8 products
    assert work["**scores**"] == "72"  # 2 heads · 3 · 3 cells · 4 products


def test_padding_rows_are_no_part_of_any_sentence(open_page: Open) -> None:
    at = open_page(
        "sentence", lang="en", text="我爱北京\nI love", stage="weights", sample="2", row="3"
    )
    assert "This row, [PAD], is mere filling" in texts(at)
    assert "looks most at" not in texts(at)
    assert "has one unit of attention" not in texts(at)


@pytest.mark.parametrize(
    ("text", "zh", "en"),
    [
        (" \n ", "还没有文字", "There is no text yet"),
        ("字" * 2001, "2001", "2001"),
        ("a\u202eb", "U+202E", "U+202E"),
        ("\n".join("abcdefghi"), "9 行", "9 lines"),
        ("a " * 65, "65 个词元", "65 tokens"),
    ],
)
def test_bad_text_is_answered_by_one_sentence_and_kept(
    open_page: Open, text: str, zh: str, en: str
) -> None:
    for lang, expected in (("zh", zh), ("en", en)):
        at = open_page("sentence", lang=lang)
        at.text_area(key="text").set_value(text).run()
        assert not at.exception
        assert expected in texts(at)
        assert at.text_area(key="text").value == text
        at.text_area(key="text").set_value("我爱北京").run()
        assert TITLES[lang] in texts(at)


def test_an_error_keeps_the_step_of_the_link_for_when_it_is_mended(open_page: Open) -> None:
    at = open_page("sentence", lang="en", stage="concat", d_model="9", heads="2")
    assert "cannot be shared out equally" in texts(at)
    assert not re.search(r"stage=concat", texts(at))
    at.number_input(key="d_model").set_value(10).run()
    assert at.query_params["stage"] == "concat"
    assert "heads side by side" in texts(at)


def test_a_model_too_large_for_the_limit_is_refused_before_it_is_computed(open_page: Open) -> None:
    from core.limits import LIMITS

    at = open_page("sentence", lang="en", d_model="99999")
    assert "d_model=99999" in texts(at)
    assert at.number_input(key="d_model").max == LIMITS.d_model


def test_nonsense_is_named_and_defaults_take_its_place(open_page: Open) -> None:
    at = open_page("sentence", lang="en", stage="nowhere", row="77", seed="1e9", what="ever")
    said = texts(at)
    for part in ("stage=nowhere", "row=77", "seed=1e9", "what=ever"):
        assert part in said
    assert TITLES["en"] in said
    assert at.number_input(key="seed").value == 7


def test_blank_lines_are_no_samples(open_page: Open) -> None:
    at = open_page("sentence", lang="en", text="a b\n\nc\n")
    captions = [caption.value for caption in at.caption]
    assert any("2 lines are 2 samples" in caption for caption in captions)
    at = open_page("sentence", lang="en", text="a b\n")
    assert not any("samples" in caption.value for caption in at.caption)


def test_fewer_heads_keep_the_nearest_head(open_page: Open) -> None:
    at = open_page("sentence", lang="en", heads="4", head="4")
    at.number_input(key="heads").set_value(2).run()
    assert at.query_params["head"] == "2"


def test_a_text_too_long_for_a_link_is_said_to_stay_behind(open_page: Open) -> None:
    at = open_page("sentence", lang="en")
    at.text_area(key="text").set_value(" ".join("abcdefghi" for _ in range(40))).run()
    assert any("too long for the address" in caption.value for caption in at.caption)


@pytest.mark.parametrize("query", [{"heads": "3"}, {"text": " "}])
def test_a_link_that_cannot_be_computed_shows_an_example_below_its_sentence(
    open_page: Open, query: dict[str, str]
) -> None:
    at = open_page("sentence", lang="en", stage="weights", row="3", **query)
    assert "Below is an example." in texts(at)
    assert "weights[head 1, 北京" in "".join(
        text for text, _ in component_data(at, "opened")[0]["title"]
    )
