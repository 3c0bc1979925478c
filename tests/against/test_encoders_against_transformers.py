"""Encoders of text of many sizes with random weights, saved and computed by ``transformers``."""

import json
from shutil import copy

import numpy as np
import pytest
from checkpoint_folders import FOLDERS, PIECES, TO_CUT, copied, with_vocabulary
from tokenizers.pre_tokenizers import ByteLevel
from transformers_models import compare, torch, transformers, with_random_weights

from core.errors import InputError
from core.models import checkpoint
from core.models.checkpoint import tokenizer_of

SIZES = {
    "vocab_size": 263, "hidden_size": 24, "intermediate_size": 37, "num_hidden_layers": 3,
    "num_attention_heads": 4, "max_position_embeddings": 64,
}  # fmt: skip
NARROW = {"hidden_size": 15, "num_attention_heads": 5, "intermediate_size": 11}
OF_BERT = (
    {},
    {"hidden_act": "gelu_new", **NARROW},
    {"hidden_act": "relu", "num_attention_heads": 1, "num_hidden_layers": 1},
    {"layer_norm_eps": 1e-3, "num_hidden_layers": 6, "max_position_embeddings": 61},
)
OF_ROBERTA = (
    {"type_vocab_size": 1},
    {"type_vocab_size": 1, "pad_token_id": 0},
    {"type_vocab_size": 3, "pad_token_id": 7},
)
OF_DISTILBERT = (
    {},
    {"sinusoidal_pos_embds": True},
    {"activation": "relu", "dim": 15, "n_heads": 5, "hidden_dim": 11, "n_layers": 1},
)
LOCAL = {"num_hidden_layers": 5, "local_attention": 6}
ROPE = {
    "full_attention": {"rope_type": "linear", "rope_theta": 900.0, "factor": 3.0},
    "sliding_attention": {"rope_type": "default", "rope_theta": 30.0},
}
OF_MODERNBERT = (
    LOCAL,
    LOCAL | {"norm_bias": True, "attention_bias": True, "mlp_bias": True},
    LOCAL | {"rope_parameters": ROPE, "local_attention": 9, "norm_eps": 1e-3},
    LOCAL | {"hidden_activation": "gelu_pytorch_tanh", "num_attention_heads": 1},
    LOCAL | {"hidden_activation": "silu", "num_attention_heads": 12, "intermediate_size": 5},
    {"global_attn_every_n_layers": 2, "local_attention": 2},
    {"global_attn_every_n_layers": 1},
    {"layer_types": ["sliding_attention", "full_attention", "sliding_attention"],
     "local_attention": 1},
)  # fmt: skip
CASES = [
    *(("Bert", changed) for changed in OF_BERT),
    ("Electra", {"embedding_size": SIZES["hidden_size"]}),
    *((name, changed) for name in ("Roberta", "XLMRoberta", "Camembert") for changed in OF_ROBERTA),
    *(("Roberta", {"type_vocab_size": 1, **changed}) for changed in OF_BERT[1:]),
    *(("DistilBert", changed) for changed in OF_DISTILBERT),
    *(("ModernBert", changed) for changed in OF_MODERNBERT),
]
DISTILBERT = {
    "hidden_size": "dim", "intermediate_size": "hidden_dim", "num_hidden_layers": "n_layers",
    "num_attention_heads": "n_heads",
}  # fmt: skip
TEXT = "love é lov 爱 " * 3 + "!"


def saved(name: str, changed: dict[str, object], folder, head: str = "Model", shards: str = "5GB"):
    """A model of these sizes with random weights, saved, with GPT-2's tokenizer beside it."""
    sizes = SIZES
    if name == "DistilBert":
        sizes = {DISTILBERT.get(key, key): value for key, value in SIZES.items()}
    elif name == "ModernBert":
        special = ("pad_token_id", "bos_token_id", "cls_token_id", "eos_token_id", "sep_token_id")
        sizes = SIZES | dict.fromkeys(special, 1)
    config = getattr(transformers, f"{name}Config")(**(sizes | changed))
    model = getattr(transformers, f"{name}{head}")(config).eval()
    with_random_weights(model, len(name) + len(changed), 0.4)
    model.save_pretrained(folder, max_shard_size=shards)
    copy(FOLDERS / "gpt2" / "tokenizer.json", folder)
    return folder


def same(folder) -> None:
    ids = checkpoint.open(folder).encode(TEXT).ids
    compare(folder, TEXT, {"input_ids": torch.tensor([ids])})


@pytest.mark.parametrize(("name", "changed"), CASES, ids=str)
def test_an_encoder_of_any_size_is_computed_alike(name, changed, tmp_path):
    same(saved(name, changed, tmp_path))


@pytest.mark.parametrize("name", ["Bert", "Roberta", "DistilBert", "ModernBert"])
def test_an_encoder_in_several_files_and_under_a_head_is_computed_alike(name, tmp_path):
    same(saved(name, {}, tmp_path, "ForMaskedLM", "20KB"))
    assert (tmp_path / "model.safetensors.index.json").is_file()


