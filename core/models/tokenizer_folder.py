"""The tokenizer in a checkpoint's folder: ``tokenizer.json``, or what BERT had before it."""

from pathlib import Path

from core.errors import InputError
from core.models import folder
from core.sources import tokenizer, wordpiece
from core.sources.tokenizer import Tokenizer

SPECIAL = "special_tokens_map.json"


def tokenizer_of(place: Path, *, vocab_txt: bool, tokenizer_class: object = None) -> Tokenizer:
    """The tokenizer of a folder.

    vocab_txt: whether it may be BERT's ``vocab.txt``. tokenizer_class: what config.json calls it.

    Raises what ``folder.text_of`` and ``Tokenizer`` raise, and for vocab.txt what
    ``wordpiece.definition`` raises.
    """
    try:
        return Tokenizer(folder.text_of(place, tokenizer.FILE, tokenizer.BYTES))
    except InputError as error:
        other = vocab_txt and (place / wordpiece.VOCABULARY).is_file()
        if error.code != "missing_file" or not other:
            raise
    vocabulary = folder.text_of(place, wordpiece.VOCABULARY, tokenizer.BYTES)
    stated = folder.optional_settings(place, wordpiece.SETTINGS)
    stated.setdefault("tokenizer_class", tokenizer_class)
    if "added_tokens_decoder" not in stated:  # as files of before it are
        stated |= folder.optional_settings(place, SPECIAL)
    return Tokenizer(
        wordpiece.definition(
            vocabulary, stated, folder.optional_settings(place, wordpiece.ADDED_TOKENS)
        )
    )
