"""Definitions as the tokenizers in use have them are opened, and tokenize as the library does."""

import json

import tokenizers
from hostile_tokenizers import charsmap, definition, one_letter, prepend, replace, several, split

from core.sources.tokenizer import Tokenizer

TEXTS = (
    "aa  bb 12345 it's",
    "Cafe\u0301 é ﬁ ½",
    "我爱北京，hello\u200b!\r\n\tx",
    " <s> a</s>",
    "🙂 \u00a0x...",
)
BERT, GPT_2 = definition("bert"), definition("gpt2")
LETTERS = {letter: number for number, letter in enumerate(GPT_2["model"]["vocab"])}
AROUND = {"bos": "<s>", "eos": "</s>"}
FLAGS = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False}
ADDED = [
    FLAGS | {"id": 1000 + number, "content": token, "special": True}
    for number, token in enumerate(AROUND.values())
]
FRAME = {
    "type": "TemplateProcessing",
    "single": [
        {"SpecialToken": {"id": "<s>", "type_id": 0}},
        {"Sequence": {"id": "A", "type_id": 0}},
        {"SpecialToken": {"id": "</s>", "type_id": 0}},
    ],
    "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}],
    "special_tokens": {
        token: {"id": token, "ids": [1000 + number], "tokens": [token]}
        for number, token in enumerate(AROUND.values())
    },
}
BYTE_LEVEL = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True}
BYTES = BYTE_LEVEL | {"use_regex": False}
ENDS = {"sep": ["</s>", 1001], "cls": ["<s>", 1000]}
PIECES = [
    ["<unk>", 0.0],
    ["▁", -1.0],
    ["▁a", -2.0],
    *([letter, -9.0] for letter in "Aabcefhlotx我北é"),
]
SPACED = {
    "type": "Metaspace", "replacement": "▁", "add_prefix_space": True, "prepend_scheme": "always",
}  # fmt: skip
MAP = json.loads(charsmap(one_letter(b"A\0"))())["normalizer"]
CONTRACTIONS = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|"
OTHERS = r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"


def words(**fields: object) -> dict:
    return BERT["model"] | fields


def bpe(**fields: object) -> dict:
    return GPT_2["model"] | fields


def pairs(**fields: object) -> dict:
    """A vocabulary of letters and bytes, as those that come from SentencePiece."""
    letters = ["<unk>", "▁", "a", "b", "aa", *"Cefhlot我"]
    vocabulary = letters + [f"<0x{byte:02X}>" for byte in range(256)]
    return {
        "type": "BPE", "dropout": None, "unk_token": "<unk>", "continuing_subword_prefix": None,
        "end_of_word_suffix": None, "fuse_unk": True, "byte_fallback": True,
        "vocab": {token: number for number, token in enumerate(vocabulary)}, "merges": ["a a"],
    } | fields  # fmt: skip


def untyped(model: dict) -> dict:
    return {name: value for name, value in model.items() if name != "type"}


