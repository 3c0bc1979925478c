"""``claims.for_all`` itself can fail, and reports each failing case."""

import inspect

import pytest
from claims import for_all


def test_every_case_that_fails_is_listed():
    @for_all(("one", "other"), [(1, 1), (2, 3), (4, 5)])
    def claim(one, other):
        assert one == other

    with pytest.raises(AssertionError, match=r"(?s)2 of 3 cases.*2, 3: .*4, 5: "):
        claim()


def test_an_error_that_does_not_come_is_a_case_that_fails():
    @for_all("one", [0, 1, 2])
    def claim(one):
        with pytest.raises(ZeroDivisionError):
            assert 1 / one

    with pytest.raises(AssertionError, match=r"(?s)2 of 3 cases.*1: DID NOT RAISE.*2: DID NOT"):
        claim()


def test_cases_of_cases_are_listed_too():
    @for_all("one", [1, 2])
    @for_all("other", [2, 3])
    def claim(one, other):
        assert one == other

    with pytest.raises(AssertionError, match=r"(?s)2 of 2 cases.*1: 2 of 2.*2: 1 of 2 .*3: "):
        claim()


def test_a_case_is_named_in_one_short_line():
    @for_all("text", ["a\nb", " ", "c" * 99])
    def claim(text):
        raise AssertionError("!")

    with pytest.raises(AssertionError) as failed:
        claim()
    listed = str(failed.value).splitlines()
    assert listed == ["3 of 3 cases", "'a\\nb': !", "' ': !", "c" * 59 + "…: !"]


def test_without_a_case_nothing_is_claimed():
    with pytest.raises(AssertionError, match="there is no case"):
        for_all("one", [])(lambda one: None)()


def test_an_error_says_in_which_case_it_came():
    @for_all("one", [1, 0])
    def claim(one):
        assert 1 / one

    with pytest.raises(ZeroDivisionError) as raised:
        claim()
    assert raised.value.__notes__ == ["in the case of 0"]


def test_what_no_case_gives_is_left_to_fixtures():
    @for_all("one", [1])
    def claim(one, words):
        assert (one, words) == (1, "here")

    assert [*inspect.signature(claim).parameters] == ["words"]
    claim(words="here")
