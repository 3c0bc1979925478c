"""Kinds of stages and kinds of positions along an axis, set by the code that creates them.

The kind of a stage is its key (``Q``, ``scores``) or one of ``STEPS``: the same key with another
meaning, hence other words. *Learnt* means from training, *own* from a reader's own model.
"""

# The kind of a stage, and its key.
STEPS = {
    "own_image": "image",  # prepared as the model wants it
    "own_tokens": "tokens",  # pieces, numbered by the model's tokenizer
    "own_table": "E",
    "learnt_table": "E",
    "learnt_projection": "W_E",  # of patches
    "sound_matrix": "W_E",  # of frames, drawn at random
    "learnt_cls": "cls",
    "distilled_sequence": "sequence",  # with a distillation token after [CLS]
    "registered_sequence": "sequence",  # with registers after [CLS]
    "own_position": "position",
    "offset_position": "position",  # from the row after that of the padding token
    "stored_sinusoids": "position",  # sines and cosines in the model's file
    "sines_first": "position",  # then the cosines
    "only_segment": "segment",  # of a model that has no second one
    "placed_sum": "summed",  # without a segment
    "learnt_position": "position",
    "spaced_position": "position",  # with nothing for registers
    "interpolated_position": "position",  # for another number of patches than in training
    "sound_position": "position",
    "own_vectors": "embedding",  # looked up for pieces
    "scaled_vectors": "embedding",  # looked up, times √d_model
    "projection": "embedding",  # of patches
    "own_projection": "embedding",  # of patches, with a bias
    "sound_projection": "embedding",  # of frames
    "long_silence": "silence",  # up to as many seconds as a model takes
    "mirrored": "padded",  # at both ends
    "log10_mel": "log_mel",
    "feature": "level",  # as Whisper takes it
    "convolved": "embedding",  # frames, by two convolutions
    "stored_times": "position",  # of frames, in the model's file
    "sounding": "key_mask",  # padding of a sound is silence, not [PAD]
    "own_entrance": "X",  # embedding + position
    "own_stream": "X",  # input of a layer whose norms come after the sublayers
    "patched_input": "X",  # the same with vectors of another text in place
    "normed_sum": "X",  # LayerNorm of embedding + segment + position, or of patches + position
    "normed_vectors": "X",  # LayerNorm of the embedding alone: positions are rotary
    "bias_free_normed_vectors": "X",  # the same without β
    "normed_stream": "X",  # LayerNorm before a sublayer
    "bias_free_normed_stream": "X",  # the same without β
    "unnormed_stream": "X",  # no norm before the first sublayer: its input has one already
    "feed_forward_input": "X",  # input of feed-forward
    "last_vectors": "X",  # input of the output head
    "feed_forward_output": "output",  # of feed-forward
    "bias_free_output": "output",  # the same without biases
    "bias_free_hidden": "hidden",
    "plain_logits": "logits",  # without a bias
    "pre_norm_residual": "residual",  # added to the residual stream, which has no LayerNorm
    "learnt_norm": "normalised",  # with γ and β
    "final_norm": "normalised",  # the same after the last layer
    "bias_free_norm": "normalised",  # the same without β
    "rms_norm": "normalised",  # RMSNorm after the last layer
    "rms_gamma": "gamma",  # of RMSNorm
    "rms_stream": "X",  # RMSNorm before a sublayer
    "unplaced_entrance": "X",  # the embedding alone: positions are rotary
    "entrance_by_distance": "X",  # the same: positions are biases of the scores
    "shared_keys": "K",  # by several query heads
    "shared_values": "V",
    "shared_rotated_keys": "K_rotated",
    "latent_keys": "K",  # computed from a latent vector
    "latent_values": "V",
    "relative_bias": "bias",  # looked up by the distance of query and key
    "biased": "masked",  # plus a bias, without a mask
    "biased_and_masked": "masked",
    "unscaled": "scaled",  # times 1: not divided by √d_k
    "sink_weights": "weights",  # softmax with an attention sink
    "gelu_gate": "gate",  # with GELU, else with SiLU
    "gated": "hidden",  # gate ⊙ up
    "geglu": "hidden",  # the same with GELU
    "gated_output": "output",  # of a gated feed-forward
}

# The gradients with words of their own, as ``grad_V``; all others have the kind ``gradient``.
GRADIENTS = (
    "output", "W_O", "concat", "head_output", "V", "weights", "masked", "scaled", "scores", "K",
    "Q", "W_V", "W_K", "W_Q", "X", "logits",
)  # fmt: skip

# Kinds of tokens.
TOKENS = (
    "word",
    "piece",  # a token of a model's tokenizer, which may be less than a word
    "patch",
    "frame",
)

# Kinds of positions along an axis; "" for no more than the axis's role.
POSITION_KINDS = (
    "",
    *TOKENS,
    "special",  # neither a word nor a patch: [SEP], a register
    "cls",  # the token for the whole picture, in front of its patches
    "filling",  # [PAD], or silence
)


GRADIENT = "grad/"  # in front of the key of a stage: its gradient


def of_step(key: str, kind: str) -> str:
    """The kind of a stage; by default its key. key: may be a path. Raises ValueError if unknown."""
    own = key.rpartition("/")[2]
    if key.startswith(GRADIENT):
        return f"grad_{own}" if own in GRADIENTS else "gradient"
    if kind not in ("", own) and STEPS.get(kind) != own:
        raise ValueError(f"a step {own!r} is no {kind!r}")
    return kind or own
