"""RoBERTa, ELECTRA, DistilBERT and ModernBERT: what differs from BERT, and what is refused."""

import numpy as np
import pytest
from checkpoint_folders import EXPECTED, FOLDERS, configured, copied, given
from claims import for_all
from refuses import refuses
from safetensors.numpy import load_file

from core import explain
from core.models import checkpoint
from core.nested import subtrace
from core.rotary import Linear

FILES = {
    kind: load_file(FOLDERS / kind / "model.safetensors")
    for kind in ("roberta", "distilbert", "modernbert")
}


def run(kind, layer=1, text=None, folder=None):
    return checkpoint.open(folder or FOLDERS / kind).run(text or given(kind), layer)


def test_robertas_padding_tokens_are_not_counted():
    trace = run("roberta", text="l<pad>o<pad><pad>v")
    ids = [int(trace["input/tokens"].axis("token").names().index(x)) for x in ("l", "o", "v")]
    assert ids == [1, 3, 6]
    table = FILES["roberta"]["roberta.embeddings.position_embeddings.weight"]
    rows = [2, 3, 1, 4, 1, 1, 5, 6]  # <s> l <pad> o <pad> <pad> v </s>
    assert trace["input/position"].tensor.tolist() == table[rows].tolist()


def test_sinusoids_in_a_distilberts_file_are_read_and_called_so(tmp_path):
    model = run("distilbert", folder=copied("distilbert", tmp_path, sinusoidal_pos_embds=True))
    assert model["input/position"].kind == "stored_sinusoids"
    assert (model["input/position"].tensor == run("distilbert")["input/position"].tensor).all()


def test_a_token_of_a_local_layer_sees_half_the_window_on_either_side():
    model = checkpoint.open(FOLDERS / "modernbert")
    survey = model.survey(given("modernbert"))
    for layer, is_local in enumerate((False, True, True, False), start=1):
        trace = subtrace(model.run(given("modernbert"), layer), f"encoder/{layer}/self")
        assert ("sliding_window" in trace) == is_local
        weights = trace["weights"].tensor[0]
        far = [
            (head, i, j)
            for head, i, j in np.ndindex(weights.shape)
            if (weights[head, i, j] > 0) != (not is_local or abs(i - j) <= 3)
        ]
        assert not far
        peaks = weights.max(axis=2).mean(axis=1)
        assert [head.peak for head in survey[layer - 1]] == pytest.approx(peaks.tolist(), abs=1e-6)


def test_biases_of_a_modernbert_are_added_and_explained(tmp_path):
    random = np.random.default_rng(7)

    def biased(tensors):
        added = {}
        for name, tensor in tensors.items():
            module = name.removesuffix(".weight")
            if module.startswith("model.") and "tok_embeddings" not in module:
                added[f"{module}.bias"] = random.standard_normal(len(tensor)).astype(np.float32)
        return tensors | added

    flags = dict.fromkeys(("attention_bias", "mlp_bias", "norm_bias"), True)
    folder = copied("modernbert", tmp_path, biased, **flags)
    trace, plain = run("modernbert", 4, folder=folder), run("modernbert", 4)
    found = {key.rpartition("/")[2] for key in trace} - {key.rpartition("/")[2] for key in plain}
    assert found == {"b_Q", "b_K", "b_V", "b_O", "b_gate", "b_up", "b_down", "beta"}
    for key in ("gate", "up", "output"):
        cell = explain(trace, f"encoder/4/feed_forward/{key}", (0, 1, 2))
        assert cell.made_by.value == pytest.approx(cell.value, rel=1e-4, abs=1e-5), key
    fed = subtrace(trace, "encoder/4/feed_forward")
    up = fed["X"].tensor[0, 1] @ fed["W_up"].tensor + fed["b_up"].tensor
    assert fed["up"].tensor[0, 1] == pytest.approx(up, abs=1e-4)


OLDER = {"layer_types": ..., "rope_parameters": ...}


def test_layers_of_a_modernbert_are_read_in_both_spellings():
    new, old = configured("modernbert"), configured("modernbert", **OLDER)
    assert new.windows == old.windows == (None, (3, 3), (3, 3), None)
    assert (old.rotary, old.local_rotary) == (new.rotary, new.local_rotary)
    old = configured("modernbert", **OLDER, global_attn_every_n_layers=2, local_attention=9)
    assert old.windows == (None, (4, 4)) * 2
    old = configured("modernbert", **OLDER, global_rope_theta=99.0, local_rope_theta=None)
    assert old.rotary.theta == old.local_rotary.theta == 99.0
    scaled = configured("modernbert", **OLDER, rope_scaling={"type": "linear", "factor": 4.0})
    assert scaled.rotary.scaling == scaled.local_rotary.scaling == Linear(4.0)
    one = configured("modernbert", rope_parameters={"sliding_attention": {"rope_theta": 7.0}})
    assert (one.rotary.theta, one.local_rotary.theta) == (160_000, 7)


@for_all("kind", ["xlm-roberta", "camembert"])
def test_xlm_roberta_and_camembert_are_computed_as_roberta(kind, tmp_path_factory):
    folder = copied("roberta", tmp_path_factory.mktemp(kind), model_type=kind)
    trace, expected = run("roberta", 2, folder=folder), run("roberta", 2)
    assert all((trace[key].tensor == expected[key].tensor).all() for key in expected)


def test_electra_is_computed_as_bert_where_its_embeddings_are_as_wide_as_its_layers(tmp_path):
    def renamed(tensors):
        return {name.replace("bert.", "electra."): tensor for name, tensor in tensors.items()}

    def electra(embedding_size):
        stated = {"model_type": "electra", "embedding_size": embedding_size}
        return checkpoint.open(copied("bert", tmp_path / str(embedding_size), renamed, **stated))

    made = electra(15).run(given("bert"), 2)["encoder/2/feed_forward/normalised"].tensor[0]
    assert np.abs(made - EXPECTED["bert"]["hidden/2"]).max() < 2e-5
    with refuses("wrong_setting", name="embedding_size", value="12", allowed="15 (hidden_size)"):
        electra(12)
