"""The tokenizer in a checkpoint's folder: ``tokenizer.json``, or what BERT had before it."""

from pathlib import Path
from typing import Any

from core.errors import InputError
from core.models import folder
from core.sources import tokenizer, wordpiece
from core.sources.tokenizer import Tokenizer

SPECIAL = "special_tokens_map.json"
WORD_PIECES = ("bert", "distilbert")  # models that may come with vocab.txt alone


def tokenizer_of(place: Path, kind: str, config: dict[str, Any]) -> Tokenizer:
    """The tokenizer of a folder. kind: ``model_type``. config: of config.json.

    Raises what ``folder.text_of`` and ``Tokenizer`` raise, and for vocab.txt what
    ``wordpiece.definition`` raises.
    """
    try:
        return Tokenizer(folder.text_of(place, tokenizer.FILE, tokenizer.BYTES))
    except InputError as error:
        other = kind in WORD_PIECES and (place / wordpiece.VOCABULARY).is_file()
        if error.code != "missing_file" or not other:
            raise
    vocabulary = folder.text_of(place, wordpiece.VOCABULARY, tokenizer.BYTES)
    stated = folder.optional_settings(place, wordpiece.SETTINGS)
    stated.setdefault("tokenizer_class", config.get("tokenizer_class"))
    if "added_tokens_decoder" not in stated:  # as files of before it are
        stated |= folder.optional_settings(place, SPECIAL)
    return Tokenizer(
        wordpiece.definition(
            vocabulary, stated, folder.optional_settings(place, wordpiece.ADDED_TOKENS)
        )
    )
