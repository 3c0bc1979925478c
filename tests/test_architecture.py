"""The allowed imports between layers, checked in the source files with ``ast``."""

import ast
from graphlib import TopologicalSorter

from claims import for_all
from source_tree import MODULES, ROOT, below, dotted, foreign, imports, ours, tree_of, under

from views.navigation import PAGES

READERS = {  # the libraries that read an input, and who may import them
    "core.sources.file_type": {"filetype"},
    "core.sources.text": {"rjieba", "regex"},  # Han words and all other words
    "core.sources.visible": {"regex"},  # which characters of a text are visible
    "core.sources.picture": {"PIL"},
    "core.sources.recording": {"soundfile"},
    "core.sources.audio": {"soxr"},
    "core.sources.tokenization": {"tokenizers"},
    "core.sources.pieces": {"tokenizers"},
    "core.sources.unigram": {"tokenizers"},
    "core.sources.tensor_file": {"safetensors"},
    "core.models.stored": {"safetensors"},
    "core.models.tensors": {"safetensors"},
    "core.models.formats.entries": {"cachetools"},
    "core.models.formats.gguf": {"gguf"},  # decodes blocks of quantized numbers
}
ABOVE = ("views.widgets", "views.frame", "views.server", "views.export.gallery")


def folder_of(module: str) -> str:
    """The package that a module of a page belongs to, such as ``pages.understand.masks``."""
    chapter = module.rsplit(".", 1)[0]
    return ".".join(chapter.split(".")[:3])


def test_every_layer_of_the_app_is_looked_at():
    for module in ("app", "core.ops", "core.sources.text", "views.frame", "views.figures.chart"):
        assert module in MODULES
    assert "views.widgets.viewer" in MODULES
    assert "views.scene.scene" in MODULES
    assert "pages.see.sentence.page" in MODULES


@for_all("module", below("core"))
def test_the_core_imports_no_views(module):
    assert all(under(name, "core") for name in ours(module))


@for_all("module", below("core"))
def test_the_core_is_numpy_and_one_reader_library_at_most(module):
    assert foreign(module) <= {"numpy"} | READERS.get(module, set())


@for_all("module", below("core"))
def test_the_pipeline_imports_neither_its_front_ends_nor_where_weights_come_from(module):
    if not under(module, "core.sources", "core.models"):
        assert not {name for name in ours(module) if under(name, "core.sources", "core.models")}


@for_all("module", below("views.text"))
def test_the_words_import_nothing_but_one_another(module):
    assert not foreign(module)
    assert all(under(name, "views.text") for name in ours(module))


@for_all("module", below("views.figures"))
def test_figures_know_the_core_printed_numbers_and_symbols_but_neither_streamlit_nor_words(module):
    assert foreign(module) <= {"numpy", "plotly", "PIL"}
    assert all(
        under(name, "views.figures", "views.text.numbers", "views.text.spans", "core")
        for name in ours(module)
    )


@for_all("module", ("views.text.numbers", "views.text.spans", "views.parse"))
def test_the_small_helpers_stand_on_the_standard_library(module):
    assert not ours(module)
    assert not foreign(module)


@for_all("module", [m for m in below("views") if not under(m, *ABOVE)])
def test_no_module_below_widgets_imports_a_widget(module):
    assert not any(under(name, "views.widgets") for name in ours(module))


@for_all("module", below("views.scene"))
def test_a_scene_is_numbers_drawings_and_words_without_streamlit_plotly_or_a_widget(module):
    known = ("core", "views.figures", "views.text")
    assert foreign(module) <= {"numpy", "PIL"}
    assert all(under(name, *known, "views.scene") for name in ours(module))


def test_a_formula_stands_on_the_standard_library_and_knows_no_language():
    assert not ours("views.figures.formula") | foreign("views.figures.formula")


def test_plotly_is_known_to_figures_alone_which_do_not_know_streamlit():
    drawing = [module for module in MODULES if "plotly" in foreign(module)]
    assert drawing
    assert not [m for m in drawing if not under(m, "views.figures")]
    assert not [m for m in drawing if "streamlit" in foreign(m)]


@for_all("module", below("views.widgets"))
def test_widgets_stand_below_pages_and_the_frame(module):
    assert foreign(module) <= {"numpy", "streamlit", "PIL"}
    assert not {n for n in ours(module) if under(n, "app", "pages", "views.frame", "views.server")}


@for_all("module", below("pages"))
def test_pages_know_the_views_and_the_core_and_no_other_page(module):
    assert foreign(module) <= {"numpy", "streamlit", "PIL"}
    assert all(under(name, "views", "core", folder_of(module)) for name in ours(module))
    assert "views.frame" not in ours(module)


def test_the_app_imports_only_views():
    assert foreign("app") == {"streamlit"}
    assert all(under(name, "views") for name in ours("app"))


def test_imports_run_one_way():
    modules = [m for m in MODULES if not m.endswith("__init__")]
    graph = {module: ours(module) & set(modules) for module in modules}
    assert tuple(TopologicalSorter(graph).static_order())


def test_no_test_is_imported_by_the_app():
    helpers = {path.stem for path in (ROOT / "tests").rglob("*.py")} | {"tests"}
    tools = {"pytest", "hypothesis", "playwright", "onnx", "torch"}
    for module in MODULES:
        assert not {name.split(".")[0] for name in imports(module)} & helpers, module
        assert not foreign(module) & tools, module


@for_all("module", MODULES)
def test_no_error_is_caught_without_saying_which(module):
    for node in ast.walk(tree_of(module)):
        if isinstance(node, ast.ExceptHandler):
            assert node.type is not None
            kinds = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
            assert not {dotted(kind) for kind in kinds} & {"Exception", "BaseException"}
    assert "contextlib.suppress" not in {dotted(node) for node in ast.walk(tree_of(module))}


@for_all("module", MODULES)
def test_no_raw_html_no_rerun_and_no_sleeping_session(module):
    for node in ast.walk(tree_of(module)):
        if isinstance(node, ast.Call):
            assert not {word.arg for word in node.keywords} & {"unsafe_allow_html"}
            assert dotted(node.func) not in {"st.rerun", "time.sleep", "sleep", "rerun"}
    if not under(module, "views.server"):
        assert "time" not in imports(module)


def test_every_page_of_the_menu_is_a_file_and_every_file_is_in_the_menu():
    assert set(PAGES.values()) == set((ROOT / "pages").rglob("page.py"))


@for_all("module", [m for m in below("pages") if m.endswith(".page")])
def test_nothing_that_outlives_a_run_is_defined_in_a_page_which_every_run_executes_anew(module):
    tree = tree_of(module)
    classes = {node.name for node in tree.body if isinstance(node, ast.ClassDef)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and dotted(node.func).endswith("remembered"):
            assert not {dotted(argument) for argument in node.args} & classes
        for decorator in getattr(node, "decorator_list", ()):
            called = decorator.func if isinstance(decorator, ast.Call) else decorator
            assert dotted(called).split(".")[-1] not in ("cache", "lru_cache")
