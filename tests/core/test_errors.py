"""Every refusal is a ValueError that states its rule with the numbers concerned."""

import string
from dataclasses import fields

from claims import for_all

from core import errors

KINDS = errors.InputError.__subclasses__()


def test_every_kind_is_found_in_one_place():
    assert {kind.__name__ for kind in KINDS} | {"InputError"} == set(errors.__all__)
    assert all(getattr(errors, kind.__name__) is kind for kind in KINDS)


@for_all("kind", KINDS)
def test_every_number_in_the_message_is_a_field(kind):
    values = {field.name: f"<{field.name}>" for field in fields(kind)}
    refusal = kind(**values)
    named = {name for _, name, _, _ in string.Formatter().parse(kind.message) if name}
    for name in named:
        assert values[name] in str(refusal)
    assert isinstance(refusal, ValueError)


@for_all(
    ("refusal", "sentence"),
    [
        (
            errors.ShapeMismatch("K", "(batch, key, 19)", (2, 7, 17)),
            "K should be (batch, key, 19), but its shape is (2, 7, 17)",
        ),
        (
            errors.HeadsDoNotDivide("d_model", 6, 4),
            "d_model = 6 does not divide into h = 4 heads",
        ),
        (
            errors.OutOfRange("dropout", 1.0, "at least 0 and below 1"),
            "dropout = 1.0 is not allowed: dropout must be at least 0 and below 1",
        ),
        (
            errors.NotFinite("scores"),
            "scores holds numbers that are not finite (NaN or too large)",
        ),
        (
            errors.LabelsDoNotFit("X.token", 4, 3),
            "axis X.token has 4 labels for 3 places",
        ),
    ],
)
def test_the_rule_is_stated_with_this_cases_numbers(refusal, sentence):
    assert str(refusal) == sentence
