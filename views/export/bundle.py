"""Bundles .js and .css files: each with everything it imports, and those of a page, as one text."""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

ASSETS = Path(__file__).parents[2] / "assets"
_IMPORT = re.compile(r'^import (\{[^}]*\}) from "([^"]+)";$', re.MULTILINE)
_STYLE = re.compile(r'^@import "([^"]+)";$', re.MULTILINE)
_COMMENT = re.compile(r"^ *(?://.*|/\*(?:(?!\*/)[\s\S])*\*/)\n", re.MULTILINE)
_WORKER = re.compile(r'new URL\("(\./\w+\.js)", import\.meta\.url\)')
_EXPORT = re.compile(r"^export ((?:async )?(?:function|const|let|class)\*? (\w+))", re.MULTILINE)

_TEXT_OF = (
    "URL.createObjectURL(new Blob(Object.entries({{ {names} }}).map(([name, make]) => "
    '`const ${{name}} = (${{make}})();\n`), {{ type: "text/javascript" }}))'
)
_MODULE = re.compile(r"^const \$(\w+) = \(\(\) => \{\n.*?^\}\)\(\);\n", re.MULTILINE | re.DOTALL)
_NEEDED = re.compile(r"^const \{[^}]*\} = \$(\w+);$", re.MULTILINE)
_ENTRY = re.compile(r"^export default function", re.MULTILINE)


@cache
def components() -> dict[str, Path]:
    """The script of every component, by its name; its style stands beside it."""
    found = (
        path for path in sorted(ASSETS.rglob("*.js")) if _ENTRY.search(path.read_text("utf-8"))
    )
    return {path.stem: path for path in found}


def component_js(name: str) -> str:
    """The front end of a component."""
    return bundle_js(components()[name])


def component_css(name: str) -> str:
    """The style of all components, and of this one."""
    return bundle_css(ASSETS / "common.css") + bundle_css(components()[name].with_suffix(".css"))


def bundle_css(path: Path) -> str:
    """A style sheet in which every ``@import "./file.css";`` is replaced by that file's text."""
    text = path.read_text("utf-8")
    return _STYLE.sub(lambda match: bundle_css(path.parent / match[1]), text)


def bundle_js(path: Path) -> str:
    """A JavaScript module and all that it imports, as one module.

    Comments on lines of their own are removed: a quarter of it would be type comments.

    Each imported file becomes a function that runs once and returns its exports. Only
    ``import { name, other as another } from "./file.js";`` and ``export`` before a declaration are
    supported. Circular imports and two files of the same name in one bundle are not. The URL of a
    worker, ``new URL("./file.js", import.meta.url)``, becomes one of the text of these functions.
    """
    path = path.resolve()
    modules, workers = _modules(path)
    main = modules.pop(path)
    shared = {file for worker in workers for file in _modules(worker)[0]}
    pieces = []
    for file, inner in modules.items():
        exports = ", ".join(name for _, name in _EXPORT.findall(inner))
        text = _EXPORT.sub(r"\1", inner)
        made = f"() => {{\n{text}return {{ {exports} }};\n}}"
        if file not in shared:
            pieces.append(f"const ${file.stem} = ({made})();\n")
            continue
        pieces.append(f"const $${file.stem} = {made};\n")
        if file not in workers:
            pieces.append(f"const ${file.stem} = $${file.stem}();\n")
    return "".join(pieces) + main


def _modules(path: Path) -> tuple[dict[Path, str], set[Path]]:
    """The text of each file that one needs, each after those that it imports; and the workers."""
    modules: dict[Path, str] = {}
    workers: set[Path] = set()

    def body(file: Path) -> str:
        def needed(name: str) -> Path:
            other = (file.parent / name).resolve()
            if other not in modules:
                text = body(other)
                modules[other] = text
            return other

        def imported(match: re.Match[str]) -> str:
            return f"const {match[1].replace(' as ', ': ')} = ${needed(match[2]).stem};"

        def worker(match: re.Match[str]) -> str:
            workers.add(needed(match[1]))
            names = ", ".join(f"${one.stem}: $${one.stem}" for one in _modules(needed(match[1]))[0])
            return _TEXT_OF.format(names=names)

        text = _COMMENT.sub("", file.read_text("utf-8"))
        return _WORKER.sub(worker, _IMPORT.sub(imported, text))

    modules[path] = body(path)
    return modules, workers


def page_script(components: Mapping[str, str], own: Iterable[str]) -> str:
    """The bundles of a page and of its components, those by name, as one module."""
    imported: dict[str, str] = {}  # modules of bundles, by name

    def main(bundle: str) -> str:
        """What is left of a bundle: modules of which another has the name, or that need such."""
        kept: set[str] = set()

        def taken(match: re.Match[str]) -> str:
            name, text = match[1], match[0]
            is_shared = {*_NEEDED.findall(text)} <= imported.keys() - kept
            if is_shared and imported.setdefault(name, text) == text:
                return ""
            kept.add(name)
            return text

        return _MODULE.sub(taken, bundle)

    functions = ",\n".join(f"{name}: {_function(main(js))}" for name, js in components.items())
    mains = "".join(f"(async () => {{\n{main(js)}}})();\n" for js in own)
    modules = "".join(imported.values())
    return f"{modules}globalThis.components = {{ {functions} }};\n{mains}"


def _function(script: str) -> str:
    """A component's module as an expression: the function that it exports."""
    inside = _ENTRY.sub("const $main = function", _EXPORT.sub(r"\1", script))
    return f"(() => {{\n{inside}\nreturn $main;\n}})()"
