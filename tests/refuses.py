"""``pytest.raises`` for InputError, with its code and fields."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from core.errors import InputError


@contextmanager
def refuses(code: str, **fields: Any) -> Iterator[pytest.ExceptionInfo[InputError]]:
    """Expect an InputError with this code and, among others, these fields."""
    with pytest.raises(InputError) as refusal:
        yield refusal
    found = {name: refusal.value.fields.get(name) for name in fields}
    assert (refusal.value.code, found) == (code, fields), refusal.value
