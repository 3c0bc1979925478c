"""One claim about many cases as one test; each case that fails is a failed subtest of it."""

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any

import pytest

LONGEST = 60  # characters of a case's part in the name of its subtest
SUBTESTS = inspect.Parameter("subtests", inspect.Parameter.POSITIONAL_OR_KEYWORD)


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
        def test(subtests: pytest.Subtests, **fixtures: Any) -> None:
            assert whole, "there is no case"
            for case in whole:
                try:
                    function(**fixtures, **case)
                except (Exception, pytest.fail.Exception):
                    # Each subtest takes time: there are ten thousands of cases.
                    with subtests.test(", ".join(map(_name, case.values()))):
                        raise

        wanted = {"subtests": SUBTESTS, **inspect.signature(claim).parameters}
        left = [parameter for name, parameter in wanted.items() if name not in given]
        test.__signature__ = inspect.Signature(left)
        test.claimed = function, whole
        return test

    return decorated


def _name(part: Any) -> str:
    """A part of a case in one line."""
    text = str(part)
    text = text if text.isprintable() and text.strip() else repr(text)
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
