"""The error of an invalid input: a code, and the values that a sentence about it fills in.

The sentences are in ``views/text/words.*.toml``, under ``errors``, by the code. "Raises
not_finite" in a docstring means: raises an ``InputError`` with this code.
"""

from typing import Any


class InputError(ValueError):
    """An invalid input.

    code: what is wrong with it. fields: the values concerned; rows, columns and heads are counted
    from 1. file_name: of the uploaded file that is meant, if it was one.
    """

    file_name = ""

    def __init__(self, code: str, /, **fields: Any) -> None:
        super().__init__(code)
        self.code = code
        self.fields = fields

    def to_json(self) -> dict[str, Any]:
        """The error as JSON, from which ``from_json`` restores it, also in another process."""
        return {"code": self.code, "fields": self.fields}

    @classmethod
    def from_json(cls, code: str, fields: dict[str, Any]) -> "InputError":
        """The error; JSON has lists where a field is a tuple."""
        return cls(code, **{n: tuple(v) if isinstance(v, list) else v for n, v in fields.items()})

    def __str__(self) -> str:
        """The code and the fields, as a script or a notebook shows them."""
        values = ", ".join(f"{name}={value}" for name, value in self.fields.items())
        return f"{self.code}: {values}" if values else self.code


# The errors with many callers, with their fields in order.


def shape_mismatch(name: str, expected: str, shape: tuple[int, ...]) -> InputError:
    """An array does not have the required shape."""
    return InputError("shape_mismatch", name=name, expected=expected, shape=shape)


def out_of_range(name: str, value: float, allowed: str) -> InputError:
    """A number is outside its allowed range."""
    return InputError("out_of_range", name=name, value=value, allowed=allowed)


def wrong_setting(file: str, name: str, value: str, allowed: str) -> InputError:
    """A setting of a checkpoint is invalid or not supported."""
    return InputError("wrong_setting", file=file, name=name, value=value, allowed=allowed)
