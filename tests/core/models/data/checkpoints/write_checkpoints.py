"""Writes the weights of the folders beside this file, with transformers 5.23 and tokenizers 0.23.

Small models with random weights as ``transformers`` saves them, and what it computes with them in
float64. What a folder says of itself is taken from it: its ``config.json``, and the files of its
tokenizer. For another kind save both in a folder of its name, and name it below. Run from this
folder in an environment that has both:  python write_checkpoints.py
To write some of them only, name them:  python write_checkpoints.py roberta
"""

import json
import sys
from pathlib import Path

import numpy as np
import torch
import transformers
from safetensors.numpy import save_file
from tokenizers import Tokenizer

HERE = Path(__file__).parent
SENTENCES = {
    "bert": "爱 the Playing sun!",
    "gpt2": "love é lov 爱",
    "llama": "love é lov 爱",
    "qwen3": "lov 爱 love",
    "gemma3_text": "lov 爱 love love",
    "roberta": "love é lov 爱",
    "distilbert": "爱 the Playing sun!",
    "modernbert": "love é lov love lov 爱",
    "clip_text_model": "The LOVE cat's  爱!",
}
TO_CUT = [
    "the cat loves the sun !",
    "  The cats,\u00a0sat\non the mat…",
    ">>deu<< the ½ cat ☃☃ sat",
    "die Sonne",  # of the target
]
SOURCE = "translate: the love lov cat sun the love lov é love"
KINDS = {
    "bert": transformers.BertForMaskedLM,
    "vit": transformers.ViTModel,
    "gpt2": transformers.GPT2LMHeadModel,
    "llama": transformers.LlamaForCausalLM,
    "qwen3": transformers.Qwen3ForCausalLM,
    "roberta": transformers.RobertaForMaskedLM,
    "distilbert": transformers.DistilBertForMaskedLM,
    "modernbert": transformers.ModernBertForMaskedLM,
    "deit": transformers.DeiTForImageClassificationWithTeacher,
    "dinov2": transformers.Dinov2Model,
    "dinov2_with_registers": transformers.Dinov2WithRegistersForImageClassification,
    "clip_vision_model": transformers.CLIPVisionModel,
    "clip_text_model": transformers.CLIPTextModel,
    "whisper": transformers.WhisperForConditionalGeneration,
    "gemma3_text": transformers.Gemma3ForCausalLM,
}
TEXT_TO_TEXT = {  # models that read one text and write another; mT5 has a head of its own
    "t5": transformers.T5ForConditionalGeneration,
    "mt5": transformers.MT5ForConditionalGeneration,
    "marian": transformers.MarianMTModel,
}
# Sides of the photos: of DINOv2 not those that it was trained with.
SIDES = {"vit": 15, "deit": 15, "dinov2": 20, "dinov2_with_registers": 15, "clip_vision_model": 15}
LAYERS = {
    "gpt2": "h",
    "distilbert": "transformer.layer",
    **dict.fromkeys(("bert", "roberta", "dinov2", "dinov2_with_registers"), "encoder.layer"),
    **dict.fromkeys(("clip_vision_model", "clip_text_model"), "encoder.layers"),
}
FINAL_NORMS = {
    "modernbert": "final_norm",
    **dict.fromkeys(("vit", "deit", "dinov2", "dinov2_with_registers"), "layernorm"),
    "clip_text_model": "final_layer_norm",
    "whisper": "layer_norm",
}
SHARDED = {"qwen3": "5KB"}  # the most that lies in one file


def untrained(kind: str, seed: int) -> tuple[transformers.PreTrainedModel, torch.Generator]:
    """A model of a folder's sizes, and what its weights are drawn with."""
    of = (KINDS | TEXT_TO_TEXT)[kind]
    model = of(of.config_class.from_pretrained(HERE / kind)).eval()
    return model, torch.Generator().manual_seed(seed)


