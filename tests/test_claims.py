"""A test of ``claims.for_all`` fails with each of its cases that does, and names it."""

import pytest

pytest_plugins = ["pytester"]
CLAIMS = """
import pytest
from claims import for_all

@for_all(("one", "other"), [(1, 1), (2, 3), (4, 5)])
def test_equal(one, other):
    assert one == other

@for_all("one", [0, 1])
@for_all("other", [0, 2])
def test_divided(one, other, tmp_path):
    with pytest.raises(ZeroDivisionError):
        assert tmp_path and one / other

@for_all("one", [1, 0])
def test_an_error(one):
    assert 1 / one

@for_all("text", ["a\\nb", " ", "c" * 99])
def test_names(text):
    assert not text

@for_all("one", [])
def test_without_a_case(one): ...

@for_all("one", [1, 2])
@for_all("other", [3])
def test_that_holds(one, other):
    assert one < other
"""


def test_every_case_that_fails_is_a_subtest_and_all_others_are_tried(pytester: pytest.Pytester):
    pytester.makepyfile(test_it=CLAIMS)
    lines = pytester.runpytest("-q").stdout.str().splitlines()
    short = [line.partition(" - ")[0] for line in lines if "test_it.py::" in line]
    assert [line.replace(" test_it.py::", " ") for line in short] == [
        "SUBFAILED[2, 3] test_equal",
        "SUBFAILED[4, 5] test_equal",
        "FAILED test_equal",
        "SUBFAILED[0, 2] test_divided",
        "SUBFAILED[1, 2] test_divided",
        "FAILED test_divided",
        "SUBFAILED[0] test_an_error",
        "FAILED test_an_error",
        "SUBFAILED['a\\nb'] test_names",
        "SUBFAILED[' '] test_names",
        f"SUBFAILED[{'c' * 59}…] test_names",
        "FAILED test_names",
        "FAILED test_without_a_case",
    ]
    assert lines[-1].startswith("13 failed, 1 passed")


def test_k_finds_a_case_and_runs_it_alone(pytester: pytest.Pytester):
    pytester.makepyfile(test_it=CLAIMS)
    lines = pytester.runpytest("-q", "-p", "claims", "-k", "CCC").stdout.str().splitlines()
    failed = [line.partition(" - ")[0] for line in lines if line.startswith("SUBFAILED")]
    assert failed == [f"SUBFAILED[{'c' * 59}…] test_it.py::test_names"]
    assert lines[-1].startswith("2 failed, 5 deselected")
