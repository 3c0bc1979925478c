"""BERT's older folders: ``vocab.txt`` instead of ``tokenizer.json``."""

import json
from itertools import product

from checkpoint_folders import FOLDERS, PIECES, TO_CUT, VOCABULARY, given, with_vocabulary
from claims import for_all
from refuses import refuses
from tokenizers import BertWordPieceTokenizer

from core.models import checkpoint
from core.sources import wordpiece
from core.sources.tokenizer import Tokenizer

FLAGS = ("do_lower_case", "strip_accents", "tokenize_chinese_chars")


def token_ids(text: str, **settings: object) -> tuple[int, ...]:
    return Tokenizer(wordpiece.definition(VOCABULARY, settings)).encode(text, 999).ids


def test_every_combination_of_settings_gives_the_tokens_of_the_library():
    ids = {piece: number for number, piece in enumerate(PIECES)}
    found, expected = {}, {}
    for flags in product((True, False), (None, True, False), (True, False)):
        lower, accents, chinese = flags
        theirs = BertWordPieceTokenizer(
            ids, lowercase=lower, strip_accents=accents, handle_chinese_chars=chinese
        )
        for text in TO_CUT:
            expected[flags, text] = tuple(theirs.encode(text).ids)
            found[flags, text] = token_ids(text, **dict(zip(FLAGS, flags, strict=True)))
    assert found == expected
    assert len({numbers for (_, text), numbers in found.items() if text == TO_CUT[1]}) > 2
    assert len({numbers for (_, text), numbers in found.items() if text == TO_CUT[2]}) == 2


def test_missing_settings_are_those_of_bert_base_uncased():
    assert token_ids(TO_CUT[1]) == token_ids(TO_CUT[1], do_lower_case=True, strip_accents=None)
    assert token_ids(TO_CUT[2]) == token_ids(TO_CUT[2], tokenize_chinese_chars=True)


@for_all("kind", ["bert", "distilbert"])
def test_a_folder_with_a_vocabulary_alone_computes_as_one_with_a_tokenizer(kind, tmp_path_factory):
    older = with_vocabulary(kind, tmp_path_factory.mktemp(kind))
    one, other = (checkpoint.open(root).run(given(kind), 2) for root in (older, FOLDERS / kind))
    assert one["input/X"].axis("token").names() == other["input/X"].axis("token").names()
    assert all((one[key].tensor == other[key].tensor).all() for key in other)


def test_an_added_token_is_one_token_whose_id_follows_the_vocabulary():
    token = {"content": "[EXTRA]", "lstrip": False, "rstrip": False, "normalized": False}
    added = {"added_tokens_decoder": {str(len(PIECES)): token | {"special": True}}}
    listed = {"additional_special_tokens": ["[EXTRA]"]}
    for settings in (added, listed, {"extra_special_tokens": {"a": token}}):
        assert token_ids("sun[EXTRA]a", **settings) == (2, 8, len(PIECES), 15, 3)
    old = wordpiece.definition(VOCABULARY, {}, {"[EXTRA]": len(PIECES)})
    assert Tokenizer(old).encode("sun[EXTRA]a", 99).ids == (2, 8, len(PIECES), 15, 3)
    encoding = Tokenizer(wordpiece.definition(VOCABULARY, added)).encode("a[EXTRA]", 99)
    assert (encoding.tokens, encoding.special) == (("[CLS]", "a", "[EXTRA]", "[SEP]"), (0, 3))


def test_special_tokens_may_have_other_names(tmp_path):
    vocabulary = "<pad>\n<unk>\n<s>\n</s>\n爱\n"
    special = {"unk_token": "<unk>", "cls_token": {"content": "<s>"}, "sep_token": "</s>"}
    special |= {"pad_token": "<pad>", "mask_token": "<unk>"}
    root = with_vocabulary("bert", tmp_path, vocabulary, special_tokens_map=special)
    model = checkpoint.open(root)
    assert model.encode("爱 b").tokens == ("<s>", "爱", "<unk>", "</s>")
    assert model.encode("爱 b").unknown == (2,)


@for_all(
    ("name", "value"),
    [
        ("do_lower_case", "no"),
        ("strip_accents", 1),
        ("tokenize_chinese_chars", "yes"),
        ("never_split", ["sun"]),
        ("do_basic_tokenize", False),
        ("clean_text", False),
        ("wordpieces_prefix", "@@"),
        ("split_special_tokens", True),
        ("tokenizer_class", "BertJapaneseTokenizer"),
        ("tokenizer_class", ["BertTokenizer"]),
        ("cls_token", 7),
        ("sep_token", {"text": "[SEP]"}),
        ("mask_token", {"content": "[MASK]", "lstrip": "no"}),
        ("extra_special_tokens", "[A]"),
        ("additional_special_tokens", [3]),
        ("added_tokens_decoder", []),
        ("added_tokens_decoder", {"a": {"content": "[A]"}}),
        ("added_tokens_decoder", {"9": {"content": "[A]", "score": 1}}),
    ],
)
def test_unsupported_tokenizer_settings_are_refused_by_name(name, value):
    with refuses("wrong_setting", file="tokenizer_config.json", name=name) as refusal:
        token_ids("sun", **{name: value})
    assert len(refusal.value.fields["value"]) <= 40


def test_the_class_in_the_configuration_counts_where_the_tokenizer_says_none(tmp_path):
    root = with_vocabulary("bert", tmp_path)
    config = json.loads((root / "config.json").read_text("utf-8"))
    config["tokenizer_class"] = "BertJapaneseTokenizer"
    (root / "config.json").write_text(json.dumps(config), "utf-8")
    with refuses("wrong_setting", value="BertJapaneseTokenizer"):
        checkpoint.open(root)


@for_all("vocabulary", ["", "[PAD]\n[UNK]\n[CLS]\n", "[CLS]\n[SEP]\n", VOCABULARY + "x" * 999])
def test_an_invalid_vocabulary_is_damaged(vocabulary):
    with refuses("damaged_checkpoint", file="vocab.txt"):
        wordpiece.definition(vocabulary, {})


def test_other_models_need_a_tokenizer_file(tmp_path):
    with refuses("missing_file", file="tokenizer.json"):
        checkpoint.open(with_vocabulary("roberta", tmp_path))


def test_a_vocabulary_that_is_a_link_out_of_the_folder_is_not_followed(tmp_path):
    root, outside = with_vocabulary("bert", tmp_path / "model"), tmp_path / "outside"
    (root / "vocab.txt").rename(outside)
    (root / "vocab.txt").symlink_to(outside)
    with refuses("outside_folder"):
        checkpoint.open(root)
