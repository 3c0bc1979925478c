"""One claim about many cases as one test; each case that fails is a failed subtest of it."""

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any

import pytest

LONGEST = 60  # characters of a case's part in the name of its subtest
FIXTURES = {
    name: inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    for name in ("request", "subtests")
}


def for_all(names: str | tuple[str, ...], cases: Iterable[Any]) -> Callable[[Any], Any]:
    """Hold a test's claim against every case, as ``pytest.mark.parametrize`` makes a test of each.

    names: of the arguments that a case gives. cases: tuples, or single values for a single name.
    """
    given = names if isinstance(names, tuple) else (names,)
    each = cases if isinstance(names, tuple) else ((case,) for case in cases)
    every = [dict(zip(given, case, strict=True)) for case in each]

    def decorated(claim: Callable[..., None]) -> Callable[..., None]:
        function, others = getattr(claim, "claimed", (claim, [{}]))
        whole = [case | other for case in every for other in others]

        @functools.wraps(claim)
        def test(
            request: pytest.FixtureRequest, subtests: pytest.Subtests, **fixtures: Any
        ) -> None:
            assert whole, "there is no case"
            for case in _chosen(whole, request):
                try:
                    function(**fixtures, **case)
                except (Exception, pytest.fail.Exception):
                    # Each subtest takes time: there are ten thousands of cases.
                    with subtests.test(_name_of(case)):
                        raise

        wanted = FIXTURES | inspect.signature(claim).parameters
        left = [parameter for name, parameter in wanted.items() if name not in given]
        test.__signature__ = inspect.Signature(left)
        test.claimed = function, whole
        return test

    return decorated


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Let ``-k`` find a test by the name of one of its cases."""
    for item in items if config.option.keyword else ():
        _, cases = getattr(getattr(item, "obj", None), "claimed", (None, ()))
        item.extra_keyword_matches.update(map(_name_of, cases))


def _name_of(case: dict[str, Any]) -> str:
    """The name of a case's subtest."""
    return ", ".join(map(_name, case.values()))


def _chosen(cases: list[dict[str, Any]], request: pytest.FixtureRequest) -> list[dict[str, Any]]:
    """The cases that ``-k`` names if it is one word that does not name the test; else all."""
    keyword = request.config.option.keyword.lower()
    if not keyword or keyword in request.node.nodeid.lower():
        return cases
    return [case for case in cases if keyword in _name_of(case).lower()] or cases


def _name(part: Any) -> str:
    """A part of a case in one line."""
    text = str(part)
    text = text if text.isprintable() and text.strip() else repr(text)
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
