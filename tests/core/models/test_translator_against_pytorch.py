"""The NumPy translator against PyTorch: recorded, and recomputed where it is at hand.

Recorded is what PyTorch computed in float64 for 我明天去北京 when the weights were trained
(``python -m training.translator``). Recomputed it is with PyTorch's own encoder and decoder layers,
which share no line with the recording.
"""

from functools import cache
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from claims import for_all
from safetensors import safe_open
from safetensors.numpy import load_file

from core.models.stored import read
from core.models.translator import Translator, load
from core.rules import Given
from training.grammar import distinct, sentences

REFERENCE = Path(__file__).parent / "data" / "translator_reference.safetensors"
RECORDED = load_file(REFERENCE)
STAGES = sorted(RECORDED)
with safe_open(REFERENCE, "np") as file:
    ABOUT = file.metadata()
SOURCE, TARGET = ABOUT["source"].split(), ABOUT["target"].split()
MANY = 211  # held-out sentences, of the 2,000 that the card measures
FEWER = 0.03  # what so few sentences may leave short of the card's figures


@cache
def trace(precision=np.float64):
    return Translator(read("translator", precision)).trace(SOURCE, TARGET)


@cache
def measured():
    return tuple(islice(distinct(sentences(3, held_out=True)), MANY))


def test_the_recorded_pair_is_reordered_and_is_what_the_model_says_by_itself():
    found = load().translate("".join(SOURCE))
    assert list(found.tokens) == SOURCE
    assert list(found.words) == TARGET == ["I", "will", "go", "to", "Beijing", "tomorrow"]


def test_every_stage_that_is_computed_is_recorded():
    computed = {path for path, stage in trace().items() if not isinstance(stage.rule, Given)}
    assert computed <= set(STAGES)
    assert {"decoder/2/cross/weights", "decoder/1/self/masked", "source/X"} <= computed


@for_all("path", STAGES)
def test_a_stage_is_what_pytorch_recorded(path):
    found = trace()[path].tensor
    assert found.shape == RECORDED[path].shape
    assert found == pytest.approx(RECORDED[path], rel=1e-6, abs=1e-6)


@for_all("path", STAGES)
def test_a_stage_in_single_precision_is_within_1e_5_of_its_largest_number(path):
    found = trace(np.float32)[path].tensor
    shown = np.isfinite(RECORDED[path])
    assert np.array_equal(shown, np.isfinite(found))
    apart = np.abs(found[shown] - RECORDED[path][shown]).max()
    assert apart <= 1e-5 * max(1, np.abs(RECORDED[path][shown]).max())


def test_pytorchs_own_layers_give_the_same_numbers():
    torch = pytest.importorskip("torch")
    stored = read("translator", np.float64)
    sizes = stored.config
    memory = torch.tensor(trace()["source/X"].tensor)
    X = torch.tensor(trace()["target/X"].tensor)
    common = {
        "d_model": sizes["d_model"],
        "nhead": sizes["heads"],
        "dim_feedforward": sizes["d_ff"],
        "dropout": 0,
        "layer_norm_eps": sizes["epsilon"],
        "batch_first": True,
        "dtype": torch.float64,
    }
    causal = torch.nn.Transformer.generate_square_subsequent_mask(X.shape[1], dtype=torch.float64)
    with torch.no_grad():
        for number in range(1, sizes["layers"] + 1):
            layer = torch.nn.TransformerEncoderLayer(**common).eval()
            at = f"encoder/{number}"
            layer.load_state_dict(theirs(torch, stored.tensors, at, {"self": "self_attn"}))
            _, weights = layer.self_attn(memory, memory, memory, average_attn_weights=False)
            ours = trace()[f"{at}/self/weights"].tensor
            assert weights.numpy() == pytest.approx(ours, abs=1e-12)
            memory = layer(memory)
            ours = trace()[f"{at}/feed_forward/normalised"].tensor
            assert memory.numpy() == pytest.approx(ours, abs=1e-10)
        for number in range(1, sizes["layers"] + 1):
            layer = torch.nn.TransformerDecoderLayer(**common).eval()
            at = f"decoder/{number}"
            names = {"self": "self_attn", "cross": "multihead_attn"}
            layer.load_state_dict(theirs(torch, stored.tensors, at, names))
            X = layer(X, memory, tgt_mask=causal)
            ours = trace()[f"{at}/feed_forward/normalised"].tensor
            assert X.numpy() == pytest.approx(ours, abs=1e-10)


def theirs(torch, tensors, at, attentions):
    """Our matrices (in, out) under PyTorch's names, as it keeps them: (out, in), Q K V stacked."""

    def of(name):
        return torch.tensor(tensors[f"{at}/{name}"].T)

    found = {}
    for ours, name in attentions.items():
        stacked = torch.cat([of(f"{ours}/W_{one}") for one in "QKV"])
        found |= {f"{name}.in_proj_weight": stacked, f"{name}.out_proj.weight": of(f"{ours}/W_O")}
        found[f"{name}.in_proj_bias"] = stacked.new_zeros(len(stacked))
        found[f"{name}.out_proj.bias"] = stacked.new_zeros(stacked.shape[1])
    for number, ours in enumerate((*attentions, "feed_forward"), 1):
        found[f"norm{number}.weight"] = of(f"{ours}/gamma")
        found[f"norm{number}.bias"] = of(f"{ours}/beta")
    for number in (1, 2):
        found[f"linear{number}.weight"] = of(f"feed_forward/W_{number}")
        found[f"linear{number}.bias"] = of(f"feed_forward/b_{number}")
    return found


def test_held_out_sentences_come_out_right_as_often_as_the_card_says():
    right = [load().translate("".join(one.source)).words == one.target for one in measured()]
    assert np.mean(right) >= 0.99
    assert abs(np.mean(right) - load().stored.training["exact_match"]) <= FEWER


def test_the_best_head_looks_at_the_right_words_as_often_as_the_card_says():
    best = load().stored.training["best_head"]
    path, head = f"decoder/{best['layer']}/cross/weights", best["head"] - 1
    right, diagonal = [], []
    for one in measured():
        looks = load().trace(one.source, one.target)[path].tensor[0, head]
        for place, renders in enumerate(one.alignment):
            if renders:
                right.append(looks[place].argmax() in renders)
                diagonal.append(place * len(one.source) // len(one.target) in renders)
    assert np.mean(right) >= 0.95
    assert abs(np.mean(right) - best["aligned"]) <= FEWER
    assert np.mean(diagonal) < 0.4
