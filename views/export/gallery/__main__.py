"""``python -m views.export.gallery OUT``: write the gallery to a folder."""

import argparse
import logging
import sys
from pathlib import Path

from views.export.gallery.pictures import font_of_both_languages
from views.export.gallery.site import Site
from views.text import numbers


def main() -> None:
    """Parse the arguments, write the site and say how large it is."""
    parser = argparse.ArgumentParser(
        prog="python -m views.export.gallery", description="Write a static site of saved pages."
    )
    parser.add_argument("out", type=Path, metavar="OUT", help="the folder to write to")
    parser.add_argument("--app", default="", metavar="URL", help="where the app is hosted")
    parser.add_argument("--site", default="", metavar="URL", help="where the gallery will be")
    parser.add_argument("--font", default="", help="a font with Chinese, for the preview pictures")
    given = parser.parse_args()
    logging.disable(logging.WARNING)  # Streamlit warns of every run without a server
    font = font_of_both_languages(given.font)
    if not font:
        print("No font with Chinese found: preview pictures have English titles.", file=sys.stderr)
    pages = Site(given.app, given.site, font).build(given.out)
    size = sum(file.stat().st_size for file in given.out.iterdir())
    print(f"{len(pages)} pages, {numbers.size(size)}: {given.out / 'index.html'}")


if __name__ == "__main__":
    main()
