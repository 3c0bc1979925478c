"""Writes the folders beside this file, with transformers 5.23 and tokenizers 0.23.

Small models with random weights as ``transformers`` saves them, and what it computes with them in
float64. Run from this folder in an environment that has both:  python write_checkpoints.py
To write some of them only, name them:  python write_checkpoints.py roberta
"""

import io
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import torch
import transformers
from safetensors.numpy import save_file
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors

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
CONFIGS = {
    "bert": transformers.BertConfig(
        vocab_size=23,
        hidden_size=15,
        num_hidden_layers=2,
        num_attention_heads=3,
        intermediate_size=29,
        max_position_embeddings=19,
    ),
    "vit": transformers.ViTConfig(
        hidden_size=14,
        num_hidden_layers=3,
        num_attention_heads=2,
        intermediate_size=31,
        image_size=15,
        patch_size=5,
    ),
    "gpt2": transformers.GPT2Config(vocab_size=263, n_embd=10, n_layer=2, n_head=5, n_positions=37),
    "llama": transformers.LlamaConfig(
        vocab_size=263,
        hidden_size=18,
        intermediate_size=29,
        num_hidden_layers=2,
        num_attention_heads=6,
        num_key_value_heads=2,
        head_dim=10,
        max_position_embeddings=37,
        rope_parameters={
            "rope_type": "llama3",
            "rope_theta": 700.0,
            "factor": 8.0,
            "low_freq_factor": 1.0,
            "high_freq_factor": 4.0,
            "original_max_position_embeddings": 31,
        },
    ),
    "gemma3_text": transformers.Gemma3TextConfig(
        vocab_size=263,
        hidden_size=12,
        intermediate_size=19,
        num_hidden_layers=3,
        num_attention_heads=4,
        num_key_value_heads=2,
        head_dim=10,
        query_pre_attn_scalar=10,
        max_position_embeddings=41,
        sliding_window=3,
        layer_types=["full_attention", "sliding_attention", "full_attention"],
    ),
    "qwen3": transformers.Qwen3Config(
        vocab_size=263,
        hidden_size=11,
        intermediate_size=19,
        num_hidden_layers=3,
        num_attention_heads=4,
        num_key_value_heads=2,
        head_dim=6,
        attention_bias=True,
        tie_word_embeddings=True,
        max_position_embeddings=41,
    ),
    "roberta": transformers.RobertaConfig(
        vocab_size=267,
        hidden_size=15,
        num_hidden_layers=2,
        num_attention_heads=3,
        intermediate_size=29,
        max_position_embeddings=21,
        type_vocab_size=1,
    ),
    "distilbert": transformers.DistilBertConfig(
        vocab_size=23,
        dim=14,
        n_layers=3,
        n_heads=2,
        hidden_dim=31,
        max_position_embeddings=19,
    ),
    "modernbert": transformers.ModernBertConfig(
        vocab_size=265,
        hidden_size=24,
        intermediate_size=19,
        num_hidden_layers=4,
        num_attention_heads=4,
        max_position_embeddings=41,
        local_attention=6,
        pad_token_id=262,
        bos_token_id=263,
        cls_token_id=263,
        eos_token_id=264,
        sep_token_id=264,
    ),
    "deit": transformers.DeiTConfig(
        hidden_size=14,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=31,
        image_size=15,
        patch_size=5,
    ),
    "dinov2": transformers.Dinov2Config(
        hidden_size=15,
        num_hidden_layers=3,
        num_attention_heads=3,
        mlp_ratio=2,
        image_size=15,
        patch_size=5,
    ),
    "dinov2_with_registers": transformers.Dinov2WithRegistersConfig(
        hidden_size=14,
        num_hidden_layers=2,
        num_attention_heads=2,
        use_swiglu_ffn=True,
        image_size=25,
        patch_size=5,
        num_register_tokens=2,
    ),
    "clip_vision_model": transformers.CLIPVisionConfig(
        hidden_size=12,
        num_hidden_layers=2,
        num_attention_heads=3,
        intermediate_size=23,
        image_size=15,
        patch_size=5,
        projection_dim=7,
    ),
    "clip_text_model": transformers.CLIPTextConfig(
        vocab_size=521,
        hidden_size=15,
        num_hidden_layers=2,
        num_attention_heads=5,
        intermediate_size=19,
        max_position_embeddings=23,
        projection_dim=7,
        bos_token_id=519,
        eos_token_id=520,
        pad_token_id=520,
    ),
    "whisper": transformers.WhisperConfig(
        vocab_size=7,
        d_model=10,
        encoder_layers=2,
        encoder_attention_heads=2,
        encoder_ffn_dim=13,
        decoder_layers=1,
        decoder_attention_heads=2,
        decoder_ffn_dim=3,
        max_source_positions=50,
        max_target_positions=5,
        num_mel_bins=11,
        pad_token_id=1,
        bos_token_id=1,
        eos_token_id=2,
        decoder_start_token_id=3,
    ),
}
# Models that read one text and write another. mT5 has a head of its own.
_T5 = {
    "vocab_size": 43,
    "d_model": 14,
    "d_kv": 5,
    "d_ff": 17,
    "num_layers": 3,
    "num_decoder_layers": 2,
    "num_heads": 3,
    "relative_attention_num_buckets": 8,
    "relative_attention_max_distance": 11,
    "n_positions": 37,
    "decoder_start_token_id": 0,
}
TEXT_TO_TEXT = {
    "t5": transformers.T5ForConditionalGeneration(transformers.T5Config(**_T5)),
    "mt5": transformers.MT5ForConditionalGeneration(transformers.MT5Config(**_T5)),
}
MARIAN = transformers.MarianConfig(
    d_model=12,
    encoder_layers=2,
    encoder_attention_heads=3,
    encoder_ffn_dim=19,
    decoder_layers=3,
    decoder_attention_heads=2,
    decoder_ffn_dim=17,
    max_position_embeddings=41,
    activation_function="swish",
    scale_embedding=True,
    eos_token_id=0,
    forced_eos_token_id=0,
)
SPOKEN = {  # what the pieces of Marian's two languages are learnt from
    "source": "the cat sat on the mat . the cats love the sun , and the sun loves the cat !",
    "target": "die Katze saß auf der Matte . die Katzen lieben die Sonne , die Sonne liebt sie !",
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


def word_pieces() -> Tokenizer:
    """A tokenizer as BERT's: lower case, [CLS] … [SEP], filled up and cut off at 13 tokens."""
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    pieces = ["the", "play", "##ing", "sun", "爱", "北", "京", "!", "##s", "love", "a", "##un"]
    vocabulary = {piece: i for i, piece in enumerate(special + pieces)}
    made = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    made.normalizer = normalizers.BertNormalizer()
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    made.decoder = decoders.WordPiece()
    made.add_special_tokens(special)
    made.enable_padding(length=13)
    made.enable_truncation(13)
    return made


def byte_pairs(
    first: tuple[str, ...] = (), last: tuple[str, ...] = ("<|endoftext|>",)
) -> Tokenizer:
    """A tokenizer as GPT-2's: pairs of bytes, with a space at the front of a word.

    first, last: special tokens before all others, and behind them.
    """
    merges = [("l", "o"), ("v", "e"), ("lo", "ve"), ("Ġ", "lo"), ("Ġlo", "v"), ("Ã", "©")]
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    tokens = [*first, *letters, *("".join(pair) for pair in merges), *last]
    made = Tokenizer(models.BPE({token: i for i, token in enumerate(tokens)}, merges))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    made.add_special_tokens([*first, *last])
    return made


def enclosed() -> Tokenizer:
    """A tokenizer as RoBERTa's: the same between <s> and </s>, which begin the vocabulary."""
    made = byte_pairs(("<s>", "<pad>", "</s>", "<unk>", "<mask>"), ())
    made.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0), True, False)
    return made


