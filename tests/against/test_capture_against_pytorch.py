"""What is captured of a PyTorch module, against what it computes; skipped without PyTorch."""

import numpy as np
import pytest
from claims import for_all
from transformers_models import torch, transformers

from core import Weights, explain, multi_head_attention, trace_of
from core.capture import capture

functional = torch.nn.functional
D, HEADS, N = 12, 2, 5  # an even number of heads has PyTorch's fast path
X = torch.randn(2, N, D, generator=torch.Generator().manual_seed(3))
SMALL = {"hidden_size": 12, "num_attention_heads": 4, "num_hidden_layers": 2, "vocab_size": 19}
DECODER = SMALL | {"num_key_value_heads": 2, "intermediate_size": 14, "head_dim": 6}
IDS = torch.tensor([[1, 7, 3, 11, 2, 5, 13]])
MODELS = {
    "bert": SMALL | {"intermediate_size": 14},
    "gpt2": {"n_embd": 12, "n_head": 4, "n_layer": 2, "vocab_size": 19},
    "llama": DECODER,
    "gemma2": DECODER | {"sliding_window": 3, "attn_logit_softcapping": 2.0},
    "phi3": DECODER | {"pad_token_id": 0},
    "qwen3": DECODER,
    "gpt_oss": DECODER
    | {"num_local_experts": 2, "num_experts_per_tok": 1, "intermediate_size": 16},
    "t5": {"d_model": 12, "num_heads": 4, "d_kv": 3, "d_ff": 14, "num_layers": 2, "vocab_size": 19},
}  # fmt: skip


class Tokens:
    """As much of a tokenizer as is used."""

    def __call__(self, text, return_tensors):
        return {"input_ids": IDS}

    def decode(self, ids):
        return {7: " cat", 3: "�"}.get(*ids, f"t{ids[0]}")

    def convert_ids_to_tokens(self, number):
        return f"<{number}>"


def model_of(name):
    torch.manual_seed(5)
    config = transformers.AutoConfig.for_model(name, **MODELS[name])
    return transformers.AutoModel.from_config(config).eval()


@for_all("name", MODELS)
def test_the_attention_of_a_model_of_hugging_face_is_what_it_computes(name):
    model = model_of(name)
    given = {"decoder_input_ids": IDS[:, :4]} if name == "t5" else {}
    trace = capture(model, "a text", tokenizer=Tokens(), **given)
    layers = 6 if name == "t5" else 2
    assert len(trace.deviations) == layers
    assert max(trace.deviations.values()) < 1e-5
    part = next(iter(trace.deviations))
    assert "attn" in part.lower() or "attention" in part.lower()
    assert trace[f"{part}/weights"].axis("key").names()[1:3] == ("cat", "<3>")
    assert len(explain(trace, f"{part}/scores", (0, 1, 2, 1)).made_by.parts) >= 3
    assert model.config._attn_implementation != "attention_microscope"


class Own(torch.nn.Module):
    """A module of one's own, with a fused projection."""

    def __init__(self):
        super().__init__()
        self.qkv = torch.nn.Linear(D, 3 * D)

    def forward(self, x):
        q, k, v = (
            part.unflatten(-1, (HEADS, -1)).transpose(1, 2) for part in self.qkv(x).chunk(3, -1)
        )
        return functional.scaled_dot_product_attention(q, k, v, is_causal=True)


def modules():
    torch.manual_seed(7)
    layer = torch.nn.TransformerEncoderLayer(D, HEADS, 14, batch_first=True)
    decoder = torch.nn.TransformerDecoderLayer(D, HEADS, 14, batch_first=True)
    return {
        "own": (Own(), (X,), 1),
        "a fast encoder": (torch.nn.TransformerEncoder(layer, 2), (X,), 2),
        "a decoder": (decoder, (X, X[:, :3]), 2),
        "half": (Own().to(torch.bfloat16), (X.to(torch.bfloat16),), 1),
    }


@for_all("name", ("own", "a fast encoder", "a decoder", "half"))
def test_the_attention_of_a_module_of_pytorch_is_what_it_computes(name):
    module, given, calls = modules()[name]
    trace = capture(module.eval(), *given)
    assert len(trace.deviations) == calls
    assert max(trace.deviations.values()) < (0.05 if name == "half" else 1e-5)
    before = module.eval()(*given)
    assert torch.allclose(before, trace.output, atol=1e-5)


def test_masks_of_pytorchs_attention_hide_what_is_true():
    module = torch.nn.MultiheadAttention(D, HEADS, batch_first=True).eval()
    hidden = torch.ones(N, N, dtype=torch.bool).triu(1)
    padded = torch.tensor([[False] * N, [False] * (N - 1) + [True]])
    trace = capture(module, X, X, X, attn_mask=hidden, key_padding_mask=padded, only="Multi*")
    weights = trace["MultiheadAttention/weights"].tensor
    expected = (hidden[None] | padded[:, None]).numpy()
    assert ((weights == 0) == expected[:, None]).all()


def test_keys_and_values_of_two_widths_and_a_module_called_twice_are_captured():
    module = torch.nn.MultiheadAttention(D, HEADS, kdim=7, vdim=11).eval()
    key, value = torch.randn(4, 7), torch.randn(4, 11)
    trace = capture(module, torch.randn(N, D), key, value)
    assert (
        np.abs(trace["MultiheadAttention/output"].tensor[0] - trace.output[0].numpy()).max() < 1e-5
    )

    class Twice(torch.nn.Module):
        def forward(self, x):
            return functional.scaled_dot_product_attention(
                *[functional.scaled_dot_product_attention(x, x, x)] * 3
            )

    assert [*capture(Twice(), X).deviations] == ["Twice", "Twice:2"]


def test_what_drops_out_or_attends_to_nothing_is_refused():
    layer = torch.nn.TransformerEncoderLayer(D, HEADS, 14, batch_first=True)
    with pytest.raises(ValueError, match=r"self_attn drops out: call eval\(\)"):
        capture(layer.train(), X)
    with pytest.raises(ValueError, match="no attention was called"):
        capture(torch.nn.Linear(D, D), X)


@for_all("separate", (False, True))
def test_the_parameters_of_a_module_are_turned_the_right_way(separate):
    module = torch.nn.MultiheadAttention(D, HEADS, batch_first=True, bias=not separate).eval()
    expected = module(X, X, X)[0].detach().numpy()
    given = (module,)
    if separate:
        projections = [torch.nn.Linear(D, D, bias=False) for _ in range(3)]
        for linear, matrix in zip(projections, module.in_proj_weight.chunk(3), strict=True):
            linear.weight = torch.nn.Parameter(matrix)
        given = (*projections, module.out_proj)
    weights = Weights.from_torch(*given, heads=HEADS)
    assert repr(weights).startswith(f"<Weights of {HEADS} heads on {HEADS}: W_Q ({D}, {D}), ")
    trace = multi_head_attention(X, weights)
    assert np.abs(trace["output"].tensor - expected).max() < 1e-5
    with pytest.raises(TypeError, match=r"use Weights\.from_torch"):
        Weights(*(module.in_proj_weight,) * 3, module.out_proj.weight, HEADS)


def test_weights_that_a_model_returns_are_taken_as_they_are():
    model = model_of("bert")
    model.set_attn_implementation("eager")
    attentions = model(IDS, output_attentions=True).attentions
    trace = trace_of(attentions, range(IDS.shape[1]))
    assert (trace["layer/2/weights"].tensor == attentions[1].detach().numpy()).all()
