"""Encoder–decoders of texts, of several sizes with random weights, as ``transformers`` has them."""

import json

import numpy as np
import pytest
from transformers_models import torch, transformers, with_random_weights

from core.models import checkpoint
from core.models.text_to_text import TextToText, Written
from core.relative import RelativeBias

TOLERANCE = 1e-5
VOCABULARY, START, END = 61, 0, 1
CASES = {
    "T5": ("T5", {}),
    "T5, wide heads": ("T5", {"d_model": 12, "d_kv": 9, "num_heads": 2, "num_decoder_layers": 1}),
    "T5 1.1": ("T5", {"feed_forward_proj": "gated-gelu", "tie_word_embeddings": False}),
    "T5, SiLU": ("T5", {"feed_forward_proj": "gated-silu", "num_decoder_layers": 5}),
    "T5, many buckets": (
        "T5", {"relative_attention_num_buckets": 32, "relative_attention_max_distance": 128},
    ),
    "mT5": ("MT5", {"feed_forward_proj": "gated-gelu"}),
}  # fmt: skip


def t5(kind, changed):
    sizes = {
        "vocab_size": VOCABULARY, "d_model": 30, "d_kv": 7, "d_ff": 37, "num_layers": 3,
        "num_decoder_layers": 2, "num_heads": 4, "relative_attention_num_buckets": 8,
        "relative_attention_max_distance": 20, "decoder_start_token_id": START,
    }  # fmt: skip
    config = getattr(transformers, f"{kind}Config")(**sizes | changed)
    return getattr(transformers, f"{kind}ForConditionalGeneration")(config)


MARIAN = {
    "swish": {},
    "ReLU, not scaled": {"activation_function": "relu", "scale_embedding": False},
    "one layer that writes": {"decoder_layers": 1, "decoder_attention_heads": 2},
}


def marian(changed):
    sizes = {
        "vocab_size": VOCABULARY, "d_model": 28, "encoder_layers": 2, "encoder_attention_heads": 4,
        "encoder_ffn_dim": 33, "decoder_layers": 3, "decoder_attention_heads": 7,
        "decoder_ffn_dim": 39, "max_position_embeddings": 50, "scale_embedding": True,
        "activation_function": "swish", "eos_token_id": END, "forced_eos_token_id": END,
        "pad_token_id": VOCABULARY - 1, "decoder_start_token_id": VOCABULARY - 1,
    }  # fmt: skip
    made = transformers.MarianMTModel(transformers.MarianConfig(**sizes | changed))
    made.final_logits_bias.copy_(torch.randn(made.final_logits_bias.shape))
    return made


def opened(folder) -> TextToText:
    """The model, with numbers in place of tokens."""
    numbered = {
        "model": {
            "type": "WordLevel",
            "vocab": {str(i): i for i in range(VOCABULARY)},
            "unk_token": "2",
        },
        "pre_tokenizer": {"type": "WhitespaceSplit"},
    }
    (folder / "tokenizer.json").write_text(json.dumps(numbered), "utf-8")
    whole = checkpoint.open(folder).text_to_text
    assert whole is not None
    return whole


def compare(made, folder, seed) -> None:
    """Assert that both sides of every layer, the logits and what is written are the same."""
    with_random_weights(made.eval(), seed, 0.3)
    made.save_pretrained(folder)
    theirs = type(made).from_pretrained(folder, attn_implementation="eager").eval()
    ours = opened(folder)
    source = np.random.default_rng(seed).integers(3, VOCABULARY, 23)
    text = " ".join(map(str, source))
    ids = torch.tensor(source)[None]
    with torch.no_grad():
        written = theirs.generate(  # its cache is of as many layers as the encoder has
            ids,
            max_new_tokens=12,
            num_beams=1,
            do_sample=False,
            use_cache=False,
            forced_eos_token_id=None,
        )[0]
        found = theirs(
            input_ids=ids, decoder_input_ids=written[None, :-1],
            output_hidden_states=True, output_attentions=True,
        )  # fmt: skip
    mine = ours.greedy(text, 12)
    assert mine.numbers == tuple(written[1:].tolist())
    memory = found.encoder_last_hidden_state[0].numpy()
    assert np.abs(ours.memory(text) - memory).max() < TOLERANCE
    logits = found.logits[0].numpy()
    for (one, probability), row in zip(ours.write(text, 12), logits, strict=True):
        odds = np.exp(row.astype(float) - row.max())
        assert abs(probability - odds[one.numbers[-1]] / odds.sum()) < TOLERANCE
    for layer in range(1, ours.layers + 1):
        trace = ours.trace(text, mine, layer)
        for side, part, weights, hidden in (
            ("encoder", "self", found.encoder_attentions, found.encoder_hidden_states),
            ("decoder", "self", found.decoder_attentions, found.decoder_hidden_states),
            ("decoder", "cross", found.cross_attentions, ()),
        ):
            number = min(layer, len(weights))
            shown = trace[f"{side}/{number}/{part}/weights"].tensor[0]
            assert np.abs(shown - weights[number - 1][0].numpy()).max() < TOLERANCE
            if number < len(hidden) - 1:  # behind the last one theirs is normed
                fed = [stage for key, stage in trace.items() if f"{side}/{number}/feed" in key][-1]
                largest = max(1, np.abs(fed.tensor).max())
                assert np.abs(fed.tensor[0] - hidden[number][0].numpy()).max() < TOLERANCE * largest
    names = trace["prediction/logits"].axis("vocabulary").names()
    largest = max(1, np.abs(logits).max())
    listed = logits[:, list(map(int, names))]
    assert np.abs(trace["prediction/logits"].tensor[0] - listed).max() < TOLERANCE * largest


@pytest.mark.parametrize("name", CASES)
def test_t5_reads_and_writes_alike(name, tmp_path):
    compare(t5(*CASES[name]), tmp_path, len(name))


@pytest.mark.parametrize("name", MARIAN)
def test_marian_reads_and_writes_alike(name, tmp_path):
    compare(marian(MARIAN[name]), tmp_path, len(name))


def test_a_head_that_is_not_tied_is_read(tmp_path):
    made = t5("MT5", {"feed_forward_proj": "gated-gelu"})
    made.lm_head.weight = torch.nn.Parameter(torch.empty(made.lm_head.weight.shape))
    made.config.tie_word_embeddings = False
    with_random_weights(made.eval(), 5, 0.3)
    made.save_pretrained(tmp_path)
    ours, read = opened(tmp_path), torch.tensor([[START, 7, 8]])
    with torch.no_grad():
        logits = made(input_ids=torch.tensor([[5, 9, 4]]), decoder_input_ids=read).logits[0].numpy()
    trace = ours.trace("5 9 4", Written((7, 8, 9), False), 2)["prediction/logits"]
    listed = logits[:, list(map(int, trace.axis("vocabulary").names()))]
    assert np.abs(trace.tensor[0] - listed).max() < TOLERANCE * max(1, np.abs(logits).max())


@pytest.mark.parametrize("bidirectional", [True, False])
@pytest.mark.parametrize(("buckets", "furthest"), [(32, 128), (8, 20), (64, 1000), (6, 9)])
def test_every_distance_has_the_bucket_of_transformers(bidirectional, buckets, furthest):
    apart = np.arange(-3000, 3001)
    of = transformers.models.t5.modeling_t5.T5Attention._relative_position_bucket
    theirs = of(torch.tensor(apart), bidirectional, buckets, furthest).numpy()
    ours = RelativeBias(np.zeros((1, buckets)), bidirectional, furthest).bucket_of(apart)
    np.testing.assert_array_equal(ours, theirs)
