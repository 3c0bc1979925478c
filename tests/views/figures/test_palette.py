"""Colours as numbers: contrast as in WCAG 2.2, distance in CIELAB, colour blindness as in
Machado, Oliveira and Fernandes, 2009 (full severity, linear RGB). Nothing of it is the app's own.
"""

import itertools
import tomllib
from pathlib import Path

import numpy as np
from claims import for_all
from in_node import evaluate
from wcag import contrast, linear

from views.figures.palette import PALETTES, ramp, rgb, role_colour
from views.figures.scale import Scale

READABLE = 4.5
ROOT = Path(__file__).parents[3]
STREAMLIT = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text("utf-8"))["theme"]
VISION = {
    "everybody else": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
         [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
         [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602],
         [0.004733, 0.691367, 0.303900]]
    ),
}  # fmt: skip
TO_XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750],
     [0.0193339, 0.1191920, 0.9503041]]
)  # fmt: skip
ONE_COLOUR = [
    ("query", "token", "patch"),
    ("key", "past_key", "new_key"),
    ("d_k", "d_v", "d_c"),
    ("d_model", "concat"),
    ("head", "kv_head"),
]

in_both_themes = for_all("theme", ["light", "dark"])
for_every_reader = for_all("reader", VISION)


def lab(colours, reader="everybody else"):
    perceived = np.clip(linear(colours) @ VISION[reader].T, 0, 1)
    xyz = perceived @ TO_XYZ.T / [0.95047, 1, 1.08883]
    f = np.where(xyz > (6 / 29) ** 3, np.cbrt(xyz), xyz / (3 * (6 / 29) ** 2) + 4 / 29)
    x, y, z = np.moveaxis(f, -1, 0)
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], axis=-1)


def apart(one, other, reader="everybody else"):
    return np.linalg.norm(lab(one, reader) - lab(other, reader), axis=-1)


def hue(colour):
    _, a, b = lab(rgb(colour))
    return np.degrees(np.arctan2(b, a))


def grounds(theme):
    palette, page = PALETTES[theme], STREAMLIT[theme]
    names = ("backgroundColor", "secondaryBackgroundColor")
    return {palette.card, palette.ground, *(p[n] for p in (page, page["sidebar"]) for n in names)}


@in_both_themes
@for_all("name", ["ink", "soft", *itertools.chain(*ONE_COLOUR)])
def test_text_has_readable_contrast_on_every_background(theme, name):
    palette = PALETTES[theme]
    colour = palette.roles.get(name) or getattr(palette, name)
    for ground in grounds(theme):
        assert contrast(rgb(colour), rgb(ground)) >= READABLE, ground


@in_both_themes
def test_text_on_masked_cells_and_in_tooltips_has_readable_contrast(theme):
    palette = PALETTES[theme]
    assert contrast(rgb(palette.ink), rgb(palette.masked)) >= READABLE
    assert contrast(rgb(palette.ground), rgb(palette.ink)) >= READABLE


@in_both_themes
@for_all("kind", ["signed", "share", "flag"])
def test_digits_have_readable_contrast_on_every_colour_of_a_scale(theme, kind):
    colours = ramp(Scale(kind, 0, 1).stops(theme))
    drawn = evaluate(["microscope/theme.js"], "return given.map(theme.digitsOn);", colours.tolist())
    for colour, digits in zip(colours, drawn, strict=True):
        assert contrast(colour, rgb(digits)) >= READABLE


@in_both_themes
def test_roles_of_one_meaning_share_a_colour_and_no_two_meanings_do(theme):
    assert {role for group in ONE_COLOUR for role in group} == set(PALETTES[theme].roles)
    colours = [{role_colour(role, theme) for role in group} for group in ONE_COLOUR]
    assert [len(found) for found in colours] == [1] * 5
    for (one,), (other,) in itertools.combinations(colours, 2):
        assert apart(rgb(one), rgb(other)) > 35


@in_both_themes
def test_no_role_has_the_colour_of_the_accent_or_of_the_weights(theme):
    palette = PALETTES[theme]
    for role in palette.roles.values():
        for other in (palette.accent, *palette.share):
            assert apart(rgb(role), rgb(other)) > 15


@in_both_themes
@for_all("role", ["query", "key", "d_k", "head"])
def test_the_weights_have_a_hue_that_no_coloured_role_has(theme, role):
    palette = PALETTES[theme]
    for weights in palette.share[1:4]:
        turned = abs(hue(palette.roles[role]) - hue(weights))
        assert min(turned, 360 - turned) > 45


@in_both_themes
@for_every_reader
def test_a_larger_number_of_either_sign_is_further_from_the_ground_in_lightness(theme, reader):
    palette = PALETTES[theme]
    share, signed = (lab(ramp(stops), reader)[:, 0] for stops in (palette.share, palette.signed))
    for arm, least in ((share[::8], 70), (signed[127::-8], 40), (signed[128::8], 40)):
        steps = np.diff(arm) * (-1 if theme == "light" else 1)
        assert steps.min() > 1
        assert steps.sum() > least


@in_both_themes
@for_every_reader
def test_the_sign_of_a_value_is_visible_from_an_eighth_of_the_scale_on(theme, reader):
    colours = ramp(PALETTES[theme].signed)
    distance = apart(colours[127::-1], colours[128:], reader)
    assert distance[16:].min() > 15
    assert distance[64:].min() > 60


@in_both_themes
@for_every_reader
@for_all("scale", ["signed", "share"])
def test_masked_cells_have_a_colour_that_no_scale_has(theme, reader, scale):
    palette = PALETTES[theme]
    distance = apart(ramp(getattr(palette, scale)), rgb(palette.masked), reader)
    assert distance.min() > (7 if reader == "everybody else" else 3)


@in_both_themes
def test_both_scales_start_at_the_background(theme):
    palette = PALETTES[theme]
    assert palette.signed[2] == palette.share[0] == palette.ground
    assert len(palette.signed) == 5


def test_a_ramp_runs_evenly_through_its_stops():
    grey = ramp(("#000000", "#ffffff"))
    np.testing.assert_array_equal(grey, [[i, i, i] for i in range(256)])
    three = ramp(("#ff0000", "#000000", "#0000fe"))
    assert three[0].tolist() == [255, 0, 0]
    assert three[51].tolist() == [153, 0, 0]
    assert three[204].tolist() == [0, 0, 152]
    assert three[255].tolist() == [0, 0, 254]
