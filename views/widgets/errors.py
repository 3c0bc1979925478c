"""What is wrong with an input, in one sentence in the reader's language."""

from core.errors import FileTooLarge, InputError, TraceTooLarge
from views import link, numbers
from views.text import Words
from views.widgets.prose import prose


def error_sentence(error: InputError, words: Words) -> str:
    """The reader's sentence for an error, with its numbers. Raises KeyError for a new kind."""
    fields = dict(vars(error))
    if isinstance(error, TraceTooLarge | FileTooLarge):
        fields = {name: numbers.size(value) for name, value in fields.items()}
    return words.errors[type(error).__name__].format(**fields)


def show_error(error: InputError, words: Words) -> None:
    """Show the sentence where the result would stand; the link keeps what was not reached."""
    link.leave_incomplete()
    prose([[(error_sentence(error, words), "")]], key="error", style="error")
