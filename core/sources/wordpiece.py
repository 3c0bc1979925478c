"""The tokenizer of a BERT that comes with ``vocab.txt`` alone, as a ``tokenizer.json``.

WordPiece ("Google's Neural Machine Translation System", Wu et al., 2016, section 4.1), with the
steps before it as ``BertTokenizer`` of Hugging Face's ``transformers`` has them.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from core.errors import InputError, wrong_setting
from core.limits import TOKENIZER as MOST
from core.sources.visible import visible

Json = dict[str, Any]

VOCABULARY, SETTINGS, ADDED_TOKENS = "vocab.txt", "tokenizer_config.json", "added_tokens.json"
CONTINUES = "##"  # in front of a piece that continues a word
WORD = 100  # characters of the longest word that is tokenized
NAMED = {
    "unk_token": "[UNK]",
    "sep_token": "[SEP]",
    "pad_token": "[PAD]",
    "cls_token": "[CLS]",
    "mask_token": "[MASK]",
}
NEEDED = ("unk_token", "cls_token", "sep_token")
EXTRA = ("extra_special_tokens", "additional_special_tokens")
FLAGS = {
    "single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True,
}  # fmt: skip
# Settings that change the pieces, and the values of them that are supported.
FIXED: Mapping[str, tuple[Any, ...]] = {
    "tokenizer_class": (
        None,
        *(f"{model}Tokenizer{made}" for model in ("Bert", "DistilBert") for made in ("", "Fast")),
    ),
    "do_basic_tokenize": (None, True),
    "never_split": (None, []),
    "clean_text": (None, True),
    "wordpieces_prefix": (None, CONTINUES),
    "split_special_tokens": (None, False),
    "init_inputs": (None, []),
}  # fmt: skip


def definition(
    vocabulary: str, settings: Mapping[str, Any], added: Mapping[str, Any] | None = None
) -> str:
    """The ``tokenizer.json`` of a vocabulary, one token per line.

    settings: of tokenizer_config.json, and those of special_tokens_map.json. added: the ids of
    tokens that were added, of added_tokens.json.
    Raises damaged_checkpoint for an invalid vocabulary or one without [UNK], [CLS] and [SEP], and
    wrong_setting.
    """
    for name, allowed in FIXED.items():
        if settings.get(name) not in allowed:
            raise _wrong(name, settings[name], *(json.dumps(value).strip('"') for value in allowed))
    vocab = _read(vocabulary)
    special = _special(settings)
    unknown, cls, sep = (special[name]["content"] for name in NEEDED)
    if not {unknown, cls, sep} <= vocab.keys():
        raise InputError("damaged_checkpoint", file=VOCABULARY)
    return json.dumps(
        {
            "version": "1.0",
            "added_tokens": _numbered(vocab, _added(settings, special, added or {})),
            "normalizer": {
                "type": "BertNormalizer",
                "clean_text": True,
                "handle_chinese_chars": _flag(settings, "tokenize_chinese_chars", True),
                "strip_accents": _flag(settings, "strip_accents", None),
                "lowercase": _flag(settings, "do_lower_case", True),
            },
            "pre_tokenizer": {"type": "BertPreTokenizer"},
            "post_processor": {
                "type": "BertProcessing",
                "sep": [sep, vocab[sep]],
                "cls": [cls, vocab[cls]],
            },
            "model": {
                "type": "WordPiece",
                "unk_token": unknown,
                "continuing_subword_prefix": CONTINUES,
                "max_input_chars_per_word": WORD,
                "vocab": vocab,
            },
        }
    )


def _read(vocabulary: str) -> dict[str, int]:
    """The id of each token: the number of its line, from 0. Raises damaged_checkpoint."""
    lines = vocabulary.split("\n")
    tokens = [line.rstrip() for line in (lines if lines[-1] else lines[:-1])]
    if len(tokens) > MOST.entries or max(map(len, tokens), default=0) > MOST.token:
        raise InputError("damaged_checkpoint", file=VOCABULARY)
    return {token: number for number, token in enumerate(tokens)}


def _special(settings: Mapping[str, Any]) -> dict[str, Json]:
    """The special tokens by the name of their setting, with their flags. Raises wrong_setting."""
    stated = {name: settings.get(name) or default for name, default in NAMED.items()}
    more = {name: value for name, value in settings.items() if name.endswith("_token")}
    stated |= {name: value for name, value in more.items() if isinstance(value, str | dict)}
    for name in EXTRA:
        extra = settings.get(name) or []
        listed = extra.values() if isinstance(extra, dict) else extra
        if not isinstance(extra, list | dict):
            raise _wrong(name, extra, "[…]")
        stated |= {f"{name} {number}": value for number, value in enumerate(listed)}
    return {name: _token(name, value) | {"special": True} for name, value in stated.items()}


def _added(
    settings: Mapping[str, Any], special: Mapping[str, Json], ids: Mapping[str, Any]
) -> Iterator[Json]:
    """The tokens that are found in a text before it is tokenized, in the order of their addition.

    Raises wrong_setting and damaged_checkpoint.
    """
    names = {token["content"] for token in special.values()}
    stated = settings.get("added_tokens_decoder")
    if stated is not None:
        if not isinstance(stated, dict) or not all(map(str.isdecimal, stated)):
            raise _wrong("added_tokens_decoder", stated, "{number: {content: …}}")
        for number in sorted(stated, key=int):
            token = _token("added_tokens_decoder", stated[number], special=False)
            yield token | {"special": token["special"] or token["content"] in names}
    else:
        if not all(type(number) is int for number in ids.values()):
            raise InputError("damaged_checkpoint", file=ADDED_TOKENS)
        for content in sorted(ids, key=lambda content: ids[content]):
            yield _token(ADDED_TOKENS, content, special=content in names)
    yield from special.values()


def _token(name: str, stated: object, special: bool = True) -> Json:
    """An added token, stated as a text or with its flags.

    name: of its setting. special: whether it is special if it does not say so; a special one is
    found before the text is normalised. Raises wrong_setting.
    """
    given = {"content": stated} if isinstance(stated, str) else stated
    known = {"content", "__type", *FLAGS}
    if not isinstance(given, dict) or not {*given} <= known or not given.get("content"):
        raise _wrong(name.partition(" ")[0], stated, "text, {content: text, …}")
    special = given.get("special", special)
    usual = FLAGS | {"special": special, "normalized": not special}
    flags = {flag: given.get(flag, value) for flag, value in usual.items()}
    if not all(isinstance(value, bool) for value in flags.values()):
        raise _wrong(name.partition(" ")[0], stated, "true, false")
    return flags | {"content": given["content"]}


def _numbered(vocab: Mapping[str, int], tokens: Iterable[Json]) -> list[Json]:
    """Added tokens, each once, with their ids: new ones follow the vocabulary."""
    ids, each = dict(vocab), dict[str, Json]()
    for token in tokens:
        content = token["content"]
        number = ids.setdefault(content, len(ids))
        each.setdefault(content, token | {"id": number})
    return sorted(each.values(), key=lambda token: token["id"])


def _flag(settings: Mapping[str, Any], name: str, default: bool | None) -> bool | None:
    """True or false; by default, and for null, the default. Raises wrong_setting."""
    value = settings.get(name)
    if value is not None and not isinstance(value, bool):
        raise _wrong(name, value, "true", "false")
    return default if value is None else value


def _wrong(name: str, value: object, *allowed: str) -> InputError:
    return wrong_setting(SETTINGS, name, _shown(value), ", ".join(allowed))


def _shown(value: object) -> str:
    """A value as a short text for an error message."""
    if isinstance(value, list | dict):
        return f"{'[…]' if isinstance(value, list) else '{…}'} × {len(value)}"
    text = visible(value) if isinstance(value, str) and value else json.dumps(value)
    return text if len(text) <= 40 else f"{text[:39]}…"
