"""The settings of ``config.json``: defaults, and what is refused by name."""

import json

from checkpoint_folders import configured, copied
from claims import for_all
from refuses import refuses

from core.models import checkpoint
from core.models.families import FAMILIES, TOWERS
from views.text import LANGUAGES
from views.widgets.errors import error_sentence

HUGE = 10**400
OLDER = {"layer_types": ..., "rope_parameters": ...}  # as before version 5 of ``transformers``
ROPE = {
    "rope_type": "llama3", "rope_theta": 700.0, "factor": 8.0, "low_freq_factor": 1.0,
    "high_freq_factor": 4.0, "original_max_position_embeddings": 31,
}  # fmt: skip
VALUES = {  # by family and setting
    ("vit", "num_attention_heads"): (0, -2, True, 2.0, None, [2], "2"),
    ("vit", "hidden_size"): (HUGE,),
    ("vit", "num_hidden_layers"): (10**10,),
    ("vit", "patch_size"): (0,),
    ("vit", "num_channels"): (4,),
    ("vit", "qkv_bias"): ("no",),
    ("vit", "hidden_act"): ("swish", ["gelu"]),
    ("vit", "layer_norm_eps"): (0, float("nan"), float("inf"), HUGE, 1e-31, 1.5),
    ("bert", "position_embedding_type"): ("relative_key",),
    ("bert", "is_decoder"): (True,),
    ("bert", "add_cross_attention"): (True,),
    ("bert", "type_vocab_size"): (0,),
    ("gpt2", "scale_attn_by_inverse_layer_idx"): (True,),
    ("gpt2", "scale_attn_weights"): (False,),
    ("gpt2", "add_cross_attention"): (True,),
    ("gpt2", "n_inner"): (0,),
    ("roberta", "position_embedding_type"): ("relative_key",),
    ("roberta", "is_decoder"): (True,),
    ("roberta", "pad_token_id"): (None, -1),
    ("roberta", "max_position_embeddings"): (2,),
    ("distilbert", "activation"): ("swish",),
    ("distilbert", "sinusoidal_pos_embds"): (1,),
    ("distilbert", "n_heads"): (0,),
    ("distilbert", "quantization_config"): ({"bits": 8},),
    ("modernbert", "hidden_activation"): ("relu",),
    ("modernbert", "norm_bias"): (None,),
    ("modernbert", "mlp_bias"): ("no",),
    ("modernbert", "head_dim"): (8,),
    ("modernbert", "local_attention"): (-1,),
    ("modernbert", "sliding_window"): (6,),
    ("modernbert", "layer_types"): (["full_attention"], ["chunked_attention"] * 4),
    ("modernbert", "rope_parameters"): ({"rope_theta": 7.0},),
    ("modernbert", "rope_scaling"): ("linear",),
    ("llama", "hidden_act"): ("gelu",),
    ("llama", "mlp_bias"): (True,),
    ("llama", "attention_bias"): ("no",),
    ("llama", "num_key_value_heads"): (4, 0),
    ("llama", "head_dim"): (5,),
    ("llama", "rms_norm_eps"): (0,),
    ("llama", "quantization_config"): ({"bits": 4},),
    ("llama", "layer_types"): (
        ["full_attention", "sliding_attention"], [["full_attention"]], "full", 5,
    ),
    ("llama", "partial_rotary_factor"): (0.5,),
    ("llama", "tie_word_embeddings"): (1,),
    ("llama", "rope_parameters"): ([1],),
    ("qwen3", "use_sliding_window"): (None,),
    ("clip_text_model", "eos_token_id"): (None, 521),
    ("t5", "feed_forward_proj"): ("gated-tanh", "tanh", 3),
    ("t5", "relative_attention_num_buckets"): (2, 9, None),
    ("t5", "relative_attention_max_distance"): (4,),
    ("t5", "num_layers"): (0,),
    ("t5", "is_decoder"): (True,),
    ("marian", "activation_function"): ("tanh",),
    ("marian", "normalize_before"): (True,),
    ("marian", "static_position_embeddings"): (False,),
    ("marian", "share_encoder_decoder_embeddings"): (False,),
    ("marian", "decoder_vocab_size"): (12,),
    ("marian", "encoder_attention_heads"): (0,),
    ("mt5", "layer_norm_epsilon"): (0,),
    ("dinov2", "mlp_ratio"): (0, "4"),
    ("dinov2", "use_swiglu_ffn"): ("yes",),
    ("dinov2_with_registers", "num_register_tokens"): (-1, 65, True),
    ("clip_vision_model", "hidden_act"): ("selu",),
    ("clip_vision_model", "num_channels"): (1,),
}  # fmt: skip
TOGETHER = [  # several settings, or one that is named by another or by a part of it
    ("modernbert", {"hidden_size": 20}, "num_attention_heads"),
    ("modernbert", OLDER | {"global_attn_every_n_layers": 0}, "global_attn_every_n_layers"),
    ("modernbert", OLDER | {"global_rope_theta": None}, "global_rope_theta"),
    ("modernbert", OLDER | {"local_rope_theta": 1}, "local_rope_theta"),
    ("llama", {"head_dim": ..., "hidden_size": 36, "num_attention_heads": 12}, "head_dim"),  # odd
    ("qwen3", {"use_sliding_window": True, "sliding_window": 0}, "sliding_window"),
    ("qwen3", {"use_sliding_window": True, "layer_types": ["full_attention"] * 9}, "layer_types"),
    (
        "qwen3",
        {"rope_parameters": None, "rope_scaling": {"mrope_section": [16, 24, 24]}},
        "rope_scaling.mrope_section",
    ),
    *(
        ("modernbert", {"rope_parameters": {"full_attention": value}}, f"rope_parameters.{name}")
        for value, name in (
            (7.0, "full_attention"),
            ({"rope_type": "yarn", "factor": 2.0}, "full_attention.rope_type"),
        )
    ),
    *(
        ("llama", {"rope_parameters": ROPE | {part: value}}, name)
        for part, value, name in (
            ("rope_theta", 1, "rope_theta"),
            ("rope_theta", "10000", "rope_theta"),
            ("rope_type", "yarn", "rope_parameters.rope_type"),
            ("factor", 0.5, "rope_parameters.factor"),
            ("factor", None, "rope_parameters.factor"),
            ("high_freq_factor", 1.0, "rope_parameters.high_freq_factor"),
            (
                "original_max_position_embeddings", 3.5,
                "rope_parameters.original_max_position_embeddings",
            ),
        )
    ),
]  # fmt: skip
SINGLE = [
    (kind, {name: value}, name) for (kind, name), values in VALUES.items() for value in values
]


