"""The mathematical symbol of each stage, short enough for a stepper or a node.

A symbol is a list of parts, each ``("span" | "sup" | "sub", text)``, the HTML element that sets it.
"""

from typing import Literal

from core.kinds import GRADIENT
from core.notation import ON_THE_WAY

Convention = Literal["rows", "columns"]  # what a token is
Part = tuple[str, str]
Symbol = tuple[Part, ...]


def _with(base: str, raised: str) -> Symbol:
    return (("span", base), ("sup", raised))


SYMBOLS: dict[str, Symbol] = {
    "tokens": (("span", "id"),),
    "embedding": (("span", "e"),),
    "position": (("span", "p"),),
    "scores": _with("QK", "⊤"),
    "scaled": (("span", "÷√d"), ("sub", "k")),
    "masked": (("span", "+M"),),
    "weights": (("span", "softmax"),),
    "dropped": (("span", "drop"),),
    "head_output": (("span", "AV"),),
    "set_weights": (("span", "A′"),),
    "added": (("span", "Δx"),),
    "direction": (("span", "γW/r"),),
    "shares": (("span", "Δx·"),),
    "factor": (("span", "f"),),
    "muted": (("span", "f·AV"),),
    "patched": (("span", "AV′"),),
    "patched_stream": (("span", "x′"),),
    **{
        key: (("span", shown), ("sub", of))
        for shown, keys in (
            ("′", ("rows_set", "patch", "patch_x")),
            ("1/0", ("rows_kept", "tokens_kept", "kept_x")),
        )
        for key, of in zip(keys, ("A", "AV", "x"), strict=True)
    },
    "output": _with("·W", "O"),
    "residual": (("span", "X+"),),
    "normalised": (("span", "norm"),),
    "flattened": (("span", "x"),),
    "sequence": (("span", "[CLS]"),),
    "distilled_sequence": (("span", "[CLS]…"),),
    "distillation": (("span", "[DIST]"),),
    "trained_position": (("span", "p"), ("sub", "0")),
    "interpolation": (("span", "R"),),
    "interpolated_position": (("span", "Rp"), ("sub", "0")),
    "placed": (("span", "x+p"),),
    "registers": (("span", "r"),),
    "registered_sequence": (("span", "[CLS]…"),),
    "lambda": (("span", "λ"),),
    "layer_scaled": (("span", "λ⊙"),),
    "segment": (("span", "s"),),
    "summed": (("span", "e+s+p"),),
    "placed_sum": (("span", "e+p"),),
    "frames": (("span", "x"),),
    "windowed": (("span", "x⊙w"),),
    "real": (("span", "Re"),),
    "imaginary": (("span", "Im"),),
    "power": _with("|x̂|", "2"),
    "log_mel": (("span", "ln"),),
    "level": (("span", "÷ln"),),
    "filled": (("span", "[x; 0]"),),
    "mirrored": (("span", "[…; x; …]"),),
    "mirrored_before": (("span", "x…"),),
    "mirrored_behind": (("span", "…x"),),
    "floored": (("span", "max ε"),),
    "log10_mel": (("span", "log"), ("sub", "10")),
    "limited": (("span", "max m"),),
    "feature": (("span", "÷4"),),
    **{f"edge_{n}": (("span", "0"), ("sub", n)) for n in "12"},
    **{f"edged_{n}": (("span", "[0; x; 0]"), ("sub", n)) for n in "12"},
    **{f"context_{n}": (("span", "x±1"), ("sub", n)) for n in "12"},
    "conv_1": (("span", "∗W"), ("sub", "C1")),
    "convolved": (("span", "∗W"), ("sub", "C2")),
    **{f"{letter}_C{n}": (("span", letter), ("sub", f"C{n}")) for letter in "Wb" for n in "12"},
    "pooled": (("span", "mean"),),
    "stream": (("span", "x"),),
    "pre_norm_residual": (("span", "x+"),),
    **dict.fromkeys(("feed_forward_output", "bias_free_output"), (("span", "·W"), ("sub", "2"))),
    "gamma": (("span", "γ"),),
    "beta": (("span", "β"),),
    "hidden": (("span", "f(XW"), ("sub", "1"), ("span", ")")),
    "rms_gamma": (("span", "γ"),),
    "gamma_post": _with("γ", "post"),
    "post_normed": (("span", "norm"),),
    "gamma_Q": _with("γ", "Q"),
    "gamma_K": _with("γ", "K"),
    "capped": (("span", "c·tanh"),),
    "sink_weights": (("span", "softmax"),),
    "unscaled": (("span", "×1"),),
    "bias_table": (("span", "b"),),
    "bucket": (("span", "j−i"),),
    "relative_bias": (("span", "B"),),
    "biased": (("span", "+B"),),
    "biased_and_masked": (("span", "+B+M"),),
    "X_scaled": (("span", "÷√d"),),
    "slopes": (("span", "m"),),
    "distance": (("span", "|i−j|"),),
    **{
        f"{time}_{letter}": (("span", letter), ("sub", time))
        for letter in "KV"
        for time in ("past", "present")
    },
    "position_ids": (("span", "p"),),
    "inv_freq": (("span", "θ"),),
    "cos": (("span", "cos"),),
    "sin": (("span", "sin"),),
    **{
        f"{letter}_{done}": (("span", written.format(letter)),)
        for letter in "QK"
        for done, written in (("normed", "‖{}‖"), ("rotated", "↻{}"))
    },
    "gate": (("span", "SiLU"),),
    "gelu_gate": (("span", "GELU"),),
    **dict.fromkeys(("gated", "geglu"), (("span", "g⊙u"),)),
    "gated_output": (("span", "·W"), ("sub", "down")),
    **{
        f"{letter}_{part}": (("span", letter), ("sub", part))
        for letter in "Wb"
        for part in ("gate", "up", "down")
    },
    "last_vector": (("span", "X"), ("sub", "n")),
    "cls_vector": (("span", "X"), ("sub", "0")),
    "logits": _with("·W", "P"),
    "others": (("span", "Σ…"),),
    "outcomes": (("span", "[z; Σ…]"),),
    "probabilities": (("span", "softmax"),),
    "loss": (("span", "−ln"),),
    "target": (("span", "y"),),
    **{f"{letter}_{i}": (("span", letter), ("sub", i)) for letter in "Wb" for i in "12"},
    **{f"W_{name}": _with("W", name) for name in (*"QKVOEP", "DKV", "UK", "UV")},
    "latent": _with("c", "KV"),
    **{f"b_{name}": _with("b", name) for name in "QKVOEP"},
}
BEFORE: Part = ("sub", "0")  # of a matrix from which another one of the same name is made
D: Part = ("span", "d")  # of a gradient
OF_GRADIENTS = {
    "output": "O", "weights": "A", "dropped": "A", "head_output": "(AV)", "masked": "M",
    "scaled": "S", "scores": "(QK⊤)", "probabilities": "p", "logits": "z", "residual": "(X+O)",
    "loss": "L",
}  # fmt: skip

