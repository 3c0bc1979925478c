import math

import pytest
from claims import for_all
from page_reader import Open, component_data, texts

from core.models import translator
from views.navigation import MAIN_PAGES, PAGE_INFO
from views.server import classroom
from views.text import LANGUAGES


@for_all("lang", ["zh", "en"])
def test_the_example_has_weights_that_open_to_their_sum_and_words_with_a_gloss(
    open_page: Open, lang: str
) -> None:
    at = open_page("home", lang=lang)
    assert not at.exception
    (glance,) = component_data(at, "glance")
    assert " ".join(glance["keys"]) == "他 昨天 没有 来 学校"
    model = translator.load()
    pieces = model.translate("他昨天没有来学校").pieces
    assert glance["queries"] == [model.target[piece] for piece in pieces]
    sums = [sum(row) for row in glance["weights"]]
    assert sums == pytest.approx([1] * len(pieces), abs=1e-5)
    looks = dict(zip(glance["queries"], glance["weights"], strict=True))
    assert max(looks["yesterday"]) == looks["yesterday"][1] > 0.5
    glosses = ["he", "yesterday", "not have", "come", "school"]
    assert [meaning for _, meaning in glance["glosses"]] == (glosses if lang == "en" else [])
    for row, scores in zip(glance["printed"], glance["scores"], strict=True):
        powers = [math.exp(float(score.replace("−", "-"))) for score in scores]
        shares = [power / sum(powers) for power in powers]
        assert [float(weight) for weight in row] == pytest.approx(shares, abs=0.02)
    words = {"zh": "词对由统计得出", "en": "translations of each other"}[lang]
    assert words in texts(at)


def test_links_lead_to_every_page_in_the_chosen_language(open_page: Open) -> None:
    at = open_page("home", lang="en")
    links = [element.proto for element in at.get("page_link")]
    assert {"Home", "Sentence", "Image"} < {link.label for link in links}
    for title in (
        "Why attention at all",
        "Type a sentence",
        "Watch it translate",
        "Bring a picture",
        "Record a sound",
        "Look into real models",
        "Open your own model",
        "Change a number",
    ):
        assert sum(title in link.label for link in links) == 1
    assert all("lang=en" in link.query_string.split("&") for link in links)


@for_all("lang", LANGUAGES)
def test_the_table_of_tokens_has_a_row_for_every_kind_of_input(lang: str) -> None:
    words = LANGUAGES[lang]
    without = ("home", "story", "recorded")
    titles = {PAGE_INFO[words.code][name].title for name in MAIN_PAGES if name not in without}
    assert {row[0] for row in words.home.token_rows} == titles


@for_all("lang", LANGUAGES)
def test_with_host_the_home_page_shows_the_address_and_its_qr_code(
    open_page: Open, lang: str
) -> None:
    words = LANGUAGES[lang].classroom
    with pytest.MonkeyPatch.context() as patch:
        for named in ("", "https://am.school.example"):
            patch.setenv(classroom.VARIABLE, named)
            at = open_page("home", lang=lang)
            shown = component_data(at, "class_address")
            assert [one["address"] for one in shown] == ([named] if named else [])
        assert shown[0]["words"]["qr"] == words.qr.format(address=named)
        assert tuple(shown[0]["modules"]) == classroom.modules(named)
        patch.setenv(classroom.VARIABLE, classroom.FIND)
        patch.setattr(classroom, "own_address", lambda: None)
        patch.setattr(classroom, "loopback_only", lambda: None)
        assert words.no_network in texts(open_page("home", lang=lang))
        patch.setattr(classroom, "loopback_only", lambda: "::1")
        assert words.loopback.format(setting="::1") in texts(open_page("home", lang=lang))
