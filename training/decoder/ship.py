"""Evaluates a run and writes the model that ships: ``python -m training.decoder.ship PAIRS``.

The output is a folder in the format of Hugging Face: ``transformers`` opens it, and so does the
page of one's own model. The weights are rounded to float16 before they are evaluated.
"""

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer

from core.models import checkpoint
from core.models.folder import CONFIG
from core.sources.tokenizer import FILE as TOKENIZER
from training import tatoeba as data
from training.cards import HISTORY, write
from training.checkpoints import Weights, load, save
from training.decoder.card import cards
from training.decoder.measure import evaluate, perplexity
from training.decoder.model import ModelConfig
from training.decoder.run import BEST, Settings
from training.decoder.sentences import is_chinese, sentences

DESTINATION = Path(__file__).parents[2] / "assets" / "models" / "decoder"
PROMPTS = ("我爱", "小猫在", "他昨天没有", "I love", "The cat sat on", "Tom doesn't know")
MAX_NEW_TOKENS = 20  # of a sample


def perplexities(
    weights: Weights, sizes: ModelConfig, tokenizer: Tokenizer, texts: Sequence[str]
) -> dict[str, dict[str, float]]:
    """Perplexity and number of sentences, of all and of each language."""
    subsets = {
        "both": [*texts],
        "zh": [text for text in texts if is_chinese(text)],
        "en": [text for text in texts if not is_chinese(text)],
    }
    return {
        name: {"sentences": len(subset)}
        | {
            figure: round(value, 4)
            for figure, value in asdict(
                perplexity(evaluate(weights, sizes, tokenizer, subset))
            ).items()
        }
        for name, subset in subsets.items()
    }


def complete(folder: Path, prompt: str) -> str:
    """A prompt with its greedy continuation, computed by the app from the files that ship."""
    model, text = checkpoint.open(folder), prompt
    for _ in range(MAX_NEW_TOKENS):
        longer = model.append_token(text, model.predict(text).likeliest[0])
        if longer is None:
            break
        text = longer
    return text


def main() -> None:
    """Round, evaluate, write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pairs", type=Path)
    parser.add_argument("--run", type=Path, required=True, help="the folder of training")
    parser.add_argument("--to", type=Path, default=DESTINATION)
    args = parser.parse_args()
    torch.set_num_threads(1)
    args.to.mkdir(parents=True, exist_ok=True)
    state = torch.load(args.run / BEST)
    sizes = ModelConfig(**state["sizes"])
    tokenizer = Tokenizer.from_file(str(args.run / TOKENIZER))
    for name in (TOKENIZER, HISTORY):
        (args.to / name).write_bytes((args.run / name).read_bytes())
    (args.to / CONFIG).write_text(json.dumps(sizes.config, indent=2) + "\n", "utf-8")
    dataset = sentences(data.split(data.read(args.pairs)))
    run_data: dict[str, Any] = {
        "data": {"sha256": data.SHA256, "learnt": len(dataset.train)},
        "sizes": asdict(sizes),
        "settings": asdict(Settings()),
        "epochs": state["epochs"],
    }
    save(args.to, state["weights"], run_data, {"format": "pt"})
    weights, _ = load(args.to)
    run_data["measured"] = {
        name: perplexities(weights, sizes, tokenizer, texts)
        for name, texts in (("validation", dataset.validation), ("test", dataset.test))
    }
    run_data["samples"] = {prompt: complete(args.to, prompt) for prompt in PROMPTS}
    save(args.to, state["weights"], run_data, {"format": "pt"})
    write(args.to, cards(args.to))
    print(json.dumps(run_data["measured"], indent=1))


if __name__ == "__main__":
    main()
