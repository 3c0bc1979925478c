"""Kinds of stages and kinds of positions along an axis, set by the code that creates them.

The kind of a stage is its key (``Q``, ``scores``), or a name of its own where the key has another
meaning, hence other words: those of ``views/text/stages.*.toml``, which have every kind. *Learnt*
means from training, *own* from a reader's own model.
"""

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
    """The kind of a stage, by default its key. key: may be a path."""
    own = key.rpartition("/")[2]
    if key.startswith(GRADIENT):
        return f"grad_{own}" if own in GRADIENTS else "gradient"
    return kind or own
