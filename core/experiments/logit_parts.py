"""The logit of one token as a sum: what each part of a decoder has added to it.

"A Mathematical Framework for Transformer Circuits" (Elhage et al., 2021), *direct logit
attribution*. The residual stream is the sum of the embedding and of what every head and every
feed-forward layer adds, and with the scale of the norms fixed at what it is for this text, the way
from the stream to a logit is linear: every part has its share, and the shares add up.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from core import finite
from core.layers import AnyNorm, Norm, NoNorm
from core.models import forward
from core.models.incremental import Passed
from core.models.model import Layer, Model
