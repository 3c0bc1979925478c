"""Whisper of several sizes with random weights, as ``transformers`` computes it."""

import json

import numpy as np
import pytest
from transformers_models import TOLERANCE, torch, transformers, with_random_weights

from core.models import checkpoint
from core.models.decoding import Decoding
from core.models.families import whisper
from core.models.model import Model
from core.models.speech import Generation, SpeechModel
from core.models.tensors import Tensors

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
    for layer in (1, 2):
        trace = ours.run(sound, layer)
        level = trace["input/level"].tensor[0].T
        assert np.abs(level - features[0].numpy()).max() < 1e-4  # theirs are in float32
        weights = trace[f"encoder/{layer}/self/weights"].tensor[0]
        expected = found.attentions[layer - 1][0].numpy()
        assert np.abs(weights - expected).max() < 1e-4
    first = ours.run(sound, 1)["encoder/1/feed_forward/residual"].tensor
    hidden = found.hidden_states[1].numpy()
    assert np.abs(first - hidden).max() < 1e-4 * max(1, np.abs(hidden).max())
    output = found.last_hidden_state.numpy()
    assert np.abs(trace["final_norm/normalised"].tensor - output).max() < 1e-4


DECODERS = ((24, 3, 4, {}), (20, 1, 2, {"decoder_ffn_dim": 7}), (18, 4, 3, {"encoder_layers": 1}))


@pytest.mark.parametrize(("d_model", "layers", "heads", "changed"), DECODERS, ids=str)
def test_whispers_decoder_writes_and_looks_alike(d_model, layers, heads, changed, tmp_path):
    sizes = {"encoder_layers": 2, "decoder_ffn_dim": 34, "vocab_size": 51} | changed
    config = transformers.WhisperConfig(
        d_model=d_model, encoder_attention_heads=2, encoder_ffn_dim=30, decoder_layers=layers,
        decoder_attention_heads=heads, max_source_positions=50, max_target_positions=30,
        **dict.fromkeys(("pad_token_id", "bos_token_id", "eos_token_id"), 50),
        decoder_start_token_id=49, **sizes,
    )  # fmt: skip
    made = transformers.WhisperForConditionalGeneration(config).eval()
    with_random_weights(made, d_model + layers, 0.3)
    made.save_pretrained(tmp_path)
    extractor = transformers.WhisperFeatureExtractor(feature_size=80, chunk_length=1)
    extractor.save_pretrained(tmp_path)
    theirs = type(made).from_pretrained(tmp_path, attn_implementation="eager").eval()
    encoder = checkpoint.open(tmp_path)
    stated = json.loads((tmp_path / "config.json").read_text("utf-8"))
    decoder = Model(Tensors(tmp_path / "model.safetensors"), whisper.decoder_config(stated))
    decoder.check()
    ours = SpeechModel(encoder, decoder, Numbered(), Generation((), (), (), ()))
    sound = np.random.default_rng(d_model).normal(0, 0.1, 9_000).astype(np.float32)
    encoded = encoder.run(sound, encoder.layers)
    decoding, given, written = Decoding(decoder, ours.listen(sound)), (49, 3, 7), [49, 3, 7]
    features = extractor(sound, sampling_rate=16_000, return_tensors="pt")["input_features"]
    for _ in range(9):  # with a cache here, from the beginning there
        with torch.no_grad():
            found = theirs(
                input_features=features, decoder_input_ids=torch.tensor([written]),
                output_attentions=True, output_hidden_states=True, use_cache=False,
            )  # fmt: skip
        logits, cross = decoding.step(given)
        expected = found.logits[0, -1].numpy()
        assert np.abs(logits - expected).max() < TOLERANCE * max(1, np.abs(expected).max())
        looked = np.stack([weights[0, :, -1].numpy() for weights in found.cross_attentions])
        assert np.abs(cross - looked).max() < TOLERANCE
        assert logits.argmax() == expected.argmax()
        given = (int(logits.argmax()),)
        written.append(*given)
    for layer in range(1, layers + 1):
        trace = ours.trace(encoded, tuple(written[:-1]), layer)
        for part, weights in (
            ("self", found.decoder_attentions),
            ("cross", found.cross_attentions),
        ):
            shown = trace[f"decoder/{layer}/{part}/weights"].tensor[0]
            assert np.abs(shown - weights[layer - 1][0].numpy()).max() < TOLERANCE
        if layer < layers:  # behind the last one theirs is normed
            hidden = found.decoder_hidden_states[layer][0].numpy()
            shown = trace[f"decoder/{layer}/feed_forward/residual"].tensor[0]
            assert np.abs(shown - hidden).max() < TOLERANCE * max(1, np.abs(hidden).max())


class Numbered:
    """Replaces a tokenizer: the names of tokens are their numbers."""

    def name_of(self, number: int) -> str:
        return str(number)

    def number_of(self, name: str) -> int:
        return 49
