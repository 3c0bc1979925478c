"""The colours of the light and the dark theme: axis roles, the two scales, masked, the accent.

The scale of signed values diverges from the background at 0; that of weights starts at the
background and is sequential; masked cells have a grey that neither scale contains. The scales
differ in lightness or along the blue–yellow axis, which red–green colour blindness leaves intact.
"""

from dataclasses import asdict, dataclass
from functools import cache
from typing import Literal

import numpy as np

Theme = Literal["light", "dark"]

BLACK = "#000000"


@dataclass(frozen=True)
class Palette:
    """One theme's colours as ``#rrggbb``. signed, share: the stops of scales from low to high."""

    ground: str
    card: str
    ink: str
    soft: str
    line: str
    accent: str
    masked: str
    hatch: str
    roles: dict[str, str]
    signed: tuple[str, ...]
    share: tuple[str, ...]


# Roles of one meaning, and their colours in the light and in the dark theme.
_ROLES = {
    ("query", "token", "patch"): ("#8151c7", "#b39cfc"),
    ("key", "past_key", "new_key"): ("#187851", "#6dda9d"),
    ("d_k", "d_v", "d_c"): ("#795923", "#d6b16a"),
    ("d_model", "concat"): ("#5b6472", "#a9b1bf"),
    ("head", "kv_head"): ("#b24083", "#fc8dbf"),
}
_LIGHT_ROLES, _DARK_ROLES = (
    {role: colours[theme] for roles, colours in _ROLES.items() for role in roles}
    for theme in (0, 1)
)

PALETTES: dict[Theme, Palette] = {
    "light": Palette(
        ground="#f6f4ef",
        card="#ffffff",
        ink="#1f2430",
        soft="#5f6673",
        line="#e6e2da",
        accent="#1f2a44",
        masked="#dcd9d2",
        hatch="#b9b5ab",
        roles=_LIGHT_ROLES,
        signed=("#1d4f8f", "#6f9fd4", "#f6f4ef", "#eaa765", "#b4560f"),
        share=("#f6f4ef", "#9fd3dd", "#2a93ab", "#0b5568", "#06303c"),
    ),
    "dark": Palette(
        ground="#23272f",
        card="#1c1f27",
        ink="#e9e7e1",
        soft="#9aa1ad",
        line="#2c313c",
        accent="#f1e3c6",
        masked="#3a3d44",
        hatch="#5b6069",
        roles=_DARK_ROLES,
        signed=("#8ec1ff", "#3f6fae", "#23272f", "#a9652a", "#ffb773"),
        share=("#23272f", "#155766", "#1f8ea8", "#5fd0e6", "#d5f7ff"),
    ),
}
AS_DATA = {theme: asdict(palette) for theme, palette in PALETTES.items()}  # for JSON


def dark_colours() -> dict[str, str]:
    """The dark theme's colour by the light theme's, for figures that are drawn for a light page."""
    light, dark = PALETTES["light"], PALETTES["dark"]
    names = ("ground", "card", "ink", "soft", "line", "accent", "masked", "hatch")
    return {
        **{getattr(light, name): getattr(dark, name) for name in names},
        **dict(zip(light.signed + light.share, dark.signed + dark.share, strict=True)),
        **{colour: dark.roles[role] for role, colour in light.roles.items()},
    }


def role_colour(role: str, theme: Theme) -> str:
    """The colour of an axis role, ``soft`` for a role without its own."""
    palette = PALETTES[theme]
    return palette.roles.get(role, palette.soft)


def rgb(colour: str) -> np.ndarray:
    """``#rrggbb`` as three numbers 0 … 255, of shape (3,)."""
    return np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)], dtype=float)


@cache
def ramp(stops: tuple[str, ...]) -> np.ndarray:
    """256 colours interpolated between evenly spaced stops: (256, 3) uint8."""
    colours = np.array([rgb(stop) for stop in stops])
    at = np.linspace(0, len(stops) - 1, 256)
    channels = [np.interp(at, np.arange(len(stops)), colours[:, c]) for c in range(3)]
    table = np.round(np.stack(channels, axis=1)).astype(np.uint8)
    table.setflags(write=False)
    return table
