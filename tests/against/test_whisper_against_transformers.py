"""Whisper's encoder of several sizes with random weights, as ``transformers`` computes it."""

import numpy as np
import pytest
from transformers_models import torch, transformers, with_random_weights

from core.models import checkpoint

CASES = [
    (head, d_model, heads, seconds, mels)
    for d_model, heads, seconds, mels in ((24, 4, 1, 80), (16, 2, 2, 128), (12, 3, 6, 80))
    for head in ("ForConditionalGeneration", "Model", "ForAudioClassification")
]


@pytest.mark.parametrize(("head", "d_model", "heads", "seconds", "mels"), CASES)
def test_whisper_encodes_a_sound_alike(head, d_model, heads, seconds, mels, tmp_path):
    config = transformers.WhisperConfig(
        d_model=d_model, encoder_layers=2, encoder_attention_heads=heads, encoder_ffn_dim=31,
        decoder_layers=1, decoder_attention_heads=2, decoder_ffn_dim=8, vocab_size=50,
        max_source_positions=50 * seconds, num_mel_bins=mels,
        **dict.fromkeys(("pad_token_id", "bos_token_id", "eos_token_id"), 1),
        decoder_start_token_id=2,
    )  # fmt: skip
    made = getattr(transformers, f"Whisper{head}")(config).eval()
    with_random_weights(made, d_model, 0.3)
    made.save_pretrained(tmp_path)
    extractor = transformers.WhisperFeatureExtractor(feature_size=mels, chunk_length=seconds)
    extractor.save_pretrained(tmp_path)
    theirs = type(made).from_pretrained(tmp_path, attn_implementation="eager").eval()
    encoder = theirs.encoder if head == "ForAudioClassification" else theirs.get_encoder()
    n = 16_000 * seconds if head == "Model" else 11_000 * seconds
    random = np.random.default_rng(n)
    sound = (
        np.sin(np.arange(n) / 20) * np.linspace(0.4, 0, n) + random.normal(size=n) / 50
    ).astype(np.float32)
    features = extractor(sound, sampling_rate=16_000, return_tensors="pt")["input_features"]
    with torch.no_grad():
        found = encoder(features, output_hidden_states=True, output_attentions=True)
    ours = checkpoint.open(tmp_path)
    for layer, shown in ((1, 0), (2, heads - 1)):
        trace = ours.run(sound, layer, head=shown)
        level = trace["input/level"].tensor[0].T
        assert np.abs(level - features[0].numpy()).max() < 1e-4  # theirs are in float32
        weights = trace[f"encoder/{layer}/self/weights"].tensor[0]
        expected = found.attentions[layer - 1][0].numpy()
        compared = expected[shown : shown + 1] if ours.by_head else expected
        assert np.abs(weights - compared).max() < 1e-4
    first = ours.run(sound, 1)["encoder/1/feed_forward/residual"].tensor
    hidden = found.hidden_states[1].numpy()
    assert np.abs(first - hidden).max() < 1e-4 * max(1, np.abs(hidden).max())
    output = found.last_hidden_state.numpy()
    assert np.abs(trace["final_norm/normalised"].tensor - output).max() < 1e-4
