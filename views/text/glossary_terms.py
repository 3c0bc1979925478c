"""All glossary terms with their names in other books and libraries, without texts."""

from views.text.glossary_attention import (
    INPUTS,
    KINDS,
    MATRICES,
    SIZES,
    STEPS,
)
from views.text.glossary_models import ANSWERS, LAYERS
from views.text.glossary_term import Term
from views.text.glossary_today import TODAY

GROUPS = (
    ("sizes", SIZES),
    ("inputs", INPUTS),
    ("matrices", MATRICES),
    ("steps", STEPS),
    ("kinds", KINDS),
    ("layers", LAYERS),
    ("today", TODAY),
    ("answers", ANSWERS),
)
TERMS = tuple(term for _, group in GROUPS for term in group)

OF_STAGE = (  # the terms that occur in the texts of a step
    ("tokens", ("token", "n", "batch")),
    ("embedding", ("E", "d_model")),
    ("position", ("position", "d_model")),
    ("X", ("X", "n", "d_model")),
    ("Q", ("Q", "W_Q", "h", "d_k")),
    ("K", ("K", "W_K", "h", "d_k")),
    ("V", ("V", "W_V", "h", "d_v")),
    ("shared_keys", ("K", "W_K", "grouped_query", "d_k")),
    ("shared_values", ("V", "W_V", "grouped_query", "d_v")),
    ("cos", ("rotary", "position")),
    ("sin", ("rotary", "position")),
    ("Q_rotated", ("rotary", "Q", "d_k")),
    ("K_rotated", ("rotary", "K", "d_k")),
    ("present_K", ("kv_cache", "K", "grouped_query")),
    ("present_V", ("kv_cache", "V", "grouped_query")),
    ("latent", ("latent", "X", "n")),
    ("latent_keys", ("K", "latent", "d_k")),
    ("latent_values", ("V", "latent", "d_v")),
    ("Q_normed", ("qk_norm", "Q", "d_k")),
    ("K_normed", ("qk_norm", "K", "d_k")),
    ("capped", ("soft_cap", "scaled")),
    ("sink_weights", ("attention_sink", "weights", "scaled")),
    ("scores", ("scores", "Q", "K", "n")),
    ("scaled", ("scaled", "scores", "d_k")),
    ("masked", ("masked", "scaled")),
    ("weights", ("weights", "scaled")),
    ("dropped", ("dropped", "weights")),
    ("head_output", ("head_output", "weights", "V")),
    ("concat", ("concat", "head_output", "h", "d_v")),
    ("output", ("output", "W_O", "d_model")),
    ("residual", ("residual", "X")),
    ("normalised", ("normalised", "residual")),
    ("learnt_norm", ("normalised", "gamma", "beta", "post_norm")),
    ("stream", ("stream", "n", "d_model")),
    ("pre_norm_residual", ("stream", "residual")),
    ("final_norm", ("normalised", "gamma", "beta")),
    ("bias_free_norm", ("normalised", "gamma")),
    ("normed_vectors", ("normalised", "gamma", "beta")),
    ("bias_free_normed_vectors", ("normalised", "gamma")),
    ("normed_stream", ("pre_norm", "normalised", "gamma", "beta")),
    ("bias_free_normed_stream", ("pre_norm", "normalised", "gamma")),
    ("gamma", ("gamma", "normalised")),
    ("beta", ("beta", "normalised")),
    ("feed_forward_input", ("feed_forward", "n", "d_model")),
    ("W_1", ("feed_forward", "d_ff")),
    ("hidden", ("feed_forward", "d_ff")),
    ("W_2", ("feed_forward", "d_ff")),
    ("feed_forward_output", ("feed_forward", "d_model")),
    ("cls", ("cls",)),
    ("registers", ("registers", "cls")),
    ("registered_sequence", ("cls", "registers", "n")),
    ("spaced_position", ("position", "registers")),
    ("lambda", ("layer_scale",)),
    ("layer_scaled", ("layer_scale", "residual")),
    ("learnt_cls", ("cls",)),
    ("sequence", ("cls", "n")),
    ("cls_vector", ("cls", "d_model")),
    ("logits", ("logits",)),
    ("plain_logits", ("logits",)),
    ("gate", ("feed_forward", "d_ff")),
    ("gelu_gate", ("feed_forward", "d_ff")),
    ("up", ("feed_forward", "d_ff")),
    ("gated", ("feed_forward", "d_ff")),
    ("geglu", ("feed_forward", "d_ff")),
    ("gated_output", ("feed_forward", "d_model")),
    ("rms_stream", ("pre_norm", "gamma")),
    ("gamma_post", ("gamma", "normalised")),
    ("post_normed", ("normalised", "residual")),
    ("probabilities", ("probabilities", "logits", "greedy")),
)


def find_term(name: str) -> Term:
    """The term of this name. Raises KeyError for an unknown name."""
    return {each.name: each for each in TERMS}[name]


def of_stage(stage: str) -> tuple[str, ...]:
    """The names of the terms in the texts of a step; none for inputs."""
    return dict(OF_STAGE).get(stage, ())
