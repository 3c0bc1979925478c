"""The embeddings of a vision transformer from a checkpoint: stages from a photo to X."""

from math import prod

import numpy as np

from core import finite, notation, ops
from core.axis import Axis
from core.layers import Norm
from core.models.model import Model
from core.notation import axes, latex
from core.rules import Dot, Operand, Sum
from core.sources import image
from core.trace import Stage, Trace, of_kinds

SHARP, SMOOTH = -0.75, -0.5  # a of the kernel, without and with antialiasing
REACH = 2  # of the kernel on either side
_AT = ("batch", "token", "d_model")
_SEQUENCES = {"distillation": "distilled_sequence", "registers": "registered_sequence"}


def patch_embeddings(model: Model, values: np.ndarray) -> Trace:
    """The patches of a photo behind special tokens. values: (height, width, 3) float32.

    X = [x_CLS; x_1 E + b; …; x_N E + b] + position ("An Image is Worth 16x16 Words", Dosovitskiy et
    al., 2021, equation 1). DeiT has a second token in front, the distillation token (Touvron et
    al., 2021, section 4). CLIP has no b, and X = LayerNorm(sequence + position) (Radford et al.,
    2021, section 2.4).
    DINOv2: the positions are interpolated if there are more or fewer patches than in training.
    Registers, which have no position, come between [CLS] and the patches ("Vision Transformers Need
    Registers", Darcet et al., 2024, section 2.2).
    """
    inputs, config = model.names.inputs, model.config
    W_E = model.input("W_E")  # (d_model, channel, row, column)
    matrix = W_E.transpose(2, 3, 1, 0).reshape(-1, config.d_model)  # (pixel, d_model)
    b_E = model.input("b_E") if "b_E" in inputs else None
    stages = image.projected(values[None], config.patch, matrix, b_E)
    firsts = _specials(model)
    sequence = image.sequence(firsts, config.specials, stages[-1])
    stages += [*firsts, sequence, *_positions(model, sequence)]
    has_norm = "gamma" in inputs
    stages.append(_placed(sequence, stages[-1], "placed" if has_norm else "X"))
    if has_norm:
        norm = Norm(model.input("gamma"), model.input("beta"), config.epsilon)
        stages += norm.stages(stages[-1], "X", "normed_sum")
    kinds = {
        "image": "own_image",
        "embedding": "projection" if b_E is None else "own_projection",
        "sequence": _SEQUENCES.get(firsts[-1].key, ""),
        "X": "normed_sum" if has_norm else "own_entrance",
    }
    return of_kinds(kinds, stages)


def _specials(model: Model) -> list[Stage]:
    """The stages of the tokens in front of the patches, in their order."""
    config, inputs = model.config, model.names.inputs
    found = [
        notation.given(
            key, model.input(key).reshape(-1), axes("d_model"), "parameter",
            "learnt_cls" if key == "cls" else "",
        )
        for key in ("cls", "distillation")
        if key in inputs
    ]  # fmt: skip
    if config.registers:
        names = config.specials[config.placed_specials :]
        named = axes("register", "d_model", labels={"register": names})
        found.append(notation.given("registers", model.input("registers")[0], named, "parameter"))
    return found


def _positions(model: Model, sequence: Stage) -> list[Stage]:
    """The stage position; where it is interpolated, trained_position and interpolation before it.

    position = interpolation · trained_position. The rows of registers are 0.
    """
    config = model.config
    table = model.input("position").reshape(-1, config.d_model)  # (trained, d_model)
    token = sequence.axes[1].for_all_samples()
    named = axes("token", "d_model", labels={"token": token})
    specials = config.placed_specials
    if config.patch_grid == (config.grid, config.grid):
        rows = np.insert(table, [specials] * config.registers, 0, axis=0)  # (token, d_model)
        kind = "spaced_position" if config.registers else "learnt_position"
        return [notation.given("position", rows, named, "parameter", kind)]
    names = tuple(f"{row + 1}·{column + 1}" for row, column in np.ndindex(config.grid, config.grid))
    trained = Axis("trained", notation.SYMBOLS["trained"], (*config.specials[:specials], *names))
    shares = grid_shares(config.grid, config.patch_grid, specials, antialias=config.antialiases)
    shares = np.insert(shares, [specials] * config.registers, 0, axis=0)  # (token, trained)
    learnt = notation.given("trained_position", table, (trained, named[1]), "parameter")
    matrix = notation.given(
        "interpolation", shares.astype(np.float32), (named[0], trained), "transform"
    )
    tensor = ops.linear(matrix.tensor, learnt.tensor, None)  # (token, d_model)
    finite.check("position", tensor)
    formula = rf"\text{{position}} = {latex(matrix.key)} \cdot {latex(learnt.key)}"
    rule = Dot(
        Operand(matrix.key, matrix.roles), Operand(learnt.key, learnt.roles), "trained", len(table)
    )
    position = Stage("position", formula, tensor, named, rule, "interpolated_position")
    return [learnt, matrix, position]


