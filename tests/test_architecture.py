"""The rules that keep the code in its layers, read off the real files with ``ast``."""

import ast
import re
import sys
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from views.figures.palette import PALETTES, Palette

ROOT = Path(__file__).parents[1]
ASSETS = ROOT / "assets"
FOLDERS = ("core", "views", "pages")
READERS = {  # the libraries that read an input, and who may import them
    "core.sources.text": {"rjieba", "regex"},  # Han words and all other words
    "core.sources.picture": {"PIL"},
    "core.sources.audio": {"soundfile"},
    "core.models.checkpoint": {"safetensors"},
}


def names(folder: str) -> list[str]:
    found = sorted((ROOT / folder).rglob("*.py"))
    return [".".join(path.relative_to(ROOT).with_suffix("").parts) for path in found]


MODULES = ["app", *(name for folder in FOLDERS for name in names(folder))]
ABOVE = ("views.widgets", "views.frame", "views.server")


def path_of(module: str) -> Path:
    return ROOT / (module.replace(".", "/") + ".py")


@cache
def tree_of(module: str) -> ast.Module:
    return ast.parse(path_of(module).read_text("utf-8"))


@cache
def imports(module: str) -> frozenset[str]:
    """Every module that this one imports anywhere, submodules by their full name."""
    found = set()
    for node in ast.walk(tree_of(module)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{module} imports relatively"
            assert node.module
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                is_module = path_of(full).exists() or (ROOT / full.replace(".", "/")).is_dir()
                found.add(full if is_module else node.module)
    return frozenset(found)


def under(name: str, *packages: str) -> bool:
    return any(name == package or name.startswith(package + ".") for package in packages)


def ours(module: str) -> set[str]:
    return {name for name in imports(module) if under(name, "app", "core", "views", "pages")}


def foreign(module: str) -> set[str]:
    """Top-level names of what is neither ours nor the standard library's."""
    found = {name.split(".")[0] for name in imports(module) - ours(module)}
    return found - sys.stdlib_module_names


def below(*packages: str) -> list[str]:
    return [module for module in MODULES if under(module, *packages)]


def dotted(node: ast.AST) -> str:
    """``st.rerun`` of the expression ``st.rerun``; "" for anything that is no chain of names."""
    if isinstance(node, ast.Attribute):
        return f"{dotted(node.value)}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else ""


def test_every_layer_of_the_app_is_looked_at():
    for module in ("app", "core.ops", "core.sources.text", "views.frame", "views.figures.figure"):
        assert module in MODULES
    assert "views.widgets.viewer" in MODULES
    assert "pages.see.sentence" in MODULES


@pytest.mark.parametrize("module", below("core"))
def test_the_core_knows_nothing_of_how_it_is_shown(module):
    assert all(under(name, "core") for name in ours(module))


@pytest.mark.parametrize("module", below("core"))
def test_the_core_is_numpy_and_one_reader_library_at_most(module):
    assert foreign(module) <= {"numpy"} | READERS.get(module, set())


@pytest.mark.parametrize("module", below("core"))
def test_the_pipeline_does_not_know_its_front_doors_nor_where_weights_come_from(module):
    if not under(module, "core.sources", "core.models"):
        assert not {name for name in ours(module) if under(name, "core.sources", "core.models")}


@pytest.mark.parametrize("module", below("views.text"))
def test_the_words_import_nothing_but_one_another(module):
    assert not foreign(module)
    assert all(under(name, "views.text") for name in ours(module))


@pytest.mark.parametrize("module", below("views.figures"))
def test_figures_know_the_core_and_printed_numbers_but_neither_streamlit_nor_words(module):
    assert foreign(module) <= {"numpy", "plotly", "PIL"}
    assert all(under(name, "views.figures", "views.numbers", "core") for name in ours(module))


@pytest.mark.parametrize(
    "module", below("views.numbers", "views.parse", "views.pages", "views.spans")
)
def test_the_small_helpers_stand_on_the_standard_library(module):
    assert not ours(module)
    assert not foreign(module)


@pytest.mark.parametrize("module", [m for m in below("views") if not under(m, *ABOVE)])
def test_what_widgets_are_made_of_knows_no_widget(module):
    assert not any(under(name, "views.widgets") for name in ours(module))


@pytest.mark.parametrize("module", ["views.opened", "views.terms"])
def test_an_opened_cell_is_worded_without_streamlit(module):
    below = ("core", "views.numbers", "views.text", "views.spans", "views.figures.symbols")
    assert not foreign(module)
    assert all(under(name, *below, "views.terms") for name in ours(module))


@pytest.mark.parametrize("module", [m for m in MODULES if not under(m, "views.figures")])
def test_plotly_is_known_to_figures_alone(module):
    assert "plotly" not in foreign(module)


@pytest.mark.parametrize("module", below("views.widgets"))
def test_widgets_stand_below_pages_and_the_frame(module):
    assert foreign(module) <= {"numpy", "streamlit", "PIL"}
    assert not {n for n in ours(module) if under(n, "app", "pages", "views.frame", "views.server")}


@pytest.mark.parametrize("module", below("pages"))
def test_pages_know_the_views_and_the_core(module):
    assert foreign(module) <= {"streamlit"}
    assert all(under(name, "views", "core") for name in ours(module))
    assert "views.frame" not in ours(module)


def test_the_app_knows_the_views_alone():
    assert foreign("app") == {"streamlit"}
    assert all(under(name, "views") for name in ours("app"))


def test_imports_run_one_way():
    modules = [m for m in MODULES if not m.endswith("__init__")]
    graph = {module: ours(module) & set(modules) for module in modules}
    assert tuple(TopologicalSorter(graph).static_order())


@pytest.mark.parametrize("module", MODULES)
def test_no_test_is_imported_by_the_app(module):
    helpers = {path.stem for path in (ROOT / "tests").rglob("*.py")} | {"tests"}
    assert not {name.split(".")[0] for name in imports(module)} & helpers
    assert not foreign(module) & {"pytest", "hypothesis", "playwright", "onnx", "torch"}


@pytest.mark.parametrize("module", below("pages"))
def test_a_page_has_15_to_40_lines(module):
    assert 15 <= len(path_of(module).read_text("utf-8").splitlines()) <= 40


@pytest.mark.parametrize("module", MODULES)
def test_no_error_is_caught_without_saying_which(module):
    for node in ast.walk(tree_of(module)):
        if isinstance(node, ast.ExceptHandler):
            assert node.type is not None
            kinds = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
            assert not {dotted(kind) for kind in kinds} & {"Exception", "BaseException"}
    assert "contextlib.suppress" not in {dotted(node) for node in ast.walk(tree_of(module))}


@pytest.mark.parametrize("module", MODULES)
def test_no_raw_html_no_rerun_and_no_sleeping_session(module):
    for node in ast.walk(tree_of(module)):
        if isinstance(node, ast.Call):
            assert not {word.arg for word in node.keywords} & {"unsafe_allow_html"}
            assert dotted(node.func) not in {"st.rerun", "time.sleep", "sleep", "rerun"}
    assert "time" not in imports(module)


def mounted() -> set[str]:
    """Names of the components that some widget mounts."""
    found = set()
    for module in below("views"):
        for node in ast.walk(tree_of(module)):
            if isinstance(node, ast.Call) and dotted(node.func) == "component":
                (name,) = node.args
                assert isinstance(name, ast.Constant)
                found.add(name.value)
    return found


@pytest.mark.parametrize("name", sorted(mounted()))
def test_a_component_has_its_script_and_its_style(name):
    assert (ASSETS / name / f"{name}.js").is_file()
    assert (ASSETS / name / f"{name}.css").is_file()


def test_every_component_under_assets_is_mounted():
    folders = {path.parent.name for path in ASSETS.glob("*/*.js")}
    assert folders == mounted()


def test_every_file_of_assets_that_is_named_exists():
    named = {ASSETS / "common.css"}
    for module in MODULES:
        for node in ast.walk(tree_of(module)):
            is_path = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div)
            if is_path and dotted(node.left) == "ASSETS" and isinstance(node.right, ast.Constant):
                named.add(ASSETS / node.right.value)
    assert ASSETS / "frame.css" in named
    assert all(path.exists() for path in named)


def test_every_sample_picture_exists_and_is_offered():
    (samples,) = (
        ast.literal_eval(node.value)
        for node in tree_of("views.widgets.image_input").body
        if isinstance(node, ast.Assign) and dotted(node.targets[0]) == "SAMPLES"
    )
    assert {path.stem for path in (ASSETS / "samples").glob("*.webp")} == set(samples)


def test_every_page_of_the_menu_is_a_file_and_every_file_is_in_the_menu():
    from views.pages import PAGES

    assert set(PAGES.values()) == set((ROOT / "pages").rglob("*.py"))


VARIABLE = re.compile(r"--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);")
CSS = {name: (light, dark) for name, light, dark in VARIABLE.findall(
    (ASSETS / "common.css").read_text("utf-8")
)}  # fmt: skip
BY_CLASS = re.compile(r"^([^{\n]+)\{ color: var\(--([\w-]+)\); \}$", re.MULTILINE)


def meant(name: str, palette: Palette) -> str:
    """What the palette says about a variable of the style sheet."""
    signed = {"negative": palette.signed[0], "positive": palette.signed[-1]}
    if name in palette.roles:
        return palette.roles[name]
    if name in signed:
        return signed[name]
    return getattr(palette, name)


@pytest.mark.parametrize(
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
