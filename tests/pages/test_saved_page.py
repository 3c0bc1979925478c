"""The HTML file that a page offers for download."""

import json
import re
from typing import Any

import pytest
from claims import for_all
from page_reader import Open, headed
from streamlit.runtime.scriptrunner import StopException
from streamlit.testing.v1 import AppTest

from views.navigation import PAGE_INFO
from views.text import LANGUAGES
from views.widgets import microscope

ORIGIN = {
    "sentence": {"zh": "种子 7", "en": "seed 7"},
    "image": {"zh": "训练", "en": "trained"},
}


def ask(at: AppTest, address: str = "", query: str = "") -> AppTest:
    """The page, which is asked for a file."""
    asked = at.session_state["session"].memories[microscope.PendingExport]
    asked.file = {"address": address, "query": query, "format": "html"}
    return at


@for_all("page", ORIGIN)
def test_a_page_answers_once_with_a_file_in_both_languages(open_page: Open, page: str) -> None:
    at = open_page(page, lang="en")
    ((header, _),) = headed(at, "run")
    assert header["file"] == {"bytes": 0, "size": "0 B", "refused": "", "number": 0}

    address, query = f"https://app.example/{page}", "stage=weights&row=2"
    ask(at, address, query).run()
    assert not at.exception
    ((header, packed),) = headed(at, "run")
    file = packed[-header["file"]["bytes"] :].decode()
    assert file.startswith("<!DOCTYPE html>")
    found = re.search(r'id="contents">(.*?)</script>', file, re.DOTALL)
    assert found
    contents = json.loads(found[1])
    assert contents["language"] == "en"
    (contents,) = contents["parts"]
    assert contents["query"] == query
    for code, words in LANGUAGES.items():
        around = contents["languages"][code]
        assert around["heading"].startswith(PAGE_INFO[words.code][page].title)
        assert "/" not in around["heading"], "a part of the model is named in words"
        facts = [value for _, value, _ in around["facts"]]
        assert ORIGIN[page][code] in facts[1].lower()
        assert facts[2] == address

    at.run()
    ((header, _),) = headed(at, "run")
    assert header["file"]["bytes"] == 0


def test_a_file_names_the_part_that_is_shown_and_none_that_a_link_only_carries(
    open_page: Open,
) -> None:
    """The sentence has seeded weights; of its link's part the trained model alone has one."""
    found = {}
    for model in ("seeded", "translator"):
        at = open_page("sentence", lang="en", model=model, part="encoder/1/self")
        ask(at).run()
        assert not at.exception
        ((header, packed),) = headed(at, "run")
        found[model] = "layer 1 · self" in packed[-header["file"]["bytes"] :].decode()
    assert found == {"seeded": False, "translator": True}


def test_a_file_that_was_cut_short_with_its_run_is_made_again(
    open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another run that is asked for meanwhile ends this one where something is to be sent."""
    at, mounted = open_page("sentence", lang="en"), microscope.component

    def ended(name: str, folder: str = "") -> Any:
        if name == "run":
            raise StopException
        return mounted(name, folder)

    ask(at)
    monkeypatch.setattr(microscope, "component", ended)
    at.run()
    assert not headed(at, "run")
    monkeypatch.undo()
    at.run()
    ((header, _),) = headed(at, "run")
    assert header["file"]["bytes"] > 0
