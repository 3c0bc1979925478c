"""A word with two meanings in pretrained models, recorded: ``assets/recorded/meanings.json``.

``training/meanings.py`` makes the file. A vector is that of a sentence's last token, which is the
word; layer 0 is what enters the first layer.
"""

import json
from functools import cache
from typing import Any

from core.models import pretrained
from core.models.recorded import FOLDER

FILE = FOLDER / "meanings.json"


@cache
def meanings() -> dict[str, dict[str, Any]]:
    """By language code what was recorded.

    model: of ``core.models.pretrained``, by its name there; title: its own name. word, d_model.
    sentences, clues, meanings: of each sentence its text, the word that tells its meaning, and the
    meaning, 0 or 1.
    points: (layer, sentence, 2), every layer's vectors on the plane in which they differ most.
    cosines: (layer, sentence, sentence). stripes: (2, layer, number), some numbers of the vectors
    of the first sentence of each meaning, in hundredths of the strongest colour; without:
    (layer, number), the same with attention switched off in all layers, when all sentences agree.
    beginnings, next: two texts that end in the same token, and of each the likeliest next tokens
    with their probabilities; next_without: those of both with attention switched off.
    """
    recorded: dict[str, dict[str, Any]] = json.loads(FILE.read_text("utf-8"))
    for one in recorded.values():
        one["title"] = pretrained.ALL[one["model"]].title
    return recorded
