"""Measures what a run has learnt and writes it down: ``python -m training.decoder.ship PAIRS``.

What is written is a folder as Hugging Face writes it: ``transformers`` opens it, and so does the
page of one's own model. The weights are rounded to float16 first; every figure is of these numbers.
"""

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save_file
from tokenizers import Tokenizer

from core.models import checkpoint
from core.models.folder import CONFIG, WEIGHTS
from core.models.stored import RUN
from core.sources.tokenizer import FILE as TOKENIZER
from training.cards import COURSE
from training.decoder.card import write_cards
from training.decoder.measure import counted, perplexity
from training.decoder.model import Sizes, Weights
from training.decoder.run import BEST, Settings
from training.decoder.sentences import is_chinese, sentences
from training.tatoeba import data

SHIPPED = Path(__file__).parents[2] / "assets" / "models" / "decoder"
BEGUN = ("我爱", "小猫在", "他昨天没有", "I love", "The cat sat on", "Tom doesn't know")
LONGEST = 20  # tokens that a sample is gone on with


def figures(
    weights: Weights, sizes: Sizes, cuts: Tokenizer, texts: Sequence[str]
) -> dict[str, dict[str, float]]:
    """Perplexity on all sentences and on those of each language, with how many they are."""
    parts = {
        "both": [*texts],
        "zh": [text for text in texts if is_chinese(text)],
        "en": [text for text in texts if not is_chinese(text)],
    }
    return {
        name: {"sentences": len(some)}
        | {
            figure: round(value, 4)
            for figure, value in asdict(perplexity(counted(weights, sizes, cuts, some))).items()
        }
        for name, some in parts.items()
    }


def gone_on(folder: Path, begun: str) -> str:
    """A text and what the model takes for its likeliest ending, by what ships."""
    model, text = checkpoint.open(folder), begun
    for _ in range(LONGEST):
        made = model.continued(text, model.predict(text).likeliest[0])
        if made is None:
            break
        text = made
    return text


def main() -> None:
    """Round, measure, write."""
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("pairs", type=Path)
    asked.add_argument("--run", type=Path, required=True, help="the folder of training")
    asked.add_argument("--to", type=Path, default=SHIPPED)
    options = asked.parse_args()
    torch.set_num_threads(1)
    options.to.mkdir(parents=True, exist_ok=True)
    state = torch.load(options.run / BEST)
    sizes = Sizes(**state["sizes"])
    halves = {name: one.detach().half().contiguous() for name, one in state["weights"].items()}
    cuts = Tokenizer.from_file(str(options.run / TOKENIZER))
    for name in (TOKENIZER, COURSE):
        (options.to / name).write_bytes((options.run / name).read_bytes())
    save_file(halves, options.to / WEIGHTS, {"format": "pt"})
    (options.to / WEIGHTS).chmod(0o644)
    (options.to / CONFIG).write_text(json.dumps(sizes.config, indent=2) + "\n", "utf-8")
    found = sentences(data.split(data.read(options.pairs)))
    weights = {name: one.float() for name, one in halves.items()}
    about: dict[str, Any] = {
        "data": {"sha256": data.SHA256, "learnt": len(found.learnt)},
        "sizes": asdict(sizes),
        "settings": asdict(Settings()),
        "epochs": state["epochs"],
        "measured": {
            "validation": figures(weights, sizes, cuts, found.validation),
            "test": figures(weights, sizes, cuts, found.test),
        },
        "samples": {begun: gone_on(options.to, begun) for begun in BEGUN},
    }
    (options.to / RUN).write_text(json.dumps(about, ensure_ascii=False, indent=1) + "\n", "utf-8")
    write_cards(options.to)
    print(json.dumps(about["measured"], indent=1))


if __name__ == "__main__":
    main()