@for_all(("kind", "changed", "name"), SINGLE + TOGETHER)
def test_an_unsupported_value_is_refused_by_the_name_of_its_setting(kind, changed, name):
    with refuses("wrong_setting", file="config.json", name=name) as refusal:
        configured(kind, **changed)
    assert len(refusal.value.fields["value"]) <= 40


@for_all("name", ["image_size", "patch_size"])
@for_all("value", [[15, 30], [15], [15, 15, 15], [], [15, True], [15.0, 15.0], "15"])
def test_a_side_that_is_neither_a_number_nor_a_square_is_refused(name, value):
    with refuses("wrong_setting", name=name, value=json.dumps(value)):
        configured("vit", **{name: value})


@for_all(
    ("kind", "name", "value"),
    [
        ("llama", "num_key_value_heads", "2"),
        ("llama", "rms_norm_eps", "1e-6"),
        ("llama", "tie_word_embeddings", "true"),
        ("vit", "hidden_act", "0"),
        ("bert", "num_hidden_layers", "null"),
    ],
)
def test_a_string_that_reads_as_a_number_or_flag_is_shown_in_quotes(kind, name, value):
    with refuses("wrong_setting", value=json.dumps(value)) as refusal:
        configured(kind, **{name: value})
    for words in LANGUAGES.values():
        sentence = error_sentence(refusal.value, words)
        assert f"{name} = {json.dumps(value)}" in sentence
        assert sentence.endswith(words.quoted_setting)


def test_a_sliding_window_of_mistral_that_is_a_string_is_refused():
    with refuses("wrong_setting", name="sliding_window", value='"4"'):
        configured("llama", model_type="mistral", sliding_window="4")


@for_all("kind", ["gemma3", None, 7, ["bert"], {}, "x" * 10**5])
def test_an_unknown_architecture_is_refused_with_the_known_ones(kind):
    with refuses("unknown_architecture") as refusal:
        configured("bert", model_type=kind)
    assert set(refusal.value.fields["known"]) == {*FAMILIES, *TOWERS}
    assert len(refusal.value.fields["found"]) <= 40


@for_all(
    ("kind", "name", "field", "value"),
    [
        ("bert", "layer_norm_eps", "epsilon", 1e-12),
        ("bert", "hidden_act", "activation", "gelu"),
        ("bert", "type_vocab_size", "segments", 2),
        ("vit", "qkv_bias", "qkv_bias", True),
        ("gpt2", "layer_norm_epsilon", "epsilon", 1e-5),
        ("gpt2", "activation_function", "activation", "gelu_tanh"),
        ("gpt2", "n_inner", "d_ff", 40),
        ("llama", "num_key_value_heads", "kv_heads", 6),
        ("llama", "rms_norm_eps", "epsilon", 1e-6),
        ("llama", "attention_bias", "qkv_bias", False),
        ("llama", "tie_word_embeddings", "tied", False),
        ("llama", "max_position_embeddings", "positions", 2048),
        ("qwen3", "attention_bias", "output_bias", False),
        ("qwen3", "head_dim", "d_k", 128),
        ("qwen3", "max_position_embeddings", "positions", 32768),
    ],
)
def test_a_missing_setting_has_the_default_of_transformers(kind, name, field, value):
    assert getattr(configured(kind, **{name: ...}), field) == value


@for_all(
    ("kind", "name"),
    [
        ("bert", "embeddings.token_type_embeddings.weight"),
        ("bert", "encoder.layer.1.output.LayerNorm.bias"),
        ("vit", "encoder.layer.2.attention.attention.key.bias"),
        ("gpt2", "h.0.attn.c_attn.weight"),
        ("roberta", "embeddings.token_type_embeddings.weight"),
        ("distilbert", "transformer.layer.2.sa_layer_norm.bias"),
        ("modernbert", "layers.1.attn_norm.weight"),
        ("modernbert", "layers.3.mlp.Wi.weight"),
        ("modernbert", "embeddings.norm.weight"),
        ("modernbert", "final_norm.weight"),
        ("dinov2", "encoder.layer.2.layer_scale2.lambda1"),
    ],
)
def test_a_missing_tensor_is_named(kind, name, tmp_path_factory):
    def without(tensors):
        return {key: tensor for key, tensor in tensors.items() if not key.endswith(name)}

    with refuses("missing_tensor", name=name):
        checkpoint.open(copied(kind, tmp_path_factory.mktemp(kind), without))


def test_of_six_layers_of_gemma_the_last_one_has_no_window_where_no_list_says_it():
    config = configured("gemma3_text", layer_types=..., num_hidden_layers=8)
    local = (2, -1)  # the folder's window is 3, with the token itself
    assert config.windows == (*[local] * 5, None, local, local)
