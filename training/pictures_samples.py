"""Draws the sample pictures of shapes anew: ``python -m training.pictures_samples``.

Of each class that is shown it is the first picture among seeds that no model ever saw. 64 x 64
pixels in PNG, which keeps every pixel as it is.
"""

from pathlib import Path

from PIL import Image

from training.pictures import SHOWN, Picture, picture

FOLDER = Path(__file__).parents[1] / "assets" / "samples" / "shapes"
SAMPLES = (
    ("red", "ring"),
    ("blue", "star"),
    ("yellow", "triangle"),
    ("green", "cross"),
    ("violet", "disc"),
    ("red", "square"),
    ("blue", "ring"),
    ("yellow", "star"),
)


def first(colour: str, shape: str) -> Picture:
    """The first picture that shows this object."""
    painted = (picture(seed) for seed in SHOWN)
    return next(one for one in painted if (one.colour, one.shape) == (colour, shape))


def path_of(colour: str, shape: str) -> Path:
    """Where the sample of a class is kept."""
    return FOLDER / f"{colour}_{shape}.png"


def main() -> None:
    """Paint each sample and save it."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for sample in SAMPLES:
        Image.fromarray(first(*sample).pixels).save(path_of(*sample), optimize=True)


if __name__ == "__main__":
    main()