def test_a_modernbert_of_before_version_5_is_computed_alike(tmp_path):
    """Its configuration has other names, and no kinds of layers: ``transformers`` reads both."""
    older = {"global_attn_every_n_layers": 2, "local_attention": 4, "global_rope_theta": 700.0}
    older |= {"local_rope_theta": 40.0, "num_hidden_layers": 4}
    folder, plain = saved("ModernBert", older, tmp_path / "a"), tmp_path / "b"
    written = (folder / "config.json").read_text("utf-8")
    assert '"rope_theta": 700.0' in written  # as version 5 says it
    plain.mkdir()
    config = json.loads(written)
    del config["layer_types"], config["rope_parameters"]
    (plain / "config.json").write_text(json.dumps(config | older), "utf-8")
    for name in ("model.safetensors", "tokenizer.json"):
        copy(folder / name, plain)
    same(plain)
    one, other = (checkpoint.open(at).run(TEXT, 4) for at in (folder, plain))
    assert all(np.array_equal(one[key].tensor, other[key].tensor) for key in one)


TOKEN = {"lstrip": False, "rstrip": False, "single_word": False, "normalized": False}
SPECIAL = {str(i): TOKEN | {"content": name, "special": True} for i, name in enumerate(PIECES[:5])}
EXTRA = TOKEN | {"content": "suns", "normalized": True, "special": False}
SETTINGS = (
    {},
    {"tokenizer_config": {"do_lower_case": False}},
    {"tokenizer_config": {"strip_accents": False}},
    {"tokenizer_config": {"do_lower_case": False, "strip_accents": True}},
    {"tokenizer_config": {"tokenize_chinese_chars": False, "model_max_length": 512}},
    {"tokenizer_config": {"added_tokens_decoder": SPECIAL | {str(len(PIECES)): EXTRA}}},
    {"tokenizer_config": {"added_tokens_decoder": SPECIAL | {"24": EXTRA | {"content": "[NEW]"}}}},
    {"tokenizer_config": {"additional_special_tokens": ["[NEW]", "[mask]"]}},
    {"added_tokens": {"suns": len(PIECES), "play": 6}},
    {"special_tokens_map": {"mask_token": TOKEN | {"content": "[MASK]", "lstrip": True}}},
)
MORE = (
    "a [MASK]suns[NEW] Playing ",
    "  \u3000 sun\x00\ufffda",
    "\u0301",
    "ẞß İi ΑΣ",
    "𠀀爱\u3105ア",
)


@pytest.mark.parametrize("kind", ["bert", "distilbert"])
def test_a_vocabulary_without_a_tokenizer_file_gives_the_same_tokens(kind, tmp_path):
    classes = {"bert": transformers.BertTokenizer, "distilbert": transformers.DistilBertTokenizer}
    found, expected = {}, {}
    for number, settings in enumerate(SETTINGS):
        vocabulary = "\r\n".join(PIECES) + "\n" if number % 2 else "\n".join(PIECES)
        folder = with_vocabulary(kind, tmp_path / str(number), vocabulary, **settings)
        theirs = classes[kind].from_pretrained(folder)
        for text in TO_CUT + MORE:
            ids = theirs(text)["input_ids"]
            expected[number, text] = ids if len(ids) > 2 else "empty_text"
            try:
                found[number, text] = list(
                    tokenizer_of(folder, vocab_txt=True).encode(text, 999).ids
                )
            except InputError as refusal:
                found[number, text] = refusal.code
    assert found == expected


PIECES_OF_TEXT = [
    ("▁", -2.0), ("▁love", -3.0), ("lo", -4.0), ("ve", -4.0), ("我", -5.0), ("▁爱", -5.0),
]  # fmt: skip
SENTENCES = ("love 我爱 lo☃ve <mask> x yz", " <s>爱</s>  lo\tve<pad>", "1 <mask>")
BYTES = {"<s>": 0, "<pad>": 1, "</s>": 2, "<unk>": 3, "<mask>": 4} | {
    letter: 5 + number for number, letter in enumerate(sorted(ByteLevel.alphabet()))
}
SAVED = {
    "XLMRoberta": {"vocab": [(one, 0.0) for one in (*list(BYTES)[:4], "<mask>")] + PIECES_OF_TEXT},
    "Camembert": {
        "vocab": [(f"{one}NOTUSED", 0.0) for one in ("<s>", "</s>")]
        + [(one, 0.0) for one in ("<pad>", "<unk>", "<mask>", "<s>", "</s>")]
        + PIECES_OF_TEXT
    },
    "Roberta": {"vocab": BYTES, "merges": [("l", "o")]},
    "Bert": {"vocab": {piece: number for number, piece in enumerate(PIECES)}},
}
SAVED["Roberta"]["vocab"]["lo"] = len(BYTES)


@pytest.mark.parametrize("name", SAVED)
def test_a_saved_tokenizer_gives_the_same_tokens(name, tmp_path):
    theirs = getattr(transformers, f"{name}Tokenizer")(**SAVED[name])
    theirs.save_pretrained(tmp_path)
    ours = tokenizer_of(tmp_path, vocab_txt=True)
    for text in SENTENCES:
        assert list(ours.encode(text, 99).ids) == theirs(text)["input_ids"], text


@pytest.mark.parametrize("end", [520, 2, 519, 7])
def test_the_row_of_a_text_that_clip_keeps_is_that_of_transformers(end, tmp_path):
    folder = copied("clip_text_model", tmp_path, eos_token_id=end)
    model, text = checkpoint.open(folder), "the LOVE cat's 爱"
    theirs = transformers.CLIPTextModel.from_pretrained(folder).eval()
    with torch.no_grad():
        pooled = theirs(torch.tensor([model.encode(text).ids])).pooler_output[0].numpy()
    normalised = model.run(text, model.layers)["final_norm/normalised"].tensor[0]
    assert np.abs(normalised[model.pooled(text)] - pooled).max() < 1e-4
