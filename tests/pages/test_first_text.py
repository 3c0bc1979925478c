"""The initial text on the page of one's own model."""

from types import SimpleNamespace

from claims import for_all

from core.errors import InputError
from core.sources.tokenizer import Encoding
from pages.see.checkpoint.controls import SAMPLES, first_text
from views import link

FIRST, LAST = SAMPLES  # four characters, and an English sentence


def cut(count, special=(), unknown=()):
    return Encoding(tuple(range(count)), ("a",) * count, special, unknown)


@for_all(
    ("of_first", "of_last", "expected"),
    [
        (cut(6, special=(0, 5)), cut(12), FIRST),  # a character each, and two around them
        (cut(4, unknown=(2,)), cut(12), LAST),  # one of them is unknown
        (cut(12), cut(10), LAST),  # three bytes a character
        (cut(12), None, FIRST),  # no room for the other one
        (None, cut(12, unknown=(1,)), LAST),
        (None, None, LAST),
    ],
)
def test_the_first_text_is_the_first_sample_that_a_model_knows(
    monkeypatch, of_first, of_last, expected
):
    monkeypatch.setattr(link.session(), "language", "zh")

    def cut_by(text):
        found = {FIRST: of_first, LAST: of_last}[text]
        if found is None:
            raise InputError("more_tokens_than_places", tokens=20, limit=19)
        return found

    assert (
        first_text(SimpleNamespace(encode=cut_by, config=SimpleNamespace(model_type="bert")))
        == expected
    )
