r"""An image as a sequence of patches, each flattened and projected to d_model.

"An Image is Worth 16x16 Words" (Dosovitskiy et al., 2021), section 3.1:
X = [x_class; x_1 E; …; x_N E] + E_pos, with N = (H/P) · (W/P) patches of P x P pixels.
"""

from collections.abc import Sequence

import numpy as np

from core import finite, notation
from core.axis import Axis
from core.errors import InputError, out_of_range, shape_mismatch
from core.rules import Given, Index, Operand, Stack
from core.sources.position import input_stages, learned_positions
from core.sources.projection import linear_projection, projection_rng, random_projection
from core.trace import Stage, Trace
from core.weights import xavier_uniform

CHANNELS = ("R", "G", "B")


def grid(height: int, width: int, patch: int) -> tuple[int, int]:
    """The numbers of rows and columns of patches: (H/P, W/P).

    Raises out_of_range for a patch side below 1, patches_do_not_fit if it does not divide a side.
    """
    if patch < 1:
        raise out_of_range("patch", patch, "at least 1")
    for size in (height, width):
        if size % patch:
            raise InputError("patches_do_not_fit", size=size, patch=patch)
    return height // patch, width // patch


def patchify(images: np.ndarray, patch: int) -> np.ndarray:
    """Cut images into patches, row by row: patches[i·w + j, r, c] = images[i·P + r, j·P + c].

    images: (batch, height, width, channel). Returns (batch, patch, row, column, channel).
    Raises shape_mismatch, out_of_range and patches_do_not_fit.
    """
    if images.ndim != 4 or 0 in images.shape:
        expected = "(batch, height, width, channel), none of them empty"
        raise shape_mismatch("images", expected, images.shape)
    batch, height, width, channels = images.shape
    rows, columns = grid(height, width, patch)
    # (batch, H, W, C) -> (batch, h, P, w, P, C) -> (batch, h, w, P, P, C) -> (batch, N, P, P, C)
    apart = images.reshape(batch, rows, patch, columns, patch, channels).swapaxes(2, 3)
    return apart.reshape(batch, rows * columns, patch, patch, channels)


def unpatchify(patches: np.ndarray, columns: int) -> np.ndarray:
    """The inverse of ``patchify``, with ``columns`` patches in a row.

    patches: (batch, patch, row, column, channel). Returns (batch, height, width, channel).
    Raises shape_mismatch, and out_of_range if the last row is incomplete.
    """
    if patches.ndim != 5 or 0 in patches.shape or patches.shape[2] != patches.shape[3]:
        expected = "(batch, patch, P, P, channel), none of them empty"
        raise shape_mismatch("patches", expected, patches.shape)
    batch, count, patch, _, channels = patches.shape
    if columns < 1 or count % columns:
        raise out_of_range("columns", columns, f"a divisor of {count} patches")
    rows = count // columns
    # (batch, N, P, P, C) -> (batch, h, w, P, P, C) -> (batch, h, P, w, P, C) -> (batch, H, W, C)
    joined = patches.reshape(batch, rows, columns, patch, patch, channels).swapaxes(2, 3)
    return joined.reshape(batch, rows * patch, columns * patch, channels)


def embed(
    images: np.ndarray,
    patch: int,
    d_model: int,
    seed: int,
    *,
    cls: bool = True,
    position: bool = True,
) -> Trace:
    """The trace from images to X: patches, projection, [CLS], positions.

    images: (batch, height, width, channel), values of ``core.sources.picture.values``.
    patch: the side P of a patch. d_model: width of X.
    seed: of W_E and cls, which are ``xavier_uniform`` as in Weights.seeded.
    cls: whether to put a [CLS] token before the patches.
    position: whether to add sinusoidal positions.

    The stages are image, patches, flattened, W_E, embedding, cls and sequence, position, X. Images
    in float32 are computed in float32, everything else in float64.
    Raises shape_mismatch, out_of_range, patches_do_not_fit, not_real and not_finite.
    """
    for name, value, least in (("d_model", d_model, 1), ("seed", seed, 0)):
        if value < least:
            raise out_of_range(name, value, f"at least {least}")
    flat = _flat(images, patch)
    random = projection_rng(seed)
    W_E, embedding = random_projection(flat["flattened"], d_model, random, ("W_E", "projection"))
    # (d_model,)
    vector = xavier_uniform(random, 1, d_model)[0].astype(embedding.tensor.dtype) if cls else None
    stages = [*flat.values(), W_E, embedding, *_behind_cls(embedding, vector, "cls")]
    return Trace([*stages, *input_stages(stages[-1], position)])


def project(
    images: np.ndarray,
    patch: int,
    W_E: np.ndarray,
    cls: np.ndarray,
    position: np.ndarray,
    b_E: np.ndarray | None = None,
) -> Trace:
    """The trace from images to X with trained parameters.

    W_E: (P·P·C, d_model). b_E, cls: (d_model,). position: (1 + N, d_model).
    The stages are those of ``embed``, and b_E where it is given.
    Raises shape_mismatch, out_of_range, patches_do_not_fit, not_real and not_finite.
    """
    stages = projected(images, patch, W_E, b_E)
    stages += _behind_cls(stages[-1], cls, "learnt_cls")
    return Trace([*stages, *learned_positions(stages[-1], position)])


