"""Definitions of tokenizers that would never end, or end the process, are refused by name."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


def test_every_hostile_definition_is_refused_by_name_or_harmless():
    pytest.importorskip("resource")
    import hostile_tokenizers

    ran = subprocess.run(
        [sys.executable, hostile_tokenizers.__file__],
        env=os.environ | {"PYTHONPATH": str(ROOT), "RUST_BACKTRACE": "0"},
        stdout=subprocess.PIPE,
        check=True,
    )
    expected = {name: wanted for name, (_, wanted) in hostile_tokenizers.HOSTILE.items()}
    found = json.loads(ran.stdout)
    assert {name: found[name] for name in expected if found[name] != expected[name]} == {}
