"""How far a stored number may lie from the sum that is shown for it.

A stored number was made in float32 or float64, each step rounded; the sum is made in float64. What
n roundings can come to is worked out from the term itself: "Accuracy and Stability of Numerical
Algorithms" (Higham, 2002), section 3.1.
"""

import math

import numpy as np

from core import Term

GELU_32 = 4e-7  # what the formula for whole arrays of float32 may be off by, for each unit of x
STEPS = 4  # roundings in a step besides those that are counted


def allowed(term: Term, dtype: type) -> float:
    """How far the value may be off in this precision."""
    info = np.finfo(dtype)
    eps, least = float(info.eps), float(info.smallest_subnormal)

    def off(term: Term) -> float:
        parts = term.parts
        match term.operation:
            case "given" | "cell":
                return 0.0
            case "constant":
                return eps * abs(term.value)
            case "product":
                exact = math.prod(abs(part.value) for part in parts)
                wide = math.prod(abs(part.value) + off(part) for part in parts)
                return wide - exact + len(parts) * (eps * wide + least)
            case "dot" | "sum":
                sizes = sum(abs(part.value) + least for part in parts)
                return sum(map(off, parts)) + (len(parts) + STEPS) * eps * sizes
            case "mask":
                return off(parts[0]) if all(part.value for part in parts[1:]) else 0.0
            case "softmax":
                apart = term.facts["maximum"] - parts[term.chosen].parts[0].value
                if not term.value:
                    return least
                return term.value * (apart + len(parts) + STEPS) * eps + STEPS * least
            case "normalise":
                mean, deviation = term.facts["mean"], _deviation(term)
                most = max(abs(part.value - mean) for part in parts)
                return STEPS * len(parts) * (eps * most + least) / deviation
            case "rmsnorm":
                root = math.sqrt(term.facts["mean_square"] + term.facts["epsilon"])
                return (STEPS + len(parts)) * (eps * abs(term.value) + least / root) + least
            case "round":  # to a neighbour, or to the other one where it lies nearly between them
                bits = {"float16": 10, "bfloat16": 7}[term.symbol]
                return off(parts[0]) + 2.0**-bits * abs(term.value) + 2.0**-24
            case "activation":
                x = abs(parts[0].value)
                if term.symbol == "log":
                    return off(parts[0]) / x + STEPS * eps * abs(term.value)
                if term.symbol in ("cos", "sin"):
                    return off(parts[0]) + STEPS * eps
                if term.symbol == "tanh":
                    return off(parts[0]) + STEPS * eps + least
                per_unit = GELU_32 if (term.symbol, dtype) == ("gelu", np.float32) else STEPS * eps
                return 1.2 * off(parts[0]) + per_unit * x + least
        raise AssertionError(f"unknown operation {term.operation}")

    return off(term)


def _deviation(term: Term) -> float:
    return math.sqrt(term.facts["variance"] + term.facts["epsilon"])
