"""Definitions of tokenizers that would never end, or end the process, end in a sentence.

They are executed by another process, which ends at its limits (``core.sources.apart``).
"""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import hostile_tokenizers
import pytest
from refuses import refuses

from core.limits import TOKENIZING
from core.sources import apart, tokenizer
from core.sources.tokenizer import Tokenizer

ROOT = Path(__file__).parents[3]


@pytest.mark.skipif(sys.platform != "linux", reason="the limits are Linux's")
def test_every_hostile_definition_ends_in_a_sentence_or_is_harmless_within_500_megabytes():
    ran = subprocess.run(
        [sys.executable, hostile_tokenizers.__file__],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        check=True,
    )
    expected = {name: wanted for name, (_, wanted) in hostile_tokenizers.HOSTILE.items()}
    found = json.loads(ran.stdout)
    assert found["outcomes"] == expected
    assert found["peak"] <= 500e6


@pytest.mark.skipif(sys.platform == "win32", reason="a busy process is ended by its CPU time")
def test_a_text_that_takes_too_much_leaves_the_others_their_tokens(monkeypatch):
    monkeypatch.setattr(tokenizer, "TOKENIZING", replace(TOKENIZING, cpu_seconds=0.3, processes=1))
    reader = Tokenizer(hostile_tokenizers.HOSTILE["a pattern that calls itself"][0]())
    for _ in range(2):
        with refuses("takes_too_much", seconds="0.3"):
            reader.encode("a" * 200, 999)
    assert reader.encode("sun", 9).tokens == ("[CLS]", "sun", "[SEP]")
    apart._made(tokenizer.TOKENIZING).close()


def test_a_definition_has_4_seconds_and_480_megabytes_and_a_larger_one_more():
    """One of 33 MB, as Gemma's, needs 1.4 s and 460 MB."""
    for size, seconds, memory in (
        (1_000, 4, 480e6),
        (8_000_000, 4, 480e6),
        (33_000_000, 9, 1.08e9),
    ):
        limits = TOKENIZING.of(size)
        assert (limits.cpu_seconds, limits.memory_bytes) == (seconds, memory)


def test_what_definitions_hold_is_given_up_for_the_next_one():
    """Any of these holds 300 MB."""
    for letters in ("ab", "cd", "ef"):
        pieces = [["?", 0.0], *([f"{number:05}" + letters * 55, -1.0] for number in range(6_000))]
        fat = Tokenizer(json.dumps({"model": {"type": "Unigram", "unk_id": 0, "vocab": pieces}}))
        assert fat.encode(f"00007{letters * 55}", 9).ids == (8,)
