"""How far a reader's model is from what ``transformers`` computes, where that is installed."""

import re
import subprocess
import sys
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

import streamlit as st

from core.limits import VERIFY_SECONDS
from views import link
from views.preferences import in_language, words
from views.text import words_beside
from views.text.spans import plain, spans
from views.widgets.prose import prose

WORDS = words_beside(__file__)
ROOT = Path(__file__).parents[3]
COMMAND = (sys.executable, "-m", "attention_microscope", "verify")
_ROW = re.compile(r"^ *(\d+) +(\S+) +(\S+)$", re.MULTILINE)


@dataclass
class Verified:
    """found: what the command printed, by folder."""

    found: dict[Path, str] = field(default_factory=dict)


def verified(folder: Path) -> None:
    """Draw a button that compares a model with ``transformers``, and what it found."""
    if folder.is_file() or not (find_spec("torch") and find_spec("transformers")):
        return
    texts, found = in_language(WORDS).verify, link.remembered(Verified).found
    if st.button(plain(texts.button), key="verify", help=plain(texts.help)):
        with st.spinner(plain(texts.running)):
            found[folder] = _printed(folder)
    if folder not in found:
        return
    rows = _ROW.findall(found[folder])
    if not rows:
        prose([spans(texts.failed, why=found[folder].strip()[-200:])], "verified", "quiet")
        return
    hidden, weights = (f"{max(float(row[i]) for row in rows):.1e}" for i in (1, 2))
    by_layer = words().list_mark.join(f"{layer}: {one} · {other}" for layer, one, other in rows)
    most = spans(texts.most, hidden=hidden, weights=weights)
    prose([most, spans(texts.layers, layers=by_layer)], "verified", "quiet")


def _printed(folder: Path) -> str:
    """What ``verify`` prints, in a process of its own; its error if it refuses."""
    try:
        done = subprocess.run(
            [*COMMAND, str(folder)], cwd=ROOT, capture_output=True, text=True,
            timeout=VERIFY_SECONDS, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return f"> {VERIFY_SECONDS} s"
    return done.stderr if done.returncode == 2 else done.stdout