# If tokens are columns, A B is Bᵀ Aᵀ.
IN_COLUMNS: dict[str, Symbol] = {
    "scores": (*_with("K", "⊤"), ("span", "Q")),
    "head_output": (("span", "VA"),),
    "output": (*_with("W", "O"), ("span", "·")),
}


def symbol_of(key: str, kind: str = "", convention: Convention = "rows") -> Symbol:
    """The symbol of a stage by its kind, else by its key; the key itself if neither has one.

    key: a path for what a stage of the same key was made from, as ``trained/W_Q``: with an index 0.
    convention: whether a token is a row or a column of every matrix.
    """
    if key.startswith(GRADIENT):
        of = key.removeprefix(GRADIENT)
        return (D, ("span", OF_GRADIENTS[of])) if of in OF_GRADIENTS else name_of(key)
    if "/" in key:
        return (*symbol_of(key.rpartition("/")[2], kind, convention), BEFORE)
    if convention == "columns" and key in IN_COLUMNS and kind in ("", key):
        return IN_COLUMNS[key]
    return SYMBOLS.get(kind) or SYMBOLS.get(key, (("span", key),))


def name_of(key: str) -> Symbol:
    """The key of a stage, typeset: the letter of a matrix or bias is a superscript.

    key: may be a path, as for ``symbol_of``.
    """
    if key.startswith(GRADIENT):
        of = key.rpartition("/")[2]
        return name_of(of) if of in ON_THE_WAY else (D, *name_of(of))
    if "/" in key:
        return (*name_of(key.rpartition("/")[2]), BEFORE)
    letter, _, raised = key.partition("_")
    numbered = ("1", "2", "gate", "up", "down", "C1", "C2")
    if (letter in ("W", "b") and raised in numbered) or (letter == "gamma" and raised):
        return SYMBOLS[key]
    return _with(letter, raised) if letter in ("W", "b") else (("span", key),)
