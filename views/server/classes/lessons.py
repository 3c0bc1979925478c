"""The lessons that come with the app: ``assets/lessons/*.json``, with their texts by language.

A question keeps its texts in all languages beside that of the teacher: a student reads their own.
"""

import json
from functools import cache
from typing import Any

from views.export.bundle import ASSETS
from views.text.load import CODES


@cache
def lessons(code: str) -> list[dict[str, Any]]:
    """The lessons in one language, as the browser imports them, with their minutes."""
    files = sorted((ASSETS / "lessons").glob("*.json"))
    return [_in_language(json.loads(file.read_text("utf-8")), code) for file in files]


def _in_language(value: Any, code: str) -> Any:
    """The value, with each table of texts by language replaced by the text of this one."""
    if isinstance(value, list):
        return [_in_language(each, code) for each in value]
    if not isinstance(value, dict):
        return value
    if code in value:
        return value[code]
    found = {name: _in_language(each, code) for name, each in value.items()}
    if isinstance(value.get("text"), dict):
        found["languages"] = {
            one: {name: _in_language(value[name], one) for name in ("text", "options")}
            for one in CODES
        }
    return found
