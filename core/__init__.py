"""Multi-head attention in NumPy that keeps every intermediate tensor, named and explainable.

Sizes, as in "Attention Is All You Need" (Vaswani et al., 2017) and on every screen:

=========  ==============================================================
batch      samples at once; each attends only within itself
n          tokens, patches or frames; as query n_q, as key n_k
d_model    width of a token's vector
h          heads
d_k, d_v   width of a query or key, and of a value, in one head
=========  ==============================================================

Heads and positions are counted from 0 here and from 1 on screen.
"""

from core import cost
from core.attention import multi_head_attention, scaled_dot_product_attention
from core.axis import Axis
from core.backward import backward
from core.capture import Captured, capture
from core.cell import Address, Cell, Term, explain
from core.given_tensors import trace_of
from core.options import AttentionOptions
from core.saved import load, save
from core.trace import Stage, Trace, UnknownStage
from core.weights import HeadWeights, Weights

__all__ = [
    "Address",
    "AttentionOptions",
    "Axis",
    "Captured",
    "Cell",
    "HeadWeights",
    "Stage",
    "Term",
    "Trace",
    "UnknownStage",
    "Weights",
    "backward",
    "capture",
    "cost",
    "explain",
    "load",
    "multi_head_attention",
    "save",
    "scaled_dot_product_attention",
    "trace_of",
]
