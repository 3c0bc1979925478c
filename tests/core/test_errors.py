"""InputError is a ValueError with a code; its message has the values in one line."""

import copy
import pickle

from core.errors import InputError


def test_an_input_error_prints_its_code_and_fields():
    error = InputError("text_too_long", characters=412, limit=300)
    assert isinstance(error, ValueError)
    assert str(error) == "text_too_long: characters=412, limit=300"
    assert str(InputError("empty_text")) == "empty_text"


def test_a_copy_has_the_same_code_and_values():
    error = InputError("ragged_rows", name="K", row=3, columns=1, expected=2)
    error.file_name = "K.csv"
    for again in (copy.copy(error), pickle.loads(pickle.dumps(error))):
        assert (again.code, again.fields, again.file_name) == (error.code, error.fields, "K.csv")