def write(kind: str, seed: int) -> None:
    """Save a model, an input and the output for it."""
    folder, (model, drawn) = HERE / kind, untrained(kind, seed)
    with torch.no_grad():
        for parameter in model.parameters():
            if kind == "whisper" and not parameter.requires_grad:
                continue  # sines and cosines
            parameter.copy_(0.4 * torch.randn(parameter.shape, generator=drawn))
    model.save_pretrained(folder, max_shard_size=SHARDED.get(kind, "5GB"))
    model.double().set_attn_implementation("eager")
    if kind in SIDES:
        side = SIDES[kind]
        given = np.random.default_rng(seed).integers(0, 256, (side, side, 3), dtype=np.uint8)
        if kind.startswith("dinov2"):
            half = {"image_mean": [0.5] * 3, "image_std": [0.5] * 3}
            size = {"size": {"shortest_edge": side}, "crop_size": side}
            transformers.BitImageProcessorPil(**size, **half).save_pretrained(folder)
        values = torch.tensor(given / 127.5 - 1).permute(2, 0, 1)[None]
        asked = {"pixel_values": values}
    elif kind == "whisper":
        extractor = transformers.WhisperFeatureExtractor(feature_size=11, chunk_length=1)
        extractor.save_pretrained(folder)
        time, noise = np.arange(7000) / 16000, np.random.default_rng(seed).normal(size=7000)
        given = (0.4 * np.sin(2700 * time) * np.exp(-5 * time) + 0.01 * noise).astype(np.float32)
        filled = np.pad(given.astype(np.float64), (0, 16000 - len(given)))
        features = extractor._np_extract_fbank_features(filled[None], "cpu")
        asked = {"input_features": torch.tensor(features).double()}
    else:
        tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        tokenizer.no_padding()
        given = np.array(tokenizer.encode(SENTENCES[kind]).ids)
        asked = {"input_ids": torch.tensor(given)[None]}
    hidden, normed, found = [], [], {"given": given}
    if kind == "whisper":
        model = model.get_encoder()
    layers = model.base_model.get_submodule(LAYERS.get(kind, "layers"))
    for layer in layers:  # hidden_states of GPT-2 has the last LayerNorm in it
        layer.register_forward_hook(lambda _, __, made: hidden.append(made))
    if kind in FINAL_NORMS:
        last = model.base_model.get_submodule(FINAL_NORMS[kind])
        last.register_forward_hook(lambda _, __, made: normed.append(made))
    with torch.no_grad():
        computed = model(**asked, output_attentions=True)
    weights = computed.attentions
    for number, (made, looked) in enumerate(zip(hidden, weights, strict=True), start=1):
        made = made[0] if isinstance(made, tuple) else made
        found[f"hidden/{number}"] = made.reshape(-1, made.shape[-1]).numpy()
        found[f"weights/{number}"] = looked[0].numpy()
    if kind in ("gpt2", "llama", "qwen3", "gemma3_text"):
        found["next"] = torch.softmax(computed.logits[0, -1], -1).numpy()
    if normed:
        found["final_norm"] = normed[0][0].numpy()
    whole = {name: np.ascontiguousarray(array) for name, array in found.items()}
    save_file(whole, folder / "expected.safetensors")


def write_text_to_text(kind: str, seed: int) -> None:
    """The same for a model that writes a text: greedy, and what it computes of that text."""
    folder, (model, drawn) = HERE / kind, untrained(kind, seed)
    if kind == "mt5":
        model.lm_head.weight = torch.nn.Parameter(torch.empty(model.lm_head.weight.shape))
        model.config.tie_word_embeddings = False
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.requires_grad:  # not sines and cosines
                parameter.copy_(0.5 * torch.randn(parameter.shape, generator=drawn))
        if kind == "marian":
            bias = torch.randn(model.final_logits_bias.shape, generator=drawn)
            model.final_logits_bias.copy_(bias)
    model.save_pretrained(folder)
    model.double().set_attn_implementation("eager")
    if kind == "marian":
        tokenizer = transformers.MarianTokenizer(
            *(str(folder / name) for name in ("source.spm", "target.spm", "vocab.json"))
        )
        source = torch.tensor([tokenizer(TO_CUT[0])["input_ids"]])
        cut = {text: tokenizer(text)["input_ids"] for text in TO_CUT[:-1]}
        cut |= {"target": tokenizer(text_target=TO_CUT[-1])["input_ids"]}
        (folder / "cut.json").write_text(json.dumps(cut, ensure_ascii=False, indent=1), "utf-8")
    else:
        tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        source = torch.tensor([tokenizer.encode(SOURCE).ids])
    model.generation_config.forced_eos_token_id = None  # where its length ends, not the text
    with torch.no_grad():
        written = model.generate(source, max_new_tokens=9, num_beams=1, do_sample=False)
        made = model(
            input_ids=source,
            decoder_input_ids=written[:, :-1],
            output_hidden_states=True,
            output_attentions=True,
        )
    found = {"source": source[0], "written": written[0, 1:], "logits": made.logits[0]}
    found["memory"] = made.encoder_last_hidden_state[0]
    attentions = {
        "encoder/self": made.encoder_attentions,
        "decoder/self": made.decoder_attentions,
        "decoder/cross": made.cross_attentions,
    }
    for name, of_layers in attentions.items():
        for number, weights in enumerate(of_layers, start=1):
            found[f"weights/{name}/{number}"] = weights[0]
    for side in ("encoder", "decoder"):
        for number, hidden in enumerate(getattr(made, f"{side}_hidden_states")[1:-1], start=1):
            found[f"hidden/{side}/{number}"] = hidden[0]  # the last one is normed
    whole = {name: np.ascontiguousarray(array.numpy()) for name, array in found.items()}
    save_file(whole, folder / "expected.safetensors")


if __name__ == "__main__":
    asked = sys.argv[1:]
    for seed, kind in enumerate(KINDS, start=11):
        if kind in (asked or KINDS):
            write(kind, seed)
    for seed, kind in zip((71, 72, 81), TEXT_TO_TEXT, strict=True):
        if kind in (asked or TEXT_TO_TEXT):
            write_text_to_text(kind, seed)
