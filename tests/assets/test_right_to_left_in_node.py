"""Texts and drawings of the microscope for a sentence written from right to left."""

import sys
import unicodedata
from itertools import chain

from in_node import evaluate
from test_sheets_in_node import SVG, drawn

from core import Weights, multi_head_attention
from core.sources import text
from views.scene.scene import scene
from views.text import LANGUAGES
from views.text.spans import ISOLATES, RIGHT_TO_LEFT, isolated

SENTENCE = "שלום 42 עולם مرحبا 123"
TOKENS = [text.join(ISOLATES) if text[0].isalpha() else text for text in SENTENCE.split()]
TEXTS = """
  const shown = new trace.Trace(blob.unpacked(given));
  const of = { query: 2, key: 3, token: 2 };
  const at = (key) => shown.stage(key).roles.map((role) => of[role] ?? 0);
  const plain = (spans) => spans.map(([text]) => text).join("");
  const texts = Object.keys(shown.stages).flatMap((key) => {
    if (shown.stage(key).rule.rule === "given") return [];
    const index = at(key), roles = shown.stage(key).roles;
    const positions = Object.fromEntries(roles.map((role, i) => [role, index[i]]));
    const cell_ = opened.opened(cell.explain(shown, key, index), shown);
    const rows = Array.from({ length: cell_.rows.length }, (_, i) => cell_.rows.at(i).map(plain));
    const terms = cell_.terms.flatMap(({ made, value }) => [plain(made), plain(value)]);
    return [
      plain(cell_.title), ...terms, ...cell_.notes.map(plain), ...rows.flat(),
      ...readings.readings(shown, key, positions).map(plain),
    ];
  });
  return texts;
"""


def trace():
    embedded = text.embed(text.read(SENTENCE, "word"), 4, seed=7)
    return multi_head_attention(embedded, Weights.seeded(4, 2, 7))


def test_both_halves_isolate_the_same_letters_which_are_all_that_run_from_right_to_left():
    letters = [chr(i) for i in range(0x20000) if not 0xD800 <= i < 0xE000]
    beyond = map(chr, range(0x20000, sys.maxunicode + 1))
    in_browser = evaluate(
        ["microscope/engine/names.js"],
        "return given.map((one) => names.isolated(one) !== one)",
        letters,
    )
    assert [isolated(one) != one for one in letters] == in_browser
    every = chain(letters, beyond)
    runs = {one for one in every if unicodedata.bidirectional(one) in ("R", "AL", "AN")}
    runs -= {"\u200f"}  # a mark of direction, which no token has
    assert runs <= {one for one, is_one in zip(letters, in_browser, strict=True) if is_one}
    assert isolated("我 love 42 [CLS]") == "我 love 42 [CLS]"


def test_a_name_is_cut_within_its_isolate():
    (cut,) = evaluate(
        ["microscope/engine/names.js"], "return given.map(names.shortened)", ["ש" * 13]
    )
    assert cut == f"{'ש' * 11}…".join(ISOLATES)


def test_words_sums_and_tables_isolate_every_token_that_they_quote():
    packed = scene(trace(), "weights", 0, 0, ("weights",), LANGUAGES["en"])
    modules = [
        f"microscope/engine/{name}.js" for name in ("blob", "cell", "opened", "readings", "trace")
    ]
    texts = evaluate(modules, TEXTS, packed)
    assert len([one for one in texts if RIGHT_TO_LEFT.search(one)]) > 15
    assert not [one for one in texts if RIGHT_TO_LEFT.search(_without_tokens(one))]


def test_a_drawn_step_isolates_the_names_of_rows_and_columns():
    ((_, tree),) = drawn(trace(), ["weights"])
    texts = [element.text for element in tree.iter(f"{SVG}text")]
    assert {*TOKENS} <= {*texts}
    assert not [text for text in texts if RIGHT_TO_LEFT.search(_without_tokens(text))]


def _without_tokens(sentence: str) -> str:
    for token in TOKENS:
        sentence = sentence.replace(token, "")
    return sentence
