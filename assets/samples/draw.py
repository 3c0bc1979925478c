"""Draws the sample pictures anew: ``python assets/samples/draw.py``.

Each is seeded, 448 x 448 pixels, and shows something about patches that belong together.
"""

from pathlib import Path

from scenes import boat, cat, lake, ring, tiles

HERE = Path(__file__).parent


def main() -> None:
    """Paint each scene and save it beside this file."""
    for scene in (cat, ring, lake, tiles, boat):
        path = HERE / f"{scene.__name__.split('.')[-1]}.webp"
        scene.paint().save(path, quality=90, method=6)
        print(f"{path.name}: {path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
