"""What a link says of a model that cannot be shown: kept, for when it can."""

from views import link, parse

NUMBERS = ("layer", "head", "row", "column", "channel")
FLAGS = ("lock", "present", "special", "filled", "board", "next")
TEXTS = ("model", "text", "picture", "part", "stage", "light", "below", "example", "tower", "sound")


def hold_link() -> None:
    """Keep what no control of this run has taken of the link, so that it is not called nonsense."""
    for name in tuple(link.session().pending):
        if name in NUMBERS:
            link.preserve_param(name, 0, parse.number(1, 10**6))
        elif name in FLAGS:
            link.preserve_param(name, None, parse.flag)
        elif name in TEXTS:
            link.preserve_param(name, "")
