"""The app's modules as data, with the imports of each."""

import ast
import sys
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
ASSETS = ROOT / "assets"
FOLDERS = ("attention_microscope", "core", "views", "pages")


def names(folder: str) -> list[str]:
    found = sorted((ROOT / folder).rglob("*.py"))
    return [".".join(path.relative_to(ROOT).with_suffix("").parts) for path in found]


MODULES = ["app", *(name for folder in FOLDERS for name in names(folder))]


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
