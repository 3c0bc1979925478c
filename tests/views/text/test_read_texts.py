"""Every text that the code reads exists, and every text is read.

By name: each name of a chain such as ``texts.card.help`` is one of a file that the module may read;
a module of a page may read those beside it, above it, and the app's. Texts are known by their
annotation, or by what they are assigned from.
"""

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from typing import Any

from source_tree import ASSETS, ROOT, below, path_of, tree_of

SHARED = ROOT / "views" / "text"
METHODS = {"items", "values", "keys", "get", "as_dict", "__getitem__"}
OF_TEXTS = METHODS | {name for kind in (str, list) for name in dir(kind)}
MODULES = below("views", "pages")
FILES = [path for folder in ("views", "pages") for path in (ROOT / folder).rglob("*.en.toml")]


def paths(value: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The path of every text by the names of its tables."""
    match value:
        case dict():
            for name, inner in value.items():
                yield from paths(inner, (*path, name))
        case list():
            for inner in value:
                yield from paths(inner, path)
        case _:
            yield path


TEXTS = {file: tuple(paths(tomllib.loads(file.read_text("utf-8")))) for file in FILES}
NAMES = {file: {name for path in found for name in path} for file, found in TEXTS.items()}


@cache
def nodes_of(module: str) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(tree_of(module)))


def readable(module: str) -> set[str]:
    """The names of the texts that a module may read."""
    of_others = not module.startswith("pages") or "words_beside(PAGES" in path_of(module).read_text(
        "utf-8"
    )
    folders = (SHARED, *(ROOT / module.replace(".", "/")).parents)
    read = (names for file, names in NAMES.items() if of_others or file.parent in folders)
    return OF_TEXTS.union(*read)


def is_texts(node: ast.expr, known: set[str]) -> bool:
    """Whether an expression is texts, or a part of them."""
    match node:
        case ast.Name(id=name):
            return name in known
        case ast.Attribute(value=value, attr=attr):
            return attr not in OF_TEXTS and is_texts(value, known)
        case ast.Subscript(value=value) | ast.BinOp(left=value):
            return is_texts(value, known)
        case ast.Call(func=ast.Name(id="words" | "in_language" | "words_beside")):
            return True
        case ast.Call(func=ast.Attribute(value=value, attr="get")):
            return is_texts(value, known)
    return False


def texts_in(module: str) -> set[str]:
    """The names of texts in a module."""
    known, assigned = set(), []
    for node in nodes_of(module):
        match node:
            case ast.arg(arg=name, annotation=ast.expr() as kind):
                known |= {name} if ast.unparse(kind) in ("Words", "Words | None") else set()
            case ast.ImportFrom(module="views.text", names=names):
                known |= {alias.name for alias in names if alias.name.isupper()}
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                assigned.append((name, value))
    for _ in range(3):  # what is assigned from what was assigned
        known |= {name for name, value in assigned if is_texts(value, known)}
    return known


def test_every_name_in_a_chain_of_texts_is_one_of_a_file() -> None:
    wrong, followed = [], 0
    for module in MODULES:
        known, names = texts_in(module), readable(module)
        for node in nodes_of(module):
            if isinstance(node, ast.Attribute) and is_texts(node.value, known):
                followed += 1
                if node.attr not in names:
                    wrong.append(f"{module}:{node.lineno}: {node.attr}")
    assert followed > 1500
    assert wrong == []


def test_every_text_is_read() -> None:
    """Its name stands in the code, of the browser too, or that of a table any entry of which is."""
    scripts = "".join(path.read_text("utf-8") for path in ASSETS.rglob("*.js"))
    named, tables = set(re.findall(r"\w+", scripts)), set()
    endings = tuple(re.findall(r"}(_\w+)`", scripts))  # of names that are put together
    for node in (node for module in MODULES for node in nodes_of(module)):
        match node:
            case ast.Subscript(value=ast.Attribute(attr=table) | ast.Name(id=table)):
                tables.add(table)
            case ast.Attribute(value=ast.Attribute(attr=table) | ast.Name(id=table), attr=name):
                named.add(name)
                tables |= {table} if name in METHODS else set()
            case ast.Attribute(attr=name) | ast.Constant(value=str(name)):
                named.add(name)

    def is_named(name: str) -> bool:
        return name in named or name.endswith(endings) or not name.isidentifier()

    unread = [
        f"{file.relative_to(ROOT)}: {'.'.join(path)}"
        for file, found in TEXTS.items()
        for path in found
        if not tables & {*path[:-1]} and not all(map(is_named, path))
    ]
    assert unread == []
