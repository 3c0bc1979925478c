"""Styles, scripts and samples under ``assets`` against the code that names them."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest
from claims import for_all
from source_tree import ASSETS, MODULES, below, dotted, path_of, tree_of

from views.export.bundle import components
from views.figures.palette import PALETTES, Palette

IMPORT = re.compile(
    r'^import \{ \w+(?: as \w+)?(?:, \w+(?: as \w+)?)* \} from "((?:\./|(?:\.\./)+)[\w/-]+\.js)";$',
    re.MULTILINE,
)
PART = re.compile(r'(?:^import .*|new URL\()"((?:\./|(?:\.\./)+)[\w/-]+\.js)"', re.MULTILINE)
STYLE = re.compile(r'^@import "(\.\.?/[\w/-]+\.css)";$', re.MULTILINE)
EXPORT = re.compile(r"^export (?:async )?(?:function\*?|const|let|class) ", re.MULTILINE)
ENTRY = re.compile(r"^export default (?:function|\{)", re.MULTILINE)
SCRIPTS = sorted(ASSETS.rglob("*.js"))
STYLES = sorted(ASSETS.glob("*/**/*.css"))
ALONE = {"microscope/hosts/file", "gallery/gallery"}  # mounted by no widget: pages of their own
UNSTYLED: dict[str, set[str]] = {
    "js": {"gallery/begin", "wall/early", "front_end/front_end"},
    "css": set(),
}  # without a style
NOTEBOOK = {"microscope/hosts/notebook"}  # mounted by no widget of Streamlit


def named(path: Path) -> str:
    return path.relative_to(ASSETS).as_posix()


@cache
def mounted() -> set[str]:
    """Every component that some widget mounts, as folder/name."""
    calls = (
        node
        for module in below("views", "pages")
        for node in ast.walk(tree_of(module))
        if isinstance(node, ast.Call) and dotted(node.func) == "component" and node.args
    )
    names = {call.args[0].value for call in calls if isinstance(call.args[0], ast.Constant)}
    return {named(components()[name])[: -len(".js")] for name in names}


@cache
def reached(path: Path, pattern: re.Pattern[str]) -> frozenset[Path]:
    """The file and all that it imports, directly or not. Two that import each other never end."""
    others = ((path.parent / name).resolve() for name in pattern.findall(path.read_text("utf-8")))
    return frozenset({path}.union(*(reached(other, pattern) for other in others)))


def test_a_component_has_its_script_and_its_style():
    files = [f"{name}.{kind}" for name in mounted() for kind in ("js", "css")]
    assert [file for file in files if not (ASSETS / file).is_file()] == []


def test_every_component_under_assets_is_mounted():
    entries = {named(path)[: -len(".js")] for path in SCRIPTS if ENTRY.search(path.read_text())}
    assert entries == mounted() | NOTEBOOK
    assert len({name.split("/")[-1] for name in entries}) == len(entries)  # each has its own name
    assert {"microscope/hosts/streamlit", "prose/prose"} < entries


@pytest.mark.parametrize(("files", "kind", "pattern"), [
    (SCRIPTS, "js", PART), (STYLES, "css", STYLE),
])  # fmt: skip
def test_every_script_and_every_style_is_part_of_a_mounted_component(files, kind, pattern):
    names = mounted() | ALONE | NOTEBOOK | UNSTYLED[kind]
    ends = (reached(ASSETS / f"{name}.{kind}", pattern) for name in names)
    assert {named(path) for path in files} == {named(path) for path in set().union(*ends)}


@for_all("path", SCRIPTS)
def test_a_script_imports_and_exports_only_in_the_ways_that_are_bundled(path):
    """``views.export.bundle.bundle_js`` would leave unknown forms of import unchanged."""
    text = path.read_text("utf-8")
    known = [*IMPORT.findall(text), *EXPORT.findall(text), *ENTRY.findall(text)]
    assert len(re.findall(r"^\s*(?:import|export)\b", text, re.MULTILINE)) == len(known)
    assert "import(" not in text


@for_all("path", [path for path in SCRIPTS if ENTRY.search(path.read_text())])
def test_no_two_scripts_of_a_component_have_the_same_name(path):
    names = [file.stem for file in reached(path, PART)]
    assert len(names) == len(set(names))


def test_every_file_of_assets_that_is_named_exists():
    named = {ASSETS / "common.css"}
    for module in MODULES:
        for node in ast.walk(tree_of(module)):
            is_path = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div)
            if is_path and dotted(node.left) == "ASSETS" and isinstance(node.right, ast.Constant):
                named.add(ASSETS / node.right.value)
    assert ASSETS / "frame.css" in named
    assert all(path.exists() for path in named)


def test_every_sample_picture_exists_is_offered_and_has_its_source_named():
    (samples,) = (
        ast.literal_eval(node.value)
        for node in tree_of("views.widgets.image_input").body
        if isinstance(node, ast.Assign) and dotted(node.targets[0]) == "SAMPLES"
    )
    assert {path.stem for path in (ASSETS / "samples").glob("*.webp")} == set(samples)
    sources = (ASSETS / "samples" / "README.md").read_text("utf-8")
    assert [name for name in samples if f"`{name}.webp`" not in sources] == []


VARIABLE = re.compile(r"--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);")
CSS = {name: (light, dark) for name, light, dark in VARIABLE.findall(
    (ASSETS / "common.css").read_text("utf-8")
)}  # fmt: skip
BY_CLASS = re.compile(r"^([^{\n]+)\{ color: var\(--([\w-]+)\); \}$", re.MULTILINE)


def meant(name: str, palette: Palette) -> str:
    """The colour in the palette for a variable of the style sheet."""
    signed = {"negative": palette.signed[0], "positive": palette.signed[-1]}
    if name in palette.roles:
        return palette.roles[name]
    if name in signed:
        return signed[name]
    return getattr(palette, name)


@for_all(
    "name",
    "query key d_k d_model head negative positive accent soft line card".split(),  # noqa: SIM905
)
def test_the_style_sheet_has_the_palettes_colour(name):
    assert CSS[name] == tuple(meant(name, PALETTES[theme]) for theme in ("light", "dark"))


def test_the_style_sheets_share_is_a_colour_of_the_share_scale():
    for colour, theme in zip(CSS["share"], ("light", "dark"), strict=True):
        assert colour in PALETTES[theme].share


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_role_has_a_class_of_its_colour(theme):
    text = (ASSETS / "common.css").read_text("utf-8")
    found = {
        name.strip().removeprefix("."): CSS[variable][("light", "dark").index(theme)]
        for classes, variable in BY_CLASS.findall(text)
        for name in classes.split(",")
    }
    assert found == PALETTES[theme].roles


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_cards_have_the_palettes_colour_in_the_frame_too(theme):
    text = (ASSETS / "frame.css").read_text("utf-8")
    (pair,) = re.findall(r'_card"\] \{ background: light-dark\((#\w{6}), (#\w{6})\)', text)
    assert pair[("light", "dark").index(theme)] == PALETTES[theme].card


def test_a_style_names_only_keys_that_some_part_of_the_app_has():
    """Streamlit makes the class ``st-key-KEY`` of a key; one that is renamed loses its style."""
    code = "\n".join(path_of(name).read_text("utf-8") for name in below("views", "pages"))
    sheets = [path.read_text("utf-8") for path in ASSETS.rglob("*.css")]
    keys = {key for sheet in sheets for key in re.findall(r"\.st-key-([A-Za-z_]+)", sheet)}
    assert len(keys) > 30
    assert sorted(key for key in keys if f'"{key}' not in code) == []


def test_no_style_of_the_whole_page_depends_on_what_is_anywhere_in_it():
    """Else every text that a chart measures restyles all of the page."""
    sheets = [*ASSETS.rglob("*.css")]
    assert len(sheets) > 20
    wide = re.compile(r"(?::root|html|body)\b[^\s{>+~]*:has\(")
    assert [sheet.name for sheet in sheets if wide.search(sheet.read_text("utf-8"))] == []
