"""Claims about all pages, and about all pages of *Understand* and *Today*."""

import re
from collections.abc import Callable, Iterator
from urllib.parse import parse_qs, parse_qsl, urlsplit

from claims import for_all
from page_reader import charts, component_data, microscope, texts
from plotly.graph_objects import Figure
from streamlit.testing.v1 import AppTest

from views import navigation
from views.navigation import CHAPTERS, PAGE_INFO, section
from views.text import CHAPTER, GLOSSARY, Words, words_beside
from views.text.glossary import TERMS
from views.text.spans import SYMBOL

LESSONS = tuple(page for pages in CHAPTERS.values() for page in pages)
PAGES = (*CHAPTERS, *LESSONS)
WITH_MICROSCOPE = ("by_hand", "cross", *CHAPTERS["today"])  # which names the terms of its step
LANGS = ("zh", "en")
FirstLook = Callable[[str, str], AppTest]
GAP = re.compile(r".*[\u3001\u3002\u3008-\u301b\uff01-\uff1f] +(?=[^\s|]).*")
MATHEMATICS = re.compile(r"\$[^$]+\$|`[^`]+`")


def raw(markdown: str) -> list[str]:
    """The symbols that a Markdown text shows as they are typed."""
    shown = MATHEMATICS.sub(" ", markdown).replace("\\", "")
    return [match[0] for match in SYMBOL.finditer(shown)]


def markdown(at: AppTest) -> Iterator[str]:
    """Headers and cells of every table, and every text below."""
    for table in at.table:
        yield from map(str, table.value.columns)
        yield from map(str, table.value.to_numpy().flat)
    yield from (element.value for element in (*at.caption, *at.markdown))


def test_fields_that_are_set_and_those_that_are_not_are_distinguished() -> None:
    assert raw(r"$d_{k}$ and `d_k`") == []
    assert raw(r"d\_k, $d_{k}$, W^O") == ["d_k", "W^O"]


@for_all("lang", LANGS)
@for_all("page", navigation.PAGES)
def test_no_symbol_stands_raw_and_no_chinese_mark_has_a_gap(
    first_look: FirstLook, page: str, lang: str
) -> None:
    at = first_look(page, lang)
    assert not at.exception
    found = {text: symbols for text in markdown(at) if (symbols := raw(text))}
    assert not found
    assert not (GAP.findall(texts(at)) if lang == "zh" else [])


def lesson_of(page: str, lang: str) -> Words:
    shared = {"understand": CHAPTER, "glossary": GLOSSARY}
    lesson: Words = (shared.get(page) or words_beside(navigation.PAGES[page]))[lang].lesson
    if page not in CHAPTERS:
        return lesson
    counts = {"experiments": len(section("experiments")), "pages": len(section("variants"))}
    return lesson | {"lead": lesson.lead.format(**counts)}


@for_all("lang", LANGS)
@for_all("page", PAGES)
def test_a_page_asks_a_question_and_ends_with_what_was_learnt(
    first_look: FirstLook, page: str, lang: str
) -> None:
    at = first_look(page, lang)
    assert not at.exception
    assert len(at.title) == 1
    leads = [data for data in component_data(at, "prose") if data["style"] == "lead"]
    lesson = lesson_of(page, lang)
    for data, sentence in ((leads[0], lesson.lead), (leads[-1], lesson.learnt)):
        (paragraph,) = data["paragraphs"]
        assert "".join(text for text, _ in paragraph) == sentence.replace("d_k", "dk")
    assert all(data["language"].startswith(lang) for data in leads)
    assert any(f"## {CHAPTER[lang].learnt}" in element.value for element in at.markdown)


@for_all("page", LESSONS)
def test_a_page_shows_the_address_of_exactly_this_view(first_look: FirstLook, page: str) -> None:
    at = first_look(page, "zh")
    addresses = [code.value for code in at.code if "lang=" in code.value]
    (address,) = addresses
    assert parse_qs(urlsplit(address).query)["lang"] == ["zh"]


@for_all("lang", LANGS)
@for_all("chapter", CHAPTERS)
def test_the_contents_lead_to_every_page_in_the_readers_language(
    first_look: FirstLook, chapter: str, lang: str
) -> None:
    at = first_look(chapter, lang)
    links = [element.proto for element in at.get("page_link")]
    for page in CHAPTERS[chapter]:
        (card,) = [link for link in links if link.page.endswith(page)]
        assert dict(parse_qsl(card.query_string)) == {"lang": lang}
    about = {page: PAGE_INFO[lang][page].about for page in CHAPTERS[chapter]}
    captions = (element.value.replace("\\", "") for element in at.caption)
    shown = "\n".join(captions).replace("$sqrt{d_{k}}$", "√d_k")
    assert all(line in shown for line in about.values())


@for_all("page", [page for pages in CHAPTERS.values() for page in pages[:-1]])
def test_a_page_leads_to_the_next(first_look: FirstLook, page: str) -> None:
    at = first_look(page, "en")
    following = LESSONS[LESSONS.index(page) + 1]
    called = PAGE_INFO["en"][following].title
    labels = [element.proto.label.replace("\\", "") for element in at.get("page_link")]
    assert f"Next: **{called}** →" in labels


@for_all("page", LESSONS)
def test_a_page_is_all_in_one_language(first_look: FirstLook, page: str) -> None:
    english, chinese = (texts(first_look(page, lang)) for lang in ("en", "zh"))
    assert english != chinese
    sentences = [s for s in english.splitlines() if len(re.findall("[A-Za-z]{3,}", s)) > 5]
    assert not [sentence for sentence in sentences if sentence in chinese.splitlines()]


@for_all("page", [p for p in LESSONS if p != "glossary"])
def test_a_page_leads_from_its_terms_to_what_other_books_call_them(
    first_look: FirstLook, page: str
) -> None:
    at = first_look(page, "zh")
    links = [element.proto for element in at.get("page_link")]
    asked = [link.query_string for link in links if "term=" in link.query_string]
    if page in WITH_MICROSCOPE:
        shown = microscope(at)
        terms = shown.header["sheets"]["terms"][shown.chosen["stage"]]
        asked += [a.removeprefix("glossary?") for _, a in terms if a.startswith("glossary?")]
        of_a_page = [a.partition("?")[0] for _, a in terms if not a.startswith("glossary?")]
        assert {*of_a_page} <= {*LESSONS}  # a term that a page is about leads there
    else:
        of_a_page = []
    assert len(asked) + len(of_a_page) >= 2
    names = {parse_qs(query)["term"][0] for query in asked}
    assert len(names) == len(asked)
    assert names <= {each.name for each in TERMS}
    assert all("lang=zh" in query for query in asked)


@for_all("page", LESSONS)
def test_every_chart_is_one_of_plotly_and_says_its_axes_and_numbers_to_those_who_do_not_see_it(
    first_look: FirstLook, page: str
) -> None:
    for chart in charts(first_look(page, "en")):
        Figure(chart)  # checks all properties, which the app does not
    alts = [chart.proto.alt for chart in first_look(page, "en").get("plotly_chart")]
    assert not [alt for alt in alts if len(alt.split("; ")) < 3 or not re.search(r"\d", alt)]