def _placed(sequence: Stage, position: Stage, key: str) -> Stage:
    """The stage with this key: sequence + position. Raises not_finite."""
    with np.errstate(over="ignore", invalid="ignore"):
        tensor = ops.add(sequence.tensor, position.tensor)
    finite.check(key, tensor)
    rule = Sum((Operand("sequence", _AT), Operand("position", _AT[1:])))
    formula = rf"{latex(key)} = \text{{sequence}} + \text{{position}}"
    return Stage(key, formula, tensor, sequence.axes, rule)


def input_numbers(model: Model) -> int:
    """How many numbers the stages from image to X have."""
    config, inputs = model.config, model.names.inputs
    d, n, patches = config.d_model, config.positions, prod(config.patch_grid)
    numbers = 3 * 3 * prod(config.shape) + 3 * config.patch**2 * d  # image, patches, flattened; W_E
    numbers += ("b_E" in inputs) * d + len(config.specials) * d
    numbers += patches * d + 3 * n * d  # embedding; sequence, position, sum
    if config.patch_grid != (config.grid, config.grid):
        numbers += config.trained_positions * (d + n)  # trained_position, interpolation
    if "gamma" in inputs:
        numbers += (n + 2) * d  # X, gamma, beta
    return numbers


def kernel(x: np.ndarray, a: float) -> np.ndarray:
    """The cubic kernel at these distances: 1 at 0, and 0 from 2 on.

    "Cubic Convolution Interpolation for Digital Image Processing" (Keys, 1981).
    """
    x = np.abs(x)
    near = ((a + 2) * x - (a + 3)) * x**2 + 1
    far = ((a * x - 5 * a) * x + 8 * a) * x - 4 * a
    return np.where(x < 1, near, np.where(x < REACH, far, 0.0))


def shares(trained: int, wanted: int, *, antialias: bool) -> np.ndarray:
    """The matrix that interpolates ``trained`` positions in a row to ``wanted``, as in PyTorch.

    Returns (wanted, trained) float64, rows sum to 1. Position i lies at (i + ½) · trained / wanted
    − ½. Without antialiasing a = −¾, and positions beyond an edge count as the one at the edge.
    With it a = −½, the kernel is stretched where the grid shrinks, as in Pillow, and positions
    beyond an edge do not count.
    """
    scale = trained / wanted
    middles = (np.arange(wanted) + 0.5) * scale - 0.5
    if not antialias:
        made = np.zeros((wanted, trained))
        first = np.floor(middles).astype(int)
        for offset in range(1 - REACH, REACH + 1):
            at = first + offset
            weights = kernel(middles - at, SHARP)
            np.add.at(made, (np.arange(wanted), np.clip(at, 0, trained - 1)), weights)
        return made
    stretch = max(scale, 1.0)
    distances = np.arange(trained) - middles[:, None]  # (wanted, trained)
    made = kernel(distances / stretch, SMOOTH)
    return made / made.sum(axis=1, keepdims=True)


def grid_shares(
    trained: int, wanted: tuple[int, int], specials: int, *, antialias: bool
) -> np.ndarray:
    """The same for grids, row by row, and the identity for the special tokens before them.

    trained: positions along one side of a square. wanted: rows and columns. specials: number of
    special tokens. Returns (specials + rows · columns, specials + trained²) float64.
    """
    down, across = (shares(trained, n, antialias=antialias) for n in wanted)  # (wanted, trained)
    made = np.zeros((specials + prod(wanted), specials + trained**2))
    made[:specials, :specials] = np.eye(specials)
    made[specials:, specials:] = np.kron(down, across)
    return made
