"""The sentences of errors in the TOML files match the code that raises the errors."""

import ast
from functools import cache
from string import Formatter

import pytest
from source_tree import MODULES, tree_of

from views.text import LANGUAGES


@cache
def raised():
    """(code, fields, line) of every InputError that is made."""
    found = []
    for module in MODULES:
        for node in ast.walk(tree_of(module)):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "InputError":
                code, *others = node.args
                fields = {field.arg for field in node.keywords}
                line = f"{module}:{node.lineno}"
                assert isinstance(code, ast.Constant) and not others and None not in fields, line
                found.append((code.value, fields, line))
    return found


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_error_has_a_sentence_and_every_sentence_an_error(code):
    assert set(LANGUAGES[code].errors) == {error for error, *_ in raised()}


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_value_that_a_sentence_fills_in_is_given_wherever_its_error_is_raised(code):
    missing = []
    for error, fields, line in raised():
        parts = Formatter().parse(LANGUAGES[code].errors.get(error, ""))
        missing += [(line, error, name) for _, name, _, _ in parts if name and name not in fields]
    assert not missing


def test_an_error_has_the_same_values_wherever_it_is_raised():
    known = {error: fields for error, fields, _ in raised()}
    assert [(line, error) for error, fields, line in raised() if fields != known[error]] == []
