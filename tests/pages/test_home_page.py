import math

import pytest
from claims import for_all
from page_reader import Open, component_data, texts

from core.models import translator
from views.navigation import MAIN_PAGES, PAGE_INFO
from views.server import classroom
from views.text import LANGUAGES


def test_the_example_is_in_the_readers_language_and_its_weights_open_to_their_sum(
    open_page: Open,
) -> None:
    shown = {lang: component_data(open_page("home", lang=lang), "glance") for lang in LANGUAGES}
    (chinese,), (english,) = shown["zh"], shown["en"]
    assert " ".join(chinese["keys"]) == "他 昨天 没有 来 学校"
    pieces = translator.load().translate("他昨天没有来学校").pieces
    assert chinese["queries"] == [translator.load().target[piece] for piece in pieces]
    assert " ".join(english["keys"]) == " ".join(english["queries"]) == "The river burst its bank"
    largest = {"zh": ("yesterday", "昨天"), "en": ("bank", "river")}
    for lang, (glance,) in shown.items():
        looks = dict(zip(glance["queries"], glance["weights"], strict=True))
        query, key = largest[lang]
        assert glance["queries"][glance["chosen"]] == query
        assert max(looks[query]) == looks[query][glance["keys"].index(key)] > 0.5
        sums = [sum(row) for row in glance["weights"]]
        assert sums == pytest.approx([1] * len(sums), abs=1e-5)
        for row, scores in zip(glance["printed"], glance["scores"], strict=True):
            powers = [math.exp(float(score.replace("−", "-"))) if score else 0 for score in scores]
            shares = [power / sum(powers) for power in powers]
            assert [float(weight) for weight in row] == pytest.approx(shares, abs=0.02)
    assert all(bool(score) == (j <= i) for i, row in enumerate(english["scores"])
               for j, score in enumerate(row))  # fmt: skip
    assert "没有人告诉过这个头" in texts(open_page("home", lang="zh"))
    assert translator.load().best_untaught_head != translator.load().supervised_head


def test_links_lead_to_every_page_in_the_chosen_language(open_page: Open) -> None:
    at = open_page("home", lang="en")
    links = [element.proto for element in at.get("page_link")]
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
    without = ("home", "story", "class", "recorded")
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
