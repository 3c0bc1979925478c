"""The lines and tokens of a text."""

import unicodedata

import pytest
import regex
from claims import for_all
from hypothesis import given
from hypothesis import strategies as st
from refuses import refuses
from text_inputs import FAMILY

from core.sources.text import left_out, read, unsegmented

HEART = "\u2764\ufe0f"
VARIANT = "\u845b\U000e0100"
ENGLAND = "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"

UNSEEN = regex.compile(r"[\s\p{Default_Ignorable_Code_Point}]")


def only_line(text, mode):
    (line,) = read(text, mode)
    return list(line)


@for_all(
    ("text", "tokens"),
    [
        ("我爱北京", ["我", "爱", "北京"]),
        ("don't stop", ["don't", "stop"]),
        ("It\u2019s 3.14, ok?", ["It\u2019s", "3.14", ",", "ok", "?"]),
        (f"a{FAMILY}b", ["a", FAMILY, "b"]),
        (f"{HEART}{ENGLAND}", [HEART, ENGLAND]),
        (
            "\U0001f1e8\U0001f1f3\U0001f1fa\U0001f1f8",
            ["\U0001f1e8\U0001f1f3", "\U0001f1fa\U0001f1f8"],
        ),
        ("\U0001f44d\U0001f3fd1\ufe0f\u20e3", ["\U0001f44d\U0001f3fd", "1\ufe0f\u20e3"]),
        ("我爱Python3编程", ["我", "爱", "Python3", "编程"]),
        ("2024年，１２元", ["2024", "年", "，", "１２", "元"]),
        ("“你好”，（世界）！", ["“", "你好", "”", "，", "（", "世界", "）", "！"]),
        ("クルマは東京", ["クルマ", "は", "東京"]),
        ("안녕하세요 세계", ["안녕하세요", "세계"]),
        ("مرحبا بالعالم", ["مرحبا", "بالعالم"]),
        ("naïve café", ["naïve", "café"]),
        ("wait... what?!", ["wait", ".", ".", ".", "what", "?", "!"]),
        (f"{VARIANT}城市", [VARIANT, "城市"]),
        ("\u3000我 \t\u00a0爱\u2003", ["我", "爱"]),
        ("<b>$x$</b>", ["<", "b", ">", "$", "x", "$", "<", "/", "b", ">"]),
        ("他把钥匙弄丢了", ["他", "把", "钥匙", "弄丢", "了"]),
    ],
)
def test_words_are_split_by_dictionary_and_by_word_boundaries(text, tokens):
    assert only_line(text, "word") == tokens


@for_all(
    ("text", "tokens"),
    [
        ("我爱北京", ["我", "爱", "北", "京"]),
        ("it's ok.", ["i", "t", "'", "s", "o", "k", "."]),
        (f"{FAMILY}{HEART}{VARIANT}", [FAMILY, HEART, VARIANT]),
        ("안녕", ["안", "녕"]),
        ("हि\tन", ["हि", "न"]),
        ("q\u0323\u0307x", ["q\u0323\u0307", "x"]),
    ],
)
def test_characters_are_grapheme_clusters(text, tokens):
    assert only_line(text, "character") == tokens


@for_all(
    ("text", "tokens"),
    [
        ("我爱/北京", ["我爱", "北京"]),
        (" 我\u3000爱北京 / don't//stop/ ", ["我", "爱北京", "don't", "stop"]),
        (f"{FAMILY}!/。", [f"{FAMILY}!", "。"]),
    ],
)
def test_custom_tokens_are_separated_by_spaces_and_slashes(text, tokens):
    assert only_line(text, "custom") == tokens


@for_all("mode", ["word", "character", "custom"])
def test_lines_are_samples_and_blank_ones_are_passed_over(mode):
    assert read("\n \t\na b\r\n\u3000\n\r\nc\n\n", mode) == (("a", "b"), ("c",))


@for_all("mode", ["word", "character", "custom"])
def test_a_composed_letter_and_a_letter_with_its_accent_are_one_token(mode):
    assert read("e\u0301", mode) == read("\u00e9", mode) == (("\u00e9",),)


@for_all("mode", ["word", "character", "custom"])
@for_all("mark", ["\ufeff", "\u200e", "\u200f", "\u061c", "\u2060", "\u00ad", "\u2068", "\u2069"])
def test_marks_of_direction_and_line_breaking_make_no_difference(mark, mode):
    assert read(f"{mark}ab{mark} c{mark}", mode) == read("ab c", mode)


@for_all("mode", ["word", "character", "custom"])
@for_all("unseen", ["\u200b", " \u200d ", " \ufe0f ", " \u3164 "])
def test_invisible_characters_are_no_tokens(unseen, mode):
    assert read(f"a{unseen}b", mode) == (("a", "b"),)
    with refuses("empty_text"):
        read(unseen, mode)


@pytest.mark.parametrize("mode", ["word", "character"])
def test_a_space_that_carries_an_accent_leaves_the_accent_alone(mode):
    assert only_line("x \u0301y", mode) == ["x", "\u0301", "y"]


@pytest.mark.parametrize("mode", ["word", "character"])
@given(st.text(st.characters(exclude_categories=["Cc", "Cs", "Cf"]), max_size=40))
def test_no_visible_character_is_lost_or_moved(mode, text):
    visible = UNSEEN.sub("", unicodedata.normalize("NFC", f"我{text}"))
    tokens = only_line(f"我{text}", mode)
    assert UNSEEN.sub("", "".join(tokens)) == visible
    assert all(token == token.strip() != "" for token in tokens)


@for_all(
    ("text", "mode", "marks"),
    [
        ("a\u200eb\u00ad\u200e", "word", "\u200e\u00ad"),
        ("\u2068a\u2069 b", "custom", "\u2068\u2069"),
        ("我\u200d爱", "word", "\u200d"),
        ("我\u200d爱", "character", ""),
        ("a \ufe0f b", "character", "\ufe0f"),
        (f"{FAMILY}{HEART}", "word", ""),
        ("可 以\n", "word", ""),
    ],
)
def test_invisible_characters_that_are_in_no_token_are_named(text, mode, marks):
    assert "".join(left_out(text, mode)) == marks


@for_all(
    ("text", "script"),
    [
        ("ฉันรัก", "thai"), ("ພາສາ", "lao"), ("ខ្ញុំ", "khmer"), ("မြန်မာ", "myanmar"),
        ("これは", "hiragana"),
    ],
)  # fmt: skip
def test_scripts_without_word_segmentation_are_named(text, script):
    assert unsegmented(f"I love {text}") == (script,)
    assert len(only_line(text, "word")) >= len(text) // 3
    assert unsegmented("我爱北京 I love カタカナ שלום 안녕") == ()