def between_cls_and_sep() -> Tokenizer:
    """A tokenizer as ModernBERT's: the same between [CLS] and [SEP], normalised to NFC."""
    made = byte_pairs((), ("[PAD]", "[CLS]", "[SEP]"))
    made.normalizer = normalizers.NFC()
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        special_tokens=[(name, made.token_to_id(name)) for name in ("[CLS]", "[SEP]")],
    )
    return made


def with_beginning(tokenizer: Tokenizer) -> Tokenizer:
    """A tokenizer as Llama's: the same with a token in front of every text."""
    begin = tokenizer.token_to_id("<|endoftext|>")
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<|endoftext|> $A", special_tokens=[("<|endoftext|>", begin)]
    )
    return tokenizer


def ending_words() -> Tokenizer:
    """A tokenizer as CLIP's: lower case, and the last piece of a word marked."""
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    merges = [("l", "o"), ("v", "e</w>"), ("lo", "ve</w>"), ("c", "a"), ("ca", "t</w>"), ("t", "h"),
              ("th", "e</w>")]  # fmt: skip
    pieces = [*letters, *(f"{letter}</w>" for letter in letters), *("".join(m) for m in merges)]
    vocabulary = {piece: i for i, piece in enumerate([*pieces, "<|startoftext|>", "<|endoftext|>"])}
    return transformers.CLIPTokenizer(vocab=vocabulary, merges=merges).backend_tokenizer