def projected(
    images: np.ndarray, patch: int, W_E: np.ndarray, b_E: np.ndarray | None = None
) -> list[Stage]:
    """The stages from image to embedding, with trained parameters; see ``project``."""
    flat = _flat(images, patch)
    kinds = ("learnt_projection", "projection")
    return [*flat.values(), *linear_projection(flat["flattened"], W_E, kinds, b_E)]


def sequence(firsts: Sequence[Stage], names: Sequence[str], embedding: Stage) -> Stage:
    """The stage sequence: tokens that are no patches, and then the patches.

    firsts: stages of one such token, (d_model,), or several, (register, d_model); the first one is
    the token for the whole picture. names: of all these tokens.
    """
    batch, count, d_model = embedding.tensor.shape
    before = 0
    parts, lengths, rows = [], [], []
    for stage in firsts:
        matrix = stage.tensor.reshape(-1, d_model)  # (special, d_model)
        along = () if stage.tensor.ndim == 1 else (("minus", "token", before),)
        parts.append(Operand(stage.key, (*along, "d_model")))
        lengths.append(len(matrix))
        rows.append(np.broadcast_to(matrix, (batch, *matrix.shape)))
        before += len(matrix)
    parts.append(Operand("embedding", ("batch", ("minus", "token", before), "d_model")))
    kinds = ("cls", *["special"] * (before - 1), *["patch"] * count)
    labels = (*names, *(embedding.axes[1].names() or ()))
    tokens = Axis("token", notation.SYMBOLS["token"], labels, kinds)
    listed = r";\ ".join((*(stage.formula for stage in firsts), r"\text{embedding}"))
    tensor = np.concatenate([*rows, embedding.tensor], axis=1)  # (batch, special + patch, d_model)
    named = notation.axes("batch", "token", "d_model", labels={"token": tokens})
    rule = Stack("token", tuple(parts), (*lengths, count))
    return Stage("sequence", rf"\text{{sequence}} = [{listed}]", tensor, named, rule)


def _flat(images: np.ndarray, patch: int) -> Trace:
    """The stages image, patches and flattened."""
    images = finite.real("images", images)
    single = images.dtype == np.float32
    images = np.array(images, dtype=np.float32 if single else np.float64)
    patched = patchify(images, patch)
    finite.check("images", images)
    image = _image(images)
    patches = _patches(image, patched)
    return Trace([image, patches, _flattened(patches)])


def _behind_cls(embedding: Stage, cls: np.ndarray | None, kind: str) -> list[Stage]:
    """The stages cls and sequence; empty without cls, (d_model,). kind: of the stage cls."""
    if cls is None:
        return []
    numbers, named = finite.real("cls", cls), notation.axes("d_model")
    first = notation.given("cls", numbers, named, "parameter", kind)
    return [first, sequence([first], ["[CLS]"], embedding)]


def _image(images: np.ndarray) -> Stage:
    """The stage image."""
    names = CHANNELS if images.shape[3] == len(CHANNELS) else None
    named = notation.axes("batch", "height", "width", "channel", labels={"channel": names})
    return Stage("image", r"\text{image}", images, named, Given("input"))


def _patches(image: Stage, tensor: np.ndarray) -> Stage:
    """The stage patches."""
    count, patch = tensor.shape[1], tensor.shape[2]
    columns = image.size("width") // patch
    height: Index = ("join", ("div", "patch", columns), patch, "row")
    width: Index = ("join", ("mod", "patch", columns), patch, "column")
    numbers = tuple(str(i + 1) for i in range(count))
    along = Axis("patch", notation.SYMBOLS["patch"], numbers, "patch")
    named = notation.axes("batch", "patch", "row", "column", labels={"patch": along})
    return Stage(
        "patches",
        r"\text{patches}_{i \cdot W/P + j,\, r,\, c} = \text{image}_{i P + r,\, j P + c}",
        tensor,
        (*named, image.axes[3]),
        Operand("image", ("batch", height, width, "channel")),
    )


def _flattened(patches: Stage) -> Stage:
    """The stage flattened: pixel = (row · P + column) · C + channel."""
    batch, count, P, _, C = patches.tensor.shape
    position = ("div", "pixel", C)
    rule = Operand(
        "patches",
        ("batch", "patch", ("div", position, P), ("mod", position, P), ("mod", "pixel", C)),
    )
    channel = patches.axes[4]
    names = tuple(
        f"{row + 1}·{column + 1}·{channel.label(c)}"
        for row in range(P)
        for column in range(P)
        for c in range(C)
    )
    return Stage(
        "flattened",
        r"\text{flattened}_{(r P + c) C + k} = \text{patches}_{r,\, c,\, k}",
        patches.tensor.reshape(batch, count, P * P * C),
        (*patches.axes[:2], *notation.axes("pixel", labels={"pixel": names})),
        rule,
    )
