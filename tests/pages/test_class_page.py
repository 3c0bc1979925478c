"""The page of a class, and the lessons that come with it."""

import json
from urllib.parse import parse_qsl

from claims import for_all
from page_reader import Open, component_data, texts

from core.limits import CLASS
from views.export.bundle import ASSETS
from views.navigation import PAGES
from views.server.classes.lessons import lessons
from views.server.classes.room import checked
from views.text import LANGUAGES

COMPUTED = ("cell", "row", "shares")  # asked of the figure that the step shows
STEPS = sorted(
    {
        (step["place"]["page"], step["place"]["query"])
        for one in lessons("en")
        for step in one["steps"]
    }
)


@for_all("lang", LANGUAGES)
def test_the_page_has_the_limits_and_the_lessons_in_its_language(
    open_page: Open, lang: str
) -> None:
    at = open_page("class", lang=lang)
    assert not at.exception
    (data,) = component_data(at, "class_page")
    assert str(CLASS.students) in data["texts"]["teach_about"]
    assert [one["minutes"] for one in data["lessons"]] == [45, 45, 90]
    assert data["lessons"] == lessons(lang)
    assert ("亲手算一遍" if lang == "zh" else "By hand") == data["lessons"][0]["title"]


@for_all("lang", LANGUAGES)
def test_every_question_of_a_lesson_is_one_that_a_class_takes(lang: str) -> None:
    for lesson in lessons(lang):
        assert lesson["steps"][0]["ask"] is None  # a lesson begins with something to look at
        for step in lesson["steps"]:
            event = checked({"do": "place", "place": step["place"]}, "", 0.0)
            assert event["place"] == step["place"] and step["place"]["page"] in PAGES
            if step["ask"] is None:
                continue
            ask = checked({"do": "ask", "ask": step["ask"]}, "", 0.0)["ask"]
            assert ask == step["ask"]
            is_computed = ask["asks"] in COMPUTED
            assert is_computed == (step["right"] is None) == step["place"]["hide"], step["title"]
            if not is_computed:
                assert int(step["right"]) < len(ask["options"]) and ask["text"]
                assert {one: ask[one] for one in ("text", "options")} == ask["languages"][lang]
                read = ask["languages"].values()  # by students, each in their own language
                assert {len(one["options"]) for one in read} == {len(ask["options"])}
                assert len({one["text"] for one in read}) == len(LANGUAGES)


@for_all(("page", "query"), STEPS)
def test_every_step_of_a_lesson_opens_as_its_link_says(
    open_page: Open, page: str, query: str
) -> None:
    at = open_page(page, lang="en", **dict(parse_qsl(query)))
    assert not at.exception
    assert LANGUAGES["en"].nonsense.split("{")[0] not in texts(at)


def test_a_lesson_is_written_in_both_languages() -> None:
    for file in sorted((ASSETS / "lessons").glob("*.json")):
        lesson = json.loads(file.read_text("utf-8"))
        for text in (lesson["title"], *(step["title"] for step in lesson["steps"])):
            assert text.keys() == set(LANGUAGES), file.name