def sentence_pieces() -> Tokenizer:
    """As T5 has it: pieces with scores, words that begin with ▁, and </s> behind a text."""
    pieces = [
        "▁",
        "▁love",
        "▁lov",
        "▁the",
        "▁sun",
        "▁cat",
        "▁trans",
        "late",
        "ove",
        "é",
        ":",
        *"lovethscanri",
    ]
    named = [("<pad>", 0.0), ("</s>", 0.0), ("<unk>", 0.0)]
    named += [(piece, -2.0 - 0.1 * i) for i, piece in enumerate(dict.fromkeys(pieces))]
    last = _T5["vocab_size"] - len(named)
    named += [(f"<extra_{i}>", 0.0) for i in reversed(range(last))]
    made = Tokenizer(models.Unigram(named, unk_id=2))
    made.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace()]
    )
    made.post_processor = processors.TemplateProcessing(
        single="$A </s>", special_tokens=[("</s>", 1)]
    )
    made.decoder = decoders.Metaspace()
    made.add_special_tokens([name for name, score in named if not score])
    return made


TOKENIZERS = {
    **dict.fromkeys(("bert", "distilbert"), word_pieces),
    **dict.fromkeys(("gpt2", "qwen3", "gemma3_text"), byte_pairs),
    "llama": lambda: with_beginning(byte_pairs()),
    "roberta": enclosed,
    "modernbert": between_cls_and_sep,
    "clip_text_model": ending_words,
}


def write(kind: str, seed: int) -> None:
    """Save a model, its tokenizer, an input and the output for it."""
    folder = HERE / kind
    model = KINDS[kind](CONFIGS[kind]).eval()
    drawn = torch.Generator().manual_seed(seed)
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
        tokenizer = TOKENIZERS[kind]()
        tokenizer.save(str(folder / "tokenizer.json"))
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


def marian_pieces(folder: Path) -> None:
    """Write source.spm, target.spm and vocab.json as Marian has them; needs sentencepiece."""
    import sentencepiece

    folder.mkdir(exist_ok=True)
    rules = folder / "rules.tsv"  # a few of nmt_nfkc, whose table has a quarter of a megabyte
    rules.write_text("BD\t31 2F 32\nA0\t20\nA\t20\n2026\t2E 2E 2E\n")
    pieces: dict[str, int] = {"</s>": 0, "<unk>": 1}
    for side, text in SPOKEN.items():
        model = io.BytesIO()
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(text.split(" . ") * 3),
            model_writer=model,
            vocab_size=60,
            hard_vocab_limit=False,
            model_type="unigram",
            normalization_rule_tsv=str(rules),
            minloglevel=2,
        )
        (folder / f"{side}.spm").write_bytes(model.getvalue())
        read = sentencepiece.SentencePieceProcessor(model_proto=model.getvalue())
        for number in range(3, read.get_piece_size()):
            pieces.setdefault(read.id_to_piece(number), len(pieces))
    rules.unlink()
    known = [piece for piece in pieces if piece != "▁!"]  # an unknown token where it is cut
    numbered = {piece: i for i, piece in enumerate([*known, ">>deu<<", "<pad>"])}
    (folder / "vocab.json").write_text(json.dumps(numbered, ensure_ascii=False), "utf-8")


def write_marian(seed: int) -> None:
    """The same for Marian, with its own tokenizer."""
    folder = HERE / "marian"
    marian_pieces(folder)
    tokenizer = transformers.MarianTokenizer(
        str(folder / "source.spm"), str(folder / "target.spm"), str(folder / "vocab.json")
    )
    padding = tokenizer.pad_token_id
    sizes = {"vocab_size": padding + 1, "decoder_vocab_size": padding + 1}
    ids = {"pad_token_id": padding, "decoder_start_token_id": padding}
    config = transformers.MarianConfig(**MARIAN.to_dict() | sizes | ids)
    TEXT_TO_TEXT["marian"] = transformers.MarianMTModel(config)
    write_text_to_text("marian", seed, tokenizer)
    cut = {text: tokenizer(text)["input_ids"] for text in TO_CUT[:-1]}
    cut |= {"target": tokenizer(text_target=TO_CUT[-1])["input_ids"]}
    (folder / "cut.json").write_text(json.dumps(cut, ensure_ascii=False, indent=1), "utf-8")


def write_text_to_text(kind: str, seed: int, tokenizer: Any = None) -> None:
    """The same for a model that writes a text: greedy, and what it computes of that text."""
    folder, model = HERE / kind, TEXT_TO_TEXT[kind].eval()
    drawn = torch.Generator().manual_seed(seed)
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
    if tokenizer is None:
        made = sentence_pieces()
        made.save(str(folder / "tokenizer.json"))
        source = torch.tensor([made.encode(SOURCE).ids])
    else:
        source = torch.tensor([tokenizer(TO_CUT[0])["input_ids"]])
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
    for seed, kind in enumerate(TEXT_TO_TEXT, start=71):
        if kind in (sys.argv[1:] or TEXT_TO_TEXT):
            write_text_to_text(kind, seed)
    if "marian" in (sys.argv[1:] or ["marian"]):
        write_marian(81)
    for seed, kind in enumerate(KINDS, start=11):
        if kind in (sys.argv[1:] or KINDS):
            write(kind, seed)
