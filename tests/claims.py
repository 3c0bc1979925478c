"""One claim about many cases as one test, which lists every case that fails."""

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any

import pytest

LONGEST = 60  # characters of a case's part in the list of those that fail


def for_all(names: str | tuple[str, ...], cases: Iterable[Any]) -> Callable[[Any], Any]:
    """Hold a test's claim against every case, as ``pytest.mark.parametrize`` makes a test of each.

    names: of the arguments that a case gives. cases: tuples, or single values for a single name.
    """
    several = not isinstance(names, str)
    given = names if isinstance(names, tuple) else (names,)
    every = [tuple(case) if several else (case,) for case in cases]

    def decorated(claim: Callable[..., None]) -> Callable[..., None]:
        wanted = inspect.signature(claim)

        @functools.wraps(claim)
        def test(**fixtures: Any) -> None:
            assert every, "there is no case"
            failures = []
            for case in every:
                label = ", ".join(_name(part) for part in case)
                try:
                    claim(**fixtures, **dict(zip(given, case, strict=True)))
                except (AssertionError, pytest.fail.Exception) as failure:
                    failures.append(f"{label}: {failure}")
                except Exception as error:
                    error.add_note(f"in the case of {label}")
                    raise
            assert not failures, f"{len(failures)} of {len(every)} cases\n" + "\n".join(failures)

        left = [one for name, one in wanted.parameters.items() if name not in given]
        test.__signature__ = wanted.replace(parameters=left)  # type: ignore[attr-defined]
        return test

    return decorated


def _name(part: Any) -> str:
    """A part of a case in one line."""
    text = str(part)
    text = text if text.isprintable() and text.strip() else repr(text)
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
