"""Every number that a reader sees is printed by ``views.text.numbers``, by one rule of rounding."""

import re

from source_tree import ROOT

FORMATTED = re.compile(r":[+,]?(?:\.\d+)?[efg%]\}|:,\}|%\{+[a-z]+:|%\.\d+[efg]|(?<![.\w])round\(")
# Each with why a reader never meets its rounding; a path of an SVG is no number on screen.
ALLOWED = {
    "views/text/numbers.py": {",}", "1e}", ":f}"},  # the rule itself
    "views/figures/model_map.py": {"g}"},  # paths
    "views/figures/graph.py": {"g}"},  # paths
    "views/figures/axis.py": {"round("},  # where an axis begins and ends on the sheet
    "views/figures/arrange.py": {"round("},  # pixels
    "views/scene/drawings.py": {"round("},  # pixels
    "pages/see/audio/cards.py": {"round("},  # distances in frames
    "pages/understand/errata/printed.py": {"round("},  # an exponent
    "views/widgets/checkpoint/head_overview.py": {"round("},  # how strongly a colour is laid on
    "pages/understand/softmax/controls.py": {"%.2f", "g}"},  # steps of a quarter; the address
    "views/export/gallery/markup.py": {":.3g}"},  # how wide a column is
    "views/export/gallery/pictures.py": {"round("},  # pixels
    "views/export/paper.py": {":g}", ":.3f}", ":.6f}", "round("},  # mm and pixels
    "pages/understand/scaling/page.py": {":f}"},  # of what the rule has rounded
}


def test_every_shown_number_is_formatted_by_views_text_numbers():
    offenders = [
        f"{path}: {found.group()}"
        for module in sorted((ROOT / "views").rglob("*.py"))
        for path in [module.relative_to(ROOT).as_posix()]
        for found in FORMATTED.finditer(module.read_text("utf-8"))
        if not any(one in found.group() for one in ALLOWED.get(path, ()))
    ]
    assert not offenders
