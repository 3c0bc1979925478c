"""The tokens of a text by the tokenizer of a checkpoint."""

import json
from contextlib import nullcontext

import pytest
import tokenizers
from checkpoint_folders import EXPECTED, FOLDERS, SENTENCES, copied
from refuses import refuses

from core.errors import InputError
from core.models import checkpoint
from core.sources import apart
from core.sources.tokenizer import Tokenizer


def tokenizer(kind, **changed):
    text = (FOLDERS / kind / "tokenizer.json").read_text("utf-8")
    return Tokenizer(json.dumps(json.loads(text) | changed))


@pytest.mark.parametrize("kind", SENTENCES)
def test_the_numbers_are_those_that_the_tokenizer_gave_when_it_was_recorded(kind):
    encoding = tokenizer(kind).encode(SENTENCES[kind], 19)
    assert list(encoding.ids) == EXPECTED[kind]["given"].tolist()


def test_template_tokens_are_special_and_tokens_outside_the_vocabulary_unknown():
    encoding = tokenizer("bert").encode("爱 ☃ sun", 19)
    assert encoding.tokens == ("[CLS]", "爱", "[UNK]", "sun", "[SEP]")
    assert (encoding.special, encoding.unknown) == ((0, 4), (2,))
    encoding = tokenizer("gpt2").encode("☃", 19)
    assert (encoding.special, encoding.unknown) == ((), ())


def test_each_token_has_its_part_of_the_text():
    encoding = tokenizer("bert").encode("爱 ☃ Playing", 19)
    assert dict(zip(encoding.tokens, encoding.origins, strict=True)) == {
        "[CLS]": "", "爱": "爱", "[UNK]": "☃", "play": "Play", "##ing": "ing", "[SEP]": "",
    }  # fmt: skip
    encoding = tokenizer("gpt2").encode("love é 爱", 19)
    assert encoding.tokens == ("love", "␣", "é", "␣", "E7", "88", "B1")
    assert encoding.origins == ("love", " ", "é", " ", "爱", "爱", "爱")


AS_TYPED = (
    "cafe\u0301", "caf\u00e9", "a\u200bb", "so\u00adft", "a\r\nb", "a\rb", "a\u202eb", "\ufeffa",
    "a\u00a0b\u3000c\t", "\u0301", "a\x00b\x1b[31m", "\u200b", "  \n\t ", "👩\u200d👧", "ﬁ\ufdfa",
    "\ue000\U0010ffff",
)  # fmt: skip


@pytest.mark.parametrize("kind", SENTENCES)
def test_the_library_is_given_a_text_as_it_was_typed(kind):
    direct = tokenizers.Tokenizer.from_file(str(FOLDERS / kind / "tokenizer.json"))
    direct.no_padding()
    direct.no_truncation()
    found, expected = {}, {}
    for text in AS_TYPED:
        encoded = direct.encode(text)
        expected[text] = encoded.ids if not all(encoded.special_tokens_mask) else "empty_text"
        try:
            found[text] = list(tokenizer(kind).encode(text, 99).ids)
        except InputError as refusal:
            found[text] = refusal.code
    assert found == expected
    normalises = kind in ("bert", "distilbert", "modernbert", "clip_text_model")
    assert normalises or len(set(map(str, found.values()))) == len(AS_TYPED)


def test_invisible_characters_are_shown_by_code_point_and_characters_without_a_token_are_listed():
    known = json.loads((FOLDERS / "gpt2" / "tokenizer.json").read_text("utf-8"))["model"]
    known["vocab"] |= {"âĢ": 900, "âĢĭ": 901, "Ìģ": 902}  # U+200B and U+0301, byte by byte
    known["merges"] += [["â", "Ģ"], ["âĢ", "ĭ"], ["Ì", "ģ"]]
    encoding = tokenizer("gpt2", model=known).encode("e\u0301\u200b\r\n\u00a0", 99)
    assert encoding.tokens == ("e", "◌\u0301", "‹U+200B›", "‹U+000D›", "↵", "C2", "A0")
    assert encoding.left_out == ()
    encoding = tokenizer("bert").encode("su\u00adn \u200b\r\n爱 plaÿ", 19)
    assert encoding.tokens == ("[CLS]", "sun", "爱", "play", "[SEP]")
    assert encoding.left_out == ("\u00ad", "\u200b")
    assert tokenizer("bert").encode("play\u0301", 19).left_out == ("\u0301",)