LAYOUTS = {
    "BERT": BERT,
    "BERT, as early files are": BERT | {"model": untyped(words())},
    "Chinese BERT": BERT | {"normalizer": BERT["normalizer"] | {"strip_accents": False}},
    "BERT with a plain frame": BERT
    | {"post_processor": {"type": "BertProcessing", "sep": ["[SEP]", 3], "cls": ["[CLS]", 2]}},
    "GPT-2": GPT_2,
    "GPT-2, as early files are": GPT_2
    | {"model": untyped(bpe(continuing_subword_prefix="", end_of_word_suffix="", fuse_unk=False)),
       "pre_tokenizer": BYTE_LEVEL, "post_processor": BYTE_LEVEL, "decoder": BYTE_LEVEL},
    "RoBERTa": GPT_2
    | {"added_tokens": ADDED, "pre_tokenizer": BYTE_LEVEL | {"add_prefix_space": True},
       "post_processor": {"type": "RobertaProcessing", "trim_offsets": True,
                          "add_prefix_space": True} | ENDS},
    "Llama 2": {
        "added_tokens": ADDED, "model": pairs(), "post_processor": FRAME,
        "normalizer": several("normalizers", prepend("▁"), replace(" ", "▁")),
        "decoder": {"type": "Sequence", "decoders": [{"type": "ByteFallback"}, {"type": "Fuse"}]},
    },
    "Mistral": {"model": pairs(ignore_merges=True), "pre_tokenizer": SPACED | {"split": False}},
    "Gemma": {
        "model": pairs(), "normalizer": replace(" ", "▁"),
        "pre_tokenizer": {"type": "Split", "pattern": {"String": " "},
                          "behavior": "MergedWithPrevious", "invert": False},
    },
    "Llama 3": GPT_2
    | {"added_tokens": ADDED,
       "pre_tokenizer": several(
           "pretokenizers", split(CONTRACTIONS + r"\p{N}{1,3}" + OTHERS), BYTES),
       "post_processor": several("processors", BYTES, FRAME)},
    "Qwen2": GPT_2
    | {"normalizer": {"type": "NFC"},
       "pre_tokenizer": several("pretokenizers", split(CONTRACTIONS + r"\p{N}" + OTHERS), BYTES)},
    "BLOOM": GPT_2
    | {"pre_tokenizer": several(
        "pretokenizers", split(r" ?[^(\s|[.,!?…。，、।۔،])]+"), BYTES)},
    "DeepSeek-V3": GPT_2
    | {"pre_tokenizer": several(
        "pretokenizers", split(r"\p{N}{1,3}"), split("[一-龥\u3040-ゟ゠-ヿ]+"),
        split("[!\"#$%&'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+|[^\\r\\n\\p{L}\\p{P}\\p{S}]?"
              r"[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"), BYTES)},
    "CLIP": GPT_2
    | {"normalizer": several(
        "normalizers", {"type": "NFC"}, replace(r"\s+", " ", "Regex"), {"type": "Lowercase"}),
       "model": bpe(unk_token="?", end_of_word_suffix="</w>", merges=[],
                    vocab=LETTERS | {"?": 900} | {f"{x}</w>": 901 + LETTERS[x] for x in LETTERS})},
    "T5 and XLM-R": {
        "normalizer": several("normalizers", MAP,
                              {"type": "Strip", "strip_left": False, "strip_right": True},
                              replace(" {2,}", "▁", "Regex")),
        "pre_tokenizer": several("pretokenizers", {"type": "WhitespaceSplit"}, SPACED),
        "model": {"type": "Unigram", "unk_id": 0, "vocab": PIECES, "byte_fallback": False},
    },
    "ALBERT": {
        "normalizer": several(
            "normalizers", replace("``", '"'), replace("''", '"'), {"type": "NFKD"},
            {"type": "StripAccents"}, {"type": "Lowercase"}, replace(" {2,}", " ", "Regex")),
        "pre_tokenizer": SPACED, "model": {"type": "Unigram", "unk_id": 0, "vocab": PIECES},
    },
    "a pattern of its own": GPT_2
    | {"normalizer": replace(r"([a-z])\1", "b", "Regex"),
       "pre_tokenizer": several("pretokenizers", split(r"(?<=[a-z])[0-9]+|'\w+"), BYTES)},
    "words": {
        "model": {"type": "WordLevel", "vocab": {"?": 0, "aa": 1, "我": 2}, "unk_token": "?"},
        "pre_tokenizer": several(
            "pretokenizers", {"type": "Whitespace"}, {"type": "Digits", "individual_digits": True},
            {"type": "Punctuation", "behavior": "Isolated"}),
    },
}  # fmt: skip


def test_the_layouts_in_use_give_the_tokens_of_the_library():
    found, expected = {}, {}
    for name, layout in LAYOUTS.items():
        written = json.dumps({"version": "1.0", "added_tokens": [], "normalizer": None} | layout)
        direct, ours = tokenizers.Tokenizer.from_str(written), Tokenizer(written)
        direct.no_padding()
        direct.no_truncation()
        for text in TEXTS:
            expected[name, text] = direct.encode(text).ids
            found[name, text] = list(ours.encode(text, 999).ids)
    assert found == expected
    assert {name for name, _ in found} == set(LAYOUTS)


def test_what_a_unigram_vocabulary_lacks_is_the_unknown_token():
    """The library gives it under its own text, beside the number of <unk>."""
    encoding = Tokenizer(json.dumps(LAYOUTS["ALBERT"])).encode("aa ☃☃ 北x", 99)
    assert encoding.tokens == ("▁a", "a", "▁", "<unk>", "▁", "北", "x")
    assert encoding.unknown == (3,)
    assert encoding.origins[3] == "☃☃"