def test_padding_and_truncation_of_the_file_are_off():
    asked = json.loads((FOLDERS / "bert" / "tokenizer.json").read_text("utf-8"))
    assert asked["padding"]["strategy"] == {"Fixed": 13}
    assert asked["truncation"]["max_length"] == 13
    assert len(tokenizer("bert").encode("sun", 19).tokens) == 3
    assert len(tokenizer("bert").encode("sun " * 15, 19).tokens) == 17


def test_no_token_is_left_to_chance():
    known = json.loads((FOLDERS / "gpt2" / "tokenizer.json").read_text("utf-8"))["model"]
    text = SENTENCES["gpt2"] * 9
    by_chance = tokenizer("gpt2", model=known | {"dropout": 0.5}).encode(text, 999)
    assert by_chance.ids == tokenizer("gpt2").encode(text, 999).ids


def test_the_tokens_of_a_text_are_at_hand_when_it_is_asked_for_again(monkeypatch):
    reader = tokenizer("bert")
    first = reader.encode("sun", 19)
    monkeypatch.setattr(apart, "read", lambda *_, **options: pytest.fail(options["text"]))
    assert reader.encode("sun", 19) == first
    with pytest.raises(pytest.fail.Exception, match="play"):
        reader.encode("play", 19)


def test_a_token_of_more_than_512_characters_is_damage():
    known = json.loads((FOLDERS / "bert" / "tokenizer.json").read_text("utf-8"))["model"]
    for length, wrong in ((512, False), (513, True)):
        longer = known | {"vocab": known["vocab"] | {"x" * length: 900}}
        with refuses("damaged_checkpoint") if wrong else nullcontext():
            tokenizer("bert", model=longer)


def test_more_tokens_than_positions_are_refused():
    with refuses("more_tokens_than_places", tokens=20, limit=19):
        tokenizer("bert").encode("sun " * 18, 19)


def test_a_text_is_empty_where_this_tokenizer_takes_no_token_from_it():
    for kind, texts in {"bert": ("", "  \n\t ", "\u00ad"), "gpt2": ("",)}.items():
        for text in texts:
            with refuses("empty_text"):
                tokenizer(kind).encode(text, 19)


def test_the_text_itself_is_looked_at_first():
    with refuses("invisible_characters", characters="U+D800, U+DFFF"):
        tokenizer("gpt2").encode("a\ud800b\udfff", 37)
    with refuses("text_too_long"):
        tokenizer("gpt2").encode("a" * 40_001, 100_000)


@pytest.mark.parametrize(
    "definition",
    ["", "{", "[]", "{}", "[" * 10**5, '{"model": 3}', "\x00", '{"model": {"type": "BPE"}}'],
)
def test_an_invalid_definition_is_damaged(definition):
    with refuses("damaged_checkpoint"):
        Tokenizer(definition)


def test_a_tokenizer_that_fails_at_a_text_is_damaged():
    text = (FOLDERS / "bert" / "tokenizer.json").read_text("utf-8")
    without_unknown = json.loads(text)["model"] | {"unk_token": "[nowhere]"}
    with refuses("damaged_checkpoint"):
        tokenizer("bert", model=without_unknown).encode("zebra", 19)


def test_an_inconsistent_template_is_damaged():
    text = (FOLDERS / "bert" / "tokenizer.json").read_text("utf-8")
    frame = json.loads(text)["post_processor"]
    begins = frame["special_tokens"].pop("[CLS]")
    for special in (
        frame["special_tokens"],  # the library panics at what is not there
        frame["special_tokens"] | {"[CLS]": begins | {"ids": [2, 2]}},
    ):
        with refuses("damaged_checkpoint"):
            broken = tokenizer("bert", post_processor=frame | {"special_tokens": special})
            broken.encode("sun", 19)


def test_a_token_that_the_model_has_no_row_for_is_named(tmp_path):

    def cut_short(tensors):
        table = tensors["transformer.wte.weight"][:258]
        return tensors | {"transformer.wte.weight": table}

    model = checkpoint.open(copied("gpt2", tmp_path, cut_short, vocab_size=258))
    with refuses("outside_vocabulary", word="love", vocabulary=258):
        model.run("a love", 1)
    with pytest.raises(TypeError, match="word"):
        model.run(EXPECTED["vit"]["given"], 1)


def test_a_text_of_which_no_token_is_left_is_empty():
    with refuses("empty_text"):
        tokenizer("bert", post_processor=None).encode("\u0301", 19)  # its accents are taken off
